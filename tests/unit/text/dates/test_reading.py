"""Dates in many languages and forms, and texts that only look like dates."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.text.dates import read_dates
from posterity.text.dates.reading import ThreadDates, dates_in, start_of_day

DAY = "2021-03-12"
MINUTE = "2021-03-12T15:05"


def said(text: str, *languages: str) -> set[str]:
    """The moments that a text names, shortened to their precision."""
    return {
        found.moment.isoformat()
        if found.moment.tzinfo
        else found.moment.isoformat()[: 10 if found.precision == "day" else 16]
        for found in read_dates(text, languages=languages)
    }


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2021-03-12", DAY),
        ("2021-03-12T15:05", MINUTE),
        ("2021-03-12 15:05:59", MINUTE),
        ("2021-03-12T15:05:00Z", "2021-03-12T15:05:00+00:00"),
        ("2021-03-12t15:05:00.123z", "2021-03-12T15:05:00+00:00"),
        ("2021-03-12T15:05:00+0530", "2021-03-12T15:05:00+05:30"),
        ("2021-03-12T15:05:00-05:00", "2021-03-12T15:05:00-05:00"),
        ("2021-03-12 15:05 UTC", "2021-03-12T15:05:00+00:00"),
        ("2021-03-12 15:05:00 +02", "2021-03-12T15:05:00+02:00"),
        ("20210312T150500Z", "2021-03-12T15:05:00+00:00"),
        ("20210312T1505", MINUTE),
        ("20210312", DAY),
    ],
)
def test_iso_8601_in_its_spellings(text: str, moment: str) -> None:
    assert said(text) == {moment}
    assert {found.order for found in read_dates(text)} == {"iso"}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Fri, 12 Mar 2021 15:05:00 +0200", "2021-03-12T15:05:00+02:00"),
        ("Fri, 12 Mar 2021 15:05:00 GMT", "2021-03-12T15:05:00+00:00"),
        ("12 Mar 21 15:05 EST", "2021-03-12T15:05:00-05:00"),
        ("Fri Mar 12 15:05:00 2021", MINUTE),
        ("Fri Mar 12 15:05:00 UTC 2021", "2021-03-12T15:05:00+00:00"),
        ("Fri Mar 12 2021 15:05:00 GMT+0100 (CET)", "2021-03-12T15:05:00+01:00"),
    ],
)
def test_dates_of_rfc_2822_unix_and_javascript(text: str, moment: str) -> None:
    assert said(text) == {moment}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("March 12, 2021", DAY),
        ("12 March 2021", DAY),
        ("12th of March 2021", DAY),
        ("the 12th of March, 2021", DAY),
        ("MARCH 12 2021", DAY),
        ("Mar. 12, '21", DAY),
        ("Mar. 12, ’21", DAY),
        ("12-Mar-2021", DAY),
        ("12-Mar-21", DAY),
        ("2021 March 12", DAY),
        ("/2021/mar/12/hedgehogs", DAY),
        ("/2021/03/12/10-things", DAY),
        ("12Mar2021", DAY),
        ("Sept. 12, 2021", "2021-09-12"),
        ("Friday, March 12th, 2021 at 3:05 pm", MINUTE),
        ("March 12, 2021 @ 3:05 p.m.", MINUTE),
        ("March 12, 2021 | 15:05", MINUTE),
        ("Friday March 12, 2021, Friday 15:05", MINUTE),
        ("March 12, 2021 at 3 PM", "2021-03-12T15:00"),
        ("March 12, 2021 12:05 am", "2021-03-12T00:05"),
        ("March 12, 2021 12:05 pm", "2021-03-12T12:05"),
        ("3:05 pm on Friday, March 12, 2021", MINUTE),
        ("15:05 - 12 Mar 2021", MINUTE),
        ("March 12, 2021 5 comments", DAY),
        ("March 12, 2021 · 4.50 dollars", DAY),
        ("By Anna on March 12, 2021 in Gardening", DAY),
        ("Anna09 March 2021", "2021-03-09"),
    ],
)
def test_english(text: str, moment: str) -> None:
    assert said(text, "en") == {moment}


@pytest.mark.parametrize(
    ("language", "text", "moment"),
    [
        ("ar", "١٢ مارس ٢٠٢١", DAY),
        ("ar", "12 آذار 2021", DAY),
        ("bg", "12 март 2021 г. в 15:05 ч.", MINUTE),
        ("ca", "12 de març del 2021", DAY),
        ("cs", "12. března 2021 v 15:05", MINUTE),
        ("da", "12. marts 2021 kl. 15.05", MINUTE),
        ("de", "12. März 2021 um 15:05 Uhr", MINUTE),
        ("de", "Freitag, den 12. Maerz 2021", DAY),
        ("de-AT", "12. Jänner 2021", "2021-01-12"),
        ("el", "12 ΜΑΡΤΙΟΥ 2021", DAY),
        ("el", "Παρασκευή, 12 Μαρτίου 2021", DAY),
        ("es", "12 de marzo de 2021 a las 15:05", MINUTE),
        ("es", "viernes, 12 de setiembre de 2021", "2021-09-12"),
        ("eu", "2021(e)ko martxoaren 12(a)", DAY),
        ("fa", "۱۲ مارس ۲۰۲۱", DAY),
        ("fi", "12. maaliskuuta 2021 klo 15.05", MINUTE),
        ("fr", "le 12 mars 2021 à 15h05", MINUTE),
        ("fr", "1er mars 2021", "2021-03-01"),
        ("fr", "12 FEVRIER 2021", "2021-02-12"),
        ("fr", "12 fe\u0301vrier 2021", "2021-02-12"),
        ("he", "12 במרץ 2021", DAY),
        ("hi", "१२ मार्च २०२१", DAY),
        ("hu", "2021. március 12., péntek 15:05", MINUTE),
        ("id", "12 Maret 2021 pukul 15.05", MINUTE),
        ("it", "12 marzo 2021 alle ore 15.05", MINUTE),
        ("ja", "2021年3月12日(金) 15時05分", MINUTE),
        ("ja", "２０２１年３月１２日", DAY),
        ("ja", "公開日2021/03/12", DAY),
        ("ja", "12 3月, 2021", DAY),
        ("ja", "3月 12, 2021", DAY),
        ("ko", "2021년 3월 12일 오후 3:05", MINUTE),
        ("ko", "2021. 3. 12. 15:05", MINUTE),
        ("lt", "2021 m. kovo 12 d.", DAY),
        ("lv", "2021. gada 12. marts", DAY),
        ("nl", "12 mrt 2021 om 15:05", MINUTE),
        ("no", "12. mars 2021", DAY),
        ("pl", "12 marca 2021 o godz. 15:05", MINUTE),
        ("pt-BR", "12 de março de 2021 às 15h05", MINUTE),
        ("ro", "12 martie 2021", DAY),
        ("ru", "12 марта 2021 г. в 15:05", MINUTE),
        ("ru", "12-го марта 2021", DAY),
        ("sv", "12:e mars 2021 kl. 15:05", MINUTE),
        ("th", "12 มีนาคม 2564", DAY),
        ("tr", "12 Mart 2021 Cuma, 15:05", MINUTE),
        ("tr", "12 KASIM 2021", "2021-11-12"),
        ("tr", "12 EKİM 2021", "2021-10-12"),
        ("uk", "12 березня 2021 р.", DAY),
        ("vi", "ngày 12 tháng 3 năm 2021", DAY),
        ("zh", "2021年3月12日下午3:05", MINUTE),
        ("zh", "2021年3月12日 晚上8点05分", "2021-03-12T20:05"),
        ("zh-Hant", "二〇二一年三月十二日", DAY),
        ("zh", "二〇二一年十二月二十日", "2021-12-20"),
    ],
)
def test_other_languages(language: str, text: str, moment: str) -> None:
    assert said(text, language) == {moment}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "About me",
        "March 12",
        "March 2021",
        "12/03",
        "31 February 2021",
        "2021-02-30",
        "2021-13-01",
        "31/02/2021",
        "12 March 1989",
        "12 March 2100",
        "2.10.2021.4",
        "v2.10.2021",
        "1.2.10",
        "192.168.10.20",
        "10.12.10.20",
        "01.02.03.04.05",
        "+49 12-03-2021-4",
        "555-12-03-2021",
        "$12.03.2021",
        "1.500.2021 EUR",
        "March 12, 21 comments",
        "April 28th-29th",
        "March 12-15",
        "/uploads/2018/05/3-steps.pdf",
        "12 people in March 2021",
        "smart 12, 2021",
        "ISBN 978-3-12-2021",
    ],
)
def test_what_only_looks_like_a_date(text: str) -> None:
    assert read_dates(text) == ()


def test_first_language_decides_a_word_that_two_share() -> None:
    assert said("12 listopad 2021", "hr", "pl") == {"2021-10-12"}
    assert said("12 listopad 2021", "pl", "hr") == {"2021-11-12"}


def test_english_is_read_in_every_language_and_unknown_tags_are_ignored() -> None:
    assert said("12 March 2021", "xx-Nowhere", "", "de") == {DAY}
    found = read_dates("12 March 2021", languages=["no-such-language", "de-CH-x-odd"])
    assert [date.language for date in found] == ["en"]


def test_spans_cover_date_time_and_zone_in_the_text_as_it_stands() -> None:
    text = "Am 12\u200f. Ma\u0308rz 2021 um 15:05 und am 13. März 2021."
    found = read_dates(text, languages=["de"])
    assert [text[date.start : date.end] for date in found] == ["12\u200f. Ma\u0308rz 2021 um 15:05", "13. März 2021"]


def test_a_time_of_day_belongs_to_one_date_only() -> None:
    first, second = read_dates("March 12, 2021 3:05 pm, March 13, 2021")
    assert (first.precision, second.precision) == ("minute", "day")


def test_the_moment_is_naive_unless_the_text_names_a_zone() -> None:
    (found,) = read_dates("March 12, 2021 15:05")
    assert found.moment == datetime.fromisoformat("2021-03-12T15:05:00")
    assert found.moment.tzinfo is None


def test_dates_of_a_thread_are_read_though_no_language_is_known() -> None:
    thread = ThreadDates((), None, None)
    assert thread.moment("12 mars 2021 à 15 h 05") == datetime(2021, 3, 12, 15, 5, tzinfo=UTC)
    assert thread.moment("no date at all") is None


def test_weekday_belongs_to_a_date_whose_month_is_named_alike_in_another_language() -> None:
    text = "domenica, agosto 29, 2004"
    assert start_of_day(text, dates_in(text, "")[0]) == 0
