"""Whether a text names a date that is known already, such as the one in a blog's feed.

Feeds give a moment in one zone, pages show it in another and often without saying which. So a time of day fits
at any offset that a zone can have, and a day fits its neighbours; the better fit is preferred.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from posterity.text.dates.reading import read_dates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.text.dates.found import FoundDate

_FARTHEST_ZONE = timedelta(hours=14)
_ZONE_STEP = timedelta(minutes=15)  # all zones in use are whole quarters of an hour from UTC
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)
_ANY_DIGIT = re.compile(r"\d")
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
    if now is None and not _may_name(text, when):
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


def _may_name(text: str, when: datetime) -> bool:
    """Whether the text holds what every spelling of the date has: digits, in ASCII the last two of the year."""
    if not text.isascii():
        return _ANY_DIGIT.search(text) is not None or "年" in text
    return any(f"{moment.year % 100:02}" in text for moment in (when, when - _DAY, when + _DAY))
