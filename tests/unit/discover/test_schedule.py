"""Updates adapt to the pace of the blog."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from posterity.discover.schedule import LATEST, SOONEST, due_after, is_due, next_due
from posterity.errors import InputError
from posterity.model import Schedule, from_json

if TYPE_CHECKING:
    from posterity.discover.schedule import Result

NOW = datetime(2026, 3, 12, 12, tzinfo=UTC)


def posts(every: timedelta, count: int = 12, last: timedelta = timedelta()) -> list[datetime]:
    """The dates of a blog that posts regularly, the latest `last` ago."""
    return [NOW - last - every * number for number in range(count)]


def wait(published: list[datetime], *results: Result) -> timedelta:
    return next_due(published, results, NOW) - NOW


@pytest.mark.parametrize("days", [1, 4, 14])
def test_blog_is_due_after_half_of_its_usual_gap(days: int) -> None:
    assert wait(posts(timedelta(days=days))) == timedelta(days=days) / 2


def test_order_of_the_dates_does_not_matter() -> None:
    dates = posts(timedelta(days=3))
    assert wait(dates) == wait(dates[::-1])


def test_one_long_holiday_does_not_change_the_pace() -> None:
    dates = [*posts(timedelta(days=2), 6), *posts(timedelta(days=2), 6, last=timedelta(days=200))]
    assert wait(dates) == timedelta(days=1)


def test_pace_is_that_of_the_latest_posts() -> None:
    dates = [*posts(timedelta(days=2), 12), *posts(timedelta(days=60), 50, last=timedelta(days=100))]
    assert wait(dates) == timedelta(days=1)


def test_busy_blog_is_left_alone_for_an_hour() -> None:
    assert wait(posts(timedelta(minutes=5))) == SOONEST


def test_sleeping_blog_is_asked_once_a_month() -> None:
    assert wait(posts(timedelta(days=1), last=timedelta(days=900))) == LATEST


def test_silence_stretches_the_wait_bit_by_bit() -> None:
    waits = [wait(posts(timedelta(days=2), last=timedelta(days=days))) for days in (0, 2, 8, 40, 100, 400)]
    assert waits == sorted(waits)
    assert waits[0] == waits[1] < waits[2] < waits[3] < waits[4] < waits[5] + timedelta(1)


def test_quiet_updates_stretch_the_wait_and_news_reset_it() -> None:
    dates = posts(timedelta(days=4))
    assert wait(dates, "quiet") < wait(dates, "quiet", "quiet")
    assert wait(dates, "quiet", "quiet", "news") == wait(dates)


def test_blog_without_dates_is_asked_daily_at_first() -> None:
    assert wait([]) == timedelta(days=1)
    assert wait([], *["quiet"] * 8) > timedelta(days=5)  # type: ignore[arg-type]


def test_failure_is_tried_again_soon_and_then_ever_later() -> None:
    dates = posts(timedelta(days=40))
    waits = [wait(dates, *["failed"] * times) for times in range(1, 9)]  # type: ignore[arg-type]
    assert waits[0] == timedelta(hours=6)
    assert waits == sorted(waits)
    assert waits[-1] == LATEST
    assert wait(dates, "failed", "failed", "quiet") > waits[1]


def test_dates_in_the_future_and_without_a_zone_are_no_accident() -> None:
    dates = [NOW + timedelta(days=3000), datetime(2026, 3, 1), datetime(2026, 2, 1)]  # noqa: DTZ001 - as pages have them
    assert SOONEST <= wait(dates) <= LATEST


def test_blog_that_was_never_updated_is_due() -> None:
    assert is_due(None, NOW)
    assert is_due(NOW, NOW)
    assert not is_due(NOW + timedelta(seconds=1), NOW)


def test_schedule_of_a_person_comes_before_the_pace_of_the_blog() -> None:
    dates = posts(timedelta(days=4))
    assert due_after(Schedule(), dates, (), NOW) == next_due(dates, (), NOW)
    assert due_after(Schedule(mode="every", hours=36), dates, ("failed",), NOW) == NOW + timedelta(hours=36)


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        (Schedule(), "adaptively"),
        (Schedule(mode="paused"), "paused"),
        (Schedule(mode="every", hours=24), "every day"),
        (Schedule(mode="every", hours=48), "every 2 days"),
        (Schedule(mode="every", hours=7), "every 7 hours"),
    ],
)
def test_schedule_is_told_as_people_say_it(schedule: Schedule, said: str) -> None:
    assert str(schedule) == said


@pytest.mark.parametrize("body", ['{"mode":"every"}', '{"mode":"paused","hours":3}', '{"mode":"every","hours":0}'])
def test_schedule_that_contradicts_itself_is_refused(body: str) -> None:
    with pytest.raises(InputError):
        from_json(body, Schedule)
