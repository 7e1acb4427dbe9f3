"""Delays between requests to a host."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.crawl.middlewares import HostPace, adapted, retry_after_s

NOW = datetime(2021, 3, 12, 10, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Fri, 12 Mar 2021 10:01:30 GMT", 90.0),
        ("Fri, 12 Mar 2021 09:00:00 GMT", 0.0),
        ("Friday, 12-Mar-21 10:00:05 GMT", 5.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("²", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert retry_after_s(header, NOW) == seconds


@pytest.mark.parametrize(
    ("delay", "latency", "floor", "expected"),
    [
        (1.0, 0.1, 1.0, 1.0),  # never below the set delay, even for a fast host
        (1.0, 4.0, 1.0, 4.0),  # longer at once for a slow host
        (4.0, 1.0, 1.0, 2.5),  # shorter again by halves
        (1.0, 90.0, 1.0, 30.0),  # not for minutes
        (60.0, 90.0, 60.0, 60.0),  # unless robots.txt requires it
    ],
)
def test_slow_answers_slow_us_down(delay: float, latency: float, floor: float, expected: float) -> None:
    assert adapted(delay, latency, floor) == expected


def refuse_often(pace: HostPace, times: int, named_s: float | None) -> float:
    """Refuse several times, each time after the hold; return the end of the last hold."""
    now = 0.0
    for _ in range(times):
        pace.refused(now, named_s, 1.0, too_many=True)
        now = pace.held_until
    return now


def test_pace_recovers_after_many_refusals() -> None:
    pace = HostPace(1.0)
    refuse_often(pace, 20, None)
    assert pace.delay_s == 30.0
    for _ in range(40):
        pace.note_response(0.1)
    assert pace.delay_s == 1.0


def test_pace_without_a_delay_recovers_too() -> None:
    pace = HostPace(0.0)
    refuse_often(pace, 3, None)
    assert pace.delay_s >= 0.5
    for _ in range(40):
        pace.note_response(None)
    assert pace.delay_s == 0.0


def test_retry_after_is_the_wait_and_not_the_start_of_a_ladder() -> None:
    pace = HostPace(1.0)
    assert refuse_often(pace, 20, 2.0) == 40.0
    assert pace.delay_s == 1.5


def test_requests_under_way_together_are_one_refusal() -> None:
    pace = HostPace(1.0)
    for moment in (0.0, 0.1, 0.2, 0.3):
        pace.refused(moment, None, 1.0, too_many=True)
    assert pace.delay_s == 1.5
    assert pace.held_until == 1.3


def test_delay_of_robots_txt_stays_when_refusals_are_forgiven() -> None:
    pace = HostPace(45.0)
    refuse_often(pace, 5, None)
    assert pace.delay_s == 45.0
    pace.note_response(0.1)
    assert pace.delay_s == 45.0
