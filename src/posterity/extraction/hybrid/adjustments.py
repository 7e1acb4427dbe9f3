"""Adjustments of the model's probabilities by other facts about a page; each multiplies the odds of blocks.

Odds of 3 to 1 that a block is article become 6 to 1 by an adjustment with the factor 2. A block that is nearly sure
stays so; one that could be either is decided.
"""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from posterity.classify.page_kind import is_thread, kind_named_on_body, thread_messages
from posterity.extraction.bylines import is_dated_byline, is_only_date
from posterity.extraction.comment_parts import MAX_ANNOUNCEMENT, announces_comments
from posterity.extraction.comments import comment_roots
from posterity.extraction.hybrid.blocks import KIND_NAMES, BlockPage, Numbers
from posterity.extraction.hybrid.model import chosen_blocks, heading_blocks, title_block
from posterity.lexicon import any_of, declarations, url_words, words_for
from posterity.model import OddsChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from posterity.dom import Document, Tree


def multiply_odds(likely: Numbers, factor: Numbers) -> None:
    """Change the probabilities in place, block by block."""
    odds = likely / np.maximum(1 - likely, 1e-6) * factor
    likely[:] = odds / (1 + odds)


def between(share: float, shares: tuple[float, float], factors: tuple[float, float]) -> float:
    """Return the factor at a share: from one to the other, evenly on a scale of magnitudes."""
    return float(np.exp(np.interp(share, shares, np.log(factors))))


_SURE_ARTICLE = 0.9

_MANY = 4  # fewer of a kind mean nothing for each other
_LEAN = 0.3  # of the way to the others; .2 to .4 gain the same on hosts left out of training, .5 loses
_SURE_KIND = 0.001  # a block cannot be surer than this in what it means for the others


def smooth_by_kind(page: BlockPage, likely: Numbers) -> None:
    """Move the odds of each block towards those of the blocks in elements of the same kind."""
    kind = page.alike
    count = np.bincount(kind)
    bounded = np.clip(likely, _SURE_KIND, 1 - _SURE_KIND)
    logits = np.log(bounded / (1 - bounded))
    others = (np.bincount(kind, logits) / count)[kind]
    multiply_odds(likely, np.where(count[kind] >= _MANY, np.exp(_LEAN * (others - logits)), 1.0))


_BODY = KIND_NAMES.index("body")
_COMMENT, _RELATED = KIND_NAMES.index("comment"), KIND_NAMES.index("related")
# What themes put into the named element without being the article: their odds are not raised there. Parts
# named after networks are not among them, since what people quote from there is called the same.
_APART = [
    KIND_NAMES.index(kind) for kind in ("comment", "navigation", "related", "about", "advert", "sign_up", "notice")
]
# By how much the odds of a block change; chosen on blogs that the model was not trained on.
_INSIDE = 3.0
# Outside, by the share of what is expected on the page that is inside: from the first share to the second.
_BODY_SHARES, _OUTSIDE = (0.5, 0.9), (0.01, 0.3)
_MIN_BODY = 0.1  # an element in which no block is as likely as this is empty, or a teaser
# With less of what is expected in it, and more nearly sure text elsewhere, it is a part of the article, or holds its
# place until scripts have put the text there. Sidebars of blogs may be longer, but are not as sure.
_SMALL_BODY, _LONG_TEXT = 0.3, 1000  # characters
_MOST = 0.7  # of what is expected in all of them must be in the one that is taken


def raise_named_body(page: BlockPage, likely: Numbers) -> None:
    """Change the odds of all blocks by where the named body of the article is; nothing where there is no such one."""
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
    outside = between(share, _BODY_SHARES, _OUTSIDE)
    factor = np.full(len(likely), outside, np.float32)
    # Between the body and a block there may be an element that is called something else.
    factor[inside] = np.where((page.innermost[_APART, inside] > body).any(0), 1.0, _INSIDE)
    multiply_odds(likely, factor)


def _sure_chars(page: BlockPage, likely: Numbers, inside: slice) -> float:
    """Return how much text outside an element is nearly sure to be the article."""
    sure = likely >= _SURE_ARTICLE
    sure[inside] = False
    return float(page.chars[sure].sum())


def _named_bodies(page: BlockPage, expected: Numbers) -> list[int]:
    """Return the outermost elements called the body of an article, those in other people's parts left out."""
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


# By how much the odds change in the messages of a thread and outside them: names of users, dates, ranks, menus. Hardly
# anything changes with .01 or .1 outside, or with 2 or 6 inside.
_IN_MESSAGE, _OUTSIDE_MESSAGES = 3.0, 0.03
_MIN_MESSAGES = 0.1  # of what is expected; .2 loses .012 on forums of wcxb_dev, .05 is the same


def raise_messages(page: BlockPage, likely: Numbers) -> None:
    """Change the odds of all blocks by where the messages of a thread are, or its body where none are named."""
    inside = np.zeros(len(likely), bool)
    for node in thread_messages(page.blocks.tree):
        inside[page.low[node] : page.high[node]] = True
    expected = likely * page.chars
    if expected[inside].sum() > _MIN_MESSAGES * expected.sum():
        multiply_odds(likely, np.where(inside, _IN_MESSAGE, _OUTSIDE_MESSAGES))
    else:
        raise_named_body(page, likely)


_OTHER_TYPES = re.compile(r'"@type"\s*:\s*\[?\s*"(\w+)"')

# Types of schema.org, by their ends: NewsArticle, BlogPosting, AggregateOffer.
_ARTICLES = declarations("type.article_ending")
_PRODUCTS = declarations("type.product_ending")
# Odds to this power. On hosts left out of training, other types of pages gain .007 with .8, .016 with .6, .014 with
# .45; articles gain .001 with each, and so do pages of dragnet, of which nothing was seen. Documentation gains .009
# with .6, .020 with .45.
_FLATTER, _FLATTER_IN_MANUALS = 0.6, 0.45
_MANUALS, _OFFERS = frozenset(url_words("kind.documentation")), frozenset(url_words("kind.offer"))
_NO_DOUBT = 0.95  # of the F1 that is to be expected; without it trafilatura's pieces lose .001, and nothing gains
_SURE_OTHER_KIND = 1e-4  # nothing is surer than this, so that odds are numbers


def power_of_odds(document: Document) -> float:
    """Return the power that the odds of a page's blocks are taken to: less than 1.0 where it is not one article."""
    if is_thread(document):
        return _FLATTER
    try:
        parts = urlsplit(document.url.lower())
    except ValueError:  # a URL that cannot be opened: http://[::1
        parts = urlsplit("")
    folders = [name for name in parts.path.split("/") if name]
    if not _MANUALS.isdisjoint((*parts.netloc.split(".")[:-2], *folders[:-1])):
        return _FLATTER_IN_MANUALS
    return _FLATTER if not _OFFERS.isdisjoint(folders) or declares_another_kind(document) else 1.0


def declares_another_kind(document: Document) -> bool:
    """Return whether the page declares what it is, and that is neither an article nor a product."""
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
    # WordPress declares its pages, which are no posts, as articles too.
    if (kind_named_on_body(tree) or ("post", 0))[0] != "post":
        return True
    if kind.startswith("article") or "product" in kind:
        return False
    return bool(kind or types) and not any(name.endswith(_PRODUCTS) for name in types)


def _schema_types(tree: Tree) -> set[str]:
    types = {declared.rpartition("/")[2] for _, declared in tree.named.typed}
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            types.update(_OTHER_TYPES.findall(tree.plain(node)))
    return types


def names_a_body(page: BlockPage) -> bool:
    """Return whether something on the page is named as the text of an article."""
    return bool((page.innermost[_BODY] >= 0).any())


def pull_to_even_odds(page: BlockPage, likely: Numbers, power: float = _FLATTER) -> None:
    """Flatten the odds of all blocks, unless hardly any is in doubt; which is likelier than which stays."""
    if chosen_blocks(likely, page.chars)[1] >= _NO_DOUBT:
        return
    bounded = np.clip(likely, _SURE_OTHER_KIND, 1 - _SURE_OTHER_KIND)
    odds = (bounded / (1 - bounded)) ** power
    likely[:] = odds / (1 + odds)


# Left out, since authors begin sentences with them as often: "Related:", "Read more:", "Category:", "Published by".
_BEGINNINGS = re.compile(rf"\W*(?:{any_of(words_for('post.footer_line'))})", re.IGNORECASE)
# "by Anna in Boats Tags: bread, nets": such a label further on in a line of links.
_LABELS = [words for words in words_for("post.footer_line") if words.endswith(":")]
_LABEL_INSIDE = re.compile(rf"(?<!\w)(?:{any_of(_LABELS)})", re.IGNORECASE)
# "« The post before | Main | The post after »"
_TO_NEIGHBOURS = re.compile(r"^[«‹←]|\| ?(?:main|home) ?\|", re.IGNORECASE)
_MAX_LINE = 300  # characters
_MAX_DAYS = 2  # above and below a post; an article with more such lines is a diary or a programme
_LIKELY, _A_SENTENCE = 0.5, 40  # characters; 30 to 300 are the same on all sets
_MIN_LINES = 0.05  # what is less likely is not taken anyway
_DOUBT, _DOUBT_BEHIND = 0.05, 0.005  # what is left of the odds


def lower_theme_lines(page: BlockPage, likely: Numbers) -> None:
    """Lower the odds of lines that a theme writes around a post: dates, categories, links to neighbours."""
    lines: list[int] = []
    days: list[int] = []
    dated: list[int] = []
    linked = (page.links > page.chars / 2).tolist()
    for number in np.flatnonzero((likely > _MIN_LINES) & (page.chars <= _MAX_LINE)).tolist():
        text = page.blocks.texts[number]
        is_of_links = linked[number] and (_TO_NEIGHBOURS.search(text) or _LABEL_INSIDE.search(text))
        if is_of_links or _BEGINNINGS.match(text):
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
    multiply_odds(likely, factor)


def _behind_the_text(lines: list[int], likely: Numbers) -> list[int]:
    """The lines with nothing likely behind them but such lines: what ends a page of text is surely the theme's."""
    others = likely >= _LIKELY
    others[lines] = False
    last = int(np.flatnonzero(others)[-1]) if others.any() else len(likely)
    return [line for line in lines if line > last]


def _has_text_beside(lines: list[int], page: BlockPage, likely: Numbers) -> bool:
    """Whether something likely is left without these lines; else whatever comes next best would be the article."""
    others = likely >= _LIKELY
    others[lines] = False
    return float(page.chars[others].sum()) >= _A_SENTENCE


# Comments have dates; a link "Post a comment" above the article is followed by few such lines.
_DATED = re.compile(r"\d{1,2}:\d\d|\b(?:19|20)\d\d\b|\d/\d+/\d|\bago\b")
_MAX_DATED, _MIN_DATED = 100, 2
# "Posted by: Anna | May 6, 2007", which themes write with a colon below comments and without one below posts; "Anna
# says:", "Anna said...".
_SIGNED_BELOW = re.compile(any_of(words_for("comment.signed_below")), re.IGNORECASE)
_SIGNED_ABOVE = re.compile(
    rf"\b(?:{any_of(words_for('comment.signature'))})(?: (?:on|at) .{{6,30}})? ?(?::|\.\.\.|…)$", re.IGNORECASE
)
_ENDS = (":", "...", "…")
_MAX_SIGNED, _MIN_SIGNED = 100, 2
_MAX_ANNOUNCEMENTS = 50  # all that follows is read for each
_LIKELY_ARTICLE = 0.25  # a block outside the thread that is as likely as this is an article, if a short one
_REST = 0.15  # else this share of what is expected must be outside


def exclude_comments(page: BlockPage, likely: Numbers) -> None:
    """Set the comments' likelihood to nothing, where the page has an article besides them."""
    named = _by_names(page)
    run = _by_run(page) if named is None else None
    for thread in (named, _by_announcement(page, likely), _by_signatures(page), run):
        if thread is not None and _is_beside_an_article(thread, likely, page.chars):
            likely[thread] = 0.0


def _is_beside_an_article(thread: NDArray[np.bool_], likely: Numbers, chars: Numbers) -> bool:
    rest = likely[~thread]
    if not len(rest):
        return False
    weighted = float((rest * chars[~thread]).sum())
    return float(rest.max()) >= _LIKELY_ARTICLE or weighted > _REST * float((likely * chars).sum())


def _by_names(page: BlockPage) -> NDArray[np.bool_] | None:
    named = page.innermost[_COMMENT] >= 0
    return named if named.any() else None


def _by_announcement(page: BlockPage, likely: Numbers) -> NDArray[np.bool_] | None:
    """All after the first announcement that has most of an article before it: one in a byline has none."""
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
    """The elements of comments that have nothing but a number for a name, on pages with lines that sign comments."""
    if not _are_signed(page.blocks.texts):
        return None
    thread = np.zeros(len(page.blocks), bool)
    for root in comment_roots(page.blocks.tree):
        thread[page.low[root] : page.high[root]] = True
    return thread


def _by_run(page: BlockPage) -> NDArray[np.bool_] | None:
    """What repeats, signed, in a place for comments or right below the line that announces them."""
    roots = comment_roots(page.blocks.tree)
    thread = np.zeros(len(page.blocks), bool)
    for root in roots:
        thread[page.low[root] : page.high[root]] = True
    return thread if roots else None


def _are_signed(texts: Sequence[str]) -> bool:
    # Few texts begin or end like this, and all of a page are tested.
    below = {text for text in texts if text[0] in "Pp" and _SIGNED_BELOW.match(text)}
    above = {text for text in texts if text.endswith(_ENDS) and len(text) <= _MAX_SIGNED and _SIGNED_ABOVE.search(text)}
    return len(below) + len(above) >= _MIN_SIGNED


def _goes_on(page: BlockPage, likely: Numbers, number: int) -> bool:
    """Return whether paragraphs of the article are on both sides of a block: then it is a button between them."""
    tree, holders = page.blocks.tree, page.blocks.holder
    sure = np.flatnonzero(likely >= _SURE_ARTICLE).tolist()
    before = {tree.parent[holders[block]] for block in sure if block < number}
    return any(
        tree.parent[holders[block]] in before and tree.tag[holders[block]] == "p" for block in sure if block > number
    )


def _has_dated_lines(texts: Sequence[str]) -> bool:
    dated = (text for text in texts if len(text) <= _MAX_DATED and _DATED.search(text))
    return len(list(islice(dated, _MIN_DATED))) == _MIN_DATED


_SHORT = 800  # expected characters from which the article needs no adjustment
_OF_TITLE = 0.4  # of the title must be in the heading: the rest is the site's name
_MIN_TITLED, _SOME_CHARS = 0.1, 10  # a part in which less is likely is no more than the heading
# What is left of the odds elsewhere, by the share of what is expected on the page that is below the heading: from
# the first share to the second. Chosen on hosts left out of training.
_TITLED_SHARES, _OUTSIDE_TITLED = (0.5, 0.9), (0.2, 0.7)
_ABOVE = 0.03  # and above a heading that is the whole title, where the blog describes itself


def lower_outside_titled_part(page: BlockPage, likely: Numbers, titles: Sequence[str]) -> None:
    """Lower the odds of what is not below the title; nothing where no heading has it, or much is expected."""
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
    factor = np.full(len(likely), between(share, _TITLED_SHARES, _OUTSIDE_TITLED), np.float32)
    factor[below] = 1.0
    if whole is not None:
        factor[:whole] *= _ABOVE
    multiply_odds(likely, factor)


def _whole_title(page: BlockPage, titles: Sequence[str]) -> int | None:
    """Return the first heading that is a title as the page's head declares it, with nothing left out."""
    whole = {title.strip().casefold() for title in titles}
    return next((number for number in heading_blocks(page) if page.blocks.texts[number].casefold() in whole), None)


def _is_in_title(text: str, titles: Sequence[str]) -> bool:
    folded = text.casefold()
    return any(folded in title.casefold() and len(folded) >= _OF_TITLE * len(title) for title in titles)


def _below(page: BlockPage, likely: Numbers, expected: Numbers, heading: int) -> slice | None:
    """Return the blocks below the heading in the smallest part around it where any are likely.

    A <header> is not it: below a post of a few links, its byline is as likely as they are.
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
_NEARLY_SURE = 1e-6  # so that odds are numbers


class OddsTrace:
    """The probabilities of all blocks after the model and after each adjustment, for people who ask why."""

    def __init__(self, chars: Numbers) -> None:
        self._chars = chars
        self._states: list[tuple[str, Numbers]] = []

    def add(self, name: str, likely: Numbers) -> None:
        """Keep the probabilities as they are after this step."""
        self._states.append((name, likely.copy()))

    def changes(self, chosen: NDArray[np.bool_]) -> tuple[OddsChange, ...]:
        """Return by how much each step raised the odds of the chosen blocks against the others, in order."""
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
        """The mean logit of the chosen blocks minus that of the others, each weighted by its characters."""
        bounded = np.clip(likely.astype(float), _NEARLY_SURE, 1 - _NEARLY_SURE)
        logits = np.log(bounded / (1 - bounded))
        parts = [np.average(logits[part], weights=self._chars[part]) for part in (chosen, ~chosen) if part.any()]
        return float(parts[0] - (parts[1] if len(parts) > 1 else 0.0))
