"""The report: one HTML file that needs nothing else, with tables, plots and the worst pages side by side.

Sections are made as data sets finish, so that the pages themselves can be let go before the next one is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.evaluate.measures import MEASURE, MEASURES
from posterity.evaluate.plots import cumulative_time, distribution, largest_site, precision_against_recall, times
from posterity.evaluate.statistics import Comparison
from posterity.evaluate.summary import Row, by_contestant, comparisons, domain_rows, headline, rows
from posterity.evaluate.table import p_text, short
from posterity.evaluate.word_diff import Change, word_diff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.evaluate.runner import Result
    from posterity.evaluate.sample import Site

WORST = 3  # pages shown of each contestant
_SHOWN_CHARS = 4000


class BadPage(msgspec.Struct, frozen=True, kw_only=True):
    """One of a contestant's worst pages, as people look at it."""

    contestant: str
    page: str
    url: str
    score: float
    failure: str | None
    gold: str
    found: str
    diff: list[Change]
    wrong: list[tuple[str, str, str]]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A page without an answer, and why."""

    contestant: str
    page: str
    why: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the report says of one data set."""

    name: str
    headline: str | None
    rows: list[Row]
    compared: list[Comparison] = []
    domains: list[Row] = []
    # What each chart shows, and the chart.
    charts: list[tuple[str, str]] = []
    worst: list[BadPage] = []
    failures: list[Failure] = []


def section(name: str, results: Sequence[Result], sites: Sequence[Site] = ()) -> Section:
    """Return the section of a data set from the results of all its pages."""
    found = rows(name, results)
    by = headline(found)
    return Section(
        name=name,
        headline=by,
        rows=sorted(found, key=lambda row: -(row.value(by or "") or 0.0)),
        compared=comparisons(results, by) if by else [],
        domains=domain_rows(results) if any("ACS" in row.figures for row in found) else [],
        charts=_charts(results, found, by, sites),
        worst=_worst(results, by) if by else [],
        failures=[
            Failure(contestant=one.contestant, page=one.sample.id, why=one.outcome.failure)
            for one in results
            if one.outcome.failure
        ],
    )


def _charts(
    results: Sequence[Result], found: Sequence[Row], by: str | None, sites: Sequence[Site]
) -> list[tuple[str, str]]:
    charts = [distribution(results, by), precision_against_recall(found, by)] if by else []
    charts.append(times(results))
    site = largest_site(results)
    if site is not None:
        feeds = {one.name: len(one.evidence.feed.entries) for one in sites if one.evidence}
        charts.append(cumulative_time(results, site, feeds.get(site, 0)))
    return [(chart.title, chart.svg()) for chart in charts if chart is not None]


def _worst(results: Sequence[Result], by: str) -> list[BadPage]:
    worst: list[BadPage] = []
    for mine in by_contestant(results).values():
        bad = [one for one in mine if by in one.outcome.scores and one.outcome.scores[by].value < 1.0]
        bad.sort(key=lambda one: one.outcome.scores[by].value)
        worst += [_bad_page(one, by) for one in bad[:WORST]]
    return worst


def _bad_page(result: Result, by: str) -> BadPage:
    gold, answer = result.sample.gold, result.outcome.answer
    wanted = gold.body or "\n".join([*gold.segments_with, *(f"not: {piece}" for piece in gold.segments_without)])
    named = {
        "title": (gold.title or "", answer.title or ""),
        "date": (gold.date or "", answer.date or ""),
        "author": (", ".join(gold.authors or ()), ", ".join(answer.authors)),
    }
    wrong = [
        (name, *pair)
        for name, pair in named.items()
        if (score := result.outcome.scores.get(name)) is not None and not score.value
    ]
    return BadPage(
        contestant=result.contestant,
        page=result.sample.id,
        url=result.sample.url,
        score=result.outcome.scores[by].value,
        failure=result.outcome.failure,
        gold=wanted[:_SHOWN_CHARS],
        found=answer.text[:_SHOWN_CHARS],
        diff=word_diff(gold.body, answer.text) if gold.body else [],
        wrong=wrong,
    )


def report_html(sections: Sequence[Section], facts: dict[str, str]) -> str:
    """Return the report. `facts` are lines about the run: versions, limits, how many workers."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("posterity.evaluate", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    # Charts are our own markup, names in them escaped; everything else is escaped by the template.
    environment.filters.update(short=short, p=p_text, chart=Markup)
    return environment.get_template("report.html").render(
        sections=sections, facts=facts, measures=MEASURES, measure=MEASURE, shown=_measures_of
    )


def _measures_of(found: Sequence[Row]) -> list[str]:
    return [measure.name for measure in MEASURES if any(measure.name in row.figures for row in found)]
