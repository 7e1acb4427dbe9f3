"""The day in an address."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import day_in_url


@pytest.mark.parametrize(
    ("url", "day", "spelled"),
    [
        ("http://blog.example/2021/03/12/tides/", "2021-03-12", "2021/03/12"),
        ("http://blog.example/2021/3/5/tides/", "2021-03-05", "2021/3/5"),
        ("http://blog.example/2021/03/05-tides", "2021-03-05", "2021/03/05"),
        ("http://blog.example/archives/20100702.html", "2010-07-02", "20100702"),
    ],
)
def test_year_month_and_day_are_a_date(url: str, day: str, spelled: str) -> None:
    found = day_in_url(url)
    assert found is not None
    assert (found[0].date().isoformat(), found[1]) == (day, spelled)


@pytest.mark.parametrize("url", ["http://blog.example/2007/01/1st-prize.html", "http://blog.example/2011/06/3-ideas"])
def test_number_at_the_head_of_a_title_is_no_day(url: str) -> None:
    assert day_in_url(url) is None
