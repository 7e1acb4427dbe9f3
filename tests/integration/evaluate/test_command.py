"""`posterity evaluate` from the command line to the report, on a small data set made here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from posterity.cli.evaluate import command
from posterity.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "A post about the sea, with a sentence or two on tides and boats and the people of the harbour. "


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    path = tmp_path / "posts.jsonl"
    with path.open("w") as lines:
        for number in range(12):
            text = WORDS * 4 + f"This is number {number}."
            html = f"<body><ul><li><a href=/>Home</a></ul><div class=post><p>{text}</p></div></body>"
            gold = {"body": text, "title": f"Number {number}"}
            lines.write(
                json.dumps({"id": str(number), "url": f"https://blog.example/{number}", "html": html, "gold": gold})
                + "\n"
            )
    return path


def test_tables_are_printed_and_files_written(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = CliRunner().invoke(
        command,
        [str(dataset), "--method", "mcst", "--method", "bte", "--workers", "2", "-o", str(out)],
        catch_exceptions=False,
    )
    assert run.exit_code == 0
    assert "posts: the article" in run.output
    assert "mcst" in run.output
    assert sorted(file.name for file in out.iterdir()) == ["figures.csv", "pages.csv", "pages.jsonl", "report.html"]
    assert len((out / "pages.jsonl").read_text().splitlines()) == 24
    assert (out / "report.html").read_text().count("<svg") == 4


def test_json_lines_are_for_programs(dataset: Path, tmp_path: Path) -> None:
    arguments = [str(dataset), "--method", "mcst", "--sample", "3", "--json", "-o", str(tmp_path / "out")]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    (row,) = map(json.loads, run.output.splitlines())
    assert (row["dataset"], row["candidate"], row["pages"]) == ("posts", "mcst", 3)
    assert row["figures"]["token F1"]["interval"]["value"] > 0.9


def test_a_feed_method_is_left_out_where_there_is_no_feed(dataset: Path, tmp_path: Path) -> None:
    arguments = [str(dataset), "--method", "feed", "--method", "mcst", "--sample", "2", "-o", str(tmp_path / "out")]
    run = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "feed left out, because there is no feed" in run.output


def test_wrong_names_are_our_error_before_anything_runs(dataset: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke(command, [str(dataset), "--method", "nonsense", "-o", str(tmp_path / "out")])
    assert isinstance(run.exception, InputError)
    assert not (tmp_path / "out").exists()
