"""A page's score, and how the scores of many pages become one figure.

Three ways are in use, and they differ in who weighs how much: the mean over pages (every page alike), the pooled
counts (every segment or comment alike), and the F of the mean precision and the mean recall. All three follow from
sums over the pages, which keeps thousands of bootstrap resamples cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one page by one measure. `hits` of the `given` things are among the `wanted` ones.

    `value` is the page's own figure from 0 to 1. A measure without counts leaves the rest at zero.
    """

    value: float
    hits: float = 0.0
    given: float = 0.0
    wanted: float = 0.0

    @property
    def precision(self) -> float:
        """The share of what was given that is right; 0.0 when nothing was given."""
        return self.hits / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of what was wanted that was given; 0.0 when nothing was wanted."""
        return self.hits / self.wanted if self.wanted else 0.0


def overlap(hits: float, given: float, wanted: float) -> Score:
    """Return the score whose value is the harmonic mean of precision and recall."""
    return Score(value=f_measure(hits, given, wanted), hits=hits, given=given, wanted=wanted)


def right_or_wrong(right: bool, given: bool) -> Score:
    """Return the score of one wanted thing: given and right, given and wrong, or not given."""
    return Score(value=float(right), hits=float(right), given=float(given), wanted=1.0)


def f_measure(hits: float, given: float, wanted: float) -> float:
    """Return the harmonic mean of hits/given and hits/wanted; 0.0 when there is no hit."""
    return 2 * hits / (given + wanted) if hits else 0.0


Columns: TypeAlias = "Callable[[Score], tuple[float, ...]]"
Combine: TypeAlias = "Callable[[Sequence[float], int], float]"


class Total(msgspec.Struct, frozen=True):
    """One way to make one figure of many scores: add up `columns` over the pages, then `combine` the sums."""

    name: str
    columns: Columns
    combine: Combine

    def of(self, scores: Sequence[Score]) -> float:
        """Return the figure for these pages; 0.0 for none."""
        if not scores:
            return 0.0
        return self.combine([sum(column) for column in zip(*map(self.columns, scores), strict=True)], len(scores))


def _f_of_averages(sums: Sequence[float], pages: int) -> float:
    precisions, predicted, recalls = sums
    precision, recall = (precisions / predicted if predicted else 0.0), recalls / pages
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


MEAN = Total("mean", lambda score: (score.value,), lambda sums, pages: sums[0] / pages)
POOLED = Total("pooled", lambda score: (score.hits, score.given, score.wanted), lambda sums, _: f_measure(*sums))
POOLED_RECALL = Total(
    "pooled recall", lambda score: (score.hits, score.wanted), lambda sums, _: sums[0] / sums[1] if sums[1] else 0.0
)
# As in scrapinghub's benchmark, a page without a prediction has no precision and does not count for the mean of it.
F_OF_AVERAGES = Total(
    "F of averages", lambda score: (score.precision, float(score.given > 0), score.recall), _f_of_averages
)
