"""The choice among several values, and its confidence."""

from __future__ import annotations

import math

from posterity.extraction.hybrid.candidates import (
    NONE,
    OFFSET,
    SLOPE,
    FieldCandidate,
    best_value,
    deciding_features,
    scored_values,
)

WEIGHTS = {"loud": 2.0, "quiet": 1.5, "told": 1.0, NONE: 0.5}


def test_sources_that_agree_outvote_a_louder_one() -> None:
    candidates = [
        FieldCandidate("A", "a", ("loud",)),
        FieldCandidate("B", "b", ("quiet",)),
        FieldCandidate("B!", "b", ("told",)),
    ]
    choice = best_value(scored_values(candidates), WEIGHTS)
    assert choice is not None
    assert [candidate.value for candidate in choice.value.candidates] == ["B", "B!"]


def test_confidence_is_the_share_among_all_answers_and_none() -> None:
    choice = best_value(scored_values([FieldCandidate("A", "a", ("loud",))]), WEIGHTS)
    assert choice is not None
    assert choice.confidence == round(math.exp(2.0) / (math.exp(2.0) + math.exp(0.5)), 4)


def test_confidence_is_corrected_by_what_was_learned() -> None:
    responses = scored_values([FieldCandidate("A", "a", ("loud",))])
    plain = best_value(responses, WEIGHTS)
    bolder = best_value(responses, WEIGHTS | {OFFSET: 1.0})
    flatter = best_value(responses, WEIGHTS | {SLOPE: 0.0})
    assert plain is not None
    assert bolder is not None
    assert flatter is not None
    assert flatter.confidence == 0.5 < plain.confidence < bolder.confidence


def test_nothing_is_given_when_none_is_likelier_unless_asked_for() -> None:
    responses = scored_values([FieldCandidate("A", "a", ("unknown sign",))])
    assert best_value(responses, WEIGHTS) is None
    assert best_value(responses, WEIGHTS, none_margin=1.0) is not None


def test_no_candidates_no_answer() -> None:
    assert best_value([], WEIGHTS) is None


def test_deciding_features_are_those_in_which_the_best_two_values_differ() -> None:
    candidates = [FieldCandidate("A", "a", ("loud", "told")), FieldCandidate("B", "b", ("quiet", "told"))]
    choice = best_value(scored_values(candidates), WEIGHTS)
    assert choice is not None
    changes = deciding_features(choice, WEIGHTS)
    assert [change.reason for change in changes] == ["loud", "next best: quiet"]
    assert [change.factor for change in changes] == [round(math.exp(2.0), 4), round(math.exp(-1.5), 4)]
