"""The diff of the worst pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.evaluate.measures.text import lcs_length
from posterity.evaluate.report import Change, word_diff

text = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=20).map(" ".join)


def test_what_is_missing_and_what_is_too_much() -> None:
    assert word_diff("one two three", "Menu one, three") == [
        Change("extra", "Menu"),
        Change("same", "one"),
        Change("missing", "two"),
        Change("same", "three"),
    ]


def test_long_runs_that_both_have_are_shortened() -> None:
    words = " ".join(f"w{number}" for number in range(100))
    (same,) = word_diff(words, words)
    assert "[84 words]" in same.text


@given(text, text)
def test_both_texts_can_be_read_out_of_their_diff(wanted: str, given_: str) -> None:
    changes = word_diff(wanted, given_)
    words = [(change.kind, word) for change in changes for word in change.text.split()]
    assert [word for kind, word in words if kind != "extra"] == wanted.split()
    assert [word for kind, word in words if kind != "missing"] == given_.split()
    assert sum(kind == "same" for kind, _ in words) == lcs_length(wanted.split(), given_.split())
