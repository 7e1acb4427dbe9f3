"""Exports are safe to open: no formulas, valid front matter, no control characters on a terminal."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.export.writing import POST, source_of

from posterity.export.csv_table import write_csv
from posterity.export.markdown import markdown_file
from posterity.export.media_paths import LocalPaths

_FORMULAS = [
    "=1+1",
    "+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "\uff1d1",
    "'=1",
    "'' @a",
    '=HYPERLINK("http://x.example","y")',
]


def _rows(title: str, *, raw_cells: bool) -> list[dict[str, str]]:
    out = io.BytesIO()
    source = source_of([msgspec.structs.replace(POST, title=title)])
    source.raw_cells = raw_cells
    write_csv(source, out)
    return list(csv.DictReader(io.StringIO(out.getvalue().decode(), newline="")))


@pytest.mark.parametrize("title", _FORMULAS)
def test_cell_that_begins_a_formula_is_neutralised(title: str) -> None:
    assert _rows(title, raw_cells=False)[0]["title"] == f"'{title}"
    assert _rows(title, raw_cells=True)[0]["title"] == title


def test_other_cells_stay_as_they_are() -> None:
    assert _rows("Salt = bread", raw_cells=False)[0]["title"] == "Salt = bread"


@given(st.text(st.characters(codec="utf-8")))
def test_front_matter_is_yaml_for_any_title(title: str) -> None:
    with LocalPaths(by_host=False) as paths:
        paths.add(POST)
        text = markdown_file(msgspec.structs.replace(POST, title=title), paths, {})
    front = text.removeprefix("---\n").partition("\n---\n")[0]
    assert (yaml.safe_load(front).get("title") or "") == title
