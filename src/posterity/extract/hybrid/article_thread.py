"""Which blocks are comments: a thread is no part of the article, however much longer than the article it is.

Told by what the parts of the page are called, by the line that announces comments, and by the lines that sign them.
Where there is next to nothing besides them the thread is the page's content and stays. In a forum (`thread_page`)
nobody asks.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.comment_runs import announced_comments
from posterity.extract.comment_words import MAX_ANNOUNCEMENT, announces_comments
from posterity.extract.comments import comment_roots
from posterity.extract.hybrid.block_kinds import KIND_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

_COMMENT = KIND_NAMES.index("comment")
# Comments say when they were written; a link "Post a comment" above the article is followed by few such lines.
_DATED = re.compile(r"\d{1,2}:\d\d|\b(?:19|20)\d\d\b|\d/\d+/\d|\bago\b")
_MAX_DATED, _MIN_DATED = 100, 2
# "Posted by: Anna | May 6, 2007", which themes write with a colon below comments and without one below posts; "Anna
# says:", "Anna said...".
_SIGNED_BELOW = re.compile(r"posted by ?:", re.IGNORECASE)
_SIGNED_ABOVE = re.compile(
    r"\b(?:says|said|writes|wrote|replied|schrieb|sagt|meint|dit|dijo|dice|disse|ha detto|ha scritto|schreef|zegt|"
    r"пишет|napsal|napisał)(?: (?:on|at) .{6,30})? ?(?::|\.\.\.|…)$",
    re.IGNORECASE,
)
_ENDS = (":", "...", "…")
_MAX_SIGNED, _MIN_SIGNED = 100, 2
_SOME = 0.25  # a block outside the thread that is as likely as this is an article, if a short one
_SURE = 0.9
_REST = 0.15  # else this share of what is expected must stand outside


def rule_out_comments(page: Page, likely: Numbers) -> None:
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
    return float(rest.max()) >= _SOME or weighted > _REST * float((likely * chars).sum())


def _by_names(page: Page) -> NDArray[np.bool_] | None:
    named = page.innermost[_COMMENT] >= 0
    return named if named.any() else None


def _by_announcement(page: Page, likely: Numbers) -> NDArray[np.bool_] | None:
    """All after the first announcement that has most of an article before it: one in a byline has none."""
    texts = page.blocks.texts
    expected = likely * page.chars
    before = np.cumsum(expected) - expected
    for number in np.flatnonzero((page.chars <= MAX_ANNOUNCEMENT) & (before >= _REST * before[-1])).tolist():
        if not announces_comments(texts[number]) or likely[:number].max(initial=0.0) < _SOME:
            continue
        rest = texts[number:]
        if _are_signed(rest) or (_has_dated_lines(rest) and not _goes_on(page, likely, number)):
            thread = np.zeros(len(texts), bool)
            thread[number:] = True
            return thread
    return None


def _by_signatures(page: Page) -> NDArray[np.bool_] | None:
    """The elements of comments that have nothing but a number for a name, on pages with lines that sign comments."""
    if not _are_signed(page.blocks.texts):
        return None
    thread = np.zeros(len(page.blocks), bool)
    for root in comment_roots(page.blocks.tree):
        thread[page.low[root] : page.high[root]] = True
    return thread


def _by_run(page: Page) -> NDArray[np.bool_] | None:
    """What repeats, signed, right below the line that announces comments."""
    items = announced_comments(page.blocks.tree)
    thread = np.zeros(len(page.blocks), bool)
    for node in (node for item in items for node in item.nodes):
        thread[page.low[node] : page.high[node]] = True
    return thread if items else None


def _are_signed(texts: Sequence[str]) -> bool:
    # Few texts begin or end like this, and all of a page are asked.
    below = {text for text in texts if text[0] in "Pp" and _SIGNED_BELOW.match(text)}
    above = {text for text in texts if text.endswith(_ENDS) and len(text) <= _MAX_SIGNED and _SIGNED_ABOVE.search(text)}
    return len(below) + len(above) >= _MIN_SIGNED


def _goes_on(page: Page, likely: Numbers, number: int) -> bool:
    """Tell whether paragraphs of the article stand on both sides of a block: then it is a button between them."""
    tree, holders = page.blocks.tree, page.blocks.holder
    sure = np.flatnonzero(likely >= _SURE).tolist()
    before = {tree.parent[holders[block]] for block in sure if block < number}
    return any(
        tree.parent[holders[block]] in before and tree.tag[holders[block]] == "p" for block in sure if block > number
    )


def _has_dated_lines(texts: Sequence[str]) -> bool:
    dated = (text for text in texts if len(text) <= _MAX_DATED and _DATED.search(text))
    return len(list(islice(dated, _MIN_DATED))) == _MIN_DATED
