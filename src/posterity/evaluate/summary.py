"""Computes the figures of the tables from the results of pages: per data set, per domain, and over all blogs."""

from __future__ import annotations

import random
import statistics as stats
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from typing import TypeVar

import msgspec

from posterity.evaluate.measures import HEADLINES, MEASURE, MEASURES
from posterity.evaluate.measures.text import MEAN, Score, Total
from posterity.evaluate.runner import Result

SEED = 1979
RESAMPLES = 1000  # the bounds of a 95 % interval then vary by at most about a tenth of its width
SWAPS = 10_000  # the smallest possible p is 1/10,001
_BITS = bytes.maketrans(b"01", b"\0\1")


class Interval(msgspec.Struct, frozen=True):
    """A figure with the bounds of its 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval's width: the "±" of a table."""
        return (self.high - self.low) / 2


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A paired comparison of two candidates, page by page."""

    first: str
    second: str
    pages: int
    difference: float
    wins: int
    losses: int
    p_value: float


def interval(scores: Sequence[Score], total: Total) -> Interval:
    """Return the figure of these pages and its 95 % interval, which has no width for fewer than two pages."""
    value = total.of(scores)
    if len(scores) < 2:
        return Interval(value, value, value)
    columns = list(zip(*map(total.columns, scores), strict=True))
    draws = _draws(len(scores))
    again = sorted(total.combine([sum(draw(column)) for column in columns], len(scores)) for draw in draws)
    return Interval(value, again[round(0.025 * (RESAMPLES - 1))], again[round(0.975 * (RESAMPLES - 1))])


@lru_cache(maxsize=4)
def _draws(size: int) -> list[itemgetter[Sequence[float]]]:
    """Return the resamples for this number of pages, the same for all measures and candidates: fast and comparable."""
    rng = random.Random(SEED)  # noqa: S311 - a statistical draw, not a secret
    return [itemgetter(*rng.choices(range(size), k=size)) for _ in range(RESAMPLES)]


def compare(first: str, second: str, pairs: Sequence[tuple[float, float]]) -> Comparison:
    """Return the comparison of two candidates on the same pages. If no page differs, p is 1.0."""
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
    """Return the two-sided p-value of the mean difference by a permutation test; `differences` has no ties."""
    if not differences:
        return 1.0
    size, seen = len(differences), sum(differences)
    # Sums in another order differ by rounding errors; equal sums must count as equal.
    bound = abs(seen) * (1 - 1e-9)
    rng = random.Random(SEED)  # noqa: S311 - a statistical draw, not a secret
    as_large = 0
    for _ in range(SWAPS):
        swapped = f"{rng.getrandbits(size):0{size}b}".encode().translate(_BITS)
        as_large += abs(seen - 2 * sum(compress(differences, swapped))) >= bound
    return (as_large + 1) / (SWAPS + 1)


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of a table, with precision and recall if the measure has them."""

    measure: str
    pages: int
    interval: Interval
    precision: float | None = None
    recall: float | None = None


# Part of the --json output: do not rename the fields.
class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one candidate on one data set, or on one of its domains."""

    dataset: str
    candidate: str
    pages: int
    figures: dict[str, Figure]
    failures: int
    mean_s: float
    median_s: float
    p95_s: float

    def value(self, measure: str) -> float | None:
        """Return the figure for a measure, or None if the data set has no gold for it."""
        return self.figures[measure].interval.value if measure in self.figures else None


_Entry = TypeVar("_Entry", Result, Row)


def by_candidate(results: Iterable[_Entry]) -> dict[str, list[_Entry]]:
    """Group results or rows by candidate, preserving the order."""
    grouped: dict[str, list[_Entry]] = {}
    for result in results:
        grouped.setdefault(result.candidate, []).append(result)
    return grouped


def rows(dataset: str, results: Sequence[Result]) -> list[Row]:
    """Return a row per candidate."""
    return [row(dataset, name, mine) for name, mine in by_candidate(results).items()]


def row(dataset: str, candidate: str, results: Sequence[Result]) -> Row:
    """Return the figures of one candidate over these pages."""
    seconds = sorted(result.outcome.seconds for result in results) or [0.0]
    scores = {measure.name: scores_of(results, measure.name) for measure in MEASURES}
    return Row(
        dataset=dataset,
        candidate=candidate,
        pages=len(results),
        figures={name: figure(name, found) for name, found in scores.items() if found},
        failures=sum(result.outcome.failure is not None for result in results),
        # The mean includes the time for preparing a site.
        mean_s=sum(result.outcome.seconds + result.outcome.ready_s for result in results) / max(1, len(results)),
        median_s=stats.median(seconds),
        p95_s=seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))],
    )


def scores_of(results: Iterable[Result], measure: str) -> list[Score]:
    """Return the scores by one measure of all pages that have gold for it."""
    return [result.outcome.scores[measure] for result in results if measure in result.outcome.scores]


def figure(measure: str, scores: Sequence[Score]) -> Figure:
    """Return the figure of these pages with its interval."""
    counted = [score for score in scores if score.wanted]
    pooled = MEASURE[measure].total is not MEAN or MEASURE[measure].group == "fields"
    return Figure(
        measure=measure,
        pages=len(scores),
        interval=interval(scores, MEASURE[measure].total),
        precision=_share(counted, "precision", "given", pooled) if counted else None,
        recall=_share(counted, "recall", "wanted", pooled) if counted else None,
    )


def _share(scores: Sequence[Score], name: str, of: str, pooled: bool) -> float:
    """Return precision or recall, averaged over pages or pooled over items, like the measure itself."""
    if not pooled:
        return stats.fmean(getattr(score, name) for score in scores)
    whole: float = sum(getattr(score, of) for score in scores)
    return sum(score.hits for score in scores) / whole if whole else 0.0


def over_blogs(name: str, per_blog: Iterable[Row]) -> list[Row]:
    """Return a row per candidate in which every blog has the same weight, regardless of its number of posts."""
    return [_over_blogs(name, candidate, blogs) for candidate, blogs in by_candidate(per_blog).items()]


def _over_blogs(name: str, candidate: str, blogs: Sequence[Row]) -> Row:
    figures = {}
    for measure in (measure.name for measure in MEASURES):
        if of_blogs := [blog.figures[measure] for blog in blogs if measure in blog.figures]:
            scores = [Score(value=one.interval.value) for one in of_blogs]
            shares = {part: _mean(getattr(one, part) for one in of_blogs) for part in ("precision", "recall")}
            pages, spread = sum(one.pages for one in of_blogs), interval(scores, MEAN)
            figures[measure] = Figure(measure=measure, pages=pages, interval=spread, **shares)
    return Row(
        dataset=name,
        candidate=candidate,
        pages=sum(blog.pages for blog in blogs),
        figures=figures,
        failures=sum(blog.failures for blog in blogs),
        **{name: stats.fmean(getattr(blog, name) for blog in blogs) for name in ("mean_s", "median_s", "p95_s")},
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def domain_rows(results: Sequence[Result]) -> list[Row]:
    """Return a row per domain and candidate, for domains with several pages (E-mCST paper, Table 3)."""
    grouped: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        grouped.setdefault((result.site, result.candidate), []).append(result)
    return [row(site, candidate, mine) for (site, candidate), mine in grouped.items() if len(mine) > 1]


def headline(rows_of_one: Iterable[Row]) -> str | None:
    """Return the measure by which candidates are ranked: the first of `HEADLINES` with gold values, or None."""
    there = {measure for one in rows_of_one for measure in one.figures}
    return next((measure for measure in HEADLINES if measure in there), None)


def comparisons(results: Sequence[Result], measure: str) -> list[Comparison]:
    """Return comparisons of the best candidate with each other one, the best of these first."""
    # All candidates have the same pages in the same order, so the number identifies a page.
    scored: dict[str, dict[int, float]] = {}
    for name, mine in by_candidate(results).items():
        found = ((page, one.outcome.scores.get(measure)) for page, one in enumerate(mine))
        scored[name] = {page: score.value for page, score in found if score is not None}
    ranked = sorted(scored, key=lambda name: -sum(scored[name].values()) / max(1, len(scored[name])))
    if not ranked:
        return []
    best = scored[ranked[0]]
    compared = []
    for other in ranked[1:]:
        pairs = [(value, scored[other][page]) for page, value in best.items() if page in scored[other]]
        compared.append(compare(ranked[0], other, pairs))
    return compared


def share_text(value: float) -> str:
    """Return a share with three digits, as printed in the papers: .956."""
    return f"{value:.3f}".removeprefix("0")


def p_text(p: float) -> str:
    """Return a p-value as text; below .001 only as a bound."""
    return f"{p:.3f}" if p >= 0.001 else "< .001"
