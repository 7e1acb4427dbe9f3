"""The words with which one language writes dates and times: CLDR's, through Babel.

Month names in all widths, in the form that stands alone and the form inside a date ("март", "марта"), weekdays, markers
of the half of the day, and the little words of CLDR's own date patterns ("de", "gada"). A language is loaded when
a text in it is first read, then kept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

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

from posterity.text.dates.habits import EXTRA_MONTHS, REGIONS_OF, SAME_LANGUAGE
from posterity.text.dates.plain_text import plain, without_accents

if TYPE_CHECKING:
    from collections.abc import Iterator

HalfDay: TypeAlias = Literal["am", "pm", "night"]
_Width: TypeAlias = Literal["wide", "abbreviated"]
_Context: TypeAlias = Literal["format", "stand-alone"]
_Length: TypeAlias = Literal["full", "long", "medium", "short"]

# A pattern of CLDR (UTS 35): quoted text, a field of one repeated letter, or anything else as it stands.
_PATTERN_PART = re.compile(r"'(?P<quoted>[^']*)'|(?P<field>([A-Za-z])\3*)|(?P<other>[^'A-Za-z]+)")
_WORD = re.compile(r"[^\W\d_]+")
_HALF_OF_PERIOD: tuple[tuple[str, HalfDay], ...] = (
    ("am", "am"),
    ("morning", "am"),
    ("pm", "pm"),
    ("noon", "pm"),
    ("afternoon", "pm"),
    ("evening", "pm"),
    ("night", "night"),
)


class LanguageWords(msgspec.Struct, frozen=True, kw_only=True):
    """What one language calls the parts of a date, all in plain form, and what CLDR says of its habits."""

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
    """Return the words of the language of a BCP 47 tag, None for one that CLDR does not know."""
    locale = locale_of(tag)
    if locale is None:
        return None
    locales = [locale, *(Locale.parse(name) for name in REGIONS_OF.get(locale.language, ()) if name != str(locale))]
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
    """Return CLDR's locale for a BCP 47 tag, that of the bare language when the region is unknown, or None."""
    subtags = tag.strip().replace("_", "-").split("-")
    subtags[0] = SAME_LANGUAGE.get(subtags[0].lower(), subtags[0].lower())
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
    months.update(EXTRA_MONTHS.get(language, {}))
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
                # Where CLDR has no word, as in Japanese, a month is its number: that is for the patterns in figures.
                if _WORD.search(word) and not re.fullmatch(r"\d+[月월]", word):
                    yield word, month


def _glued_to(fields: str, patterns: list[str]) -> set[tuple[str, str]]:
    """What patterns write against a field without a space: Hebrew "ב" before the month, Basque "ren" behind it."""
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
                    half = next((half for start, half in _HALF_OF_PERIOD if period.startswith(start)), None)
                    if half:
                        halves.setdefault(plain(name), half)
    return halves
