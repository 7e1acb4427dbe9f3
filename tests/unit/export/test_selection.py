"""Selection of the posts of a corpus."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from posterity.export.selection import ALL_POSTS
from posterity.extraction.selection import Selection
from posterity.model import Post

GERMAN = "Das Wasser kam über das Watt, während wir noch nach dem Boot suchten, das wir dort gelassen hatten."
POST = Post(
    id="1",
    url="https://x.example/1",
    published=datetime(2020, 12, 31, 23, 30, tzinfo=timezone(timedelta(hours=-5))),
    language="de-AT",
    authors=("Anna Lind", "Bo"),
    tags=("Sea",),
    categories=("Travel",),
    text="one two three four five",
)


@pytest.mark.parametrize(
    "selection",
    [
        ALL_POSTS,
        Selection(since=date(2020, 12, 31), until=date(2020, 12, 31)),
        Selection(languages=("de",)),
        Selection(languages=("fr", "de-AT")),
        Selection(authors=("anna lind",)),
        Selection(tags=("sea", "land")),
        Selection(tags=("travel",)),
        Selection(min_words=5),
    ],
)
def test_post_that_fits(selection: Selection) -> None:
    assert selection.fits(POST)


@pytest.mark.parametrize(
    "selection",
    [
        # The day is in the author's zone; in UTC it is the next one.
        Selection(since=date(2021, 1, 1)),
        Selection(until=date(2020, 12, 30)),
        Selection(languages=("en",)),
        Selection(languages=("de-CH",)),
        Selection(authors=("Anna",)),
        Selection(tags=("land",)),
        Selection(min_words=6),
        Selection(authors=("Bo",), tags=("land",)),
    ],
)
def test_post_that_does_not_fit(selection: Selection) -> None:
    assert not selection.fits(POST)


def test_post_without_a_date_is_on_no_day() -> None:
    assert not Selection(since=date(1990, 1, 1)).fits(Post(id="1", url="u"))


def test_post_without_a_language_has_that_of_its_text() -> None:
    post = Post(id="1", url="u", text=GERMAN)
    assert Selection(languages=("de",)).fits(post)
    assert not Selection(languages=("en",)).fits(post)
    assert not Selection(languages=("en",)).fits(Post(id="2", url="u"))
