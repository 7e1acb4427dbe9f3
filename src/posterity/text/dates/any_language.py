"""Dates in texts whose language is declared wrongly or not at all: further languages are tried in a fixed order."""

from __future__ import annotations

import re
from functools import lru_cache

from posterity.text.dates.found import FoundDate
from posterity.text.dates.reading import read_dates
from posterity.text.dates.vocabulary import language_words, plain

_COMMON = ("en", "de", "fr", "es", "it", "pt", "nl", "ru")
# Other languages of many blogs. Where two call different months the same, the one with more blogs comes first.
_OTHERS = ("pl", "cs", "hu", "sv", "da", "nb", "fi", "tr", "el", "ro", "uk", "ca", "ar", "he")
_NAMED_MONTH = re.compile(r"\d\W{0,3}[^\W\d_]{3,}\W{1,4}(?:19|20)\d\d|(?:19|20)\d\d\W{1,3}[^\W\d_]{3,}\W{1,3}\d")
# A text without any of these names no day with its year. The digit is much quicker to rule a text out by.
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20|25)\d\d|\d\d?[./-]\d\d?[./-]\d\d|年|년|\d\d? [A-Za-z]{3,9}\.? '?\d\d\b")
SHORTEST = 6  # characters of a day: 1.5.21


def may_date(text: str) -> bool:
    """Tell whether a text may name a day with its year, without reading it."""
    return len(text) >= SHORTEST and _DIGIT.search(text) is not None and _YEAR.search(text) is not None


@lru_cache(maxsize=4096)  # sidebars and footers are the same on every page of a blog
def dates_in(text: str, language: str) -> tuple[FoundDate, ...]:
    """Return the dates in a text of a page in this language; an empty one is unknown."""
    own = read_dates(text, languages=(language,)) if language else ()
    found = own or read_dates(text, languages=_COMMON)
    return found or (read_dates(text, languages=_OTHERS) if _NAMED_MONTH.search(text) else ())


def start_of_day(text: str, date: FoundDate) -> int:
    """Return where a date in the text begins, with the weekday that stands before it."""
    before = text[: date.start].rstrip(" ,")
    word = re.search(r"[^\W\d_]+\.?$", before)
    known = language_words(date.language or "en") if word else None
    return word.start() if word and known and plain(word[0]).rstrip(".") in known.weekdays else date.start


def has_one_reading(found: FoundDate) -> bool:
    """Tell whether a date in figures has one reading only: 25/03/2021."""
    return found.order in ("dmy", "mdy") and not found.ambiguous and found.moment.day != found.moment.month
