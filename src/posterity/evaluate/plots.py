"""What the report draws: how scores and times are spread, precision against recall, and what a whole blog costs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.draw.svg import Axis, Chart
from posterity.evaluate.summary import by_contestant, scores_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.evaluate.runner import Result
    from posterity.evaluate.summary import Row

# Below so many pages a curve over the pages of a site says nothing.
MIN_SITE_PAGES = 10
_FASTEST_MS = 0.1  # times below the clock's noise are drawn at the edge


def distribution(results: Sequence[Result], measure: str) -> Chart:
    """Return the share of pages that reach each score, a line per contestant."""
    chart = Chart(
        f"Share of pages with at least this {measure}",
        Axis(label=f"{measure} of the page", low=0.0, high=1.0),
        Axis(label="share of pages", low=0.0, high=1.0),
    )
    for name, mine in by_contestant(results).items():
        values = sorted((score.value for score in scores_of(mine, measure)), reverse=True)
        if values:
            steps = ((value, (place + up) / len(values)) for place, value in enumerate(values) for up in (0, 1))
            chart.line(name, [(1.0, 0.0), *steps, (0.0, 1.0)])
    return chart


def precision_against_recall(rows: Sequence[Row], measure: str) -> Chart | None:
    """Return one dot per contestant, with lines of equal F; None where the measure has neither."""
    dots = [
        (row.contestant, found.recall, found.precision)
        for row in rows
        if (found := row.figures.get(measure)) and found.recall is not None and found.precision is not None
    ]
    if not dots:
        return None
    low = max(0.0, min(min(recall, precision) for _, recall, precision in dots) - 0.05)
    chart = Chart(
        f"{measure}: precision against recall",
        Axis(label="recall", low=low, high=1.0),
        Axis(label="precision", low=low, high=1.0),
    )
    for f in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        # F = 2PR / (P + R), solved for P.
        curve = [(r, f * r / (2 * r - f)) for r in (low + (1 - low) * step / 100 for step in range(101)) if 2 * r > f]
        inside = [(r, p) for r, p in curve if low <= p <= 1.0]
        if len(inside) > 1:
            # Labelled at the top, where there is room beside the curve.
            chart.guide(inside[::-1], f"F {f:g}")
    for name, recall, precision in dots:
        chart.dot(name, recall, precision)
    return chart


def times(results: Sequence[Result]) -> Chart:
    """Return the share of pages that are done within a time, a line per contestant."""
    spread = {
        name: sorted(max(_FASTEST_MS, 1000 * one.outcome.seconds) for one in mine)
        for name, mine in by_contestant(results).items()
    }
    slowest = max((values[-1] for values in spread.values()), default=1.0)
    chart = Chart(
        "Share of pages that are done within a time",
        Axis(label="CPU milliseconds a page", low=_FASTEST_MS, high=max(1.0, slowest), log=True),
        Axis(label="share of pages", low=0.0, high=1.0),
    )
    for name, values in spread.items():
        chart.line(name, [(value, place / len(values)) for place, value in enumerate(values, 1)])
    return chart


def cumulative_time(results: Sequence[Result], site: str, feed_entries: int = 0) -> Chart:
    """Return the time spent so far over the pages of one blog (BlogForever paper, Figure 2).

    What a contestant learns of the blog before its first page counts for the first page. The dashed line stands
    where the feed's own entries end, as in the paper: learning has read that many pages.
    """
    spent: dict[str, list[tuple[float, float]]] = {}
    for name, mine in by_contestant(one for one in results if one.site == site).items():
        total, points = 0.0, [(0.0, 0.0)]
        for place, one in enumerate(mine, 1):
            total += one.outcome.ready_s + one.outcome.seconds
            points.append((float(place), total))
        spent[name] = points
    pages = max((len(points) - 1 for points in spent.values()), default=1)
    highest = max((points[-1][1] for points in spent.values()), default=1.0)
    chart = Chart(
        f"Time over the pages of {site}",
        Axis(label="pages done", low=0.0, high=float(max(1, pages))),
        Axis(label="CPU seconds so far", low=0.0, high=highest or 1.0),
    )
    if 0 < feed_entries < pages:
        chart.guide([(feed_entries, 0.0), (feed_entries, highest)], "feed")
    for name, points in spent.items():
        chart.line(name, points)
    return chart


def largest_site(results: Sequence[Result]) -> str | None:
    """Return the site with most pages, if that is enough of them to draw."""
    sites = Counter(result.site for mine in list(by_contestant(results).values())[:1] for result in mine)
    name, pages = max(sites.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    return name if pages >= MIN_SITE_PAGES else None
