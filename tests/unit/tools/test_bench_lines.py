"""Rows of the bench's table: texts with titles prepended."""

from tools.bench_lines import LINES, StoredResult, figures, titled_scores

from posterity.evaluate.datasets import Gold, Prediction
from posterity.evaluate.measures import Score

GOLD = Gold(body="Counting boats There were seven of them today")
TEXT = "There were seven of them today"


def test_the_title_that_was_given_counts_as_the_beginning_of_the_text() -> None:
    assert titled_scores(GOLD, Prediction(text=TEXT, title="Counting boats"))["token F1"].value == 1


def test_a_title_that_the_text_begins_with_is_not_put_there_twice() -> None:
    assert (
        titled_scores(GOLD, Prediction(text=f"Counting boats\n\n{TEXT}", title="Counting Boats"))["token F1"].value == 1
    )


def test_without_a_title_the_text_stands_for_itself() -> None:
    assert titled_scores(GOLD, Prediction(text=TEXT))["token F1"].value < 1


def test_only_titled_lines_take_the_titled_scores() -> None:
    page = StoredResult(
        dataset="dragnet", candidate="hybrid", site="", page="1", url="", tags={}, words=8, diagnosis="", seconds=0.0,
        scores={"token F1": Score(value=0.5)}, titled={"token F1": Score(value=1.0)},
    )  # fmt: skip
    found = {
        line.name: figures(line, [page])["hybrid"][0]
        for line in LINES
        if line.name.startswith("dragnet") and line.chosen(page)
    }
    assert {name: one.value for name, one in found.items() if one} == {"dragnet": 0.5, "dragnet, titled": 1.0}
