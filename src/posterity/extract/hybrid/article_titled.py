"""The part of the page that begins with its title is a witness where little text is expected.

A post of one line has no paragraphs to tell it from the lines about the blog beside it. It stands below the heading
that says what the page's <title> says, in the same part of the page. Long articles need no such witness, and some have
their title in a part of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.article_odds import between, multiply_odds
from posterity.extract.hybrid.block_features import heading_blocks, title_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

_SHORT = 800  # expected characters from which the article needs no witness
_OF_TITLE = 0.4  # of the title must be said by the heading: the rest is the site's name
_SOME, _SOME_CHARS = 0.1, 10  # a part in which less is likely is no more than the heading
# What is left of the odds elsewhere, by the share of what is expected on the page that stands below the heading: from
# the first share to the second. Chosen on hosts left out of training.
_SHARES, _ELSEWHERE = (0.5, 0.9), (0.2, 0.7)
_ABOVE = 0.03  # and above a heading that is the whole title, where the blog speaks of itself


def doubt_what_is_elsewhere(page: Page, likely: Numbers, titles: Sequence[str]) -> None:
    """Lower the odds of what is not below the title; nothing where no heading says it, or much is expected."""
    expected = page.sums(likely * page.chars)
    if expected[-1] >= _SHORT:
        return
    whole = _whole_title(page, titles)
    heading = title_block(page, titles) if whole is None else whole
    if heading < 0 or not _says(page.blocks.texts[heading], titles):
        return
    below = _below(page, likely, expected, heading)
    if below is None:
        return
    share = float(expected[below.stop] - expected[below.start]) / float(expected[-1])
    factor = np.full(len(likely), between(share, _SHARES, _ELSEWHERE), np.float32)
    factor[below] = 1.0
    if whole is not None:
        factor[:whole] *= _ABOVE
    multiply_odds(likely, factor)


def _whole_title(page: Page, titles: Sequence[str]) -> int | None:
    """Return the first heading that is a title as the page's head declares it, with nothing left out."""
    whole = {title.strip().casefold() for title in titles}
    return next((number for number in heading_blocks(page) if page.blocks.texts[number].casefold() in whole), None)


def _says(text: str, titles: Sequence[str]) -> bool:
    said = text.casefold()
    return any(said in title.casefold() and len(said) >= _OF_TITLE * len(title) for title in titles)


def _below(page: Page, likely: Numbers, expected: Numbers, heading: int) -> slice | None:
    """Return the blocks below the heading in the smallest part around it where any are likely."""
    parents, start = page.blocks.parents, heading + 1
    node = int(page.holders[heading])
    while True:
        stop = int(page.high[node])
        if expected[stop] - expected[min(start, stop)] > _SOME_CHARS and likely[start:stop].max() > _SOME:
            return slice(start, stop)
        if parents[node] == node:
            return None
        node = int(parents[node])
