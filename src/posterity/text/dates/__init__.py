"""Dates as people write them, found in a text and read: in figures, with month names, counted from now.

The words are CLDR's, through Babel, for the languages that the caller names. An order of day and month that the
text does not settle stays unsettled: both readings come back.
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
