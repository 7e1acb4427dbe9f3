"""Forests of symmetric trees: predictions for a whole page equal those of a walk through each tree."""

from __future__ import annotations

import numpy as np

from posterity.extraction.hybrid.model import Forest, article_model


def test_a_forest_adds_up_the_leaf_of_every_tree() -> None:
    rng = np.random.default_rng(7)
    columns = rng.integers(0, 5, (4, 3))
    borders, responses = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(4, 8)).astype(np.float32)
    table = rng.normal(size=(700, 5)).astype(np.float32)

    found = Forest(columns, borders, responses, 0.25).probabilities(table)

    for row, probability in zip(table, found, strict=True):
        total = 0.25
        for tree in range(4):
            response = 0
            for column, border in zip(columns[tree], borders[tree], strict=True):
                response = 2 * response + int(row[column] > border)
            total += float(responses[tree, response])
        assert abs(probability - 1 / (1 + np.exp(-total))) < 1e-6


def test_confidence_grows_with_what_is_expected_and_is_never_certain() -> None:
    confidences = [article_model().confidence(expected / 100) for expected in range(101)]
    assert confidences == sorted(confidences)
    assert 0 < confidences[0] < 0.2
    assert 0.9 < confidences[-1] < 1


def test_half_of_what_is_wanted_is_not_called_right() -> None:
    assert article_model().confidence(0.5) < 0.2
