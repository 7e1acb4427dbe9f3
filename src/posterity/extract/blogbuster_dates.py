"""The date in what BlogBuster found: "Posted by Ann on January 3, 2010 at 3:15 PM" is the third of January 2010.

BlogBuster returns the text of the date's element, other words included (document 000, section 6). A record holds a
point in time, so the date is read out of that text. A date whose day and month cannot be told apart (2/3/2010) is
not guessed.
"""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from posterity.text.dates import read_dates

if TYPE_CHECKING:
    from posterity.model.post import Precision

_MAX_LENGTH = 2_000  # a date stands early; the rest is an article that was taken for one


def written_date(text: str) -> tuple[datetime, Precision] | None:
    """Return the first date the text writes out in full, and how exact it is, or None.

    A time of day counts only with its zone, and keeps it: in UTC, an evening post would change its day. A day alone is
    midnight UTC with the precision "day".
    """
    found = next((reading for reading in read_dates(text[:_MAX_LENGTH]) if not reading.ambiguous), None)
    if found is None:
        return None
    if found.precision == "minute" and found.moment.tzinfo is not None:
        return found.moment, "minute"
    return datetime.combine(found.moment.date(), time(), UTC), "day"
