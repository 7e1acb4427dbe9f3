"""Dates in the text that BlogBuster returns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.extraction.blogbuster import written_date


@pytest.mark.parametrize(
    "text",
    [
        "2010-01-31",
        "January 31, 2010",
        "Posted by Ann on Sunday, January 31st, 2010 at 3:15 PM | 5 comments",
        "31 Jan 2010",
        "Jan. 31 2010",
        "31. January 2010",
        "2010/01/31",
        "2010.1.31",
        "31.01.2010",
        "1/31/2010",
        "31/1/2010",
        "2010年1月31日",
        "2010년 1월 31일",
        "2010-01-31 10:00",
    ],
)
def test_one_day_in_many_spellings(text: str) -> None:
    found = written_date(text)
    assert found is not None
    assert (found[0].date().isoformat(), found[1]) == ("2010-01-31", "day")


def test_moment_keeps_its_zone() -> None:
    found = written_date("2010-01-31T23:30:00-05:00")
    assert found is not None
    assert (found[0].isoformat(), found[1]) == ("2010-01-31T23:30:00-05:00", "minute")


@pytest.mark.parametrize(
    "text", ["", "yesterday", "January 2010", "2/3/2010", "31 February 2010", "2010-99-99T99:99Z", "5 comments"]
)
def test_what_is_not_a_full_date(text: str) -> None:
    assert written_date(text) is None


def test_first_date_counts() -> None:
    found = written_date("3 May 2010, updated on 2011-01-01")
    assert found is not None
    assert found[0].year == 2010


@given(st.text(max_size=80))
def test_any_text_is_read_without_error(text: str) -> None:
    found = written_date(text)
    assert found is None or found[0].tzinfo is not None
