"""The results as files: every page and every figure can be read back."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from posterity.errors import InputError
from posterity.evaluate.datasets import Gold, Prediction, Sample
from posterity.evaluate.measures import page_scores
from posterity.evaluate.output import ready_folder, write_figures, write_pages
from posterity.evaluate.runner import Result
from posterity.evaluate.summary import rows
from posterity.evaluate.worker import PageOutcome, failed_outcome

if TYPE_CHECKING:
    from pathlib import Path

GOLD = Gold(body="one two three", title='One, "two"\nthree')
SAMPLE = Sample(id="p,1", url="https://blog.example/1", html="<p>", gold=GOLD)
ANSWER = Prediction(text="one two three")


def result(outcome: PageOutcome) -> Result:
    return Result(dataset="set", candidate="x", site="blog.example", sample=SAMPLE, outcome=outcome)


def test_files_hold_every_page_and_every_figure(tmp_path: Path) -> None:
    results = [
        result(PageOutcome(prediction=ANSWER, scores=page_scores(GOLD, ANSWER))),
        result(failed_outcome(SAMPLE, "timeout")),
    ]
    write_pages(tmp_path, results)
    write_pages(tmp_path, results, append=True)
    write_figures(tmp_path, rows("set", results))
    lines = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert [line["failure"] for line in lines] == [None, "timeout"] * 2
    assert lines[0]["scores"]["token F1"]["value"] == 1.0
    assert lines[0]["prediction"]["text"] == "one two three"
    with (tmp_path / "pages.csv").open(newline="") as file:
        pages = list(csv.DictReader(file))
    assert [(page["page"], page["token F1"], page["comments F1"]) for page in pages[:2]] == [
        ("p,1", "1.000000", ""),
        ("p,1", "0.000000", ""),
    ]
    with (tmp_path / "figures.csv").open(newline="") as file:
        figures = {row["measure"]: row for row in csv.DictReader(file)}
    assert figures["token F1"]["value"] == "0.500000"
    assert "median s" in figures


def test_a_folder_that_cannot_be_written_to_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        ready_folder(tmp_path / "file" / "out")
