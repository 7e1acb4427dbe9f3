"""Every date that a text names, in the formats and languages that people use.

Days are found first, by the patterns of each way of writing them; then the time of day that stands beside a day is
read. Nothing here guesses: a date without a year, or one that no calendar has, is no date.
"""

from __future__ import annotations

import re
from datetime import datetime, time
from functools import lru_cache
from typing import TYPE_CHECKING

from posterity.text.dates.clock import ClockHit, clock_patterns
from posterity.text.dates.east_asian import labelled_days
from posterity.text.dates.figures import days_in_figures
from posterity.text.dates.found import DayHit, DayOrder, FoundDate
from posterity.text.dates.iso import iso_date
from posterity.text.dates.named_month import days_with_named_month
from posterity.text.dates.plain_text import plain_text
from posterity.text.dates.relative import relative_dates
from posterity.text.dates.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The least that a date with a year holds: a year in full, or two digits that end a short one.
_YEAR = re.compile(
    r"199\d|20\d\d|'\d\d|\d\s?[./-]\s?\d\d?\s?[./-]\s?\d|[^\W\d_]\.?[-/ ]\d\d|2[56]\d\d|\d\s?[年년]"
    "|[〇零一二三四五六七八九]年"
)
_MIDNIGHT = time()
_REMEMBERED_CHARS = 200


def read_dates(
    text: str,
    *,
    languages: Sequence[str] = ("en",),
    order: DayOrder | None = None,
    now: datetime | None = None,
) -> tuple[FoundDate, ...]:
    """Return every date in the text, in order of standing.

    `languages` are BCP 47 tags, tried in this order and English last; unknown ones are ignored. Without `order`, a
    date such as 03/04/2021 comes back twice, once for each reading, the one usual in the first language first.
    Relative dates ("3 days ago") are read against `now` and only if it is given.
    """
    if exact := iso_date(text):
        return (exact,)
    simple = plain_text(text)
    tags = tuple(languages)
    found: list[FoundDate] = []
    if _YEAR.search(simple.text):
        absolute = _remembered if len(text) <= _REMEMBERED_CHARS else _absolute
        found = [*absolute(text, tags, order)]
    if now is not None:
        taken = [(date.start, date.end) for date in found]
        found += [
            date
            for date in relative_dates(simple, tags, now)
            if not any(date.start < end and start < date.end for start, end in taken)
        ]
        found.sort(key=lambda date: date.start)
    return tuple(found)


def _absolute(original: str, languages: tuple[str, ...], order: DayOrder | None) -> list[FoundDate]:
    simple = plain_text(original)
    text = simple.text
    hits = _apart(_day_hits(text, languages, order))
    if not hits:
        return []
    clocks = clock_patterns(languages)
    found: list[FoundDate] = []
    free_from = 0
    for hit in hits:
        if hit.clock_at is not None:
            clock = clocks.inside(text, hit.clock_at)
        else:
            clock = clocks.after(text, hit.end) or clocks.ahead_of(text, hit.start, free_from)
        start, end = _around(hit, clock)
        found += _found(hit, clock, *simple.span(start, end))
        free_from = end
    return found


# The dates in sidebars and footers stand on every page of a blog: each distinct text is read once.
_remembered = lru_cache(maxsize=4096)(_absolute)


def forget_texts() -> None:
    """Forget the texts read so far, so that reading can be timed."""
    _remembered.cache_clear()


def _day_hits(text: str, languages: tuple[str, ...], order: DayOrder | None) -> Iterable[DayHit]:
    yield from days_in_figures(text, vocabulary_of(languages), order)
    yield from labelled_days(text)
    yield from days_with_named_month(text, languages)


def _apart(hits: Iterable[DayHit]) -> list[DayHit]:
    """The hits in order, without those that lie inside or across an earlier or longer one."""
    apart: list[DayHit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not apart or hit.start >= apart[-1].end:
            apart.append(hit)
    return apart


def _around(hit: DayHit, clock: ClockHit | None) -> tuple[int, int]:
    return (min(hit.start, clock.start), max(hit.end, clock.end)) if clock else (hit.start, hit.end)


def _found(hit: DayHit, clock: ClockHit | None, start: int, end: int) -> list[FoundDate]:
    return [
        FoundDate(
            moment=datetime.combine(day, clock.at if clock else _MIDNIGHT),
            precision="minute" if clock else "day",
            order=order,
            ambiguous=hit.ambiguous,
            start=start,
            end=end,
            language=hit.language,
        )
        for order, day in hit.days
    ]
