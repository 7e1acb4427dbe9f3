"""The words of several languages as one vocabulary, and the patterns that are made of it.

The languages of a page come first and English last: where two of them use one word for two months ("listopad" is
October in Croatian and November in Polish), the first one decides.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from posterity.text.dates.habits import BESIDE_A_TIME, INSIDE_A_DATE
from posterity.text.dates.language import HalfDay, LanguageWords, language_words
from posterity.text.dates.plain_text import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PUNCTUATION = r"[\s.,،、;\-/'()|·•@]"
NO_LETTER_BEHIND = r"(?![^\W\d_])"
NO_LETTER_BEFORE = r"(?<![^\W\d_])"


class NamedMonth(NamedTuple):
    """A month and the language whose word it was."""

    month: int
    language: str


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """The merged words, and the habits of the first language."""

    tags: tuple[str, ...]
    months: dict[str, NamedMonth]
    halves: dict[str, HalfDay]
    weekdays: frozenset[str]
    day_endings: frozenset[str]
    inside_a_date: frozenset[str]
    beside_a_time: frozenset[str]
    day_first: bool
    short_year_first: bool
    bare_short_dates: bool
    year_then_day: bool
    dotted_clock: bool
    buddhist_years: bool


def vocabulary_of(languages: Sequence[str]) -> Vocabulary:
    """Return the vocabulary of the languages that are known, English added last."""
    return _vocabulary(tuple(languages))


@lru_cache(maxsize=64)
def _vocabulary(languages: tuple[str, ...]) -> Vocabulary:
    wanted = dict.fromkeys(tag for tag in (*languages, "en") if tag)
    known = [words for words in map(language_words, wanted) if words is not None]
    first = known[0]
    months = _merged_months(known)
    date_words = {word for words in known for word in words.joining_words} | set(map(plain, INSIDE_A_DATE))
    return Vocabulary(
        tags=tuple(words.tag for words in known),
        months=months,
        halves={_marker(name): half for words in reversed(known) for name, half in words.halves.items()},
        weekdays=frozenset(name for words in known for name in words.weekdays),
        day_endings=frozenset(ending for words in known for ending in words.day_endings),
        inside_a_date=frozenset(date_words - months.keys()),
        beside_a_time=frozenset(date_words | set(map(plain, BESIDE_A_TIME))),
        day_first=first.day_first,
        short_year_first=first.short_year_first,
        bare_short_dates=first.bare_short_dates,
        year_then_day=any(words.year_then_day for words in known),
        dotted_clock=any(words.dotted_clock for words in known),
        buddhist_years=any(words.tag.startswith("th") for words in known),
    )


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest that fits; a space stands for any white space."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s*") for word in longest_first) + ")"


def distinct_parts(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that contain no other: a text that holds none of them holds none of the words.

    A handful of substring searches is what makes it cheap to find nothing.
    """
    shortest_first = sorted(set(words), key=lambda word: (len(word), word))
    parts: list[str] = []
    for word in shortest_first:
        if not any(part in word for part in parts):
            parts.append(word)
    return tuple(parts)


def _marker(name: str) -> str:
    return name.replace(".", "").replace(" ", "")


def _merged_months(known: list[LanguageWords]) -> dict[str, NamedMonth]:
    months: dict[str, NamedMonth] = {}
    for words in known:
        for name, month in words.months.items():
            months.setdefault(name, NamedMonth(month, words.tag))
    for words in known:
        for name, month in _beginnings(words.months).items():
            months.setdefault(name, NamedMonth(month, words.tag))
    return months


def _beginnings(months: dict[str, int]) -> dict[str, int]:
    """Beginnings of three and four letters that fit one month only: people shorten as they like."""
    meanings = {(name[:length], month) for name, month in months.items() for length in (3, 4) if name[:4].isalpha()}
    seen = Counter(beginning for beginning, _ in meanings)
    return {beginning: month for beginning, month in meanings if seen[beginning] == 1 and len(beginning) > 2}
