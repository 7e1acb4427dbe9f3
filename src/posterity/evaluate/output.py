"""The output of an evaluation: a progress line on a terminal, tables or JSON lines as data sets finish."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from posterity.errors import InputError
from posterity.evaluate.measures import MEASURE, MEASURES
from posterity.evaluate.report import Section
from posterity.evaluate.runner import Result
from posterity.evaluate.summary import Comparison, Figure, Row, headline, p_text, share_text

_GROUPS = {"article": "the article", "fields": "its fields", "elements": "its elements (F1)"}


def tables(title: str, rows: Sequence[Row]) -> list[Table]:
    """Return the tables of one data set: one per group of measures that it has gold for."""
    found = [_measures_table(title, rows, group) for group in _GROUPS]
    return [table for table in found if table is not None] + [_time_table(title, rows)]


def _measures_table(title: str, rows: Sequence[Row], group: str) -> Table | None:
    names = (measure.name for measure in MEASURES if measure.group == group)
    there = [name for name in names if any(name in row.figures for row in rows)]
    if not there:
        return None
    by = headline(rows)
    order = sorted(rows, key=lambda row: -(row.value(by or "") or 0.0))
    table = _table(f"{title}: {_GROUPS[group]}", ["candidate", *there])
    for row in order:
        cells = [_cell(row.figures.get(measure), measure == by) for measure in there]
        shown = (_best(cell, row, measure, rows) for cell, measure in zip(cells, there, strict=True))
        table.add_row(Text(row.candidate), *shown)
    return table


def _cell(figure: Figure | None, with_interval: bool) -> str:
    if figure is None:
        return "-"
    bounds = f" ±{share_text(figure.interval.half_width)}" if with_interval else ""
    return share_text(figure.interval.value) + bounds


def _best(cell: str, row: Row, measure: str, rows: Sequence[Row]) -> Text:
    values = [value for one in rows if (value := one.value(measure)) is not None]
    top = (min if MEASURE[measure].lower_is_better else max)(values, default=None)
    is_top = len(rows) > 1 and row.value(measure) is not None and row.value(measure) == top
    return Text(cell, style="bold" if is_top else "")


def _time_table(title: str, rows: Sequence[Row]) -> Table:
    columns = ["candidate", "pages", "mean ms", "median ms", "95 % ms", "failures"]
    table = _table(f"{title}: CPU time per page, and failures", columns)
    for row in sorted(rows, key=lambda row: row.mean_s):
        times = (f"{1000 * seconds:.1f}" for seconds in (row.mean_s, row.median_s, row.p95_s))
        table.add_row(Text(row.candidate), str(row.pages), *times, str(row.failures or "-"))
    return table


def comparison_table(title: str, measure: str, found: Iterable[Comparison]) -> Table:
    """Return a table that compares the best candidate with the others, with the p-value of each difference."""
    table = _table(f"{title}: page by page, {measure}", ["better", "than", "by", "wins", "losses", "ties", "p"])
    for one in found:
        counts = (str(one.wins), str(one.losses), str(one.pages - one.wins - one.losses))
        table.add_row(Text(one.first), Text(one.second), f"{one.difference:.3f}", *counts, p_text(one.p_value))
    return table


def failures_table(title: str, results: Iterable[Result]) -> Table | None:
    """Return a table of the pages without a prediction, with the reasons; None if there are none."""
    failed = [result for result in results if result.outcome.failure]
    if not failed:
        return None
    counted = f"{len(failed)} failures, counted as empty predictions"
    table = _table(f"{title}: {counted}", ["candidate", "page", "why"], left=3)
    for result in failed[:20]:
        table.add_row(Text(result.candidate), Text(result.sample.id[:60]), Text((result.outcome.failure or "")[:100]))
    if len(failed) > 20:
        table.add_row("...", f"and {len(failed) - 20} more", "")
    return table


def domain_table(title: str, rows: Iterable[Row]) -> Table:
    """Return a table of ACS and TCS by domain (E-mCST paper, Table 3)."""
    table = _table(f"{title}: by domain", ["domain", "candidate", "pages", "ACS", "TCS"], left=2)
    for row in sorted(rows, key=lambda row: (row.candidate, -row.pages)):
        acs, tcs = (_cell(row.figures.get(name), with_interval=False) for name in ("ACS", "TCS"))
        table.add_row(Text(row.dataset), Text(row.candidate), str(row.pages), acs, tcs)
    return table


def blogs_table(rows: Sequence[Row]) -> Table:
    """Return a table with the headline figures of all candidates by blog, the hardest blog first."""
    by = headline(rows) or ""
    names = list(dict.fromkeys(row.candidate for row in rows))
    blogs: dict[str, dict[str, Row]] = {}
    for row in rows:
        blogs.setdefault(row.dataset, {})[row.candidate] = row
    table = _table(f"blog by blog: {by}", ["blog", "pages", *names])
    best = {blog: max(row.value(by) or 0.0 for row in mine.values()) for blog, mine in blogs.items()}
    for blog, mine in sorted(blogs.items(), key=lambda pair: best[pair[0]]):
        cells = (_cell(mine[name].figures.get(by), with_interval=False) if name in mine else "-" for name in names)
        table.add_row(Text(blog), str(max(row.pages for row in mine.values())), *cells)
    return table


def _table(title: str, columns: Sequence[str], left: int = 1) -> Table:
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place < left else "right", overflow="fold")
    return table


class EvaluationDisplay:
    """Prints figures as tables for people, as JSON lines for programs, or not at all."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False, domains: bool = False) -> None:
        self.as_json, self.quiet, self.domains = as_json, quiet, domains
        # For a pipe, rich assumes 80 columns, to which tables would be folded.
        self.console = Console(width=None if sys.stdout.isatty() else 200)

    @property
    def for_people(self) -> bool:
        """Whether output is for people."""
        return not self.as_json and not self.quiet

    def section(self, found: Section, results: Sequence[Result] = ()) -> None:
        """Print the figures of one data set."""
        if self.as_json:
            for row in (*found.rows, *(found.domains if self.domains else ())):
                sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
        elif self.for_people:
            shown = tables(found.name, found.rows)
            if found.compared and found.headline:
                shown.append(comparison_table(found.name, found.headline, found.compared))
            if self.domains and found.domains:
                shown.append(domain_table(found.name, found.domains))
            for table in shown:
                self.console.print(table)
            self.failures(found.name, results)

    def records(self, *parts: Sequence[msgspec.Struct]) -> None:
        """Print the figures of a paper as JSON lines, for programs."""
        if self.as_json:
            for one in (record for part in parts for record in part):
                sys.stdout.write(msgspec.json.encode(one).decode() + "\n")

    def blogs(self, rows: Sequence[Row]) -> None:
        """Print one table of many blogs."""
        if self.for_people:
            self.console.print(blogs_table(rows))

    def failures(self, name: str, results: Sequence[Result]) -> None:
        """Print the pages without a prediction, if there are any."""
        table = failures_table(name, results)
        if table is not None and self.for_people:
            self.console.print(table)

    def print(self, words: str) -> None:
        """Print a message for people."""
        if self.for_people:
            self.console.print(words, markup=False, highlight=False)

    @contextmanager
    def progress(self, name: str, steps: int) -> Iterator[Callable[[object], None]]:
        """Yield the function to call for every finished page; the bar is only shown on a terminal."""
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        hidden = not self.for_people or not console.is_terminal
        with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
            task = progress.add_task(name, total=steps)
            yield lambda _: progress.advance(task)


PAGES_JSON, PAGES_CSV, FIGURES_CSV = "pages.jsonl", "pages.csv", "figures.csv"
_NAMES = [measure.name for measure in MEASURES]


def write_pages(folder: Path, results: Iterable[Result], *, append: bool = False) -> None:
    """Write one JSON line and one CSV row per candidate and page; with `append`, after those of earlier data sets."""
    mode = "a" if append else "w"
    with (
        (folder / PAGES_JSON).open(mode + "b") as lines,
        (folder / PAGES_CSV).open(mode, newline="", encoding="utf-8") as rows,
    ):
        sheet = csv.writer(rows)
        if not append:
            sheet.writerow(["dataset", "candidate", "site", "page", "url", "seconds", "ready_s", "failure", *_NAMES])
        for result in results:
            lines.write(msgspec.json.encode(page_record(result)) + b"\n")
            sheet.writerow(_csv_row(result))


def page_record(result: Result) -> dict[str, Any]:
    """Return the JSON record of one candidate on one page."""
    outcome = result.outcome
    return {
        "dataset": result.dataset, "candidate": result.candidate, "site": result.site, "page": result.sample.id,
        "url": result.sample.url, "tags": dict(result.sample.tags), "seconds": round(outcome.seconds, 6),
        "ready_s": round(outcome.ready_s, 6), "failure": outcome.failure, "scores": outcome.scores,
        "prediction": outcome.prediction,
    }  # fmt: skip


def _csv_row(result: Result) -> list[object]:
    outcome = result.outcome
    known = [result.dataset, result.candidate, result.site, result.sample.id, result.sample.url]
    scores = (outcome.scores.get(name) for name in _NAMES)
    times = [f"{outcome.seconds:.6f}", f"{outcome.ready_s:.6f}"]
    return [*known, *times, outcome.failure or "", *("" if score is None else f"{score.value:.6f}" for score in scores)]


def write_figures(folder: Path, rows: Iterable[Row]) -> None:
    """Write all figures of all tables as CSV, one per row."""
    with (folder / FIGURES_CSV).open("w", newline="", encoding="utf-8") as file:
        sheet = csv.writer(file)
        sheet.writerow(["dataset", "candidate", "measure", "pages", "value", "low", "high", "precision", "recall"])
        for row in rows:
            for figure in row.figures.values():
                at = figure.interval
                numbers = (at.value, at.low, at.high, figure.precision, figure.recall)
                cells = ("" if number is None else f"{number:.6f}" for number in numbers)
                sheet.writerow([row.dataset, row.candidate, figure.measure, figure.pages, *cells])
            for name, seconds in (("mean s", row.mean_s), ("median s", row.median_s), ("95 % s", row.p95_s)):
                sheet.writerow([row.dataset, row.candidate, name, row.pages, f"{seconds:.6f}", "", "", "", ""])


def ready_folder(path: Path) -> Path:
    """Create the folder if needed and return it; raise `InputError` if it is not writable."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / PAGES_JSON).open("ab").close()
    except OSError as problem:
        raise InputError(f"The results cannot be written to {path}: {problem}.") from problem
    return path
