"""Relative dates."""

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


@pytest.mark.parametrize(
    ("language", "text", "moment", "precision"),
    [
        ("ar", "قبل 3 سنوات", "2018-03-15", "year"),
        ("bg", "преди 3 години", "2018-03-15", "year"),
        ("bn", "৩ বছর পূর্বে", "2018-03-15", "year"),
        ("ca", "fa 3 anys", "2018-03-15", "year"),
        ("cs", "před 3 lety", "2018-03-15", "year"),
        ("da", "for 3 år siden", "2018-03-15", "year"),
        ("de", "vor 3 Jahren", "2018-03-15", "year"),
        ("de", "vor einem Jahr", "2020-03-15", "year"),
        ("de", "vor einem Monat", "2021-02-15", "month"),
        ("de", "vor einer Woche", "2021-03-08", "week"),
        ("el", "πριν από 3 έτη", "2018-03-15", "year"),
        ("en", "3 years ago", "2018-03-15", "year"),
        ("en", "Posted about 2 months ago", "2021-01-15", "month"),
        ("en", "13 months ago", "2020-02-15", "month"),
        ("en", "3 weeks ago", "2021-02-22", "week"),
        ("en", "a year ago", "2020-03-15", "year"),
        ("es", "hace 2 meses", "2021-01-15", "month"),
        ("es", "hace un año", "2020-03-15", "year"),
        ("et", "3 aasta eest", "2018-03-15", "year"),
        ("fa", "۳ سال پیش", "2018-03-15", "year"),
        ("fi", "3 vuotta sitten", "2018-03-15", "year"),
        ("fr", "il y a 3 ans", "2018-03-15", "year"),
        ("fr", "il y a un mois", "2021-02-15", "month"),
        ("he", "לפני 3 שנים", "2018-03-15", "year"),
        ("hi", "3 वर्ष पहले", "2018-03-15", "year"),
        ("hr", "prije 3 godine", "2018-03-15", "year"),
        ("hu", "3 évvel ezelőtt", "2018-03-15", "year"),
        ("id", "3 tahun yang lalu", "2018-03-15", "year"),
        ("it", "3 anni fa", "2018-03-15", "year"),
        ("ja", "3 年前", "2018-03-15", "year"),
        ("ja", "2か月前", "2021-01-15", "month"),
        ("ko", "3년 전", "2018-03-15", "year"),
        ("lt", "prieš 3 metus", "2018-03-15", "year"),
        ("lv", "pirms 3 gadiem", "2018-03-15", "year"),
        ("nb", "for 3 år siden", "2018-03-15", "year"),
        ("nl", "3 jaar geleden", "2018-03-15", "year"),
        ("nl", "2 maanden geleden", "2021-01-15", "month"),
        ("pl", "3 lata temu", "2018-03-15", "year"),
        ("pl", "5 lat temu", "2016-03-15", "year"),
        ("pt", "há 3 anos", "2018-03-15", "year"),
        ("ro", "acum 3 ani", "2018-03-15", "year"),
        ("ru", "3 года назад", "2018-03-15", "year"),
        ("ru", "5 лет назад", "2016-03-15", "year"),
        ("ru", "2 недели назад", "2021-03-01", "week"),
        ("sk", "pred 3 rokmi", "2018-03-15", "year"),
        ("sl", "pred 3 leti", "2018-03-15", "year"),
        ("sr", "пре 3 године", "2018-03-15", "year"),
        ("sv", "för 3 år sedan", "2018-03-15", "year"),
        ("th", "3 ปีที่แล้ว", "2018-03-15", "year"),
        ("tr", "3 yıl önce", "2018-03-15", "year"),
        ("uk", "3 роки тому", "2018-03-15", "year"),
        ("ur", "3 سال پہلے", "2018-03-15", "year"),
        ("vi", "3 năm trước", "2018-03-15", "year"),
        ("zh", "3年前", "2018-03-15", "year"),
        ("zh", "2个月前", "2021-01-15", "month"),
    ],
)
def test_weeks_months_and_years_ago_have_a_low_precision(language: str, text: str, moment: str, precision: str) -> None:
    (found,) = read_dates(text, languages=[language], now=NOW, coarse=True)
    assert (found.moment.date().isoformat(), found.precision, found.order) == (moment, precision, "relative")
    assert read_dates(text, languages=[language], now=NOW) == ()


def test_the_last_day_of_a_month_has_one_a_month_ago() -> None:
    (found,) = read_dates("1 month ago", now=datetime(2021, 3, 31, tzinfo=UTC), coarse=True)
    assert found.moment.date().isoformat() == "2021-02-28"


def test_nothing_is_relative_without_now() -> None:
    assert read_dates("3 days ago, yesterday") == ()


def test_relative_and_absolute_dates_come_in_order_of_standing() -> None:
    found = read_dates("2 days ago (12 March 2021), updated yesterday", now=NOW)
    assert [date.order for date in found] == ["relative", "text", "relative"]


def test_a_number_beyond_all_calendars_is_no_date() -> None:
    assert read_dates("99999999999999999999 days ago", now=NOW) == ()
    assert read_dates("9999 days ago", now=datetime(5, 1, 1, tzinfo=UTC)) == ()
    assert read_dates("9999 years ago", now=NOW, coarse=True) == ()
