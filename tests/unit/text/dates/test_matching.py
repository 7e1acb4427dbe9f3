"""Whether a text names the date that a feed gives."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.text.dates import mentions

WHEN = datetime(2021, 3, 12, 22, 5, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2021-03-12T22:05:30Z", "2021-03-12T22:05:30+00:00"),
        ("2021-03-13T00:05:30+02:00", "2021-03-13T00:05:30+02:00"),
        ("March 12, 2021 5:05 pm", "2021-03-12T17:05:00"),
        ("March 13, 2021 3:50 am", "2021-03-13T03:50:00"),
        ("March 12, 2021 at 9:41 am", "2021-03-12T09:41:00"),
        ("March 12, 2021", "2021-03-12T00:00:00"),
        ("March 13, 2021", "2021-03-13T00:00:00"),
        ("12/03/2021", "2021-03-12T00:00:00"),
        ("3/12/21", "2021-03-12T00:00:00"),
    ],
)
def test_the_reading_that_denotes_the_moment(text: str, moment: str) -> None:
    found = mentions(text, WHEN, languages=["en"])
    assert found is not None
    assert found.moment.isoformat() == moment


@pytest.mark.parametrize("text", ["", "Home", "2021", "March 14, 2021", "12 March 2020", "April 12, 2021 22:05"])
def test_other_dates_are_not_it(text: str) -> None:
    assert mentions(text, WHEN, languages=["en"]) is None


def test_tolerance_is_the_callers() -> None:
    assert mentions("March 13, 2021", WHEN, languages=["en"], tolerance_days=0) is None
    assert mentions("March 15, 2021", WHEN, languages=["en"], tolerance_days=3) is not None


def test_the_better_fit_wins() -> None:
    text = "March 13, 2021. March 12, 2021. March 12, 2021 9:41. March 12, 2021 23:05."
    found = mentions(text, WHEN, languages=["en"])
    assert found is not None
    assert text[found.start : found.end] == "March 12, 2021 23:05"


def test_the_day_itself_wins_over_its_neighbour() -> None:
    text = "Updated March 13, 2021, published March 12, 2021"
    found = mentions(text, WHEN, languages=["en"])
    assert found is not None
    assert text[found.start : found.end] == "March 12, 2021"


def test_new_year_may_fall_into_the_other_year() -> None:
    found = mentions("January 1, 2021", datetime(2020, 12, 31, 23, 30, tzinfo=UTC), languages=["en"])
    assert found is not None


def test_relative_dates_count_when_now_is_known() -> None:
    now = datetime(2021, 3, 15, 9, tzinfo=UTC)
    found = mentions("3 days ago", WHEN, languages=["en"], now=now)
    assert found is not None
    assert found.order == "relative"
    assert mentions("3 days ago", WHEN, languages=["en"]) is None


def test_other_digits_and_other_eras_count() -> None:
    assert mentions("١٢ مارس ٢٠٢١", WHEN, languages=["ar"]) is not None
    assert mentions("12 มีนาคม 2564", WHEN, languages=["th"]) is not None
    assert mentions("二〇二一年三月十二日", WHEN, languages=["zh"]) is not None


@pytest.mark.parametrize(
    "text",
    [
        "12 марта 2021",
        "12 มีนาคม 2564",
        "２０２１年３月１２日",
        "二〇二一年三月十二日",
        "12/03/21",
        "20210312",
        "١٢ مارس ٢٠٢١",
    ],
)
def test_no_spelling_is_passed_over(text: str) -> None:
    assert mentions(text, WHEN, languages=["ru", "th", "zh", "ar"]) is not None
