"""Finds and parses dates in texts: numeric, with month names, and relative to now.

The words are those of CLDR (through Babel) for the caller's languages. If the order of day and month is ambiguous, both
readings are returned.
"""

from posterity.text.dates.formats import DayOrder, FoundDate
from posterity.text.dates.reading import DateReading, day_order_of, is_date_line, may_mention, mentions, read_dates

__all__ = [
    "DateReading",
    "DayOrder",
    "FoundDate",
    "day_order_of",
    "is_date_line",
    "may_mention",
    "mentions",
    "read_dates",
]
