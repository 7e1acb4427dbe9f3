"""The picture in README.md shows no clock and loads nothing."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[3]
PICTURE = (ROOT / "docs" / "images" / "demo.svg").read_text(encoding="utf-8")
TOOL = runpy.run_path(str(ROOT / "tools" / "picture.py"))


def test_picture_is_well_formed_and_loads_nothing() -> None:
    root = ET.fromstring(PICTURE)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not re.search(r"@font-face|@import|<script|<image|(?:xlink:)?href=", PICTURE)
    assert set(re.findall(r"url\((.)", PICTURE)) == {"#"}


@pytest.mark.parametrize(
    ("line", "steady"),
    [
        ("requests  74 in 3.0 s, 0.6 MB", "requests  74, 0.6 MB"),
        ("blog      http://127.0.0.1:43773/", "blog      http://127.0.0.1:4000/"),
        ("posts     36 harvested, 36 of them new", "posts     36 harvested, 36 of them new"),
    ],
)
def test_what_differs_from_run_to_run_is_taken_out(line: str, steady: str) -> None:
    assert TOOL["steady"](line) == steady


def test_same_lines_render_to_the_same_bytes() -> None:
    assert TOOL["rendered"](["$ posterity demo", "<blog> & rules"]) == TOOL["rendered"](
        ["$ posterity demo", "<blog> & rules"]
    )
