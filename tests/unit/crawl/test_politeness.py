"""How long a host is left alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.crawl.middlewares import adapted, retry_after_s

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
        (1.0, 0.1, 1.0, 1.0),  # a quick host is not asked more often than we said
        (1.0, 4.0, 1.0, 4.0),  # a slow one at once less often
        (4.0, 1.0, 1.0, 2.5),  # and again more often by halves
        (1.0, 90.0, 1.0, 30.0),  # but not for minutes
        (60.0, 90.0, 60.0, 60.0),  # unless robots.txt says so
    ],
)
def test_slow_answers_slow_us_down(delay: float, latency: float, floor: float, expected: float) -> None:
    assert adapted(delay, latency, floor) == expected
