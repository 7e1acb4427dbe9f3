"""Whether a text names a date that is known already, such as the one in a blog's feed.

Feeds give a moment in one zone, pages show it in another and often without saying which. So a time of day fits
at any offset that a zone can have, and a day fits its neighbours; the better fit is preferred.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from posterity.text.dates.reading import read_dates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.text.dates.found import FoundDate

_FARTHEST_ZONE = timedelta(hours=14)
_ZONE_STEP = timedelta(minutes=15)  # all zones in use are whole quarters of an hour from UTC
_MINUTE = timedelta(minutes=1)
# Figures that are not ASCII's: full-width, Arabic, Chinese.
_OTHER_FIGURE = re.compile(r"[^\D0-9]|年")
_ASCII_FIGURE = re.compile(r"[0-9]+")
_LONGEST_YEAR = 4
_THAI_YEARS_AHEAD = 543
NO_FIT = 9


def mentions(
    text: str,
    when: datetime,
    *,
    languages: Sequence[str] = ("en",),
    now: datetime | None = None,
    tolerance_days: int = 1,
) -> FoundDate | None:
    """Return the reading of the text that denotes `when`, the best fit if there are several, or None.

    The same moment fits best; then the same minute at another offset, on the same day first; then the same day; then
    a day at most `tolerance_days` away.
    """
    if now is None and not (may_mention(text, when, tolerance_days) and _may_have_day(text, when, tolerance_days)):
        return None
    found = read_dates(text, languages=languages, now=now)
    best = min(found, key=lambda date: misfit(date, when, tolerance_days), default=None)
    return best if best is not None and misfit(best, when, tolerance_days) < NO_FIT else None


def misfit(date: FoundDate, when: datetime, tolerance_days: int = 1) -> int:
    """Return how badly a reading fits: 0 for the same moment, 9 for none at all."""
    local = date.moment.replace(tzinfo=None)
    wanted = when.replace(tzinfo=None)
    days = abs((local.date() - wanted.date()).days)
    if date.precision == "minute":
        if date.moment.tzinfo and when.tzinfo and abs(date.moment - when) < _MINUTE:
            return 0
        if _same_at_some_offset(local, wanted):
            return 1 if days == 0 else 2
    if days == 0:
        return 3 if date.precision == "day" else 4
    return 5 + min(days, 3) if days <= tolerance_days else NO_FIT


def _same_at_some_offset(local: datetime, wanted: datetime) -> bool:
    gap = abs(local.replace(second=0, microsecond=0) - wanted.replace(second=0, microsecond=0))
    return gap <= _FARTHEST_ZONE and gap % _ZONE_STEP == timedelta()


def may_mention(text: str, when: datetime, tolerance_days: int = 1) -> bool:
    """Tell whether the text has what is in every spelling of the date: the year's last two digits, or other figures.

    Words that tell a date from now ("yesterday") have neither.
    """
    for ending in _figures(when, tolerance_days).year_endings:
        if ending in text:
            return True
    return _has_other_figures(text)


def _may_have_day(text: str, when: datetime, tolerance_days: int) -> bool:
    """Whether a figure in the text is the day of the month, a near one, or long enough to hold it."""
    days = _figures(when, tolerance_days).days
    return any(
        figure in days or len(figure) > _LONGEST_YEAR for figure in _ASCII_FIGURE.findall(text)
    ) or _has_other_figures(text)


def _has_other_figures(text: str) -> bool:
    return not text.isascii() and _OTHER_FIGURE.search(text) is not None


class _Figures(NamedTuple):
    """What the days around a date are written with."""

    year_endings: frozenset[str]
    days: frozenset[str]


@lru_cache(maxsize=64)  # a page is searched for one date
def _figures(when: datetime, tolerance_days: int) -> _Figures:
    # In another zone it is the day before or after already.
    farthest = max(1, tolerance_days)
    near = [when + timedelta(days=days) for days in range(-farthest, farthest + 1)]
    years = [day.year + ahead for day in near for ahead in (0, _THAI_YEARS_AHEAD)]
    days = [figure for day in near for figure in (str(day.day), f"{day.day:02}")]
    return _Figures(frozenset(f"{year % 100:02}" for year in years), frozenset(days))
