"""The page of the latest evaluation: the report in a frame, and its figures as tables."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from posterity.serve.middleware import frame_policy
from posterity.serve.problems import Problem
from posterity.serve.services import ServicesDep
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)


class Cell(msgspec.Struct, frozen=True):
    """A figure as text, with its interval for a tooltip, and whether it is the best of its column."""

    shown: str
    note: str = ""
    is_best: bool = False


class FigureTable(msgspec.Struct, frozen=True):
    """The figures of all candidates on one data set."""

    dataset: str
    measures: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@router.get("/evaluate")
def evaluate(request: Request, services: ServicesDep) -> Response:
    """Show the latest report of `posterity evaluate`, or how to make one."""
    folder = Path(services.settings.reports)
    tables = figure_tables(folder / "figures.csv")
    return page(request, "evaluate.html", tables=tables, has_report=(folder / "report.html").is_file(), folder=folder)


@router.get("/evaluate/report")
def report(services: ServicesDep) -> Response:
    """Return the report for the frame."""
    file = Path(services.settings.reports) / "report.html"
    if not file.is_file():
        raise Problem(404, "There is no report yet. Run `posterity evaluate`.")
    return HTMLResponse(file.read_bytes(), headers={"Content-Security-Policy": frame_policy()})


@router.get("/evaluate/figures.csv")
def figures(services: ServicesDep) -> Response:
    """Download all figures with their intervals."""
    file = Path(services.settings.reports) / "figures.csv"
    if not file.is_file():
        raise Problem(404, "There are no figures yet. Run `posterity evaluate`.")
    return FileResponse(file, media_type="text/csv; charset=utf-8", filename="figures.csv")


def figure_tables(file: Path) -> list[FigureTable]:
    """Return the figures of a CSV file, one table per data set; none if the file is missing or invalid."""
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = [row for row in csv.DictReader(stream) if row.keys() >= {"dataset", "candidate", "measure", "value"}]
    except (OSError, ValueError, csv.Error):
        return []
    names = list(dict.fromkeys(row["dataset"] for row in rows))[:60]
    return [_table(name, [row for row in rows if row["dataset"] == name]) for name in names]


def _table(dataset: str, rows: list[dict[str, str]]) -> FigureTable:
    measures = tuple(dict.fromkeys(row["measure"] for row in rows))
    found = {(row["candidate"], row["measure"]): row for row in rows}
    candidates = dict.fromkeys(row["candidate"] for row in rows)
    best = {measure: _best(measure, rows) for measure in measures}
    return FigureTable(
        dataset=dataset,
        measures=measures,
        rows=tuple(
            (name, tuple(_cell(found.get((name, measure)), measure, best[measure]) for measure in measures))
            for name in candidates
        ),
    )


def _best(measure: str, rows: list[dict[str, str]]) -> float | None:
    values = [value for row in rows if row["measure"] == measure and (value := _number(row["value"])) is not None]
    if len(set(values)) < 2:  # a single value, or all equal: none is best
        return None
    return min(values) if measure.endswith(" s") else max(values)


def _cell(row: dict[str, str] | None, measure: str, best: float | None) -> Cell:
    value = _number(row["value"]) if row else None
    if row is None or value is None:
        return Cell("")
    shown = f"{value * 1000:.1f} ms" if measure.endswith(" s") else f"{value:.3f}"
    low, high = _number(row.get("low")), _number(row.get("high"))
    interval = f"95 %: {low:.3f} to {high:.3f}, " if low is not None and high is not None else ""
    pages = row.get("pages") or "?"
    return Cell(shown, f"{interval}{pages} {'page' if pages == '1' else 'pages'}", value == best)


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None
