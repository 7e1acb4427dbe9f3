"""Day and month are never swapped: there are two readings while the order is unknown."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.text.dates import DateReading, DayOrder, day_order_of, read_dates


def readings(text: str, order: DayOrder | None = None, language: str = "en") -> list[tuple[str, str, bool]]:
    found = read_dates(text, languages=[language], order=order)
    return [(date.order, f"{date.moment:%Y-%m-%d}", date.ambiguous) for date in found]


@pytest.mark.parametrize("text", ["03/04/2021", "03-04-2021", "3/4/21", "03 / 04 / 2021"])
def test_unsettled_order_gives_both_readings(text: str) -> None:
    assert readings(text) == [("mdy", "2021-03-04", True), ("dmy", "2021-04-03", True)]
    assert readings(text, language="de") == [("dmy", "2021-04-03", True), ("mdy", "2021-03-04", True)]


@pytest.mark.parametrize("text", ["3.4.2021", "03.04.21", "03. 04. 2021"])
def test_day_stands_first_where_dots_are_written_in_whatever_language(text: str) -> None:
    assert readings(text) == [("dmy", "2021-04-03", True), ("mdy", "2021-03-04", True)]
    assert readings("03.25.2021") == [("mdy", "2021-03-25", False)]


def test_known_order_gives_one_reading() -> None:
    assert readings("03/04/2021", "dmy") == [("dmy", "2021-04-03", True)]
    assert readings("03/04/2021", "mdy") == [("mdy", "2021-03-04", True)]


def test_a_number_over_12_settles_the_order_by_itself() -> None:
    assert readings("25/03/2021") == [("dmy", "2021-03-25", False)]
    assert readings("03/25/2021", "dmy") == [("mdy", "2021-03-25", False)]


def test_equal_day_and_month_leave_nothing_to_settle() -> None:
    assert [day for _, day, ambiguous in readings("3/03/2021") if not ambiguous] == ["2021-03-03"]


@pytest.mark.parametrize(("text", "order"), [("2021/03/04", "ymd"), ("2021.3.4", "ymd"), ("2021-03-04", "iso")])
def test_year_first_is_certain(text: str, order: str) -> None:
    assert readings(text) == [(order, "2021-03-04", False)]


def test_korean_short_dates_begin_with_the_year() -> None:
    assert readings("21. 3. 4.", language="ko") == [("ymd", "2021-03-04", False)]


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("evidence", "order"),
    [
        ([], None),
        ([("12 March 2021", "2021-03-12")], None),
        ([("03/03/2021", "2021-03-03")], None),
        ([("03/04/2021", "2021-09-09")], None),
        ([("25/03/2021", "2021-03-25")], "dmy"),
        ([("Posted 03/04/2021", "2021-04-03")], "dmy"),
        ([("03/04/2021", "2021-03-04")], "mdy"),
        ([("04/04/2021", "2021-04-04"), ("03/04/2021", "2021-04-02")], "dmy"),
        ([("03/04/2021", "2021-03-04"), ("03/04/2021", "2021-04-03")], None),
    ],
)
def test_what_the_examples_of_a_blog_settle(evidence: list[tuple[str, str]], order: str | None) -> None:
    assert day_order_of(((text, at(day)) for text, day in evidence), ["en"]) == order


def test_one_odd_example_in_many_does_not_unsettle_the_order() -> None:
    examples = [(f"03/{month:02}/2021", at(f"2021-{month:02}-03")) for month in range(4, 13)]
    assert day_order_of([*examples, ("05/06/2021", at("2021-05-06"))], ["en"]) == "dmy"


def test_a_way_of_reading_can_be_kept() -> None:
    way = DateReading(languages=("de",), order="dmy")
    assert [f"{date.moment:%Y-%m-%d}" for date in way.dates("03.04.2021")] == ["2021-04-03"]
