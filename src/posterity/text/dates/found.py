"""What reading a text for dates gives: the date, how sure it is, and where it stands."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, date, datetime
from typing import Literal, NamedTuple, TypeAlias

import msgspec

DayOrder: TypeAlias = Literal["dmy", "mdy"]
Order: TypeAlias = Literal["iso", "ymd", "dmy", "mdy", "text", "relative"]
Precision: TypeAlias = Literal["minute", "day"]

FIRST_YEAR = 1990  # no blog is older than the web
LAST_YEAR = 2099
LAST_SHORT_YEAR = 49  # '49 is 2049 and '90 is 1990; what lies between is no date of a blog


class FoundDate(msgspec.Struct, frozen=True):
    """A date that a text names.

    `moment` is naive when the text names no zone; with precision "day" it is midnight. `order` is how day and month
    were distinguished. `ambiguous` is a fact about the text: they could be exchanged, and nothing but the order of
    two small numbers tells which is which. `start` and `end` span date, time of day and zone; `language` is that of
    the word that was recognised, None for a date in figures.
    """

    moment: datetime
    precision: Precision
    order: Order
    ambiguous: bool
    start: int
    end: int
    language: str | None = None


class DayHit(NamedTuple):
    """A day found in a plain text, before a time of day is looked for beside it.

    There is more than one `(order, day)` when the text does not settle which number is the month. A time of day that
    stands inside the date, as in "Mar 12 10:15:00 2021", begins at `clock_at`.
    """

    start: int
    end: int
    days: tuple[tuple[Order, date], ...]
    ambiguous: bool = False
    language: str | None = None
    clock_at: int | None = None


def usable_moment(moment: datetime | None) -> datetime | None:
    """Return the moment, or None for a year that stands for no date: generators write year 1 for undated pages.

    The first and the last year also leave no room for another time zone.
    """
    return moment if moment is not None and MINYEAR < moment.year < MAXYEAR else None


def full_year(digits: str) -> int | None:
    """Return the year that two or four digits name, None for one that no blog post can have."""
    year = int(digits)
    if len(digits) == 2:
        if LAST_SHORT_YEAR < year < FIRST_YEAR % 100:
            return None
        year += 2000 if year <= LAST_SHORT_YEAR else 1900
    return year if FIRST_YEAR <= year <= LAST_YEAR else None


def possible_day(year: int | None, month: int, day: int) -> date | None:
    """Return the day, None for one that no calendar has, such as 31 February."""
    if year is None:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
