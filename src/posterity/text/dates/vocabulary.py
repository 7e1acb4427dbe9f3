"""Words of dates: the words of a language from CLDR, and the vocabulary of several languages.

The page's languages come first, English last: if two languages use a word for different months ("listopad" is October
in Croatian, November in Polish), the first one decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from babel import Locale, UnknownLocaleError
from babel.dates import (
    get_date_format,
    get_datetime_format,
    get_day_names,
    get_month_names,
    get_period_names,
    get_time_format,
)

from posterity.lexicon import language_aliases, language_habits, words_for
from posterity.text.normal_form import plain, without_accents

# RFC 2822, section 4.3, for North America; elsewhere only unambiguous abbreviations.
ZONE_HOURS: Final = {
    "z": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
    "pdt": -7, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "bst": 1, "msk": 3, "jst": 9, "kst": 9,
    "hkt": 8, "sgt": 8, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
}  # fmt: skip

HalfDay: TypeAlias = Literal["am", "pm", "night"]
_Width: TypeAlias = Literal["wide", "abbreviated"]
_Context: TypeAlias = Literal["format", "stand-alone"]
_Length: TypeAlias = Literal["full", "long", "medium", "short"]

# The parts of a CLDR pattern (UTS 35): quoted text, a field of one repeated letter, or other literal text.
_PATTERN_PART = re.compile(r"'(?P<quoted>[^']*)'|(?P<field>([A-Za-z])\3*)|(?P<other>[^'A-Za-z]+)")
_WORD = re.compile(r"[^\W\d_]+")
_AFTER_NOON = ("pm", "noon", "afternoon", "evening")
_HALF_OF_PERIOD: dict[str, HalfDay] = {
    "am": "am",
    "morning": "am",
    **dict.fromkeys(_AFTER_NOON, "pm"),
    "night": "night",
}


class LanguageWords(msgspec.Struct, frozen=True, kw_only=True):
    """One language's words for the parts of a date, in plain form, and its formats, from CLDR."""

    tag: str
    months: dict[str, int]
    weekdays: frozenset[str]
    joining_words: frozenset[str]
    day_endings: frozenset[str]
    halves: dict[str, HalfDay]
    day_first: bool
    short_year_first: bool
    bare_short_dates: bool
    year_then_day: bool
    dotted_clock: bool


@lru_cache(maxsize=256)
def language_words(tag: str) -> LanguageWords | None:
    """Return the words of the language of a BCP 47 tag, or None if it is not in CLDR."""
    locale = locale_of(tag)
    if locale is None:
        return None
    regions = language_habits(locale.language).locales
    locales = [locale, *(Locale.parse(name) for name in regions if name != str(locale))]
    patterns = [get_date_format(length, locale=locale).pattern for length in get_args(_Length)]
    short = _fields_of(patterns[-1])
    return LanguageWords(
        tag=tag,
        months=_months(locales, patterns, locale.language),
        weekdays=frozenset(_weekdays(locales)),
        joining_words=frozenset(_joining_words(patterns, str(get_datetime_format("long", locale=locale)))),
        day_endings=frozenset(ending for _, ending in _glued_to("dd?", patterns) if ending),
        halves=_halves(locales),
        day_first=not short.startswith("M"),
        short_year_first=re.match(r"yy(?!y)", short) is not None,
        bare_short_dates=re.match(r"d\W.*yy$", patterns[-1].partition("\u202f")[0]) is not None,
        year_then_day=any(re.match(r"y+d+M", _fields_of(pattern)) for pattern in patterns),
        dotted_clock="." in get_time_format("short", locale=locale).pattern,
    )


@lru_cache(maxsize=256)
def locale_of(tag: str) -> Locale | None:
    """Return CLDR's locale for a BCP 47 tag, without the region if that is unknown, or None."""
    subtags = tag.strip().replace("_", "-").split("-")
    subtags[0] = language_aliases().get(subtags[0].lower(), subtags[0].lower())
    for length in range(len(subtags), 0, -1):
        try:
            return Locale.parse("-".join(subtags[:length]), sep="-")
        except (UnknownLocaleError, ValueError, TypeError):
            continue
    return None


def _months(locales: list[Locale], patterns: list[str], language: str) -> dict[str, int]:
    months: dict[str, int] = {}
    for locale in locales:
        for name, month in _month_names(locale):
            months.setdefault(name, month)
    months.update(language_habits(language).months)
    for before, after in _glued_to("MMM+|LLL+", patterns):
        months.update({before + name + after: month for name, month in list(months.items())})
    for name, month in list(months.items()):
        months.setdefault(without_accents(name), month)
    return months


def _month_names(locale: Locale) -> Iterator[tuple[str, int]]:
    for width in get_args(_Width):
        for context in get_args(_Context):
            for month, name in get_month_names(width, context, locale).items():
                word = plain(name).rstrip(".")
                # Where months have numbers instead of names, as in Japanese, the numeric patterns apply.
                if _WORD.search(word) and not re.fullmatch(r"\d+[月월]", word):
                    yield word, month


def _glued_to(fields: str, patterns: list[str]) -> set[tuple[str, str]]:
    """The (prefix, suffix) that patterns attach to a field: Hebrew "ב" before the month, Basque "ren" after it."""
    glued = set()
    for pattern in patterns:
        found = _PATTERN_PART.finditer(pattern)
        parts = [(part["field"] or "", part["quoted"] or part["other"] or "") for part in found]
        for index, (field, _) in enumerate(parts):
            if re.fullmatch(fields, field):
                before = re.search(r"[^\W\d_]*\Z", parts[index - 1][1] if index else "")
                after = re.match(r"[^\W\d_]*", parts[index + 1][1] if index + 1 < len(parts) else "")
                glued.add((plain(before[0]) if before else "", plain(after[0]) if after else ""))
    return glued - {("", "")}


def _fields_of(pattern: str) -> str:
    return re.sub("[^dMy]+", "", re.sub("'[^']*'", "", pattern))


def _weekdays(locales: list[Locale]) -> Iterator[str]:
    for locale in locales:
        for width in get_args(_Width):
            for context in get_args(_Context):
                for name in get_day_names(width, context, locale).values():
                    yield plain(name).rstrip(".")


def _joining_words(patterns: list[str], joined: str) -> Iterator[str]:
    for part in (part for pattern in patterns for part in _PATTERN_PART.finditer(pattern)):
        yield from _WORD.findall(plain(part["quoted"] or part["other"] or ""))
    yield from _WORD.findall(plain(joined))


def _halves(locales: list[Locale]) -> dict[str, HalfDay]:
    halves: dict[str, HalfDay] = {}
    for locale in locales:
        for width in get_args(_Width):
            for context in get_args(_Context):
                for period, name in get_period_names(width, context, locale).items():
                    half = next((half for start, half in _HALF_OF_PERIOD.items() if period.startswith(start)), None)
                    if half:
                        halves.setdefault(plain(name), half)
    return halves


PUNCTUATION = r"[\s.,،、;\-/'()|·•@]"
NO_LETTER_BEHIND = r"(?![^\W\d_])"
NO_LETTER_BEFORE = r"(?<![^\W\d_])"


class NamedMonth(NamedTuple):
    """A month and the language of its name."""

    month: int
    language: str


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """The merged words of several languages, and the formats of the first."""

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


@lru_cache(maxsize=64)
def vocabulary_of(languages: tuple[str, ...]) -> Vocabulary:
    """Return the vocabulary of the known languages, with English added last."""
    wanted = dict.fromkeys(tag for tag in (*languages, "en") if tag)
    known = [words for words in map(language_words, wanted) if words is not None]
    first = known[0]
    months = _merged_months(known)
    date_words = {word for words in known for word in words.joining_words} | set(map(plain, words_for("date.inside")))
    return Vocabulary(
        tags=tuple(words.tag for words in known),
        months=months,
        halves={_marker(name): half for words in reversed(known) for name, half in words.halves.items()},
        weekdays=frozenset(name for words in known for name in words.weekdays),
        day_endings=frozenset(ending for words in known for ending in words.day_endings),
        inside_a_date=frozenset(date_words - months.keys()),
        beside_a_time=frozenset(date_words | set(map(plain, words_for("date.beside_time")))),
        day_first=first.day_first,
        short_year_first=first.short_year_first,
        bare_short_dates=first.bare_short_dates,
        year_then_day=any(words.year_then_day for words in known),
        dotted_clock=any(words.dotted_clock for words in known),
        buddhist_years=any(words.tag.startswith("th") for words in known),
    )


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, longest first; a space matches any white space or none."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s*") for word in longest_first) + ")"


def distinct_parts(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that contain no other one: a text without these contains none of the words.

    A few substring searches for them rule out most texts cheaply.
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
    """Abbreviations of three and four letters that fit only one month."""
    meanings = {(name[:length], month) for name, month in months.items() for length in (3, 4) if name[:4].isalpha()}
    seen = Counter(beginning for beginning, _ in meanings)
    return {beginning: month for beginning, month in meanings if seen[beginning] == 1 and len(beginning) > 2}
