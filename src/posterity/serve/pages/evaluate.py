"""The report of the bench, inside: the figures as a table, and the whole report in a frame."""

from __future__ import annotations

import csv
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from posterity.serve.headers import frame_policy
from posterity.serve.problems import Problem
from posterity.serve.services import Parts
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)
_MAX_ROWS = 500


@router.get("/evaluate")
def evaluate(request: Request, parts: Parts) -> Response:
    """Show the latest report of `posterity evaluate`, or how to make one."""
    folder = Path(parts.settings.reports)
    header, rows = _figures(folder / "figures.csv")
    return page(
        request, "evaluate.html", header=header, rows=rows, has_report=(folder / "report.html").is_file(), folder=folder
    )


@router.get("/evaluate/report")
def report(parts: Parts) -> Response:
    """Return the report for the frame."""
    file = Path(parts.settings.reports) / "report.html"
    if not file.is_file():
        raise Problem(404, "There is no report yet. Run `posterity evaluate`.")
    return HTMLResponse(file.read_bytes(), headers={"Content-Security-Policy": frame_policy()})


def _figures(file: Path) -> tuple[list[str], list[list[str]]]:
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            header, *rows = csv.reader(stream)
    except (OSError, ValueError):
        return [], []
    return header, rows[:_MAX_ROWS]
