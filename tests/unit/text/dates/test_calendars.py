"""Dates of other calendars are converted to the right days."""

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
        ("令和六年十二月二十四日", date(2024, 12, 24)),
        ("昭和60年5月1日", date(1985, 5, 1)),
        ("昭和20年8月15日", date(1945, 8, 15)),
        ("大正12年9月1日", date(1923, 9, 1)),
        ("民國一百一十三年三月四日", None),
        ("民國113年3月4日", date(2024, 3, 4)),
        ("民國70年3月4日", date(1981, 3, 4)),
        ("1402/11/22 fa", date(2024, 2, 11)),
        ("۱۴۰۲/۱۱/۲۲ fa", date(2024, 2, 11)),
        ("22-11-1402 fa", date(2024, 2, 11)),
        ("1402/11/22", None),
        ("10/1/1445 هـ", date(2023, 7, 28)),
        ("1445/01/10هـ", date(2023, 7, 28)),
        ("י״ד באדר תשפ״ד", date(2024, 3, 24)),
        ("י״ד באדר א׳ תשפ״ד", date(2024, 2, 23)),
        ('י"ד באדר ב\' תשפ"ד', date(2024, 3, 24)),
        ("א' בתשרי ה'תשפ\"ה", date(2024, 10, 3)),
        ("ט״ו בשבט תשפ״ג", date(2023, 2, 6)),
        ("ל' בניסן תשפ\"ב", date(2022, 5, 1)),
        ("כ״ט באלול תשפ״א", date(2021, 9, 6)),
        ("ה' באייר תש\"ח", date(1948, 5, 14)),
        ("ט״ז בכסלו, תשפ״א", date(2020, 12, 2)),
        ("ל״ה באייר תשפ״א", None),
        ("ג׳ בתמוז תש״ף", date(2020, 6, 25)),
        ("י״ד באדר תשפ״ג", date(2023, 3, 7)),
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
def test_a_day_of_another_calendar(text: str, day: date | None) -> None:
    dates = read_dates(text, languages=("fa",) if text.endswith("fa") else ("en",), since_year=1900)
    if day is None:
        assert dates == ()
        return
    (found,) = dates
    # In the Islamic calendar, the new moon may be sighted a day earlier or later.
    assert abs((found.moment.date() - day).days) <= (1 if found.language == "ar" else 0)
    assert found.precision == "day"


@pytest.mark.parametrize("text", ["昭和20年5月1日", "۳۰ اسفند ۱۴۰۰", "31 مهر 1400", "صفحه 1400", "12 رمضان 1300"])
def test_what_is_no_day_of_a_blog_is_not_read(text: str) -> None:
    assert read_dates(text) == ()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("15 มีนาคม 2564", date(2021, 3, 15)),
        ("15 มีนาคม พ.ศ. 2564", date(2021, 3, 15)),
        ("15 มี.ค. 64", date(2021, 3, 15)),
        ("15/03/2564", date(2021, 3, 15)),
        ("15/3/99", date(1999, 3, 15)),
        ("15 มีนาคม 2021", date(2021, 3, 15)),
        ("6 ตุลาคม 2519", date(1976, 10, 6)),
    ],
)
def test_buddhist_years_of_thai(text: str, day: date) -> None:
    found = read_dates(text, languages=("th",), order="dmy", since_year=1900)
    assert [each.moment.date() for each in found] == [day]


@pytest.mark.parametrize("year", [5661, 5708, 5760, 5765, 5779, 5782, 5784, 5785, 5790])
def test_hebrew_years_have_lengths_that_the_calendar_allows(year: int) -> None:
    first = [read_dates(f"א׳ בתשרי {_letters(each)}", since_year=1900)[0].moment for each in (year, year + 1)]
    assert (first[1] - first[0]).days in (353, 354, 355, 383, 384, 385)
    assert first[0].weekday() not in (2, 4, 6)  # never on a Sunday, Wednesday or Friday


def _letters(year: int) -> str:
    rest = year - 5000
    units = {400: "ת", 300: "ש", 200: "ר", 100: "ק", 90: "צ", 80: "פ", 70: "ע", 60: "ס", 50: "נ", 40: "מ", 30: "ל"}
    units |= {20: "כ", 10: "י", 9: "ט", 8: "ח", 7: "ז", 6: "ו", 5: "ה", 4: "ד", 3: "ג", 2: "ב", 1: "א"}
    written = ""
    for value, letter in units.items():
        while rest >= value:
            written, rest = written + letter, rest - value
    return f"{written[:-1]}״{written[-1]}"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1985-03-12", date(1985, 3, 12)),
        ("12 March 1969", date(1969, 3, 12)),
        ("July 20, 1969", date(1969, 7, 20)),
        ("9. November 1918", date(1918, 11, 9)),
        ("14.7.1902", date(1902, 7, 14)),
        ("1945年8月15日", date(1945, 8, 15)),
        ("3 janvier 1900", date(1900, 1, 3)),
    ],
)
def test_days_before_the_web_are_read_where_they_are_asked_for(text: str, day: date) -> None:
    assert read_dates(text, languages=("de", "fr")) == ()
    found = read_dates(text, languages=("de", "fr"), order="dmy", since_year=1900)
    assert [each.moment.date() for each in found] == [day]


@pytest.mark.parametrize(
    "text",
    [
        "12 March 1899",
        "1970-01-01",
        "1970-01-01T01:00:00+01:00",
        "31 December 1969",
        "January 1, 1900",
        "28.09.1912:05",
    ],
)
def test_what_stands_for_no_date_is_none(text: str) -> None:
    assert read_dates(text, since_year=1) == ()
