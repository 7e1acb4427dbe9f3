"""Adjustments of the model's probabilities by other facts about a page; each multiplies the odds of blocks.

A factor of 2 turns odds of 3 to 1 that a block is article into 6 to 1. Nearly certain blocks hardly change; doubtful
ones are decided.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from posterity.classify.page_kind import TYPES_IN_JSON, is_thread, kind_named_on_body, thread_messages
from posterity.dom import Document, Tree
from posterity.dom.terms import related_posts
from posterity.extraction.bylines import is_dated_byline, is_only_date
from posterity.extraction.comment_parts import MAX_ANNOUNCEMENT, announces_comments
from posterity.extraction.comments import TRACKBACK_URL, comment_roots
from posterity.extraction.hybrid.blocks import KIND_NAMES, BlockPage, Numbers
from posterity.extraction.hybrid.model import chosen_blocks, heading_blocks, title_block
from posterity.lexicon import any_of, declarations, part_names, url_words, words_for
from posterity.model import OddsChange


def multiply_odds(likely: Numbers, factor: Numbers) -> None:
    """Multiply the odds of each block by its factor, changing the probabilities in place."""
    odds = likely / np.maximum(1 - likely, 1e-6) * factor
    likely[:] = odds / (1 + odds)


def interpolated_factor(share: float, shares: tuple[float, float], factors: tuple[float, float]) -> float:
    """Return the factor at a share, interpolated logarithmically between the two factors."""
    return float(np.exp(np.interp(share, shares, np.log(factors))))


_SURE_ARTICLE = 0.9

_MANY = 4  # groups of fewer similar blocks are not smoothed
_LEAN = 0.3  # of the way to the mean; .2 to .4 gain the same on hosts left out of training, .5 loses
_SURE_KIND = 0.001  # bound of a block's probability in the mean


def smooth_by_kind(page: BlockPage, likely: Numbers) -> None:
    """Move the odds of each block towards the mean of the blocks in similar elements."""
    kind = page.alike
    count = np.bincount(kind)
    bounded = np.clip(likely, _SURE_KIND, 1 - _SURE_KIND)
    logits = np.log(bounded / (1 - bounded))
    others = (np.bincount(kind, logits) / count)[kind]
    multiply_odds(likely, np.where(count[kind] >= _MANY, np.exp(_LEAN * (others - logits)), 1.0))


_BODY = KIND_NAMES.index("body")
_COMMENT, _RELATED = KIND_NAMES.index("comment"), KIND_NAMES.index("related")
# Parts of other content inside the named element: their odds are not raised. Parts named after social networks are
# not among them, since quotations from there have the same names.
_APART = [
    KIND_NAMES.index(kind) for kind in ("comment", "navigation", "related", "about", "advert", "sign_up", "notice")
]
# Factors on the odds inside and outside, chosen on blogs that the model was not trained on.
_INSIDE = 3.0
# The factor outside, interpolated by the share of the page's expected text that is inside.
_BODY_SHARES, _OUTSIDE = (0.5, 0.9), (0.01, 0.3)
_MIN_BODY = 0.1  # an element without a block this likely is empty or a teaser
# With less of the expected text, and more nearly certain text elsewhere, it is only a part of the article, or a
# placeholder that scripts fill. Sidebars of blogs may be longer but are not as certain.
_SMALL_BODY, _LONG_TEXT = 0.3, 1000  # characters
_MOST = 0.7  # of the expected text of all named bodies must be in the chosen one


def raise_named_body(page: BlockPage, likely: Numbers) -> None:
    """Raise the odds inside the element named as the article's body and lower them outside, if there is one."""
    expected = page.sums(likely * page.chars)
    masses = {
        node: float(expected[page.high[node]] - expected[page.low[node]]) for node in _named_bodies(page, expected)
    }
    body = max(masses, key=masses.__getitem__, default=None)
    if body is None or masses[body] < _MOST * sum(masses.values()):
        return
    inside = slice(page.low[body], page.high[body])
    if float(likely[inside].max(initial=0.0)) < _MIN_BODY:
        return
    share = masses[body] / max(float(expected[-1]), 1e-6)
    if share < _SMALL_BODY and _sure_chars(page, likely, inside) > _LONG_TEXT:
        return
    outside = interpolated_factor(share, _BODY_SHARES, _OUTSIDE)
    factor = np.full(len(likely), outside, np.float32)
    # An element between body and block may be named as another part.
    factor[inside] = np.where((page.innermost[_APART, inside] > body).any(0), 1.0, _INSIDE)
    multiply_odds(likely, factor)


def _sure_chars(page: BlockPage, likely: Numbers, inside: slice) -> float:
    """Return the characters outside an element that are nearly certain to be article."""
    sure = likely >= _SURE_ARTICLE
    sure[inside] = False
    return float(page.chars[sure].sum())


def _named_bodies(page: BlockPage, expected: Numbers) -> list[int]:
    """Return the outermost elements named as an article's body, without those in comments and related posts."""
    tree, kinds = page.blocks.tree, page.blocks.kinds
    found: dict[int, None] = {}
    for inner in {*page.innermost[_BODY].tolist()} - {-1}:
        node = inner
        while _BODY in kinds[tree.parent[node]]:
            node = kinds[tree.parent[node]][_BODY]
        if _COMMENT not in kinds[node] and not _is_related(page, expected, node):
            found[node] = None
    return sorted(found)


def _is_related(page: BlockPage, expected: Numbers, node: int) -> bool:
    """Whether an element is in a part with other posts; themes call what holds the whole page a "card" too."""
    part = page.blocks.kinds[node].get(_RELATED)
    return part is not None and bool(expected[page.high[part]] - expected[page.low[part]] < _MOST * expected[-1])


# Factors on the odds in the messages of a thread and outside them: user names, dates, ranks, menus. Results hardly
# change with .01 or .1 outside, or with 2 or 6 inside.
_IN_MESSAGE, _OUTSIDE_MESSAGES = 3.0, 0.03
_MIN_MESSAGES = 0.1  # of the expected text; .2 loses .012 on forums of wcxb_dev, .05 is the same


def raise_messages(page: BlockPage, likely: Numbers) -> None:
    """Raise the odds in the messages of a thread and lower the others, or use the named body if there are none."""
    inside = np.zeros(len(likely), bool)
    for node in thread_messages(page.blocks.tree):
        inside[page.low[node] : page.high[node]] = True
    expected = likely * page.chars
    if expected[inside].sum() > _MIN_MESSAGES * expected.sum():
        multiply_odds(likely, np.where(inside, _IN_MESSAGE, _OUTSIDE_MESSAGES))
    else:
        raise_named_body(page, likely)


# Types of schema.org by suffix: NewsArticle, BlogPosting, AggregateOffer.
_ARTICLES = declarations("type.article_ending")
_PRODUCTS = declarations("type.product_ending")
# Exponents of the odds. On hosts left out of training, other types of pages gain .007 with .8, .016 with .6, .014 with
# .45; articles gain .001 with each, and so do pages of dragnet, which was not used at all. Documentation gains .009
# with .6, .020 with .45.
_FLATTER, _FLATTER_IN_MANUALS = 0.6, 0.45
_MANUALS, _OFFERS = frozenset(url_words("kind.documentation")), frozenset(url_words("kind.offer"))
_NO_DOUBT = 0.95  # of the expected F1; without it trafilatura's pieces lose .001, and nothing gains
_SURE_OTHER_KIND = 1e-4  # bound of probabilities that keeps odds finite


def power_of_odds(document: Document) -> float:
    """Return the exponent of the odds of a page's blocks: below 1.0 if it is not a single article."""
    if is_thread(document):
        return _FLATTER
    try:
        parts = urlsplit(document.url.lower())
    except ValueError:  # an invalid URL: http://[::1
        parts = urlsplit("")
    folders = [name for name in parts.path.split("/") if name]
    if not _MANUALS.isdisjoint((*parts.netloc.split(".")[:-2], *folders[:-1])):
        return _FLATTER_IN_MANUALS
    return _FLATTER if not _OFFERS.isdisjoint(folders) or declares_another_kind(document) else 1.0


def declares_another_kind(document: Document) -> bool:
    """Return whether the page declares a kind that is neither article nor product."""
    tree = document.tree
    kind = ""
    for node in tree.nodes_by_tag.get("meta", ()):
        attrs = tree.attrs[node]
        name = (attrs.get("property") or attrs.get("name") or attrs.get("itemprop") or "").lower()
        if "published" in name:
            return False
        if name == "og:type":
            kind = (attrs.get("content") or "").lower()
    types = _schema_types(tree)
    if any(name.endswith(_ARTICLES) for name in types):
        return False
    # WordPress also declares pages, which are not posts, as articles.
    if (kind_named_on_body(tree) or ("post", 0))[0] != "post":
        return True
    if kind.startswith("article") or "product" in kind:
        return False
    return bool(kind or types) and not any(name.endswith(_PRODUCTS) for name in types)


def _schema_types(tree: Tree) -> set[str]:
    types = {declared.rpartition("/")[2] for _, declared in tree.named.typed}
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            types.update(TYPES_IN_JSON.findall(tree.plain(node)))
    return types


def names_a_body(page: BlockPage) -> bool:
    """Return whether an element on the page is named as an article's body."""
    return bool((page.innermost[_BODY] >= 0).any())


def pull_to_even_odds(page: BlockPage, likely: Numbers, power: float = _FLATTER) -> None:
    """Flatten the odds of all blocks, keeping their order, unless hardly any block is in doubt."""
    if chosen_blocks(likely, page.chars)[1] >= _NO_DOUBT:
        return
    bounded = np.clip(likely, _SURE_OTHER_KIND, 1 - _SURE_OTHER_KIND)
    odds = (bounded / (1 - bounded)) ** power
    likely[:] = odds / (1 + odds)


# Without "Related:", "Read more:", "Category:" and "Published by", which authors start sentences with as often.
_BEGINNINGS = re.compile(rf"\W*(?:{any_of(words_for('post.footer_line'))})", re.IGNORECASE)
# Such a label later in a line of links: "by Anna in Boats Tags: bread, nets".
_INSERTED = re.compile(rf"\W*(?:{any_of(words_for('post.inserted'))})", re.IGNORECASE)
_LABELS = [words for words in words_for("post.footer_line") if words.endswith(":")]
_LABEL_INSIDE = re.compile(rf"(?<!\w)(?:{any_of(_LABELS)})", re.IGNORECASE)
# "« The post before | Main | The post after »"
TO_NEIGHBOURS = re.compile(r"^[«‹←]|\| ?(?:main|home) ?\|", re.IGNORECASE)
_MAX_LINE = 300  # characters
_MAX_DAYS = 2  # above and below a post; an article with more dated lines is a diary or a programme
_LIKELY, _A_SENTENCE = 0.5, 40  # characters; 30 to 300 are the same on all sets
_MIN_LINES = 0.05  # less likely blocks are not chosen anyway
_DOUBT, _DOUBT_BEHIND, _NO_TEXT = 0.05, 0.005, 1e-6  # factors on the odds


def lower_theme_lines(page: BlockPage, likely: Numbers) -> None:
    """Lower the odds of lines that themes put around a post: dates, categories, links to neighbours."""
    lines: list[int] = []
    days: list[int] = []
    dated: list[int] = []
    inserted: list[int] = []
    linked = (page.links > page.chars / 2).tolist()
    for number in np.flatnonzero((likely > _MIN_LINES) & (page.chars <= _MAX_LINE)).tolist():
        text = page.blocks.texts[number]
        is_of_links = linked[number] and (TO_NEIGHBOURS.search(text) or _LABEL_INSIDE.search(text))
        if _INSERTED.match(text):
            inserted.append(number)
        elif (
            is_of_links
            or _BEGINNINGS.match(text)
            or announces_comments(text)
            or (text.startswith("http") and TRACKBACK_URL.search(text))
        ):
            lines.append(number)
        elif is_only_date(text):
            days.append(number)
        elif is_dated_byline(text):
            dated.append(number)
    factor = np.ones(len(likely), np.float32)
    factor[lines] = _DOUBT
    factor[_behind_the_text(lines, likely)] = _DOUBT_BEHIND
    if 0 < len(dated) <= _MAX_DAYS and _has_text_beside(lines + days + dated, page, likely):
        factor[dated] = _DOUBT_BEHIND
    if 0 < len(days) <= _MAX_DAYS and _has_text_beside(lines + days, page, likely):
        factor[days] = _DOUBT
    if inserted and _has_text_beside(inserted, page, likely):
        factor[inserted] = _NO_TEXT
    multiply_odds(likely, factor)


def _behind_the_text(lines: list[int], likely: Numbers) -> list[int]:
    """Return the lines after the last other likely block, which are surely the theme's."""
    others = likely >= _LIKELY
    others[lines] = False
    last = int(np.flatnonzero(others)[-1]) if others.any() else len(likely)
    return [line for line in lines if line > last]


def _has_text_beside(lines: list[int], page: BlockPage, likely: Numbers) -> bool:
    """Whether likely text is left without these lines; else the next best blocks would become the article."""
    others = likely >= _LIKELY
    others[lines] = False
    return float(page.chars[others].sum()) >= _A_SENTENCE


# Comments have dates; after a link "Post a comment" above the article, few lines have one.
_DATED = re.compile(r"\d{1,2}:\d\d|\b(?:19|20)\d\d\b|\d/\d+/\d|\bago\b")
_MAX_DATED, _MIN_DATED = 100, 2
# "Posted by: Anna | May 6, 2007": themes write the colon below comments but not below posts. "Anna says:", "Anna
# said...".
_SIGNED_BELOW = re.compile(any_of(words_for("comment.signed_below")), re.IGNORECASE)
_SIGNED_ABOVE = re.compile(
    rf"\b(?:{any_of(words_for('comment.signature'))})(?: (?:on|at) .{{6,30}})? ?(?::|\.\.\.|…)$", re.IGNORECASE
)
_ENDS = (":", "...", "…")
_MAX_SIGNED, _MIN_SIGNED = 100, 2
_MAX_ANNOUNCEMENTS = 50  # for each, the rest of the page is read
_LIKELY_ARTICLE = 0.25  # a block outside the thread that is this likely is an article, even if it is short
_REST = 0.15  # else this share of the expected text must be outside


def exclude_other_texts(page: BlockPage, likely: Numbers) -> None:
    """Set the probability of comments, lists of other posts and the theme's bylines to 0 beside an article."""
    named = _by_names(page)
    run = _by_comment_elements(page) if named is None else None
    tree = page.blocks.tree
    others = (
        _blocks_in(page, related_posts(tree)),
        _blocks_in(page, _theme_parts(tree)),
        _announced_posts(page, likely),
    )
    for part in (named, _by_announcement(page, likely), _by_signatures(page), run, *others):
        if part is not None and _is_beside_an_article(part, likely, page.chars):
            likely[part] = 0.0


def _is_beside_an_article(thread: NDArray[np.bool_], likely: Numbers, chars: Numbers) -> bool:
    rest = likely[~thread]
    if not len(rest):
        return False
    weighted = float((rest * chars[~thread]).sum())
    return float(rest.max()) >= _LIKELY_ARTICLE or weighted > _REST * float((likely * chars).sum())


_THEME_PART = re.compile(rf"(?:^|\s)(?:{any_of(part_names('other.byline'))})(?:\s|$)", re.IGNORECASE)
_RELATED_POSTS = re.compile(rf"\W*(?:{any_of(words_for('post.related'))})\W*", re.IGNORECASE)
_MAX_HEADING, _MOSTLY = 80, 0.5  # characters; linked share of a list of posts
_BEHIND = 0.2  # of the expected text; a list among the paragraphs of an article is its author's


def _theme_parts(tree: Tree) -> list[int]:
    return [node for names, nodes in tree.named.classes.items() if _THEME_PART.search(names) for node in nodes]


def _announced_posts(page: BlockPage, likely: Numbers) -> NDArray[np.bool_] | None:
    """Return the blocks of lists of other posts with a heading such as "Related posts", or None."""
    linked, expected = page.links >= _MOSTLY * page.chars, page.sums(likely * page.chars)
    before_links = (page.chars <= _MAX_HEADING) & ~linked & np.append(linked[1:], False)
    others = np.zeros(len(likely), bool)
    for number in np.flatnonzero(before_links).tolist():
        if _heads_other_posts(page.blocks.texts[number]):
            stop = _end_of_list(page, number)
            others[number:stop] = expected[-1] - expected[stop] <= _BEHIND * expected[-1]
    return others if others.any() else None


@lru_cache(maxsize=4096)
def _heads_other_posts(text: str) -> bool:
    return _RELATED_POSTS.fullmatch(text) is not None


def _end_of_list(page: BlockPage, heading: int) -> int:
    """Return the number of the block after the list below a heading: its own element, or siblings that are links."""
    tree, parents = page.blocks.tree, page.blocks.parents
    part = inner = int(page.holders[heading])
    while page.high[part] <= heading + 1 and parents[part] != part:
        part, inner = int(parents[part]), part
    if page.low[part] == heading:
        return int(page.high[part])
    stop, node = heading + 1, tree.end[inner]
    while node < tree.end[part]:
        inside = slice(stop, int(page.high[node]))
        if page.links[inside].sum() < _MOSTLY * page.chars[inside].sum():
            break
        stop, node = max(stop, inside.stop), tree.end[node]
    return stop


def _by_names(page: BlockPage) -> NDArray[np.bool_] | None:
    named = page.innermost[_COMMENT] >= 0
    return named if named.any() else None


def _by_announcement(page: BlockPage, likely: Numbers) -> NDArray[np.bool_] | None:
    """Return all blocks after the first announcement with likely article text before it, unlike one in a byline."""
    texts = page.blocks.texts
    expected = likely * page.chars
    before = np.cumsum(expected) - expected
    short = np.flatnonzero((page.chars <= MAX_ANNOUNCEMENT) & (before >= _REST * before[-1])).tolist()
    for number in islice((number for number in short if announces_comments(texts[number])), _MAX_ANNOUNCEMENTS):
        if likely[:number].max(initial=0.0) < _LIKELY_ARTICLE:
            continue
        rest = texts[number:]
        if _are_signed(rest) or (_has_dated_lines(rest) and not _goes_on(page, likely, number)):
            thread = np.zeros(len(texts), bool)
            thread[number:] = True
            return thread
    return None


def _by_signatures(page: BlockPage) -> NDArray[np.bool_] | None:
    """Return the blocks of comment elements, on pages with bylines of comments."""
    return _by_comment_elements(page) if _are_signed(page.blocks.texts, 1) else None


def _by_comment_elements(page: BlockPage) -> NDArray[np.bool_] | None:
    """Return the blocks of comment elements, or None if there are none."""
    return _blocks_in(page, comment_roots(page.blocks.tree))


def _blocks_in(page: BlockPage, elements: Collection[int]) -> NDArray[np.bool_] | None:
    inside = np.zeros(len(page.blocks), bool)
    for element in elements:
        inside[page.low[element] : page.high[element]] = True
    return inside if elements else None


def _are_signed(texts: Sequence[str], at_least: int = _MIN_SIGNED) -> bool:
    # Cheap tests first: few texts start or end like this.
    below = {text for text in texts if text[0] in "Pp" and _SIGNED_BELOW.match(text)}
    above = {text for text in texts if text.endswith(_ENDS) and len(text) <= _MAX_SIGNED and _SIGNED_ABOVE.search(text)}
    return len(below) + len(above) >= at_least


def _goes_on(page: BlockPage, likely: Numbers, number: int) -> bool:
    """Return whether the article has sibling paragraphs on both sides of a block, which then is only a button."""
    tree, holders = page.blocks.tree, page.blocks.elements
    sure = np.flatnonzero(likely >= _SURE_ARTICLE).tolist()
    before = {tree.parent[holders[block]] for block in sure if block < number}
    return any(
        tree.parent[holders[block]] in before and tree.tag[holders[block]] == "p" for block in sure if block > number
    )


def _has_dated_lines(texts: Sequence[str]) -> bool:
    dated = (text for text in texts if len(text) <= _MAX_DATED and _DATED.search(text))
    return len(list(islice(dated, _MIN_DATED))) == _MIN_DATED


_SHORT = 800  # expected characters from which the article needs no adjustment
_OF_TITLE = 0.4  # of the title must be in the heading; the rest is the site's name
_MIN_TITLED, _SOME_CHARS = 0.1, 10  # below these, a part contains only the heading
# The factor on the odds elsewhere, interpolated by the share of the page's expected text that is below the heading.
# Chosen on hosts left out of training.
_TITLED_SHARES, _OUTSIDE_TITLED = (0.5, 0.9), (0.2, 0.7)
_ABOVE = 0.03  # further factor above a heading that is the whole title, where the blog's description is


def lower_outside_titled_part(page: BlockPage, likely: Numbers, titles: Sequence[str]) -> None:
    """Lower the odds of blocks not below the title's heading, unless there is none or much text is expected."""
    expected = page.sums(likely * page.chars)
    if expected[-1] >= _SHORT:
        return
    whole = _whole_title(page, titles)
    heading = title_block(page, titles) if whole is None else whole
    if heading < 0 or not _is_in_title(page.blocks.texts[heading], titles):
        return
    below = _below(page, likely, expected, heading)
    if below is None:
        return
    share = float(expected[below.stop] - expected[below.start]) / float(expected[-1])
    factor = np.full(len(likely), interpolated_factor(share, _TITLED_SHARES, _OUTSIDE_TITLED), np.float32)
    factor[below] = 1.0
    if whole is not None:
        factor[:whole] *= _ABOVE
    multiply_odds(likely, factor)


def _whole_title(page: BlockPage, titles: Sequence[str]) -> int | None:
    """Return the first heading that equals a declared title, or None."""
    whole = {title.strip().casefold() for title in titles}
    return next((number for number in heading_blocks(page) if page.blocks.texts[number].casefold() in whole), None)


def _is_in_title(text: str, titles: Sequence[str]) -> bool:
    folded = text.casefold()
    return any(folded in title.casefold() and len(folded) >= _OF_TITLE * len(title) for title in titles)


def _below(page: BlockPage, likely: Numbers, expected: Numbers, heading: int) -> slice | None:
    """Return the blocks after the heading in its smallest ancestor with likely ones, or None.

    A <header> does not count: in a post of a few links, its byline is as likely as they are.
    """
    parents, start = page.blocks.parents, heading + 1
    node = int(page.holders[heading])
    while True:
        stop = int(page.high[node])
        is_likely = expected[stop] - expected[min(start, stop)] > _SOME_CHARS and likely[start:stop].max() > _MIN_TITLED
        if is_likely and page.blocks.tree.tag[node] != "header":
            return slice(start, stop)
        if parents[node] == node:
            return None
        node = int(parents[node])


_NO_CHANGE = 0.01  # in logits
_NEARLY_SURE = 1e-6  # bound that keeps odds finite


class OddsTrace:
    """The probabilities of all blocks after the model and after each adjustment, for explanations."""

    def __init__(self, chars: Numbers) -> None:
        self._chars = chars
        self._states: list[tuple[str, Numbers]] = []

    def add(self, name: str, likely: Numbers) -> None:
        """Store a copy of the probabilities after this step."""
        self._states.append((name, likely.copy()))

    def changes(self, chosen: NDArray[np.bool_]) -> tuple[OddsChange, ...]:
        """Return the factor by which each step raised the odds of the chosen blocks against the others."""
        changes: list[OddsChange] = []
        before, taken_before = 0.0, None
        for name, likely in self._states:
            taken, _ = chosen_blocks(likely, self._chars)
            advantage = self._advantage(likely, chosen)
            moved = 0 if taken_before is None else int((taken != taken_before).sum())
            if moved or abs(advantage - before) > _NO_CHANGE:
                reason = f"{name}, {moved} of {len(taken)} blocks change sides" if moved else name
                changes.append(OddsChange(reason, round(math.exp(advantage - before), 4)))
            before, taken_before = advantage, taken
        return tuple(changes)

    def _advantage(self, likely: Numbers, chosen: NDArray[np.bool_]) -> float:
        """Return the mean logit of the chosen blocks minus that of the others, weighted by characters."""
        bounded = np.clip(likely.astype(float), _NEARLY_SURE, 1 - _NEARLY_SURE)
        logits = np.log(bounded / (1 - bounded))
        parts = [np.average(logits[part], weights=self._chars[part]) for part in (chosen, ~chosen) if part.any()]
        return float(parts[0] - (parts[1] if len(parts) > 1 else 0.0))
