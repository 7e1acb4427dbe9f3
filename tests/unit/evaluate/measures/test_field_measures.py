"""Titles, dates, authors, comments, and posts of pages with several."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.evaluate.datasets import FoundItem, Gold, GoldComment, GoldPost, Prediction
from posterity.evaluate.measures.fields import (
    pair_up,
    path_key,
    same_day,
    score_author,
    score_comment_authors,
    score_comment_dates,
    score_comment_parents,
    score_comments,
    score_comments_text,
    score_date,
    score_invented_author,
    score_post_dates,
    score_post_titles,
    score_posts,
    score_tags,
    score_title,
)
from posterity.evaluate.measures.text import shared_score, token_counts


def test_titles_are_equal_but_for_case_and_punctuation() -> None:
    gold = Gold(title="Hello, World!")
    assert score_title(gold, Prediction(title="hello world")).value == 1.0  # type: ignore[union-attr]
    assert score_title(gold, Prediction(title="Hello World | Blog")).value == 0.0  # type: ignore[union-attr]


def test_a_missing_title_costs_recall_and_a_wrong_one_precision_too() -> None:
    missing, wrong = (
        score_title(Gold(title="One"), Prediction()),
        score_title(Gold(title="One"), Prediction(title="Two")),
    )
    assert missing is not None
    assert wrong is not None
    assert (missing.given, missing.wanted) == (0, 1)
    assert (wrong.given, wrong.wanted) == (1, 1)


@pytest.mark.parametrize(
    ("wanted", "given_", "tolerance", "same"),
    [
        ("2013-08-07", "2013-08-07T23:59:00+00:00", 0, True),
        ("2013-08-07", "2013-08-06T22:00:00+00:00", 0, False),
        ("2013-08-07", "2013-08-06T22:00:00+00:00", 14, True),
        ("2013-08-07T01:00:00+02:00", "2013-08-06T23:00:00+00:00", 14, True),
        ("2013-08-07", "2013-08-09", 14, False),
        ("2013-08-07T00:00:00.000Z", "2013-08-07", 0, True),
        ("2013-08-07", "yesterday", 14, False),
        ("0001-01-01T00:00:00+14:00", "0001-01-02", 14, False),
        ("9999-12-31T23:00:00-12:00", "2013-08-07", 14, False),
        ("2013-08-07", None, 14, False),
    ],
)
def test_days(wanted: str, given_: str | None, tolerance: int, same: bool) -> None:
    assert same_day(wanted, given_, tolerance) is same


def test_a_date_is_scored_with_the_tolerance_of_its_gold() -> None:
    late = Prediction(date="2013-08-06T22:00:00+00:00")
    assert score_date(Gold(date="2013-08-07"), late).value == 0.0  # type: ignore[union-attr]
    assert score_date(Gold(date="2013-08-07", date_tolerance_h=14), late).value == 1.0  # type: ignore[union-attr]


def test_authors_are_a_set_of_names() -> None:
    gold = Gold(authors=("Ann B.", "Cy"))
    assert score_author(gold, Prediction(authors=("cy", "Ann B"))).value == 1.0  # type: ignore[union-attr]
    assert score_author(gold, Prediction(authors=("Cy",))).value == 0.0  # type: ignore[union-attr]


def test_an_author_is_invented_only_where_it_is_known_that_there_is_none() -> None:
    found = Prediction(authors=("admin",))
    assert score_invented_author(Gold(authors=()), found).value == 1.0  # type: ignore[union-attr]
    assert score_invented_author(Gold(authors=()), Prediction()).value == 0.0  # type: ignore[union-attr]
    assert score_invented_author(Gold(authors=None), found) is None
    assert score_author(Gold(authors=()), found) is None


def test_each_given_comment_counts_once() -> None:
    gold = Gold(
        comments=(GoldComment(text="thank you"), GoldComment(text="thank you"), GoldComment(text="no way at all"))
    )
    response = Prediction(
        comments=(FoundItem(text="Thank you!"), FoundItem(text="no way at all, never"), FoundItem(text="reply"))
    )
    score = score_comments(gold, response)
    assert score is not None
    assert (score.hits, score.given, score.wanted) == (2, 3, 3)


def test_comments_that_are_one_text_are_scored_as_one_text() -> None:
    score = score_comments_text(
        Gold(comments_text="a b c d"), Prediction(comments=(FoundItem(text="a b"), FoundItem(text="c d")))
    )
    assert score is not None
    assert score.value == 1.0


comment = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(comment, max_size=8), st.lists(comment, max_size=8))
def test_pairing_with_shortcuts_agrees_with_comparing_all(wanted: list[str], given_: list[str]) -> None:
    left = dict(enumerate(given_))
    expected = {}
    for place, text in enumerate(wanted):
        similar = {index: shared_score(token_counts(other), token_counts(text)).value for index, other in left.items()}
        best = max(similar, key=lambda index: similar[index], default=None)
        if best is not None and similar[best] >= 0.8:
            expected[place] = best
            del left[best]
    assert pair_up(wanted, given_) == expected


def test_posts_of_a_front_page_are_found_by_address_then_by_title() -> None:
    gold = Gold(
        posts=(
            GoldPost(url="https://blog.example/2020/01/one/", title="One", date="2020-01-01"),
            GoldPost(url="https://blog.example/two", title="Two", date="2020-01-02"),
            GoldPost(url="https://blog.example/three", title="Three", date="2020-01-03"),
        )
    )
    response = Prediction(
        posts=(
            FoundItem(url="http://127.0.0.1/2020/01/one/index.html", title="Wrong", date="2020-01-01T12:00:00+00:00"),
            FoundItem(url="https://blog.example/", title="TWO"),
            FoundItem(url="https://blog.example/about", title="About"),
        )
    )
    posts, titles, dates = (score(gold, response) for score in (score_posts, score_post_titles, score_post_dates))
    assert posts is not None
    assert titles is not None
    assert dates is not None
    assert (posts.hits, posts.given, posts.wanted) == (2, 3, 3)
    assert (titles.hits, titles.given, titles.wanted) == (1, 3, 3)
    assert (dates.hits, dates.given, dates.wanted) == (1, 1, 3)


def test_posts_that_the_list_leaves_out_are_neither_right_nor_wrong() -> None:
    gold = Gold(
        posts=(GoldPost(url="https://blog.example/one", title="One"),),
        other_posts=("https://blog.example/two", "https://blog.example/one-again"),
    )
    for address in ("one", "one-again"):
        found = (
            FoundItem(url=f"https://blog.example/{address}", title="One"),
            FoundItem(url="https://blog.example/two"),
        )
        score = score_posts(gold, Prediction(posts=(*found, FoundItem(url="https://blog.example/about"))))
        assert score is not None
        assert (score.hits, score.given, score.wanted) == (1, 2, 1)


def test_posts_of_a_thread_are_found_among_posts_and_comments_by_their_words() -> None:
    gold = Gold(posts=(GoldPost(text="how do I do this?", date="2 days ago"), GoldPost(text="like that")))
    score = score_posts(
        gold, Prediction(posts=(FoundItem(text="How do I do this"),), comments=(FoundItem(text="Like that!"),))
    )
    assert score is not None
    assert (score.hits, score.given, score.wanted) == (2, 2, 2)
    assert score_post_dates(gold, Prediction()) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://blog.example/a/", "http://localhost:9000/a/index.html"),
        ("/%E3%81%AA/", "/な"),
        ("/index.html%3Fp=10.html", "/?p=10"),
        ("/a?utm_source=feed", "/a"),
    ],
)
def test_addresses_of_the_same_post(left: str, right: str) -> None:
    assert path_key(left) == path_key(right)


def test_a_broken_address_is_a_key_of_its_own() -> None:
    assert path_key("http://[broken/") == "http://[broken/"


THREAD = (
    GoldComment(text="the first comment", author="Ada", date="2021-03-04", id="1"),
    GoldComment(text="a reply to it", author="Grace", date="2021-03-05", id="2", parent="1"),
    GoldComment(text="something else again", author="Alan", date="2021-03-06", id="3"),
)


def test_fields_of_comments_are_right_wrong_or_missing() -> None:
    found = (
        FoundItem(text="the first comment", author="ada", date="2021-03-04T10:00:00", id="c1"),
        FoundItem(text="a reply to it", author="Nobody", id="c2", parent="c1"),
    )
    gold, prediction = Gold(comments=THREAD), Prediction(comments=found)
    scores = [score(gold, prediction) for score in (score_comment_authors, score_comment_dates, score_comment_parents)]
    assert [round(score.value, 2) for score in scores if score is not None] == [0.4, 0.5, 1.0]


def test_reply_to_the_wrong_comment_is_wrong() -> None:
    found = tuple(FoundItem(text=one.text, id=f"c{one.id}", parent="c3" if one.parent else None) for one in THREAD)
    score = score_comment_parents(Gold(comments=THREAD), Prediction(comments=found))
    assert score is not None
    assert score.value == 0.0


def test_thread_without_replies_tells_nothing_about_parents() -> None:
    assert score_comment_parents(Gold(comments=THREAD[:1]), Prediction()) is None


@pytest.mark.parametrize(
    ("wanted", "given", "value"),
    [
        (("Sea", "moon"), ("sea", "#Moon"), 1.0),
        (("Sea", "moon"), ("sea", "salt"), 0.5),
        (("Sea",), (), 0.0),
        ((), ("sea",), 0.0),
        ((), (), None),
        (None, ("sea",), None),
    ],
)
def test_tags_count_one_by_one(wanted: tuple[str, ...] | None, given: tuple[str, ...], value: float | None) -> None:
    score = score_tags(Gold(tags=wanted), Prediction(tags=given))
    assert (score.value if score else None) == value
