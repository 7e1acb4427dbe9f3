"""The report: a self-contained HTML file with tables, charts and the worst pages side by side.

Sections are created as data sets finish, so that their pages can be freed before the next data set is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal

import msgspec

from posterity.charts import Axis, Chart
from posterity.dom import parse, text_of
from posterity.errors import PosterityError
from posterity.evaluate import summary
from posterity.evaluate.datasets import Gold, Prediction, Sample, SampleSite
from posterity.evaluate.measures import MEASURE, MEASURES
from posterity.evaluate.measures.text import CJK, found_in, lcs_rows, plain_body, token_counts, tokens
from posterity.evaluate.runner import Result
from posterity.evaluate.summary import Comparison, Row, by_candidate, rows, scores_of

Kind = Literal["same", "missing", "extra"]

_PIECE = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
MAX_WORDS = 3000  # per text: the LCS table then has 9 million bits, about a megabyte
_KEPT = 8  # words shown at both ends of a long common run


class Change(msgspec.Struct, frozen=True):
    """A run of words of one kind."""

    kind: Kind
    text: str


def word_diff(wanted: str, given: str) -> list[Change]:
    """Return the word diff from the wanted to the given text, limited to the first `MAX_WORDS` words."""
    left, right = _PIECE.findall(wanted)[:MAX_WORDS], _PIECE.findall(given)[:MAX_WORDS]
    steps = _steps([_plain(word) for word in left], [_plain(word) for word in right])
    words = ((kind, left[place] if kind != "extra" else right[place]) for kind, place in steps)
    return [
        Change(kind, _piece_text(kind, [word for _, word in run]))
        for kind, run in groupby(words, key=lambda pair: pair[0])
    ]


def _steps(left: Sequence[str], right: Sequence[str]) -> list[tuple[Kind, int]]:
    """Trace back through the LCS table: each step consumes a word of one text, or of both."""
    rows = list(lcs_rows(left, right))
    steps: list[tuple[Kind, int]] = []
    i, j = len(left), len(right)
    while i and j:
        if rows[j - 1] >> (i - 1) & 1:
            i -= 1
            steps.append(("missing", i))
            continue
        j -= 1
        if j and not rows[j - 1] >> (i - 1) & 1:
            steps.append(("extra", j))
        else:
            i -= 1
            steps.append(("same", i))
    steps += [("missing", place) for place in reversed(range(i))]
    steps += [("extra", place) for place in reversed(range(j))]
    return steps[::-1]


def _plain(word: str) -> str:
    """Normalise case and punctuation, as the measures do."""
    return "".join(tokens(word)) or word


def _piece_text(kind: Kind, words: list[str]) -> str:
    if kind != "same" or len(words) <= 3 * _KEPT:
        return " ".join(words)
    return f"{' '.join(words[:_KEPT])} [{len(words) - 2 * _KEPT} words] {' '.join(words[-_KEPT:])}"


# With fewer pages, a curve over the pages of a site shows nothing.
MIN_SITE_PAGES = 10
_FASTEST_MS = 0.1  # shorter times are noise of the clock, and plotted at the edge


def distribution(results: Sequence[Result], measure: str) -> Chart:
    """Return a chart of the share of pages that reach each score, with a line per candidate."""
    chart = Chart(
        f"Share of pages with at least this {measure}",
        Axis(label=f"{measure} of the page", low=0.0, high=1.0),
        Axis(label="share of pages", low=0.0, high=1.0),
    )
    for name, mine in by_candidate(results).items():
        if values := sorted((score.value for score in scores_of(mine, measure)), reverse=True):
            steps = ((value, (place + up) / len(values)) for place, value in enumerate(values) for up in (0, 1))
            chart.line(name, [(1.0, 0.0), *steps, (0.0, 1.0)])
    return chart


def precision_against_recall(rows: Sequence[Row], measure: str) -> Chart | None:
    """Return a chart with a dot per candidate and lines of equal F; None if the measure has no precision and recall."""
    dots = [
        (row.candidate, found.recall, found.precision)
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
            # Reversed, so that the label is at the top, where there is space beside the curve.
            chart.guide(inside[::-1], f"F {f:g}")
    for name, recall, precision in dots:
        chart.dot(name, recall, precision)
    return chart


def times(results: Sequence[Result]) -> Chart:
    """Return a chart of the share of pages that are finished within a time, with a line per candidate."""
    spread = {
        name: sorted(max(_FASTEST_MS, 1000 * one.outcome.seconds) for one in mine)
        for name, mine in by_candidate(results).items()
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
    """Return a chart of the cumulative time over the pages of one blog (BlogForever paper, Figure 2).

    The time of learning is part of the first page's time. As in the paper, a dashed line marks the number of feed
    entries, which is the number of pages read for learning.
    """
    spent: dict[str, list[tuple[float, float]]] = {}
    for name, mine in by_candidate(one for one in results if one.site == site).items():
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
    """Return the site with most pages; None if they are fewer than `MIN_SITE_PAGES`."""
    sites = Counter(result.site for mine in list(by_candidate(results).values())[:1] for result in mine)
    name, pages = max(sites.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    return name if pages >= MIN_SITE_PAGES else None


def time_on_largest_site(results: Sequence[Result], sites: Sequence[SampleSite]) -> Chart | None:
    """Return the chart of the cumulative time on the largest blog; None if it has too few pages."""
    if (site := largest_site(results)) is None:
        return None
    feeds = {one.name: len(one.evidence.feed.entries) for one in sites if one.evidence}
    return cumulative_time(results, site, feeds.get(site, 0))


WORST = 3  # pages shown per candidate
_SHOWN_CHARS = 4000


class BadPage(msgspec.Struct, frozen=True, kw_only=True):
    """One of a candidate's worst pages, for the report."""

    candidate: str
    page: str
    url: str
    score: float
    failure: str | None
    gold: str
    found: str
    diff: list[Change]
    wrong: list[tuple[str, str, str]]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A page without a prediction, with the reason."""

    candidate: str
    page: str
    why: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """The section of the report about one data set."""

    name: str
    headline: str | None
    rows: list[Row]
    compared: list[Comparison] = []
    domains: list[Row] = []
    # Titles and SVG of charts.
    charts: list[tuple[str, str]] = []
    worst: list[BadPage] = []
    failures: list[Failure] = []


def section(name: str, results: Sequence[Result], sites: Sequence[SampleSite] = ()) -> Section:
    """Return the section of a data set, computed from the results of all its pages."""
    found = rows(name, results)
    by = summary.headline(found)
    charts = [distribution(results, by), precision_against_recall(found, by)] if by else []
    charts += [times(results), time_on_largest_site(results, sites)]
    return Section(
        name=name,
        headline=by,
        rows=sorted(found, key=lambda row: -(row.value(by or "") or 0.0)),
        compared=summary.comparisons(results, by) if by else [],
        domains=summary.domain_rows(results) if any("ACS" in row.figures for row in found) else [],
        charts=[(chart.title, chart.svg()) for chart in charts if chart is not None],
        worst=_worst(results, by) if by else [],
        failures=[
            Failure(candidate=one.candidate, page=one.sample.id, why=one.outcome.failure)
            for one in results
            if one.outcome.failure
        ],
    )


def _worst(results: Sequence[Result], by: str) -> list[BadPage]:
    worst: list[BadPage] = []
    for mine in by_candidate(results).values():
        bad = [one for one in mine if by in one.outcome.scores and one.outcome.scores[by].value < 1.0]
        bad.sort(key=lambda one: one.outcome.scores[by].value)
        worst += [_bad_page(one, by) for one in bad[:WORST]]
    return worst


def _bad_page(result: Result, by: str) -> BadPage:
    gold, prediction = result.sample.gold, result.outcome.prediction
    wanted = gold.body or "\n".join([*gold.segments_with, *(f"not: {piece}" for piece in gold.segments_without)])
    named = {
        "title": (gold.title or "", prediction.title or ""),
        "date": (gold.date or "", prediction.date or ""),
        "author": (", ".join(gold.authors or ()), ", ".join(prediction.authors)),
    }
    scores = {name: result.outcome.scores.get(name) for name in named}
    wrong = [(name, *pair) for name, pair in named.items() if (score := scores[name]) is not None and not score.value]
    return BadPage(
        candidate=result.candidate,
        page=result.sample.id,
        url=result.sample.url,
        score=result.outcome.scores[by].value,
        failure=result.outcome.failure,
        gold=wanted[:_SHOWN_CHARS],
        found=prediction.text[:_SHOWN_CHARS],
        diff=word_diff(gold.body, prediction.text) if gold.body else [],
        wrong=wrong,
    )


def report_html(sections: Sequence[Section], facts: dict[str, str]) -> str:
    """Return the report. `facts` describe the run: versions, limits, number of workers."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("posterity.evaluate", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    # Charts are trusted markup with escaped names; the template escapes everything else.
    environment.filters.update(short=summary.share_text, p=summary.p_text, chart=Markup)
    return environment.get_template("report.html").render(
        sections=sections, facts=facts, measures=MEASURES, measure=MEASURE, shown=_measures_of
    )


def _measures_of(found: Sequence[Row]) -> list[str]:
    return [measure.name for measure in MEASURES if any(measure.name in row.figures for row in found)]


_FEW, _MOST = 0.2, 0.9
_HALF = 0.5
_MANY = 3.0  # ratio of given to wanted words


def diagnosis(sample: Sample, prediction: Prediction, failure: str | None = None) -> str:
    """Return a description of what is wrong with the prediction; empty if nothing is."""
    if failure:
        return f"failed: {failure}"
    if sample.gold.posts:
        from posterity.evaluate.measures.fields import score_post_dates, score_post_titles, score_posts

        remarks = []
        for name, score in (
            ("posts", score_posts(sample.gold, prediction)),
            ("titles", score_post_titles(sample.gold, prediction)),
            ("dates", score_post_dates(sample.gold, prediction)),
        ):
            if score is not None and (score.hits < score.wanted or score.hits < score.given):
                remarks.append(f"{name}: {score.hits:.0f} of {score.wanted:.0f}, {score.given:.0f} given")
        return ", ".join(remarks)
    return "; ".join(filter(None, [_of_article(sample, prediction), *_of_fields(sample.gold, prediction)]))


def _of_article(sample: Sample, prediction: Prediction) -> str:
    if sample.gold.body is None:
        return _of_segments(sample.gold, prediction)
    wanted, given = token_counts(plain_body(sample.gold)), token_counts(prediction.text)
    if not wanted:
        return "the annotated text is empty"
    if not given:
        return "nothing was found"
    common = (wanted & given).total()
    recall, precision = common / wanted.total(), common / given.total()
    if recall < _FEW and precision < _FEW:
        return f"a different part of the page was extracted{_where_wanted(wanted, prediction)}"
    remarks = []
    if precision < _MOST:
        remarks.append(f"kept too much{_what_is_extra(sample, wanted, given)}")
    if recall < _MOST:
        remarks.append(f"lost {1 - recall:.0%} of the words{_why_lost(sample, prediction, wanted, given)}")
    return ", ".join(remarks)


def _what_is_extra(sample: Sample, wanted: Counter[str], given: Counter[str]) -> str:
    extra = given - wanted
    expected = sample.gold.comments_text or " ".join(comment.text for comment in sample.gold.comments or ())
    comments = token_counts(expected)
    if comments and (extra & comments).total() > _HALF * extra.total():
        return ": comments"
    if given.total() > _MOST * _words_quoted(sample).total():
        return ": the whole page"
    return f": {given.total() / wanted.total():.0f} times the words" if given.total() > _MANY * wanted.total() else ""


def _why_lost(sample: Sample, prediction: Prediction, wanted: Counter[str], given: Counter[str]) -> str:
    lost = wanted - given
    if (lost & _words_quoted(sample)).total() < _HALF * lost.total():
        return " (most of them not visible on the page)"
    comments = token_counts(" ".join(comment.text for comment in prediction.comments))
    if (lost & comments).total() > _HALF * lost.total():
        return " (most of them comments, which the annotated text includes)"
    if (lost & _fields(prediction)).total() > _HALF * lost.total():
        return " (most of them title, author and date, which are fields here)"
    return ""


def _where_wanted(wanted: Counter[str], prediction: Prediction) -> str:
    """Return a note if the annotated text only consists of fields, as for a photo or video under a headline."""
    if (wanted & _fields(prediction)).total() > _HALF * wanted.total():
        return ": the annotated text is title, author and date, which are fields here"
    return ""


def _fields(prediction: Prediction) -> Counter[str]:
    return token_counts(" ".join((prediction.title or "", *prediction.authors, _date_in_words(prediction.date))))


def _date_in_words(date: str | None) -> str:
    """Return the date in several notations that pages use."""
    if not date:
        return ""
    day = datetime.fromisoformat(date)
    return f"by on posted {day:%Y} {day:%B} {day:%b} {day.day} {day:%d} {day:%m}"


def _of_segments(gold: Gold, prediction: Prediction) -> str:
    wanted = len(gold.segments_with)
    found, unwanted = found_in(prediction.text, gold.segments_with), found_in(prediction.text, gold.segments_without)
    remarks = [f"lost {wanted - found} of {wanted} wanted segments"] if found < wanted else []
    if unwanted:
        remarks.append(f"kept {unwanted} of {len(gold.segments_without)} unwanted segments")
    return ", ".join(remarks)


def _words_quoted(sample: Sample) -> Counter[str]:
    try:
        return token_counts(text_of(parse(sample.html, sample.url).tree))
    except PosterityError:
        return token_counts("")


def _of_fields(gold: Gold, prediction: Prediction) -> list[str]:
    from posterity.evaluate.measures.fields import score_author, score_date, score_invented_author, score_title

    remarks = []
    for name, score, given in (
        ("title", score_title(gold, prediction), prediction.title),
        ("date", score_date(gold, prediction), prediction.date),
        ("author", score_author(gold, prediction), prediction.authors),
    ):
        if score is not None and score.value < 1.0:
            remarks.append(f"another {name}" if given else f"no {name}")
    invented = score_invented_author(gold, prediction)
    return [*remarks, "an invented author"] if invented is not None and invented.value > 0.0 else remarks
