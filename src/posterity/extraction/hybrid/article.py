"""The article of a page without rules: its node, and the parts of that node that do not belong to it.

A small model (`model`) rates every block of text twice: by itself and its position, then with the ratings around it.
The set of blocks with the highest expected F1 is the article (`model.chosen_blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, chain, takewhile
from urllib.parse import unquote

import msgspec
import numpy as np
from numpy.typing import NDArray

from posterity.classify.page_kind import is_thread
from posterity.dom import Document, Tree
from posterity.dom.elements import HEADINGS
from posterity.dom.formulas import RENDERED
from posterity.dom.tree import TEXT, is_layout_table
from posterity.extraction.bylines import is_byline, is_dated_byline, is_only_date
from posterity.extraction.hybrid import adjustments
from posterity.extraction.hybrid import blocks as page_blocks
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, Cut, Numbers
from posterity.extraction.hybrid.model import article_model, chosen_blocks, declared_texts, drop_repeated
from posterity.lexicon import any_of, part_names
from posterity.model import OddsChange


def path_with_names(tree: Tree, node: int) -> str:
    """Return the path of an element followed by its id or classes, for explanations."""
    attrs = tree.attrs[node]
    name = f"#{attrs['id']}" if attrs.get("id") else "".join(f".{token}" for token in tree.classes(node)[:3])
    return f"{tree.path(node)} {name}".strip()


_STEP_NAMES: dict[Callable[..., None], str] = {
    adjustments.pull_to_even_odds: "thread, manual or page of another kind: nearer to even odds",
    adjustments.smooth_by_kind: "blocks in elements of the same kind",
    adjustments.exclude_other_texts: "comments and other posts excluded",
    adjustments.raise_messages: "messages of a thread",
    adjustments.raise_named_body: "element named as the body of an article",
    adjustments.lower_outside_titled_part: "part below the title",
    adjustments.lower_theme_lines: "lines that themes add",
}


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the document's tree, the nodes below it that are left out, and the confidence.

    `captions` are text nodes that belong to the article's HTML and Markdown but not to its plain text.
    """

    node: int
    left_out: frozenset[int] = frozenset()
    captions: frozenset[int] = frozenset()
    confidence: float
    why: str
    # The changes of its blocks' odds, if requested.
    trace: tuple[OddsChange, ...] = ()


def article_on(document: Document, *, explain: bool = False) -> Article | None:
    """Return the article of the page, or None if the page has no text."""
    tree, model = document.tree, article_model()
    blocks = Blocks(tree, model.names)
    if not len(blocks):
        return None
    page = BlockPage(blocks)
    titles, summary = declared_texts(tree)
    likely = model.probabilities(page, titles, summary)
    thread, power = is_thread(document), adjustments.power_of_odds(document)
    trace = adjustments.OddsTrace(page.chars) if explain else None
    host = _host(document.url)
    chosen, captions, expected = article_blocks(
        page, likely, titles, thread=thread, power=power, host=host, trace=trace
    )
    cut = Cut(blocks, (chosen | captions).tolist())
    why = f"{path_with_names(tree, cut.node)}, {int(chosen.sum())} of {len(blocks)} blocks"
    return Article(
        node=cut.node,
        left_out=cut.left_out,
        captions=frozenset(chain.from_iterable(blocks.text_nodes[each] for each in np.flatnonzero(captions).tolist())),
        confidence=model.confidence(expected),
        why=why,
        trace=trace.changes(chosen) if trace is not None else (),
    )


def article_blocks(
    page: BlockPage,
    likely: Numbers,
    titles: Sequence[str],
    *,
    thread: bool,
    power: float = 1.0,
    host: str = "",
    trace: adjustments.OddsTrace | None = None,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], float]:
    """Return which blocks are the article, which are captions of its figures, and the expected F1.

    `likely` are the model's probabilities. Captions are blocks of figures taken in spite of a low probability.

    On a `thread` of a forum the messages are the content, elsewhere they are comments. `power` is that of
    `power_of_odds`. `host` is the page's own: lists of links to other hosts are sources.
    """
    raise_body = adjustments.raise_messages if thread else adjustments.raise_named_body
    steps: list[Callable[[BlockPage, Numbers], None]] = [
        adjustments.smooth_by_kind,
        raise_body,
        adjustments.lower_theme_lines,
    ]
    if not thread:
        steps.insert(1, adjustments.exclude_other_texts)
        steps.insert(3, partial(adjustments.lower_outside_titled_part, titles=titles))
    if power < 1 and (thread or not adjustments.names_a_body(page)):
        steps.insert(0, partial(adjustments.pull_to_even_odds, power=power))
    if trace is not None:
        trace.add("the model", likely)
    for adjust in steps:
        adjust(page, likely)
        if trace is not None:
            trace.add(_STEP_NAMES[getattr(adjust, "func", adjust)], likely)
    chosen, expected = chosen_blocks(likely, page.chars)
    captions = fill_gaps(chosen, page, likely, host) | take_cards(chosen, page)
    take_notes(chosen, page)
    drop_repeated(chosen, page.blocks)
    drop_head(chosen, page, titles)
    return chosen & ~captions, chosen & captions, expected


# The minimum probability of blocks between those of the article, and after the last of them.
_BETWEEN, _AFTER = 0.1, 0.4
# Of a sentence or list item that is a sibling of the last one; with .1 pieces lose, and little more is gained.
_GOES_ON = 0.2
_HEADING = 0.01  # of a heading whose text is the article's: short posts have headings that look like a menu's
_LISTED = 0.05  # of a list right after the last block, such as that under "References"
_MOST = 0.5  # of the article's characters; else the element is one of several posts on a page
# Parts with texts of other posts or people, whose blocks are never part of the article.
_OTHER_TEXTS = frozenset(page_blocks.KIND_NAMES.index(kind) for kind in ("comment", "related"))
_BODY = page_blocks.KIND_NAMES.index("body")
_LINKED, _ANCHORS = 0.8, " #¶\u200b"  # of the characters of a line of tags; permalinks after headings
_MAX_STEPS = 3  # from a block up to the common ancestor with its neighbours: <li>, <ul>, the article's body
# Tags of authors' text; other lines between and after are a byline or the theme's.
_WRITTEN_TAGS = HEADINGS | {"p", "li", "dt", "dd", "blockquote", "figcaption", "figure", "pre"}
_SENTENCE_ENDS = tuple('.!?。！？…"”»)')
_LISTS = frozenset({"ul", "ol", "dl"})
_SHOWN = frozenset({"img", "svg", "canvas", "video", "audio", "iframe", "object", "table", "pre"})  # content of figures
_CARD_PARTS = frozenset({"div", "p", "span", "section", "cite", "strong", "em", "figcaption", *HEADINGS})
_MIN_CARD_PARTS = 2  # a title, and a description or the name of the site
_MAY_NAME_CARD = frozenset(page_blocks.KIND_NAMES.index(kind) for kind in ("share", "notice", "about", "related"))
_OTHER_SITE = re.compile(r"\s*https?://([^/?#\s]+)", re.IGNORECASE)
_ROWS_AND_ITEMS = frozenset({"tr", "thead", "tbody", "li"})
# Classes of sections in the output of Sphinx, Asciidoctor, Org mode and Pandoc, and of cells in Jupyter notebooks.
_SECTION = re.compile(
    r"section|sectionbody|sect\d|outline(?:-text)?-\d|level\d|chapter|inner_cell|(?:text|code)_cell(?:_render)?|jp-\w+",
    re.IGNORECASE,
)
_WHOLES = frozenset({"ul", "ol", "li", "dl", "blockquote", "figure", "pre"})
# Elements between a block and the paragraph-like part of the article that it is in.
_INNER_TAGS = _ROWS_AND_ITEMS | _WHOLES | {"p", "dt", "dd", "td", "th", "table", "code"}


def _host(url: str | None) -> str:
    found = _OTHER_SITE.match(url or "")
    return found.group(1).lower().removeprefix("www.") if found else ""


def fill_gaps(chosen: NDArray[np.bool_], page: BlockPage, likely: Numbers, host: str = "") -> NDArray[np.bool_]:
    """Add blocks between those of the article to `chosen`: headings, lists of links, captions; return the captions.

    Alone, each of them could belong to a menu; their position shows that they are the author's. Nothing is added if the
    text becomes more than three times as long.
    """
    filled, captions = chosen.copy(), np.zeros(len(chosen), bool)
    if chosen.any():
        gaps = _Gaps(filled, page, host)
        _fill(filled, gaps, page, likely)
        taken = np.flatnonzero(filled & ~chosen).tolist()
        captions[[number for number in taken if gaps.is_in_figure(number)]] = True
    if page.chars[filled].sum() <= 3 * page.chars[chosen].sum():
        chosen[:] = filled
    return captions


def _fill(chosen: NDArray[np.bool_], gaps: _Gaps, page: BlockPage, likely: Numbers) -> None:
    kept = np.flatnonzero(chosen).tolist()
    for number in range(kept[0]):
        chosen[number] = likely[number] >= _BETWEEN and gaps.is_caption(number, kept[0])
    for number in range(gaps.first_of_table(kept[0]), kept[0]):
        chosen[number] = chosen[number] or gaps.is_in_figure_or_table(number)
    for number in range(kept[0] + 1, len(chosen)):
        if chosen[number]:
            continue
        if gaps.is_card(number) or gaps.is_in_figure_or_table(number):
            chosen[number] = True
            continue
        if page.blocks.tree.tag[page.blocks.elements[number]] not in _WRITTEN_TAGS and not gaps.is_formula(number):
            if number > kept[-1]:
                break
            continue
        is_caption, is_between = gaps.is_caption(number, gaps.last), number < kept[-1]
        least = gaps.least(number, is_between=is_between, is_caption=is_caption)
        if likely[number] >= least and (is_caption or gaps.is_inside(number, is_between=is_between)):
            chosen[number] = True
            gaps.last = number
        elif number > kept[-1] and not gaps.is_beside(number):
            break


def drop_head(chosen: NDArray[np.bool_], page: BlockPage, titles: Sequence[str]) -> None:
    """Leave out title, byline, date and links above the article, which are likely next to a single line of text."""
    kept, texts = np.flatnonzero(chosen).tolist(), [text.rstrip(_ANCHORS) for text in page.blocks.texts]
    if kept and page.links[kept[0]] and adjustments.TO_NEIGHBOURS.search(texts[kept[0]]):
        chosen[kept[0]] = len(kept) == 1
        kept = kept[1:]
    near = {number for each in kept[:3] for number in (each - 1, each, each + 1) if 0 <= number < len(texts)}
    dates = {each for each in near if is_only_date(texts[each]) or is_dated_byline(texts[each])}
    dates |= {each for each in kept[:3] if not dates.isdisjoint((each - 1, each + 1)) and is_byline(texts[each])}
    head = list(takewhile(lambda each: each in dates or any(texts[each] in title for title in titles), kept))
    if head and not dates.isdisjoint((head[0] - 1, *head)):
        head += takewhile(lambda each: page.links[each] > _LINKED * page.chars[each], kept[len(head) :])
        chosen[head] = len(head) == len(kept)


_CARD = re.compile(rf"(?:{any_of(part_names('article.card'))})(?:\s|$)")


def take_cards(chosen: NDArray[np.bool_], page: BlockPage) -> NDArray[np.bool_]:
    """Add the cards of the author's editor that are beside blocks of the article; return those of figures."""
    tree, before = page.blocks.tree, page.blocks.before
    captions = np.zeros(len(chosen), bool)
    for node in chain.from_iterable(nodes for names, nodes in tree.named.classes.items() if _CARD.match(names)):
        body, inside = tree.parent[node], slice(before[node], before[tree.end[node]])
        if chosen[before[body] : before[tree.end[body]]].any():
            captions[inside] = ~chosen[inside] & (tree.tag[node] == "figure")
            chosen[inside] = True
    return captions


_NOTE_LABEL = re.compile(r"[\[(]?\s*(?:\d{1,3}|[a-z]|[ivxlc]{1,5}|[*†‡§]{1,3})\s*[\])]?", re.IGNORECASE)
_NOTE_NAMES = frozenset({"footnote", "footnotes", "endnotes"})
_NOTE_TAGS = frozenset({"li", "p", "div", "dd", "aside", "td"})


def take_notes(chosen: NDArray[np.bool_], page: BlockPage) -> None:
    """Add the footnotes to which links with a number or sign in the article lead, wherever they are after it.

    Elements named as footnotes are added too, because not all notes are linked.
    """
    tree, blocks = page.blocks.tree, page.blocks
    kept = np.flatnonzero(chosen).tolist()
    named = (nodes for names, nodes in tree.named.classes.items() if not _NOTE_NAMES.isdisjoint(names.split()))
    for node in sorted(chain.from_iterable(named)) if kept else ():
        _take_note(chosen, page, node, kept[0])
    for link in tree.nodes_by_tag.get("a", ()):
        href, number = tree.attrs[link].get("href") or "", blocks.before[tree.end[link]] - 1
        if href[:1] != "#" or number < 0 or not chosen[number] or not _NOTE_LABEL.fullmatch(tree.plain(link).strip()):
            continue
        name = unquote(href[1:])
        target = (tree.nodes_by_id.get(name) or tree.nodes_by_declaration.get(f"name={name}") or [0])[0]
        while target > 0 and tree.tag[target] not in _NOTE_TAGS:
            target = tree.parent[target]
        _take_note(chosen, page, target, number)


def _take_note(chosen: NDArray[np.bool_], page: BlockPage, node: int, number: int) -> None:
    """Add the blocks of a note after this block, unless it is long or in a part with other texts that is not both's."""
    tree, blocks = page.blocks.tree, page.blocks
    inside, place = slice(blocks.before[node], blocks.before[tree.end[node]]), blocks.elements[number]
    is_small = page.chars[inside].sum() < _MOST * (page.chars * chosen).sum() or tree.tag[node] == "li"
    others = (part for bit, part in blocks.kinds[node].items() if bit in _OTHER_TEXTS)
    if inside.start > number and is_small and all(part <= place < tree.end[part] for part in others):
        chosen[inside] = True


class _Gaps:
    """Tests of blocks that were not chosen, by the chosen ones around them."""

    def __init__(self, chosen: NDArray[np.bool_], page: BlockPage, host: str) -> None:
        self._blocks, self._tree, self._chosen, self._own_host = page.blocks, page.blocks.tree, chosen, host
        self._kept = np.flatnonzero(chosen)
        self._before: list[int] = list(accumulate(chosen.tolist(), initial=0))
        self._chars = list(accumulate((page.chars * chosen).tolist(), initial=0.0))
        # <figure>, and <div class="figure"> of Org mode and R Markdown.
        called = (node for node in self._tree.nodes_by_class.get("figure", ()) if self._tree.tag[node] == "div")
        self._figures = frozenset((*self._tree.nodes_by_tag.get("figure", ()), *called))
        # Results of tests by element, which its blocks share.
        self._known: dict[tuple[str, int], bool] = {}
        self.last = int(self._kept[-1])

    def _body(self, number: int) -> int:
        """Return the nearest ancestor of a block with a chosen block."""
        node = self._blocks.elements[number]
        while node > 0 and not self._count(node):
            node = self._tree.parent[node]
        return node

    def least(self, number: int, *, is_between: bool, is_caption: bool) -> float:
        """Return the minimum probability for adding a block."""
        if self.is_listed(number):
            return 0.0 if is_between or self._is_announced(number) else _LISTED
        if is_caption and self._tree.tag[self._blocks.elements[number]] == "figcaption":
            return 0.0
        if is_between and (self._heads_article(number) or self._tree.tag[self._blocks.elements[number]] == "pre"):
            return _HEADING
        if is_between or is_caption or self._heads_sources(number):
            return _BETWEEN
        if not self._goes_on(number):
            return _AFTER
        body = self._blocks.kinds[self._blocks.elements[number]].get(_BODY)
        return _BETWEEN if body is not None and self._holds_most(body) else _GOES_ON

    def _heads_article(self, number: int) -> bool:
        """Return whether a block is a heading with blocks of the article right below it, side by side with them."""
        tree, holder, below = self._tree, self._blocks.elements, number
        while below < self._kept[-1] and tree.tag[holder[below]] in HEADINGS:
            below += 1
        return below > number and bool(self._chosen[below]) and tree.parent[holder[number]] == self._body(number)

    def _goes_on(self, number: int) -> bool:
        """Return whether a block is a sentence or list item that is a sibling of the last one."""
        blocks, tree = self._blocks, self._tree
        holder, last, text = blocks.elements[number], blocks.elements[self.last], blocks.texts[number]
        above = last
        while tree.parent[above] > tree.parent[holder] and tree.tag[above] in _INNER_TAGS:
            above = tree.parent[above]
        if tree.parent[holder] != tree.parent[above] and not self._once(self._is_like_others, self._wrapper(number)):
            return False
        below = number + 1
        if tree.tag[holder] in HEADINGS and below < len(blocks) and tree.tag[blocks.elements[below]] == "p":
            return self._goes_on(below)
        return tree.tag[holder] == tree.tag[last] == "li" or (
            text.endswith(_SENTENCE_ENDS) and 2 * blocks.links[number] < len(text)
        )

    def _wrapper(self, number: int) -> int:
        """Return the outermost element with only this block, such as the <div> that editors put around each <p>."""
        tree, before, node = self._tree, self._blocks.before, self._blocks.elements[number]
        while node > 0 and before[tree.end[tree.parent[node]]] - before[tree.parent[node]] == 1:
            node = tree.parent[node]
        return node

    def _is_like_others(self, wrapper: int) -> bool:
        """Return whether an element is a <div> with the same class as a previous sibling with blocks of the article."""
        tree = self._tree
        before = (each for each in tree.children(tree.parent[wrapper]) if each < wrapper and tree.tag[each] == "div")
        alike = (each for each in before if tree.attrs[each].get("class") == tree.attrs[wrapper].get("class"))
        return tree.tag[wrapper] == "div" and any(map(self._count, alike))

    def is_inside(self, number: int, *, is_between: bool) -> bool:
        """Whether the chosen blocks before and after (if any) are near, in the same element."""
        blocks, tree, body = self._blocks, self._tree, self._body(number)
        holder = blocks.elements[number]
        place = int(np.searchsorted(self._kept, number))
        around = [int(self._kept[place - 1])] + ([int(self._kept[place])] if is_between else [])
        is_code = tree.tag[holder] == "pre" and is_between  # beside the name of its language in one element
        while not all(body <= blocks.elements[each] < tree.end[body] for each in around):
            if body <= 0 or not (is_code or self._is_section(body)):
                break
            body = tree.parent[body]
        near = [each for each in around if body <= blocks.elements[each] < tree.end[body]]
        if not near or not all(self._steps_up(each, body) <= _MAX_STEPS for each in near):
            return False
        # A list or quotation belongs to the author as a whole; elsewhere a single neighbour may be a byline.
        if len(near) < len(around) and tree.tag[body] not in _WHOLES:
            return False
        if not self._holds_most(body):
            return False
        named = blocks.kinds[holder]  # a "card" may be one of many, or contain the page
        return not any(
            bit in page_blocks.ICON_KINDS
            and not self._is_named_after_heading(element)
            and (element > body or (bit in _OTHER_TEXTS and self._count(element) < self._before[-1]))
            for bit, element in named.items()
        )

    def _is_named_after_heading(self, node: int) -> bool:
        """Whether an element's name comes from a heading, as in Pandoc's `<section class="level2" id="about">`."""
        tree = self._tree
        return tree.tag[node] in HEADINGS or any(_SECTION.fullmatch(token) for token in tree.classes(node))

    def _holds_most(self, node: int) -> bool:
        """Return whether the element contains most of the article; for a list, quotation or section, its parent."""
        tree, before = self._tree, self._blocks.before
        while node > 0 and (tree.tag[node] in _WHOLES or self._is_section(node)):
            node = tree.parent[node]
        inside = self._chars[before[tree.end[node]]] - self._chars[before[node]]
        return bool(inside >= _MOST * self._chars[-1])

    def _is_section(self, node: int) -> bool:
        """Return whether an element is a section of an article."""
        tree = self._tree
        if tree.tag[node] == "section":
            return True
        return tree.tag[node] == "div" and any(_SECTION.fullmatch(token) for token in tree.classes(node))

    def is_listed(self, number: int) -> bool:
        """Return whether a block is in a list of links to other sites right after a block of the article."""
        item = self._list_or_line(number)
        if self._tree.tag[item] == "p" and not self._blocks.texts[number].startswith("http"):
            return False
        return self._once(self._is_list_of_sources, item)

    def _heads_sources(self, number: int) -> bool:
        """Return whether a block is a heading, such as "References", right above links to other sites."""
        tree, holder = self._tree, self._blocks.elements[number]
        if tree.tag[holder] not in HEADINGS or number + 1 >= len(self._chosen):
            return False
        below = self._list_or_line(number + 1)
        return tree.parent[below] == tree.parent[holder] and self._once(self._leads_to_sources, below)

    def _leads_to_sources(self, item: int) -> bool:
        """Whether most links of a list or line lead to other sites."""
        tree = self._tree
        away = [self._leads_away(node) for node in range(item, tree.end[item]) if tree.tag[node] == "a"]
        return (tree.tag[item] == "p" or tree.tag[item] in _LISTS) and 2 * sum(away) > len(away)

    def _is_announced(self, number: int) -> bool:
        """Whether the line above the block's list ends with a colon and so needs the list."""
        place = self._block_above(self._list_or_line(number))
        return place >= 0 and self._blocks.texts[place].endswith((":", "："))

    def _list_or_line(self, number: int) -> int:
        """Return the list that contains a block, else the block's element."""
        tree, holder = self._tree, self._blocks.elements[number]
        item = holder
        while tree.tag[item] not in _LISTS and tree.tag[item] in ("p", "li", "dd", "dt"):
            item = tree.parent[item]
        return item if tree.tag[item] in _LISTS else holder

    def _block_above(self, item: int) -> int:
        """Return the last block of the previous sibling element, or -1."""
        tree, numbers = self._tree, self._blocks.before
        above = [child for child in tree.children(tree.parent[item]) if child < item and tree.tag[child] != TEXT]
        has_text = above and numbers[tree.end[above[-1]]] > numbers[above[-1]]
        return numbers[tree.end[above[-1]]] - 1 if has_text else -1

    def _is_list_of_sources(self, item: int) -> bool:
        place = self._block_above(item)
        is_next = place >= 0 and self._chosen[place] and self._leads_to_sources(item)
        return bool(is_next and self._holds_most(self._tree.parent[item]))

    def _leads_away(self, link: int) -> bool:
        return _host(self._tree.attrs[link].get("href")) not in ("", self._own_host)

    def is_card(self, number: int) -> bool:
        """Return whether a block is in a preview of a page on another site, between blocks of the article.

        Authors insert such cards, but their words are those of menus, and their names, such as "bookmark", those of
        buttons.
        """
        tree, spots = self._tree, self._blocks.text_nodes[number]
        if not self._kept[0] < number < self._kept[-1]:
            return False
        link = tree.parent[spots[0]]
        while link > 0 and tree.tag[link] in _CARD_PARTS:
            link = tree.parent[link]
        if tree.tag[link] != "a" or tree.end[link] <= spots[-1] or not self._once(self._has_parts_of_card, link):
            return False
        body = self._body(number)
        kinds = self._blocks.kinds[self._blocks.elements[number]].items()
        named = {bit for bit, element in kinds if bit in page_blocks.ICON_KINDS and element > body}
        if not named <= _MAY_NAME_CARD or not self._holds_most(body):
            return False
        while tree.parent[link] > body:
            link = tree.parent[link]
        return not named or self._once(self._links_to_one_page, link)

    def _has_parts_of_card(self, link: int) -> bool:
        inside = self._tree.tag[link + 1 : self._tree.end[link]]
        return self._leads_away(link) and sum(tag in _CARD_PARTS for tag in inside) >= _MIN_CARD_PARTS

    def _links_to_one_page(self, part: int) -> bool:
        tree = self._tree
        hrefs = {tree.attrs[node].get("href") for node in range(part, tree.end[part]) if tree.tag[node] == "a"}
        return len(hrefs - {None}) == 1

    def is_formula(self, number: int) -> bool:
        """Return whether a block is a rendered formula."""
        attrs, around = self._tree.attrs, self._tree.around(self._blocks.text_nodes[number][:1])
        inside = (each for each in around if each > self._blocks.elements[number])
        return any(RENDERED.search(attrs[each].get("class") or "") for each in inside)

    def is_in_figure(self, number: int) -> bool:
        """Return whether a block is in a figure or an element named as a caption."""
        tree, node = self._tree, self._blocks.elements[number]
        while node > 0 and node not in self._figures and "caption" not in (tree.attrs[node].get("class") or ""):
            node = tree.parent[node]
        return node > 0

    def is_in_figure_or_table(self, number: int) -> bool:
        """Return whether a block is in a figure or a table with data, between blocks of the article.

        Captions and cells have few words, and alone look like parts of a menu.
        """
        tree, part = self._tree, self._blocks.elements[number]
        body, tags = self._body(number), set()
        while part > 0 and tree.tag[part] != "table" and part not in self._figures:
            tags.add(tree.tag[part])
            part = tree.parent[part]
        is_caption = ("p" if tree.tag[part] == "div" else "figcaption") in tags
        if part <= 0 or not (is_caption or tree.tag[part] == "table") or not self._once(self._is_shown, part):
            return False
        if part <= body:  # other cells of the table were chosen
            return tree.tag[part] == "table" and self._once(self._has_one_line_a_cell, part)
        if not self._kept[0] < number < self._kept[-1]:
            return False
        kinds = self._blocks.kinds[tree.parent[part]].items()
        icons = page_blocks.ICON_KINDS - page_blocks.GALLERY_KINDS if part in self._figures else page_blocks.ICON_KINDS
        if any(bit in icons and element > body for bit, element in kinds):
            return False
        place = int(np.searchsorted(self._kept, number))
        near = [each for each in self._kept[place - 1 : place + 1].tolist() if self._steps_up(each, body) <= _MAX_STEPS]
        is_divided = tree.tag[body] in _WHOLES or self._is_section(body)
        return len(near) >= (1 if is_divided else 2) and self._holds_most(body)

    def first_of_table(self, number: int) -> int:
        """Return the number of the first block in the block's table; its own number outside of tables."""
        tree, node = self._tree, self._blocks.elements[number]
        while node > 0 and tree.tag[node] != "table":
            node = tree.parent[node]
        return self._blocks.before[node] if node > 0 else number

    def _has_one_line_a_cell(self, table: int) -> bool:
        """Return whether a table near most of the article has at most one line per cell, unlike a layout table."""
        tree, before = self._tree, self._blocks.before
        cells = (node for node in range(table, tree.end[table]) if tree.tag[node] in ("td", "th"))
        above = [table]
        for _ in range(_MAX_STEPS + 1):
            above.append(tree.parent[above[-1]])
        is_of_lines = all(before[tree.end[cell]] - before[cell] <= 1 for cell in cells)
        return is_of_lines and any(map(self._holds_most, above[1:]))

    def _count(self, node: int) -> int:
        """Return the number of chosen blocks in an element."""
        before = self._blocks.before
        return self._before[before[self._tree.end[node]]] - self._before[before[node]]

    def _once(self, test: Callable[[int], bool], node: int) -> bool:
        """Return the cached result of a test of an element."""
        key = test.__name__, node
        if key not in self._known:
            self._known[key] = test(node)
        return self._known[key]

    def _is_shown(self, part: int) -> bool:
        """Return whether a figure has content, or a table has data and not mainly links."""
        tree = self._tree
        if tree.tag[part] != "table":
            return not _SHOWN.isdisjoint(tree.tag[part + 1 : tree.end[part]])
        words = len(tree.plain(part).split())
        linked = sum(len(tree.plain(n).split()) for n in range(part, tree.end[part]) if tree.tag[n] == "a")
        return not is_layout_table(tree, part) and 2 * linked <= words

    def is_caption(self, number: int, beside: int) -> bool:
        """Return whether a block is the caption of an image next to a block of the article in the same element."""
        tree, holder = self._tree, self._blocks.elements[number]
        figure = tree.parent[holder]
        if tree.tag[figure] != "figure" and "caption" not in (tree.attrs[figure].get("class") or ""):
            return False
        if not self._once(self._is_shown, figure):
            return False
        if number > self._kept[-1] and self._once(self._is_advert, figure):
            return False
        body, part = self._body(number), figure
        before, ends = self._blocks.before, tree.end
        own = before[ends[figure]] - before[figure]
        while tree.parent[part] > body and before[ends[tree.parent[part]]] - before[tree.parent[part]] == own:
            part = tree.parent[part]
        steps = _MAX_STEPS if tree.tag[holder] == "figcaption" and self._holds_most(body) else 1
        return tree.parent[part] == body and tree.tag[body] != "body" and self._steps_up(beside, body) <= steps

    def _is_advert(self, figure: int) -> bool:
        """Return whether a figure's image links to another site."""
        tree = self._tree
        return any(
            tree.tag[link] == "a"
            and self._leads_away(link)
            and "img" in tree.tag[link : tree.end[link]]
            and not page_blocks.PICTURE_FILE.search(tree.attrs[link].get("href") or "")
            for link in range(figure, tree.end[figure])
        )

    def is_beside(self, number: int) -> bool:
        """Return whether a block after the article is in the same element as the article's last block."""
        return self._steps_up(number, self._body(self.last)) <= _MAX_STEPS

    def _steps_up(self, number: int, body: int) -> int:
        """Return the number of elements between a block and an ancestor; more than allowed if it is not an ancestor."""
        tree, node, steps = self._tree, self._blocks.elements[number], 0
        while node > body:
            if tree.tag[node] == "pre":  # code in a table cell beside its line numbers
                steps = -1 if tree.tag[tree.parent[node]] == "td" else 0
            steps += tree.tag[node] not in _ROWS_AND_ITEMS and not self._is_section(node)
            node = tree.parent[node]
        return steps if node == body else _MAX_STEPS + 1
