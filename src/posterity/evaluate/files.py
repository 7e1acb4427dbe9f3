"""The results as files: every page as JSON and CSV, the figures as CSV.

`pages.jsonl` has the answers themselves, so that a figure can be looked into without running anything again.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.errors import InputError
from posterity.evaluate.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from posterity.evaluate.runner import Result
    from posterity.evaluate.summary import Row

PAGES_JSON, PAGES_CSV, FIGURES_CSV = "pages.jsonl", "pages.csv", "figures.csv"
_NAMES = [measure.name for measure in MEASURES]


def write_pages(folder: Path, results: Iterable[Result], *, append: bool = False) -> None:
    """Write one JSON line and one CSV row per contestant and page; a later data set appends to an earlier one's."""
    mode = "a" if append else "w"
    with (
        (folder / PAGES_JSON).open(mode + "b") as lines,
        (folder / PAGES_CSV).open(mode, newline="", encoding="utf-8") as rows,
    ):
        sheet = csv.writer(rows)
        if not append:
            sheet.writerow(["dataset", "contestant", "site", "page", "url", "seconds", "ready_s", "failure", *_NAMES])
        for result in results:
            lines.write(msgspec.json.encode(page_record(result)) + b"\n")
            sheet.writerow(_csv_row(result))


def page_record(result: Result) -> dict[str, Any]:
    """Return what is kept of one contestant on one page."""
    outcome = result.outcome
    return {
        "dataset": result.dataset,
        "contestant": result.contestant,
        "site": result.site,
        "page": result.sample.id,
        "url": result.sample.url,
        "tags": dict(result.sample.tags),
        "seconds": round(outcome.seconds, 6),
        "ready_s": round(outcome.ready_s, 6),
        "failure": outcome.failure,
        "scores": outcome.scores,
        "answer": outcome.answer,
    }


def _csv_row(result: Result) -> list[object]:
    outcome = result.outcome
    known = [result.dataset, result.contestant, result.site, result.sample.id, result.sample.url]
    scores = (outcome.scores.get(name) for name in _NAMES)
    times = [f"{outcome.seconds:.6f}", f"{outcome.ready_s:.6f}"]
    return [*known, *times, outcome.failure or "", *("" if score is None else f"{score.value:.6f}" for score in scores)]


def write_figures(folder: Path, rows: Iterable[Row]) -> None:
    """Write every figure of every table, one a row."""
    with (folder / FIGURES_CSV).open("w", newline="", encoding="utf-8") as file:
        sheet = csv.writer(file)
        sheet.writerow(["dataset", "contestant", "measure", "pages", "value", "low", "high", "precision", "recall"])
        for row in rows:
            for figure in row.figures.values():
                bounds = (
                    figure.interval.value,
                    figure.interval.low,
                    figure.interval.high,
                    figure.precision,
                    figure.recall,
                )
                cells = ("" if number is None else f"{number:.6f}" for number in bounds)
                sheet.writerow([row.dataset, row.contestant, figure.measure, figure.pages, *cells])
            for name, seconds in (("mean s", row.mean_s), ("median s", row.median_s), ("95 % s", row.p95_s)):
                sheet.writerow([row.dataset, row.contestant, name, row.pages, f"{seconds:.6f}", "", "", "", ""])


def ready_folder(path: Path) -> Path:
    """Return the folder, made if need be, or raise `InputError` when it cannot be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / PAGES_JSON).open("ab").close()
    except OSError as problem:
        raise InputError(f"The results cannot be written to {path}: {problem}.") from problem
    return path
