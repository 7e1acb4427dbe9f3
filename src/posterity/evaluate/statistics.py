"""How sure a figure is: bootstrap confidence intervals, and a paired test of two contestants on the same pages.

Both draw with a fixed seed, so the same scores always give the same interval and the same p-value.

Interval: the percentile bootstrap (Efron 1979). Pages are drawn with replacement and the figure is made again.
Test: the paired randomisation test (Fisher 1935; Noreen 1989). If two contestants were equally good, it would be chance
which of the two got which score on a page; p is the share of random swaps that give a mean difference as large as the
one seen. It assumes no distribution, which scores heaped at 0 and 1 would not follow.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.evaluate.measures.score import Score, Total

SEED = 1979
RESAMPLES = 1000  # moves the bounds of a 95 % interval by about a tenth of its width at most
SWAPS = 10_000  # the smallest p that can be told from zero is 1/10,001
_BITS = bytes.maketrans(b"01", b"\0\1")


class Interval(msgspec.Struct, frozen=True):
    """A figure with the bounds that hold in 95 of 100 draws."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval's width: the "+-" of a table."""
        return (self.high - self.low) / 2


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One contestant against another, page by page."""

    first: str
    second: str
    pages: int
    difference: float
    wins: int
    losses: int
    p_value: float


def interval(scores: Sequence[Score], total: Total) -> Interval:
    """Return the figure of these pages and its 95 % interval; one page or none has no width."""
    value = total.of(scores)
    if len(scores) < 2:
        return Interval(value, value, value)
    columns = list(zip(*map(total.columns, scores), strict=True))
    again = sorted(
        total.combine([sum(draw(column)) for column in columns], len(scores)) for draw in _draws(len(scores))
    )
    return Interval(value, again[round(0.025 * (RESAMPLES - 1))], again[round(0.975 * (RESAMPLES - 1))])


@lru_cache(maxsize=4)
def _draws(size: int) -> list[itemgetter[Sequence[float]]]:
    """The same draws for every measure and contestant of a data set: quick, and their intervals can be compared."""
    dice = random.Random(SEED)  # noqa: S311 - a statistical draw, not a secret
    return [itemgetter(*dice.choices(range(size), k=size)) for _ in range(RESAMPLES)]


def compare(first: str, second: str, pairs: Sequence[tuple[float, float]]) -> Comparison:
    """Return how two contestants differ on the same pages. Without any difference p is 1.0."""
    differences = [one - other for one, other in pairs if one != other]
    return Comparison(
        first=first,
        second=second,
        pages=len(pairs),
        difference=sum(differences) / len(pairs) if pairs else 0.0,
        wins=sum(difference > 0 for difference in differences),
        losses=sum(difference < 0 for difference in differences),
        p_value=p_value(differences),
    )


def p_value(differences: Sequence[float]) -> float:
    """Return the two-sided p of a mean difference this large under random swaps; ties are left out."""
    if not differences:
        return 1.0
    size, seen = len(differences), sum(differences)
    # Sums in another order differ in their last digits; equal must stay equal.
    bound = abs(seen) * (1 - 1e-9)
    dice = random.Random(SEED)  # noqa: S311 - a statistical draw, not a secret
    as_large = 0
    for _ in range(SWAPS):
        swapped = f"{dice.getrandbits(size):0{size}b}".encode().translate(_BITS)
        as_large += abs(seen - 2 * sum(compress(differences, swapped))) >= bound
    return (as_large + 1) / (SWAPS + 1)
