"""Words are counted in every script."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.text.normal_form import containment, token_f1, word_counts, words

BAGS = st.lists(st.sampled_from("abcd")).map(Counter)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The tide, the TIDE!", ["the", "tide", "the", "tide"]),
        ("snake_case x2", ["snake", "case", "x2"]),
        ("潮汐の表 tide", ["潮", "汐", "の", "表", "tide"]),
        ("조수 표", ["조", "수", "표"]),
        ("Прилив и отлив", ["прилив", "и", "отлив"]),
        (" — … ", []),
    ],
)
def test_words_of_many_scripts(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(BAGS, BAGS)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(left: Counter[str], right: Counter[str]) -> None:
    precision, recall = containment(left, right), containment(right, left)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert token_f1(left, right) == pytest.approx(expected)


def test_empty_texts_share_nothing() -> None:
    assert token_f1(Counter(), Counter()) == 0.0
    assert containment(Counter(), word_counts("tide")) == 0.0


def test_containment_counts_repetition() -> None:
    assert containment(word_counts("tide tide"), word_counts("the tide")) == 0.5
