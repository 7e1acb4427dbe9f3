"""Token F1, 4-grams, segments, Dice > 0.5, ACS and TCS, each against values computed by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.evaluate.datasets import FoundItem, Gold, Prediction
from posterity.evaluate.measures import MEASURE, MEASURES, page_scores
from posterity.evaluate.measures.text import (
    four_grams,
    score_acs,
    score_article_success,
    score_comment_segments,
    score_four_grams,
    score_nearly_all,
    score_segments,
    score_tcs,
    score_title_success,
    score_tokens,
    tokens,
)


def test_words_are_folded_and_cjk_counts_by_character() -> None:
    assert tokens("The ＣＡＴ, l'été_x") == ("the", "cat", "l", "été", "x")
    assert tokens("ブログ blog 블로그 博客") == ("ブ", "ロ", "グ", "blog", "블", "로", "그", "博", "客")


def test_words_count_as_often_as_they_stand_there() -> None:
    score = score_tokens(Gold(body="a a b c"), Prediction(text="a b b"))
    assert score is not None
    assert (score.hits, score.given, score.wanted) == (2, 3, 4)
    assert score.value == pytest.approx(4 / 7)


def test_order_does_not_matter_for_tokens() -> None:
    score = score_tokens(Gold(body="one two three"), Prediction(text="three two ONE"))
    assert score is not None
    assert score.value == 1.0


def test_nearly_all_begins_at_095() -> None:
    gold = Gold(body=" ".join(f"w{number}" for number in range(20)))
    enough = " ".join(f"w{number}" for number in range(19))
    too_little = " ".join(f"w{number}" for number in range(18))
    assert score_nearly_all(gold, Prediction(text=enough)).value == 1.0  # type: ignore[union-attr]
    assert score_nearly_all(gold, Prediction(text=too_little)).value == 0.0  # type: ignore[union-attr]


def test_four_grams_see_order_and_case() -> None:
    assert four_grams("a b c d e") == {("a", "b", "c", "d"): 1, ("b", "c", "d", "e"): 1}
    assert four_grams("a b") == {("a", "b"): 1}
    assert not four_grams("...")
    score = score_four_grams(Gold(body="a b c d e"), Prediction(text="a b c d E"))
    assert score is not None
    assert (score.precision, score.recall) == (0.5, 0.5)


def test_four_grams_are_totalled_as_f1_of_the_averages_without_pages_that_gave_nothing() -> None:
    gold = Gold(body="a b c d e")
    scores = [score_four_grams(gold, Prediction(text=text)) for text in ("a b c d e", "a b c d x y", "")]
    known = [score for score in scores if score is not None]
    precision, recall = (1 + 1 / 3) / 2, (1 + 1 / 2 + 0) / 3
    assert MEASURE["4-gram F1"].total.of(known) == pytest.approx(2 * precision * recall / (precision + recall))


def test_segments_are_found_across_line_breaks_and_counted_over_all_pages() -> None:
    first = score_segments(
        Gold(segments_with=("one two", "three"), segments_without=("menu",)), Prediction(text="one\n two Menu")
    )
    second = score_segments(Gold(segments_with=("four",), segments_without=("menu",)), Prediction(text="four menu"))
    assert first is not None
    assert second is not None
    assert (first.hits, first.given, first.wanted) == (1, 1, 2)
    # 2 of 3 wanted segments found, and one unwanted.
    assert MEASURE["segments F1"].total.of([first, second]) == pytest.approx(2 * 2 / (3 + 3))


def test_comment_segments_count_only_what_was_found_as_comment() -> None:
    gold = Gold(comment_segments=("nice post", "me too"))
    score = score_comment_segments(gold, Prediction(text="me too", comments=(FoundItem(text="Oh, nice post."),)))
    assert score is not None
    assert (score.hits, score.wanted) == (1, 2)


def test_success_is_a_similarity_above_one_half_with_a_full_stop_on_both_sides() -> None:
    gold = Gold(body="abcdefghijklmnopqrstuvwxyz")
    assert score_article_success(gold, Prediction(text="abcdefghijklmnop")).value == 1.0  # type: ignore[union-attr]
    assert score_article_success(gold, Prediction(text="abc")).value == 0.0  # type: ignore[union-attr]
    assert score_article_success(gold, Prediction()).value == 0.0  # type: ignore[union-attr]


def test_success_leaves_out_gold_texts_of_twenty_characters_or_fewer() -> None:
    assert score_article_success(Gold(body="x" * 20), Prediction(text="x" * 20)) is None
    assert score_article_success(Gold(body="x" * 21), Prediction(text="x" * 21)) is not None
    assert score_title_success(Gold(title="Short title"), Prediction(title="Short title")) is None


def test_acs_is_the_cosine_of_word_counts_and_tcs_its_share_above_09() -> None:
    acs = score_acs(Gold(body="a a b"), Prediction(text="a b b"))
    assert acs is not None
    assert acs.value == pytest.approx(4 / 5)
    assert score_tcs(Gold(body="a a b"), Prediction(text="a b b")).value == 0.0  # type: ignore[union-attr]
    assert score_tcs(Gold(body="a a b"), Prediction(text="a a b")).value == 1.0  # type: ignore[union-attr]
    assert score_acs(Gold(body="a"), Prediction()).value == 0.0  # type: ignore[union-attr]


words = st.text(alphabet="ab ,.é博", max_size=60)


@given(words, words)
def test_every_measure_stays_between_zero_and_one(body: str, text: str) -> None:
    gold = Gold(body=body, title=body, authors=(), segments_with=(body[:3],) if body[:3].strip() else ())
    for name, score in page_scores(gold, Prediction(text=text, title=text)).items():
        assert 0.0 <= score.value <= 1.0 + 1e-9, name
        assert math.isfinite(score.precision)
        assert math.isfinite(score.recall)


def test_a_perfect_answer_has_one_in_every_article_measure() -> None:
    body = "A post of some length, with words enough to be scored by each of the measures."
    gold = Gold(body=body, segments_with=("some length",), segments_without=("share this",))
    scores = page_scores(gold, Prediction(text=body))
    assert {name: score.value for name, score in scores.items()} == pytest.approx(dict.fromkeys(scores, 1.0))
    assert len(scores) == 8


def test_names_of_measures_are_unique() -> None:
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)
