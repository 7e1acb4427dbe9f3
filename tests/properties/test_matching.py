"""The maximum weighted matching is the best of all matchings."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.learning.comments import matching

_WEIGHT = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)


@st.composite
def matrices(draw: st.DrawFn) -> list[list[float]]:
    columns = draw(st.integers(1, 5))
    return draw(st.lists(st.lists(_WEIGHT, min_size=columns, max_size=columns), min_size=1, max_size=5))


@given(matrices())
def test_value_is_that_of_the_best_permutation(weights: list[list[float]]) -> None:
    if len(weights) > len(weights[0]):
        weights = [list(column) for column in zip(*weights, strict=True)]
    orders = permutations(range(len(weights[0])), len(weights))
    best = max(sum(weights[row][column] for row, column in enumerate(order)) for order in orders)
    assert matching(weights) == pytest.approx(best)
    assert matching([list(column) for column in zip(*weights, strict=True)]) == pytest.approx(best)


def test_nothing_to_match_is_worth_nothing() -> None:
    assert matching([]) == matching([[]]) == 0.0
