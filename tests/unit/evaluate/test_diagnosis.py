"""Short explanations of bad results."""

from __future__ import annotations

import msgspec
import pytest

from posterity.evaluate.datasets import FoundItem, Gold, GoldPost, Prediction, Sample
from posterity.evaluate.report import diagnosis

BODY = "the water comes and goes and whoever lives at the shore knows when"
COMMENTS = "nice words my friend I have always said so myself and will say it again"
PAGE = f"<nav>one two three four five six</nav><p>{BODY}</p><p>{COMMENTS}</p>"


def sample(**gold: object) -> Sample:
    return Sample(id="1", url="https://blog.example/", html=PAGE, gold=Gold(**{"body": BODY, **gold}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BODY, ""),
        ("", "nothing was found"),
        ("one two three four five six", "a different part of the page was extracted"),
        (f"{BODY} {COMMENTS}", "kept too much: comments"),
        (f"one two three four five six {BODY} one two", "kept too much"),
        ("the water comes and goes", "lost 62% of the words"),
        (f"one two three four five six {BODY} {COMMENTS}", "kept too much: comments"),
    ],
)
def test_article(text: str, said: str) -> None:
    assert diagnosis(sample(comments_text=COMMENTS), Prediction(text=text)) == said


def test_whole_page() -> None:
    everything = f"one two three four five six {BODY} {COMMENTS}"
    assert diagnosis(sample(), Prediction(text=everything)) == "kept too much: the whole page"


def test_words_that_the_page_does_not_show_are_told() -> None:
    hidden = sample(body=f"{BODY} although nobody reads these hidden unseen vanished words anywhere here today")
    assert "not visible on the page" in diagnosis(hidden, Prediction(text=BODY))


def test_words_that_are_fields_here_are_told() -> None:
    told = sample(body="On tides by Ada Lovelace on March 12 2024 the water comes")
    response = Prediction(
        text="the water comes", title="On tides", authors=("Ada Lovelace",), date="2024-03-12T00:00:00+00:00"
    )
    page = msgspec.structs.replace(told, html=f"<p>{told.gold.body}</p>")
    assert "title, author and date, which are fields here" in diagnosis(page, response)


def test_words_of_comments_that_the_gold_holds_too_are_told() -> None:
    response = Prediction(text=BODY, comments=(FoundItem(text=COMMENTS),))
    assert "comments, which the annotated text includes" in diagnosis(sample(body=f"{BODY} {COMMENTS}"), response)


def test_pieces() -> None:
    gold = sample(body=None, segments_with=("the water", "the shore", "knows when"), segments_without=("nice words",))
    response = Prediction(text="the water comes, nice words")
    assert diagnosis(gold, response) == "lost 2 of 3 wanted segments, kept 1 of 1 unwanted segments"


def test_empty_gold_is_told() -> None:
    assert diagnosis(sample(body=""), Prediction(text=BODY)) == "the annotated text is empty"


def test_fields() -> None:
    gold = sample(title="On tides", date="2024-03-12", authors=())
    response = Prediction(text=BODY, title="The blog", authors=("Nobody",))
    assert diagnosis(gold, response) == "another title; no date; an invented author"


def test_posts() -> None:
    gold = sample(posts=(GoldPost(url="https://blog.example/a", title="A"), GoldPost(url="https://blog.example/b")))
    response = Prediction(posts=(FoundItem(url="https://blog.example/a", title="Another"),))
    assert diagnosis(gold, response) == "posts: 1 of 2, 1 given, titles: 0 of 1, 1 given"


def test_failure_goes_before_all_else() -> None:
    assert diagnosis(sample(), Prediction(), "timeout after 30 s") == "failed: timeout after 30 s"
