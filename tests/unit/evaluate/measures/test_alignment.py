"""CleanEval's alignment: the bit-parallel LCS against the textbook table, and its scores."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.evaluate.datasets import Gold, Prediction
from posterity.evaluate.measures.text import lcs_length, score_alignment, score_marked_alignment

texts = st.lists(st.sampled_from("abcde"), max_size=40)


def naive_lcs(left: list[str], right: list[str]) -> int:
    """The textbook algorithm: a table with one cell per pair of prefixes."""
    row = [0] * (len(right) + 1)
    for one in left:
        previous, row = row, [0]
        for place, other in enumerate(right):
            row.append(previous[place] + 1 if one == other else max(previous[place + 1], row[place]))
    return row[-1]


@given(texts, texts)
def test_bit_parallel_lcs_agrees_with_the_table(left: list[str], right: list[str]) -> None:
    assert lcs_length(left, right) == naive_lcs(left, right)


@given(texts, texts)
def test_lcs_does_not_depend_on_the_order_of_the_texts(left: list[str], right: list[str]) -> None:
    assert lcs_length(left, right) == lcs_length(right, left)


@given(texts)
def test_a_text_shares_all_words_with_itself(text: list[str]) -> None:
    assert lcs_length(text, text) == len(text)


def test_rows_longer_than_a_machine_word_are_exact() -> None:
    left = [f"w{number % 37}" for number in range(700)]
    right = [f"w{number % 41}" for number in range(900)]
    assert lcs_length(left, right) == naive_lcs(left, right)


def test_order_counts() -> None:
    score = score_alignment(Gold(body="one two three four"), Prediction(text="three four one two"))
    assert score is not None
    assert (score.precision, score.recall, score.value) == (0.5, 0.5, 0.5)


def test_boilerplate_costs_precision_and_omission_recall() -> None:
    score = score_alignment(Gold(body="one two three four"), Prediction(text="Home. About. One two!"))
    assert score is not None
    assert (score.precision, score.recall) == (0.5, 0.5)


def test_an_empty_answer_scores_zero_and_an_unknown_body_is_not_scored() -> None:
    empty = score_alignment(Gold(body="one"), Prediction())
    assert empty is not None
    assert empty.value == 0.0
    assert score_alignment(Gold(), Prediction(text="one")) is None


def test_marks_are_words_of_the_marked_alignment_only() -> None:
    gold = Gold(body="URL: http://blog.example/\n<h>Title\n<p>one two\n<l>three")
    same_words = Prediction(text="Title one two three", marked="<p>Title\n<p>one two\n<p>three")
    plain, marked = score_alignment(gold, same_words), score_marked_alignment(gold, same_words)
    assert plain is not None
    assert marked is not None
    assert plain.value == 1.0
    assert (marked.hits, marked.given, marked.wanted) == (5, 7, 7)
    assert score_marked_alignment(Gold(body="a < b"), same_words) is None
    assert score_marked_alignment(Gold(body="<p>why does this</p> not work?"), same_words) is None
