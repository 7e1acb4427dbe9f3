"""Dates told from now."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.text.dates import read_dates

NOW = datetime(2021, 3, 15, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "text", "moment"),
    [
        ("ar", "قبل 3 أيام", "2021-03-12"),
        ("ar", "قبل يومين", "2021-03-13"),
        ("cs", "před 3 dny", "2021-03-12"),
        ("da", "for 3 dage siden", "2021-03-12"),
        ("de", "vor 3 Tagen", "2021-03-12"),
        ("de", "vor einem Tag", "2021-03-14"),
        ("de", "gestern um 15:05 Uhr", "2021-03-14T15:05"),
        ("en", "Posted 3 days ago by Anna", "2021-03-12"),
        ("en", "a day ago", "2021-03-14"),
        ("en", "13 hours ago", "2021-03-14"),
        ("en", "an hour ago", "2021-03-15"),
        ("en", "5 minutes ago", "2021-03-15T12:25"),
        ("en", "today", "2021-03-15"),
        ("en", "Yesterday at 3:05 pm", "2021-03-14T15:05"),
        ("es", "hace 3 días", "2021-03-12"),
        ("es", "hace 3 dias", "2021-03-12"),
        ("fi", "3 päivää sitten", "2021-03-12"),
        ("fr", "il y a 3 jours", "2021-03-12"),
        ("fr", "aujourd’hui", "2021-03-15"),
        ("it", "3 giorni fa", "2021-03-12"),
        ("ja", "3日前", "2021-03-12"),
        ("ko", "3일 전", "2021-03-12"),
        ("nl", "3 dagen geleden", "2021-03-12"),
        ("pl", "3 dni temu", "2021-03-12"),
        ("pt", "há 3 dias", "2021-03-12"),
        ("ru", "3 дня назад", "2021-03-12"),
        ("ru", "5 дней назад", "2021-03-10"),
        ("sv", "för 3 dagar sedan", "2021-03-12"),
        ("sv", "i går", "2021-03-14"),
        ("tr", "3 gün önce", "2021-03-12"),
        ("uk", "вчора", "2021-03-14"),
        ("zh", "3天前", "2021-03-12"),
    ],
)
def test_told_from_now(language: str, text: str, moment: str) -> None:
    (found,) = read_dates(text, languages=[language], now=NOW)
    assert found.moment.isoformat().startswith(moment)
    assert (found.order, found.precision) == ("relative", "minute" if "T" in moment else "day")
    assert found.moment.tzinfo is UTC
    assert found.language == language


@pytest.mark.parametrize(
    "text", ["2 months ago", "3 weeks ago", "a year ago", "days ago", "cargo 3 days agony", "-3 h"]
)
def test_what_names_no_day(text: str) -> None:
    assert read_dates(text, now=NOW) == ()


def test_nothing_is_relative_without_now() -> None:
    assert read_dates("3 days ago, yesterday") == ()


def test_relative_and_absolute_dates_come_in_order_of_standing() -> None:
    found = read_dates("2 days ago (12 March 2021), updated yesterday", now=NOW)
    assert [date.order for date in found] == ["relative", "text", "relative"]


def test_a_number_beyond_all_calendars_is_no_date() -> None:
    assert read_dates("99999999999999999999 days ago", now=NOW) == ()
    assert read_dates("9999 days ago", now=datetime(5, 1, 1, tzinfo=UTC)) == ()
