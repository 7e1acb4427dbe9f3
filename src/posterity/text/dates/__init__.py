"""Finds and parses dates in texts: numeric, with month names, and relative to now.

The words are those of CLDR, through Babel, for the languages that the caller names. If the text does not settle the
order of day and month, both readings are returned.
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
