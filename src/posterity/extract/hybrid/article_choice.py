"""Which blocks are the article, given how likely each is.

The answer is compared with the true article by F1, so the blocks are chosen whose expected F1 is highest. That is a
threshold of its own for every page: low where nothing is sure, such as a photo with a line of text, high where much is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from posterity.extract.hybrid.block_surroundings import Numbers
    from posterity.extract.hybrid.blocks import Blocks

_LONG = 40  # characters; what is shorter may rightly stand on a page twice


def chosen_blocks(likely: Numbers, chars: Numbers) -> tuple[NDArray[np.bool_], float]:
    """Return which blocks to take, and the F1 that is to be expected of them."""
    order = np.argsort(-likely, kind="stable")
    weighted = likely * chars
    found, taken = np.cumsum(weighted[order]), np.cumsum(chars[order])
    expected = 2 * found / (taken + weighted.sum())
    best = int(np.argmax(expected))
    chosen = np.zeros(len(likely), bool)
    chosen[order[: best + 1]] = True
    return chosen, float(expected[best])


def drop_repeated(chosen: NDArray[np.bool_], blocks: Blocks) -> None:
    """Take each longer text once: pages carry the same article for wide and for narrow screens.

    What comes again beside itself, in the same element, comes again because its author wrote it twice; so does code.
    """
    tree = blocks.tree
    first: dict[str, int] = {}
    for number in np.flatnonzero(chosen).tolist():
        text, holder = blocks.texts[number], blocks.holder[number]
        if len(text) >= _LONG and tree.tag[holder] != "pre":
            around = tree.parent[holder]
            chosen[number] = first.setdefault(text, around) == around
