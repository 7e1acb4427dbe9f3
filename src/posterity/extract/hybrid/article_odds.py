"""How a witness changes what the model believes of blocks: it multiplies their odds.

Odds of 3 to 1 that a block is article become 6 to 1 by a witness with the factor 2. A block that is nearly sure stays
so; one that could be either is decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_surroundings import Numbers


def multiply_odds(likely: Numbers, factor: Numbers) -> None:
    """Change the probabilities in place, block by block."""
    odds = likely / np.maximum(1 - likely, 1e-6) * factor
    likely[:] = odds / (1 + odds)


def between(share: float, shares: tuple[float, float], factors: tuple[float, float]) -> float:
    """Return the factor at a share: from one to the other, evenly on a scale of magnitudes."""
    return float(np.exp(np.interp(share, shares, np.log(factors))))
