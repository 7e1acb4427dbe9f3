"""Blocks in elements of one kind share their fate: items of a list, paragraphs of a class, lines of a thread.

Each is judged by its own words and neighbours, so one of twenty links beside the article may look like a sentence of
it. What is thought of the others speaks against that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.article_odds import multiply_odds

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

_MANY = 4  # fewer of a kind say nothing of each other
_LEAN = 0.3  # of the way to the others; .2 to .4 gain the same on hosts left out of training, .5 loses
_SURE = 0.001  # a block cannot be surer than this in what it says of the others


def lean_to_alike(page: Page, likely: Numbers) -> None:
    """Move the odds of each block towards those of the blocks in elements of the same kind."""
    kind = page.alike
    count = np.bincount(kind)
    bounded = np.clip(likely, _SURE, 1 - _SURE)
    logits = np.log(bounded / (1 - bounded))
    others = (np.bincount(kind, logits) / count)[kind]
    multiply_odds(likely, np.where(count[kind] >= _MANY, np.exp(_LEAN * (others - logits)), 1.0))
