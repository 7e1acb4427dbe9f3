"""A whole evaluation: data set after data set run, printed and written, and the report at the end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from posterity.evaluate.files import ready_folder, write_figures, write_pages
from posterity.evaluate.report import Section, report_html, section
from posterity.evaluate.rivals import version_of
from posterity.evaluate.runner import Settings, run
from posterity.evaluate.summary import Row, headline, over_blogs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from posterity.evaluate.contestant import Contestant
    from posterity.evaluate.datasets import DataSet
    from posterity.evaluate.runner import Result

REPORT = "report.html"


class Display:
    """What is shown while it goes on: a moving line on a terminal, tables or JSON lines as data sets finish."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False, domains: bool = False) -> None:
        from rich.console import Console

        self.as_json, self.quiet, self.domains = as_json, quiet, domains
        # A pipe has no width: tables must not be folded to the 80 columns that rich assumes then.
        self.console = Console(width=None if sys.stdout.isatty() else 200)

    def rows(self, found: Section, results: Sequence[Result] = ()) -> None:
        """Show the figures of one data set."""
        if self.as_json:
            for row in found.rows:
                sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
        elif not self.quiet:
            self._tables(found, results)

    def _tables(self, found: Section, results: Sequence[Result]) -> None:
        from posterity.evaluate.table import comparison_table, domain_table, failures_table, tables

        shown = tables(found.name, found.rows)
        if found.compared and found.headline:
            shown.append(comparison_table(found.name, found.headline, found.compared))
        failures = failures_table(found.name, results)
        if failures is not None:
            shown.append(failures)
        if self.domains and found.domains:
            shown.append(domain_table(found.name, found.domains))
        for table in shown:
            self.console.print(table)

    def told(self, words: str) -> None:
        """Say something that is not a figure."""
        if not self.quiet and not self.as_json:
            self.console.print(words, markup=False, highlight=False)


def evaluate(
    datasets: Sequence[DataSet],
    contestants: Sequence[Contestant],
    out: Path,
    *,
    settings: Settings = Settings(),
    sample: int | None = None,
    display: Display | None = None,
) -> list[Section]:
    """Run everybody on everything and return the sections of the report that was written to `out`."""
    display = display or Display(quiet=True)
    facts = _facts(contestants, settings, sample)
    ready_folder(out)
    sections: list[Section] = []
    blogs: list[Row] = []
    for dataset in datasets:
        found = _one(dataset, contestants, out, settings=settings, sample=sample, display=display, first=not sections)
        if found is not None:
            sections.append(found)
            blogs += found.rows if dataset.kind != "pages" else []
    if len({row.dataset for row in blogs}) > 1:
        # Every blog weighs the same; the blogs' own sections follow.
        together = over_blogs("all blogs", blogs)
        sections.insert(0, Section(name="all blogs", headline=headline(together), rows=together))
        display.rows(sections[0])
    write_figures(out, (row for one in sections for row in one.rows))
    (out / REPORT).write_text(report_html(sections, facts), encoding="utf-8")
    display.told(f"The report is {out / REPORT}.")
    return sections


def _one(
    dataset: DataSet,
    contestants: Sequence[Contestant],
    out: Path,
    *,
    settings: Settings,
    sample: int | None,
    display: Display,
    first: bool,
) -> Section | None:
    sites = dataset.sites(sample)
    with_feed = not settings.without_feed and any(site.evidence for site in sites)
    able = [contestant for contestant in contestants if contestant.can_play(with_feed=with_feed)]
    left_out = [contestant.name for contestant in contestants if contestant not in able]
    if left_out:
        display.told(f"{dataset.name}: {', '.join(left_out)} left out, because there is no feed to learn from.")
    pages = sum(len(site.samples) for site in sites)
    if not able or not pages:
        return None
    results = _with_progress(
        dataset.name, pages * len(able), display, lambda tell: run(dataset.name, sites, able, settings, tell)
    )
    write_pages(out, results, append=not first)
    found = section(dataset.name, results, sites)
    display.rows(found, results)
    return found


def _with_progress(
    name: str, steps: int, display: Display, go: Callable[[Callable[[Result], None]], list[Result]]
) -> list[Result]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    hidden = display.quiet or display.as_json or not console.is_terminal
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(name, total=steps)
        return go(lambda _: progress.advance(task))


def _facts(contestants: Sequence[Contestant], settings: Settings, sample: int | None) -> dict[str, str]:
    """Lines for the head of the report; asking rivals for their versions finds the missing ones before anything runs."""
    versions = {one.name: version_of(one.name) for one in contestants if one.kind == "rival"}
    facts = {
        "workers": str(settings.workers),
        "limits": f"{settings.limits.time_s:g} s a page, {settings.limits.memory_mb} MB a worker",
    }
    if versions:
        facts["rivals"] = ", ".join(f"{name} {version}" for name, version in versions.items())
    if sample:
        facts["sample"] = f"{sample} pages of each data set"
    if settings.alone:
        facts["pages"] = "one at a time"
    if settings.without_feed:
        facts["feeds"] = "withheld"
    return facts
