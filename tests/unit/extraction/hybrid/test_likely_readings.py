"""Readings of dates that remain when the page rules out the others."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.dom import parse
from posterity.extraction.hybrid.article import Article
from posterity.extraction.hybrid.candidates import FieldCandidate, PageFacts, page_facts
from posterity.extraction.hybrid.date import LATER_READING, likely_readings, month_in_url
from posterity.text.dates import read_dates


def page(url: str = "https://tides.example/7", language: str = "") -> PageFacts:
    document = parse(f"<html lang='{language}'><body><p>Salt.</p></body></html>", url)
    return page_facts(document, Article(node=0, confidence=0.9, why=""))


def shown(text: str) -> list[FieldCandidate]:
    return [
        FieldCandidate(date, str(date.moment.date()), ("text, near title", *((LATER_READING,) if place else ())), 3)
        for place, date in enumerate(read_dates(text))
    ]


def days(candidates: list[FieldCandidate]) -> list[str]:
    return [each.key for each in candidates]


def test_english_date_that_nothing_settles_keeps_both_readings() -> None:
    assert days(likely_readings(shown("02/03/2021"), page(language="en"))) == ["2021-02-03", "2021-03-02"]


def test_month_of_the_address_rules_the_other_reading_out() -> None:
    assert days(likely_readings(shown("02/03/2021"), page("https://tides.example/2021/03/salt", "en"))) == [
        "2021-03-02"
    ]


def test_dates_that_contradict_each_other_settle_nothing() -> None:
    found = likely_readings([*shown("02/03/2021"), *shown("25/04/2021"), *shown("04/25/2021")], page(language="en"))
    assert days(found)[:2] == ["2021-02-03", "2021-03-02"]


def test_scheduled_hour_of_a_day_that_is_shown_stays_on_it() -> None:
    late = read_dates("2021-11-04T23:00:00Z")[0]
    declared = FieldCandidate(late, "2021-11-04", ("meta published",))
    both = [declared, *shown("4 November 2021"), *shown("5 November 2021")]
    assert likely_readings(both, page())[0].value.moment == datetime(2021, 11, 4, 23, tzinfo=UTC)
    assert likely_readings([declared, *shown("5 November 2021")], page())[0].key == "2021-11-05"


def test_month_is_read_from_folders_only() -> None:
    assert month_in_url("https://tides.example/2021/3/salt") == "2021-03"
    assert month_in_url("https://tides.example/2021/31/salt") is None


def test_other_pages_of_the_blog_settle_day_and_month_where_the_page_does_not() -> None:
    assert days(likely_readings(shown("02/03/2021"), page(language="en"), "dmy")) == ["2021-03-02"]
    found = likely_readings([*shown("02/03/2021"), *shown("04/25/2021")], page(language="en"), "dmy")
    assert days(found) == ["2021-02-03", "2021-04-25"]
