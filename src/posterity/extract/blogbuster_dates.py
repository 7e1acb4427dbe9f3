"""The date in what BlogBuster found: "Posted by Ann on January 3, 2010 at 3:15 PM" is the third of January 2010.

BlogBuster returns the text of the date's element, other words included (document 000, section 6). A record holds a
point in time, so the date is read out of that text: ISO 8601, English month names, year first in figures, day first
with dots, and the Chinese, Japanese and Korean way. A date whose day and month cannot be told apart (2/3/2010) is
not guessed.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.model.post import Precision

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[a-z]*)\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?", r"(?P<year>(?:19|20)\d\d)"
_ISO = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)")
_WRITTEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_YEAR}-(?P<month>\d\d?)-(?P<day>\d\d?)(?!\d)",
        rf"\b{_MONTH}\s*{_DAY}\s*,?\s*{_YEAR}\b",
        rf"\b{_DAY}\s*(?:of\s+)?[-/ ]?\s*{_MONTH}\s*,?[-/ ]?\s*{_YEAR}\b",
        rf"\b{_YEAR},?\s*{_MONTH}\s*{_DAY}\b",
        rf"\b{_YEAR}\s*[/.]\s*(?P<month>\d\d?)\s*[/.]\s*(?P<day>\d\d?)\b",
        rf"\b{_YEAR}\s*[年년]\s*(?P<month>\d\d?)\s*[月월]\s*(?P<day>\d\d?)\s*[日일]",
        rf"\b(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?{_YEAR}\b",
        rf"\b(?P<month>0?[1-9]|1[0-2])/(?P<day>1[3-9]|2\d|3[01])/{_YEAR}\b",
        rf"\b(?P<day>1[3-9]|2\d|3[01])/(?P<month>0?[1-9]|1[0-2])/{_YEAR}\b",
        rf"\b(?P<month>\d\d?)/(?P<day>(?P=month))/{_YEAR}\b",
    )
)
_MAX_LENGTH = 2_000  # a date stands early; the rest is an article that was taken for one


def written_date(text: str) -> tuple[datetime, Precision] | None:
    """Return the first date the text writes out in full, and how exact it is, or None.

    A time of day counts only with its zone, and keeps it: in UTC, an evening post would change its day. A day alone is
    midnight UTC with the precision "day".
    """
    text = text[:_MAX_LENGTH]
    moment = _moment(text)
    if moment is not None:
        return moment, "minute"
    days = sorted(_days(text), key=lambda found: found[0])
    return (days[0][1], "day") if days else None


def _moment(text: str) -> datetime | None:
    match = _ISO.search(text)
    if match is None:
        return None
    try:
        return datetime.fromisoformat(match.group().replace(" ", "T", 1).replace(" ", ""))
    except ValueError:
        return None


def _days(text: str) -> Iterator[tuple[int, datetime]]:
    for pattern in _WRITTEN:
        match = pattern.search(text)
        if match is None:
            continue
        parts = match.groupdict()
        month = int(parts["month"]) if parts.get("month") else _MONTHS.index(parts["name"].lower()) + 1
        try:
            yield match.start(), datetime(int(parts["year"]), month, int(parts["day"]), tzinfo=UTC)
        except ValueError:
            continue
