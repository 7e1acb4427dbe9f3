"""Intervals and p-values have the right size and direction, and are reproducible."""

from __future__ import annotations

import random

import pytest

from posterity.evaluate.measures.text import F_OF_AVERAGES, MEAN, POOLED, Score, overlap
from posterity.evaluate.summary import compare, interval, p_value


def normal_scores(mean: float, spread: float, pages: int = 200) -> list[Score]:
    rng = random.Random(7)
    return [Score(value=rng.gauss(mean, spread)) for _ in range(pages)]


def test_the_interval_of_a_mean_is_as_wide_as_theory_says() -> None:
    scores = normal_scores(0.5, 0.1)
    found = interval(scores, MEAN)
    assert found.low < found.value < found.high
    assert found.half_width == pytest.approx(1.96 * 0.1 / 200**0.5, rel=0.15)


def test_the_same_scores_give_the_same_interval() -> None:
    scores = normal_scores(0.8, 0.2, 50)
    assert interval(scores, MEAN) == interval(list(scores), MEAN)


def test_equal_pages_and_single_pages_have_no_width() -> None:
    assert interval([Score(value=0.5)] * 10, MEAN).half_width == 0.0
    assert interval([Score(value=0.5)], MEAN).half_width == 0.0
    assert interval([], MEAN).value == 0.0


def test_pooled_counts_weigh_things_and_not_pages() -> None:
    scores = [overlap(9, 10, 10), overlap(0, 0, 2)]
    assert interval(scores, POOLED).value == pytest.approx(2 * 9 / (10 + 12))
    assert interval(scores, MEAN).value == pytest.approx(0.9 / 2)
    assert interval(scores, F_OF_AVERAGES).value == pytest.approx(2 * 0.9 * 0.45 / (0.9 + 0.45))


def test_a_clear_difference_is_significant_and_none_is_not() -> None:
    rng = random.Random(3)
    better = [(rng.gauss(0.8, 0.05), rng.gauss(0.7, 0.05)) for _ in range(100)]
    assert compare("a", "b", better).p_value < 0.001
    even = [(rng.gauss(0.8, 0.05), rng.gauss(0.8, 0.05)) for _ in range(100)]
    assert compare("a", "b", even).p_value > 0.05
    assert compare("a", "b", [(0.5, 0.5)] * 9).p_value == 1.0
    assert compare("a", "b", []).p_value == 1.0


def test_p_is_the_same_in_both_directions_and_in_every_run() -> None:
    differences = [0.1, -0.05, 0.2, 0.3, -0.1, 0.07]
    assert p_value(differences) == p_value([-one for one in differences]) == p_value(tuple(differences))


def test_five_wins_of_the_same_size_have_the_exact_p_of_the_sign_test() -> None:
    # All five swapped or none: 2 of 32 permutations are as extreme.
    assert p_value([0.1] * 5) == pytest.approx(2 / 32, abs=0.01)


def test_p_values_of_pure_chance_are_spread_evenly() -> None:
    rng = random.Random(11)
    found = [p_value([rng.gauss(0, 1) for _ in range(20)]) for _ in range(60)]
    assert 0.3 < sum(found) / len(found) < 0.7
    assert sum(p < 0.05 for p in found) <= 8


def test_wins_losses_and_difference() -> None:
    found = compare("a", "b", [(1.0, 0.0), (0.5, 0.5), (0.0, 0.25)])
    assert (found.wins, found.losses, found.pages) == (1, 1, 3)
    assert found.difference == pytest.approx(0.25)
