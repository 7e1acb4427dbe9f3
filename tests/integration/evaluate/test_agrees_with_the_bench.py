"""Our measures against the script that scores whole harvests: the same words, the same figures."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.evaluate.datasets import FoundItem, Gold, GoldComment, Prediction
from posterity.evaluate.measures.fields import path_key, same_day, same_name, score_comments
from posterity.evaluate.measures.text import cosine, shared_score, token_counts

SCRIPT = Path(__file__).parents[4] / "shared" / "blogs" / "score.py"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SCRIPT.is_file(), reason="the folder of real blogs is not there"),
]


def script() -> Any:
    spec = importlib.util.spec_from_file_location("score_of_harvests", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCORE: Any = script() if SCRIPT.is_file() else None
text = st.text(max_size=80) | st.text(alphabet="aAäb ,.-_\u00ad\u200bﬁ博ブ블9", max_size=80)
word = st.text(alphabet="abc ", max_size=12)


@given(text, text)
def test_words_f1_and_cosine(left: str, right: str) -> None:
    ours, theirs = (token_counts(left), token_counts(right)), (SCORE.tokens(left), SCORE.tokens(right))
    assert ours == theirs
    if left.strip() and right.strip() and theirs[0] and theirs[1]:
        assert shared_score(*ours).value == pytest.approx(SCORE.token_f1(*theirs))
        assert cosine(*ours) == pytest.approx(SCORE.cosine(*theirs))


@given(text, text)
def test_titles(left: str, right: str) -> None:
    if SCORE.plain(left) and SCORE.plain(right):
        assert same_name(left, right) == (SCORE.plain(left) == SCORE.plain(right))


@given(st.datetimes(), st.datetimes(), st.sampled_from(["", "Z", "+09:00", "-08:00"]))
def test_days(left: Any, right: Any, zone: str) -> None:
    wanted, found = left.isoformat() + zone, right.isoformat() + "+00:00"
    assert same_day(wanted, found, 14) == SCORE.same_day(wanted, found)


@given(st.lists(word, min_size=1, max_size=6), st.lists(word, max_size=6))
def test_comments(wanted: list[str], found: list[str]) -> None:
    expected = SCORE.comment_scores([{"text": one} for one in wanted], [{"text": one} for one in found])
    gold = Gold(comments=tuple(GoldComment(text=one) for one in wanted))
    score = score_comments(gold, Prediction(comments=tuple(FoundItem(text=one) for one in found)))
    assert score is not None
    assert (score.hits, score.wanted, score.given) == expected


@pytest.mark.parametrize(
    "url", ["https://a.example/B/index.html", "/x/?p=7.html", "/%E3%81%AA/?utm=1", "/", "/a%3Fid=9"]
)
def test_addresses(url: str) -> None:
    assert path_key(url) == SCORE.path_key(url)
