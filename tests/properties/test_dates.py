"""Dates formatted by Babel are read back, day and month are never swapped, and any text can be read."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Literal, get_args

import pytest
from babel.dates import format_date, format_timedelta
from hypothesis import given
from hypothesis import strategies as st

from posterity.text.dates import mentions, read_dates
from posterity.text.dates.reading import iso_date

Length = Literal["full", "long", "medium", "short"]
LANGUAGES = (
    "af ar az be bg bn bs ca cs cy da de de_AT el en en_GB es es_MX et eu fa fi fr fr_CA ga gd gl gu he hi hr hu hy id "
    "is it ja ka kk kn ko ky lt lv mk ml mn mr ms nb nl nn pa pl pt pt_PT ro ru sk sl sq sr sr_Latn sv sw ta te th tr "
    "uk ur uz vi zh zh_Hant"
).split()
# CLDR's formats for these have neither a name for the month nor separators, or, in Tibetan and Dzongkha, units attached
# to the numbers: not enough to distinguish a date from any three numbers.
UNREAD = {("la", "short"), ("yo", "medium"), ("kkj", "short"), ("prg", "medium"), ("bo", "long"), ("dz", "long")}
# Two digits of a year are read as 1990 to 2049.
DAYS = st.dates(date(1990, 1, 1), date(2099, 12, 31))
MOMENTS = st.builds(datetime.combine, DAYS, st.times().map(lambda clock: clock.replace(microsecond=0)))
DAYS_WITH_SHORT_YEAR = st.dates(date(1990, 1, 1), date(2049, 12, 31))


@given(DAYS_WITH_SHORT_YEAR, st.sampled_from(LANGUAGES), st.sampled_from(get_args(Length)))
def test_what_babel_writes_is_read_back(day: date, language: str, length: Length) -> None:
    text = format_date(day, length, locale=language)
    found = read_dates(text, languages=[language.replace("_", "-")])
    if (language, length) == ("th", "short") and day.year >= 2033:
        day = day.replace(year=day.year - 43)  # CLDR's year is Gregorian, but people write Buddhist ones: 64 is 2021
    assert day in {reading.moment.date() for reading in found}
    assert len({reading.start for reading in found}) == 1
    assert all(reading.precision == "day" for reading in found)
    assert len(found) == 1 or all(reading.ambiguous for reading in found)


@given(DAYS, st.sampled_from(LANGUAGES))
def test_dates_in_words_have_one_reading_in_any_year(day: date, language: str) -> None:
    (found,) = read_dates(format_date(day, "long", locale=language), languages=[language])
    assert found.moment.date() == day


@pytest.mark.parametrize(("language", "length"), sorted(UNREAD))
def test_what_is_not_read_is_not_misread(language: str, length: Length) -> None:
    day = date(2021, 12, 25)
    found = read_dates(format_date(day, length, locale=language), languages=[language])
    assert {reading.moment.date() for reading in found} <= {day}


@given(DAYS, st.sampled_from(["{a}/{b}/{y}", "{a:02}/{b:02}/{y}", "{a}.{b}.{y}", "{a:02}-{b:02}-{y}", "{a}. {b}. {y}"]))
def test_both_orders_come_back_unless_the_order_is_certain(day: date, shape: str) -> None:
    for order, (first, second) in {"dmy": (day.day, day.month), "mdy": (day.month, day.day)}.items():
        found = read_dates(shape.format(a=first, b=second, y=day.year))
        assert (order, day) in {(reading.order, reading.moment.date()) for reading in found} or first == second
        unsettled = day.day <= 12 and day.day != day.month
        assert [reading.ambiguous for reading in found] == ([True, True] if unsettled else [False])


@given(DAYS, st.sampled_from(["dmy", "mdy"]))
def test_a_known_order_is_followed(day: date, order: Literal["dmy", "mdy"]) -> None:
    first, second = (day.day, day.month) if order == "dmy" else (day.month, day.day)
    (found,) = read_dates(f"{first}/{second}/{day.year}", order=order)
    assert found.moment.date() == day


@given(
    st.integers(1, 400), st.sampled_from("en de fr es pt it nl sv da nb fi pl cs ru uk tr ja ko zh el hu ro".split())
)
def test_days_ago_as_babel_says_it(days: int, language: str) -> None:
    now = datetime(2021, 3, 15, 12, tzinfo=UTC)
    text = format_timedelta(
        timedelta(days=-days), granularity="day", threshold=10**9, add_direction=True, locale=language
    )
    (found,) = read_dates(text, languages=[language], now=now)
    assert found.moment.date() == now.date() - timedelta(days=days)


DATE_LIKE = st.lists(
    st.one_of(
        st.sampled_from("0 1 12 31 32 99 2021 20210312 '21 / . - : T Z + , ( ) at um 年 月 日 十 〇 am pm h".split()),
        st.sampled_from(
            "March März mars марта มีนาคม Monday ago vor yesterday 3 days İ ı \u200f \u0301 ² ١٢ ".split(" ")
        ),
        st.text(max_size=5),
    ),
    max_size=14,
)


@given(
    st.one_of(st.text(), DATE_LIKE.map("".join), DATE_LIKE.map(" ".join)),
    st.lists(st.one_of(st.sampled_from(["de", "th", "zh", "ar", "lv", "ko"]), st.text(max_size=8)), max_size=3),
    st.sampled_from([None, "dmy", "mdy"]),
    st.one_of(st.none(), st.datetimes(), st.datetimes(timezones=st.just(UTC))),
)
def test_any_text_in_any_language_is_read_without_an_error(
    text: str, languages: list[str], order: Literal["dmy", "mdy"] | None, now: datetime | None
) -> None:
    found = read_dates(text, languages=languages, order=order, now=now)
    for reading in found:
        assert 0 <= reading.start < reading.end <= len(text)
    assert [reading.start for reading in found] == sorted(reading.start for reading in found)
    mentions(text, now or datetime(2021, 3, 12, tzinfo=UTC), languages=languages, now=now)


@given(
    MOMENTS,
    st.sampled_from(("", "Z", "+02:00", "-0530", "+00:00")),
    st.sampled_from("T "),
    st.sampled_from(("seconds", "minutes")),
)
def test_dates_for_machines_are_read_as_any_other_text_is(
    moment: datetime, zone: str, between: str, timespec: Literal["seconds", "minutes"]
) -> None:
    text = f"{moment.isoformat(between, timespec)}{zone}"
    (alone,) = read_dates(text)
    (inside,) = read_dates(f"{text} | ")
    assert alone == inside


@pytest.mark.parametrize("text", ["2021-02-30", "2021-03-12T25:00", "1-2021-03-12", "2021-W10-5", "20210312T10"])
def test_what_is_no_date_for_machines_is_not_read_as_one(text: str) -> None:
    assert iso_date(text) is None
