"""The day in a URL."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import day_in_url, month_in_url


@pytest.mark.parametrize(
    ("url", "day", "spelled"),
    [
        ("http://blog.example/2021/03/12/tides/", "2021-03-12", "2021/03/12"),
        ("http://blog.example/2021/3/5/tides/", "2021-03-05", "2021/3/5"),
        ("http://blog.example/2021/03/05-tides", "2021-03-05", "2021/03/05"),
        ("http://blog.example/archives/20100702.html", "2010-07-02", "20100702"),
        ("http://blog.example/2021.03.12_tides/tides.html", "2021-03-12", "2021.03.12"),
    ],
)
def test_year_month_and_day_are_a_date(url: str, day: str, spelled: str) -> None:
    found = day_in_url(url)
    assert found is not None
    assert (found[0].date().isoformat(), found[1]) == (day, spelled)


@pytest.mark.parametrize(
    "url",
    [
        "http://blog.example/2007/01/1st-prize.html",
        "http://blog.example/2011/06/3-ideas",
        "http://blog.example/v2021.3.1",
    ],
)
def test_number_at_the_head_of_a_title_is_no_day(url: str) -> None:
    assert day_in_url(url) is None


@pytest.mark.parametrize(
    ("url", "first_day", "precision", "spelled"),
    [
        ("http://blog.example/2008/06/rtpdir.html", "2008-06-01", "month", "/2008/06/"),
        ("http://blog.example/archives/2007/1/1st-prize.html", "2007-01-01", "month", "/2007/1/"),
        ("http://blog.example/blog/2019-04/tides/", "2019-04-01", "month", "/2019-04/"),
        ("http://blog.example/2011/20-years-later/", "2011-01-01", "year", "/2011/"),
    ],
)
def test_folders_of_a_month_or_a_year_are_a_date_of_that_precision(
    url: str, first_day: str, precision: str, spelled: str
) -> None:
    found = month_in_url(url)
    assert found is not None
    assert (found[0].date().isoformat(), *found[1:]) == (first_day, precision, spelled)


@pytest.mark.parametrize("url", ["http://blog.example/2008/", "http://blog.example/top-2008/x", "http://[/2008/06/x"])
def test_year_that_is_no_folder_above_the_post_is_no_date(url: str) -> None:
    assert month_in_url(url) is None
