"""The tool behind `make bench`: a table, kept results, and the page in the documentation."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tools.quality_page import write_page

ROOT = Path(__file__).parents[3]
TEXT = "the water comes and goes and whoever lives at the shore knows when without looking it up"
MARKS = """Written by hand.
<!-- table: begin, written by tools/bench.py -->
old
<!-- table: end -->
Also by hand.
<!-- elements: begin, written by tools/bench.py -->
<!-- elements: end -->
<!-- worst: begin, written by tools/bench.py -->
<!-- worst: end -->
The end.
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    folder = tmp_path / "bench"
    folder.mkdir()
    for name in ("scrapinghub", "dragnet"):
        pages = [
            {
                "id": f"{name}-{number}",
                "url": f"https://host.example/{number}",
                "html": f"<h1>Page {number}</h1><p>{TEXT} {number}</p>",
                "gold": {"body": f"{TEXT} {number}" if number else "something else entirely, which the page has not"},
            }
            for number in range(6)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, pages)))
    return folder


@pytest.fixture
def blogs(tmp_path: Path) -> Path:
    site = tmp_path / "blogs" / "shore" / "site"
    site.mkdir(parents=True)
    posts = []
    for number in range(3):
        html = f"<article><h2>Part {number}</h2><p>{TEXT} {number} <a href='/more-{number}'>more</a></p></article>"
        (site / f"{number}.html").write_text(f"<title>Post {number}</title><h1>Post {number}</h1>{html}")
        posts.append(
            {"path": f"/{number}.html", "file": f"{number}.html", "text": f"Part {number}\n{TEXT} {number} more"}
        )
    truth = {"base_url": "https://shore.example/", "selectors": {"body": "article"}, "posts": posts}
    (site.parent / "truth.json").write_text(json.dumps(truth))
    return tmp_path / "blogs"


def run(bench: Path, *options: str) -> str:
    kept = bench.parent / "kept"
    command = [sys.executable, "-m", "tools.bench", str(bench), "--out", str(kept), "--no-rivals", *options]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_table_page_and_worst_pages(bench: Path, tmp_path: Path) -> None:
    page = tmp_path / "quality.md"
    page.write_text(MARKS)
    table = run(bench, "--write", str(page))
    assert "scrapinghub" in table
    assert "dragnet, pages of a host together" in table
    text = page.read_text()
    assert text.startswith("Written by hand.\n<!-- table: begin")
    assert "| scrapinghub | 4-gram F1 |" in text
    assert "old" not in text
    assert "18 pages: all pages of the sets." in text
    assert "Also by hand." in text
    worst = text.partition("### scrapinghub")[2]
    assert "`https://host.example/0` | a different part of the page was extracted |" in worst


def test_elements_of_articles_are_counted(bench: Path, blogs: Path, tmp_path: Path) -> None:
    page = tmp_path / "quality.md"
    page.write_text(MARKS)
    run(bench, "--blogs", str(blogs), "--only", "blog:", "--only", "bare:", "--write", str(page))
    assert "| links | 3 | 1.000 1.000 | 1.000 1.000 | - | - |" in page.read_text()


def test_stopped_run_goes_on_where_it_was(bench: Path) -> None:
    first = run(bench)
    kept = sorted((bench.parent / "kept" / "all").iterdir())
    assert [path.name for path in kept] == [
        "dragnet.hybrid.jsonl",
        "hosts-dragnet.hybrid.jsonl",
        "scrapinghub.hybrid.jsonl",
    ]
    written = {path: path.stat().st_mtime_ns for path in kept}
    kept[0].unlink()
    assert run(bench, "--resume") == first
    assert kept[0].exists()
    assert all(path.stat().st_mtime_ns == written[path] for path in kept[1:])


def test_page_without_marks_is_told_and_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "quality.md"
    page.write_text("Nothing but words.")
    with pytest.raises(SystemExit, match="has no marks"):
        write_page(page, ["hybrid"], [])
    assert page.read_text() == "Nothing but words."
