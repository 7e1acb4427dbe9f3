"""The similarity of the paper, with the figures of its Table 1."""

from __future__ import annotations

import functools
import itertools
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.text.bigrams import BigramBits, dice, similarity


@pytest.mark.parametrize(
    ("left", "right", "percent"),
    [
        ("Scheme Scala", "Scala Scheme", 90),
        ("Rachid", "Richard", 18),
        ("Rachid", "Amy, Rachid and all their friends", 29),
    ],
)
def test_table_1_of_the_paper(left: str, right: str, percent: int) -> None:
    # The paper prints whole percents; 10/11 is truncated to 90, not rounded to 91.
    assert int(100 * similarity(left, right)) == percent or round(100 * similarity(left, right)) == percent


@given(st.text(), st.text())
def test_similarity_is_symmetric_and_between_0_and_1(left: str, right: str) -> None:
    assert similarity(left, right) == similarity(right, left)
    assert 0.0 <= similarity(left, right) <= 1.0


@given(st.text(min_size=2))
def test_a_text_equals_itself(text: str) -> None:
    assert similarity(text, text) == 1.0


@pytest.mark.parametrize(("left", "right"), [("", ""), ("", "tide"), ("a", "a"), ("tide", "bread loom")])
def test_what_shares_no_bigram_scores_nothing(left: str, right: str) -> None:
    assert similarity(left, right) == 0.0


@given(st.text(), st.text())
def test_sets_are_exact(left: str, right: str) -> None:
    bits = BigramBits()
    pairs = [{a + b for a, b in itertools.pairwise(text)} for text in (left, right)]
    first, second = bits.of(left), bits.of(right)
    assert (first.bit_count(), second.bit_count()) == (len(pairs[0]), len(pairs[1]))
    assert (first & second).bit_count() == len(pairs[0] & pairs[1])
    assert (first | second).bit_count() == len(pairs[0] | pairs[1])


@given(st.lists(st.text()))
def test_no_bigram_reaches_from_one_text_into_the_next(texts: list[str]) -> None:
    bits = BigramBits()
    each = [bits.of(text) for text in texts]
    assert bits.of_all(texts) == functools.reduce(operator.or_, each, 0)


def test_repeated_bigrams_count_once() -> None:
    assert BigramBits().of("banana").bit_count() == 3


def test_empty_sets_are_not_alike() -> None:
    assert dice(0, 0) == 0.0
