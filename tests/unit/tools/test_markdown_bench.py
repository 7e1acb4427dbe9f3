"""The distances of the Markdown bench, and its pages."""

from __future__ import annotations

import pytest
from tools.markdown_bench import Author, ours, page_of, scores, similarity, teds


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [("tide", "tide", 1.0), ("tide", "tidy", 0.75), ("tide", "", 0.0), ("kitten", "sitting", 4 / 7), ("", "", 1.0)],
)
def test_similarity_is_by_edit_distance(left: str, right: str, value: float) -> None:
    assert similarity(left, right) == pytest.approx(value)


def test_table_with_a_row_less_is_less_alike() -> None:
    table = [["a", "b"], ["1", "2"]]
    assert teds(table, table) == 1.0
    assert teds(table, table[:1]) == pytest.approx(1 - 3 / 7)


def test_page_gives_its_markdown_back() -> None:
    article = Author(1).article()
    found = scores(article, ours(page_of(article, 2), "https://blog.example/2/"))
    assert {value for value in found.values() if value is not None} == {1.0}


def test_lost_code_is_noticed() -> None:
    assert scores("a\n\n```python\nx = 1\n```", "a")["code"] == 0.0
