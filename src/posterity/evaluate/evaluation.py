"""A whole evaluation: runs all data sets, prints and writes their results, and writes the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from posterity.engine import Engine
from posterity.evaluate.candidates import Candidate, version_of
from posterity.evaluate.datasets import DataSet, SampleSite
from posterity.evaluate.output import EvaluationDisplay, ready_folder, write_figures, write_pages
from posterity.evaluate.report import Section, report_html, section
from posterity.evaluate.runner import DEFAULT, Result, Runner, RunSettings
from posterity.evaluate.summary import Row, headline, over_blogs

REPORT = "report.html"


def evaluate(
    datasets: Sequence[DataSet],
    candidates: Sequence[Candidate],
    out: Path,
    *,
    display: EvaluationDisplay,
    settings: RunSettings = DEFAULT,
    engine: Engine | None = None,
    sample: int | None = None,
) -> list[Section]:
    """Run all candidates on all data sets, write the report to `out`, and return its sections.

    With an engine, pages are extracted there, else in worker processes of this machine.
    """
    facts = facts_of(candidates, settings, sample)
    ready_folder(out)
    sections: list[Section] = []
    blogs: list[Row] = []
    several_blogs = sum(dataset.kind != "pages" for dataset in datasets) > 1
    with Runner(settings, engine) as runner:
        for dataset in datasets:
            sites = dataset.sites(sample)
            results = results_of(dataset.name, sites, candidates, runner, display)
            if not results:
                continue
            write_pages(out, results, append=bool(sections))
            sections.append(section(dataset.name, results, sites))
            is_blog = dataset.kind != "pages"
            blogs += sections[-1].rows if is_blog else []
            if is_blog and several_blogs and display.for_people:
                # Dozens of blogs would give hundreds of tables, so blogs are shown together at the end.
                display.failures(dataset.name, results)
            else:
                display.section(sections[-1], results)
    if several_blogs:
        # All blogs as one section, in which every blog has the same weight.
        rows = over_blogs("all blogs", blogs)
        sections.insert(0, Section(name="all blogs", headline=headline(rows), rows=rows))
        display.blogs(blogs)
        display.section(msgspec.structs.replace(sections[0], domains=[row for one in sections for row in one.domains]))
    write_figures(out, (row for one in sections for row in (*one.rows, *(one.domains if display.domains else ()))))
    (out / REPORT).write_text(report_html(sections, facts), encoding="utf-8")
    display.print(f"The report is {out / REPORT}.")
    return sections


def results_of(
    name: str, sites: Sequence[SampleSite], candidates: Sequence[Candidate], runner: Runner, display: EvaluationDisplay
) -> list[Result]:
    """Return the results of all candidates that can be evaluated on these sites; report the others."""
    with_feed = not runner.settings.without_feed and any(site.evidence for site in sites)
    able = [candidate for candidate in candidates if candidate.can_run(with_feed=with_feed)]
    if left_out := [candidate.name for candidate in candidates if candidate not in able]:
        display.print(f"{name}: {', '.join(left_out)} left out, because there is no feed to learn from.")
    pages = sum(len(site.samples) for site in sites)
    if not able or not pages:
        return []
    with display.progress(name, pages * len(able)) as advance:
        return runner.run(name, sites, able, advance)


def facts_of(candidates: Sequence[Candidate], settings: RunSettings, sample: int | None) -> dict[str, str]:
    """Return the facts for the head of the report; raise `InputError` if a rival is not installed."""
    versions = {one.name: version_of(one.name) for one in candidates if one.kind == "rival"}
    facts = {
        "workers": str(settings.workers),
        "limits": f"{settings.limits.time_s:g} s a page, {settings.limits.memory_mb} MB a worker",
        "rivals": ", ".join(f"{name} {version}" for name, version in versions.items()),
        "sample": f"{sample} pages of each data set" if sample else "",
        "pages": "one at a time" if settings.alone else "",
        "feeds": "withheld" if settings.without_feed else "",
    }
    return {name: words for name, words in facts.items() if words}
