"""Which blocks are the article, given how likely each is.

The answer is compared with the true article by F1, so the blocks are chosen whose expected F1 is highest. That is a
threshold of its own for every page: low where nothing is sure, such as a photo with a line of text, high where much is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from posterity.extract.hybrid.block_features import Numbers

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


def drop_repeated(chosen: NDArray[np.bool_], texts: Sequence[str]) -> None:
    """Take each longer text once: pages carry the same article for wide and for narrow screens."""
    seen: set[str] = set()
    for number in np.flatnonzero(chosen).tolist():
        text = texts[number]
        if len(text) >= _LONG:
            if text in seen:
                chosen[number] = False
            seen.add(text)
