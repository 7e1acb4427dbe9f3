"""Dates that name their month: 12 March 2021, March 12th, 2021, 2021. március 12., Fri Mar 12 10:15:00 2021."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from posterity.text.dates.found import DayHit, full_year, possible_day
from posterity.text.dates.vocabulary import (
    NO_LETTER_BEFORE,
    NO_LETTER_BEHIND,
    PUNCTUATION,
    Vocabulary,
    alternatives,
    distinct_parts,
    vocabulary_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_BUDDHIST_ERA = 543  # a Thai year is 543 ahead of the Gregorian one
_ORDINAL = r"st|nd|rd|th|er|re|ère|ème|eme|º|ª|°|o|a|:?[ea]|-?(?:го|ого|ое|е|й|ый|є)"
_FULL_YEAR = r"(?P<year>199\d|20\d\d)(?!\d)"
_THAI_YEAR = r"(?P<year>199\d|20\d\d|25[3-9]\d|26[0-4]\d)(?!\d)"
# Two digits behind an apostrophe are a year. In 12-Mar-21, so are two behind a hyphen, at the end, or before a time of
# day; elsewhere they may count comments, and in "March 12-15" they are another day.
_SHORT = r"(?P<short>\d\d)(?![\w:.])"
_SHORT_YEAR = rf"(?<='){_SHORT}"
_SHORT_YEAR_LAST = rf"(?:(?<=['/-])|(?=\d\d\s*(?:\Z|,?\s\d{{1,2}}:\d\d))){_SHORT}"
_NOT_IN_A_NUMBER = r"(?!(?<=\d)\d)"
_CLOCK_INSIDE = r"(?P<clock>\d{1,2}:\d\d(?::\d\d)?)(?:\s(?:[a-z]{3,4}|[+-]\d{4}))?"


def days_with_named_month(text: str, languages: tuple[str, ...]) -> Iterator[DayHit]:
    """Find the days whose month is a word of the languages."""
    if not any(part in text for part in _parts_of_months(languages)):
        return
    words = vocabulary_of(languages)
    for pattern in _month_patterns(languages):
        for match in pattern.finditer(text):
            hit = _hit(match, words)
            if hit:
                yield hit


def _hit(match: re.Match[str], words: Vocabulary) -> DayHit | None:
    parts = match.groupdict()
    named = words.months[" ".join(parts["month"].split())]
    digits = parts["year"] or parts["short"]
    year = full_year(str(int(digits) - _BUDDHIST_ERA) if digits.startswith(("25", "26")) else digits)
    day = possible_day(year, named.month, int(parts["day"]))
    if day is None:
        return None
    clock_at = match.start("clock") if parts.get("clock") else None
    return DayHit(match.start(), match.end(), (("text", day),), language=named.language, clock_at=clock_at)


@lru_cache(maxsize=64)
def _parts_of_months(languages: tuple[str, ...]) -> tuple[str, ...]:
    """What every name of a month has one of; white space in a name may be any in a text."""
    return distinct_parts(name.split()[0] for name in vocabulary_of(languages).months)


@lru_cache(maxsize=64)
def _month_patterns(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The orders in which the languages write a date with a named month."""
    words = vocabulary_of(languages)
    # Some names hold a figure, as Vietnamese "tháng 1": it must be all of the number.
    name = rf"{_NOT_IN_A_NUMBER}(?P<month>{alternatives(words.months)}){_NOT_IN_A_NUMBER}"
    month = rf"{NO_LETTER_BEFORE}{name}{NO_LETTER_BEHIND}"
    ending = rf"(?:{_ORDINAL}|{alternatives(words.day_endings)}){NO_LETTER_BEHIND}"
    day = rf"(?P<day>\d{{1,2}})(?!\d)(?:{ending})?"
    joint = rf"{PUNCTUATION}{{0,3}}(?:{alternatives(words.inside_a_date)}{NO_LETTER_BEHIND}{PUNCTUATION}{{0,3}}){{0,2}}"
    full_year_only = _THAI_YEAR if words.buddhist_years else _FULL_YEAR
    no_short = r"(?P<short>(?!))?"
    shapes = [
        rf"(?<!\d){day}{joint}{month}{joint}(?:{full_year_only}|{_SHORT_YEAR_LAST})",
        rf"{month}{joint}{day}{joint}(?:{full_year_only}|{_SHORT_YEAR})",
        rf"{month}\s+{day}\s+{_CLOCK_INSIDE}\s+{full_year_only}{no_short}",
        rf"(?<!\d){full_year_only}{no_short}{joint}{month}{joint}{day}{NO_LETTER_BEHIND}(?!{joint}(?:199\d|20\d\d)(?!\d))",
    ]
    if words.year_then_day:
        shapes.append(rf"(?<!\d){full_year_only}{no_short}{joint}{day}{joint}{month}")
    return tuple(re.compile(shape) for shape in shapes)
