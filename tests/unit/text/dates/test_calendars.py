"""Dates of other calendars are the days that they mean."""

from __future__ import annotations

from datetime import date

import pytest

from posterity.text.dates import read_dates


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("令和3年3月4日", date(2021, 3, 4)),
        ("令和元年5月1日", date(2019, 5, 1)),
        ("平成20年5月1日", date(2008, 5, 1)),
        ("民國110年3月4日", date(2021, 3, 4)),
        ("۱ فروردین ۱۴۰۰", date(2021, 3, 21)),
        ("۳۰ اسفند ۱۳۹۹", date(2021, 3, 20)),
        ("22 بهمن 1402", date(2024, 2, 11)),
        ("۵ شهریور، ۱۳۹۵", date(2016, 8, 26)),
        ("1 رمضان 1442", date(2021, 4, 13)),
        ("١٠ محرم ١٤٤٥ هـ", date(2023, 7, 28)),
        ("10 ذو الحجة 1441", date(2020, 7, 31)),
    ],
)
def test_a_day_of_another_calendar(text: str, day: date) -> None:
    (found,) = read_dates(text)
    # The moon of the Islamic calendar may be seen a day earlier or later.
    assert abs((found.moment.date() - day).days) <= (1 if found.language == "ar" else 0)
    assert found.precision == "day"


@pytest.mark.parametrize("text", ["昭和20年5月1日", "۳۰ اسفند ۱۴۰۰", "31 مهر 1400", "صفحه 1400", "12 رمضان 1300"])
def test_what_is_no_day_of_a_blog_is_not_read(text: str) -> None:
    assert read_dates(text) == ()


def test_buddhist_years_of_thai() -> None:
    (found,) = read_dates("15 มีนาคม 2564", languages=("th",))
    assert found.moment.date() == date(2021, 3, 15)
