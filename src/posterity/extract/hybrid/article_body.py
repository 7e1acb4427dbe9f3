"""The element that is named as the text of one article, such as "entry-content" or "articleBody", is a witness.

Annotated pages are mostly long articles, which need no such witness; a post of one line beside a long sidebar does.
Where a page has one such element, blocks inside it become likelier and all others less likely: much less where little
is expected inside, so that the sidebar would win, and not much less where nearly all is. There the sentence above the
named element is the lead of the article, which many themes keep apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.article_odds import between, multiply_odds
from posterity.extract.hybrid.block_kinds import KIND_NAMES

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

_BODY = KIND_NAMES.index("body")
_ELSEWHERE = frozenset(KIND_NAMES.index(kind) for kind in ("comment", "related"))
# What themes put into the named element without being the article: it is believed no more for standing there. Parts
# named after networks are not among them, since what people quote from there is called the same.
_APART = [
    KIND_NAMES.index(kind) for kind in ("comment", "navigation", "related", "about", "advert", "sign_up", "notice")
]
# By how much the odds of a block change; chosen on blogs that the model was not trained on.
_INSIDE = 3.0
# Outside, by the share of what is expected on the page that stands inside: from the first share to the second.
_SHARES, _OUTSIDE = (0.5, 0.9), (0.01, 0.3)
_SOME = 0.1  # an element in which no block is as likely as this is empty, or a teaser
_MOST = 0.7  # of what is expected in all of them must stand in the one that is believed


def favour_named_body(page: Page, likely: Numbers) -> None:
    """Change the odds of all blocks by where the named body of the article is; nothing where there is no such one."""
    expected = page.sums(likely * page.chars)
    masses = {node: float(expected[page.high[node]] - expected[page.low[node]]) for node in _named_bodies(page)}
    body = max(masses, key=masses.__getitem__, default=None)
    if body is None or masses[body] < _MOST * sum(masses.values()):
        return
    inside = slice(page.low[body], page.high[body])
    if float(likely[inside].max(initial=0.0)) < _SOME:
        return
    outside = between(masses[body] / max(float(expected[-1]), 1e-6), _SHARES, _OUTSIDE)
    factor = np.full(len(likely), outside, np.float32)
    # Between the body and a block there may be an element that is called something else.
    factor[inside] = np.where((page.innermost[_APART, inside] > body).any(0), 1.0, _INSIDE)
    multiply_odds(likely, factor)


def _named_bodies(page: Page) -> list[int]:
    """Return the outermost elements called the body of an article, those in other people's parts left out."""
    tree, kinds = page.blocks.tree, page.blocks.kinds
    found: dict[int, None] = {}
    for inner in {*page.innermost[_BODY].tolist()} - {-1}:
        node = inner
        while _BODY in kinds[tree.parent[node]]:
            node = kinds[tree.parent[node]][_BODY]
        if _ELSEWHERE.isdisjoint(kinds[node]):
            found[node] = None
    return sorted(found)
