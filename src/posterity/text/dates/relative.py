"""Dates counted from now: 3 days ago, vor 2 Stunden, il y a 5 minutes, 3日前, yesterday at 15:05.

The phrases are CLDR's: Babel writes them for a few numbers of every plural form, and the number becomes a group.
Weeks, months and years are left out: "2 months ago" names no day.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, time, timedelta
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from babel.dates import format_timedelta

from posterity.lexicon import language_habits
from posterity.text.dates.clock import ClockHit, clock_patterns
from posterity.text.dates.found import FIRST_YEAR, LAST_YEAR, FoundDate, Precision
from posterity.text.dates.vocabulary import (
    NO_LETTER_BEFORE,
    NO_LETTER_BEHIND,
    PlainText,
    distinct_parts,
    locale_of,
    plain,
    vocabulary_of,
    without_accents,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from babel import Locale


_Unit: TypeAlias = Literal["day", "hour", "minute", "second"]
_Format: TypeAlias = Literal["long", "short", "narrow"]
_STEP: dict[_Unit, timedelta] = {
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}
_COUNTS = (1, 2, 3, 5, 11, 21, 22, 100)  # one of each plural form of CLDR, in every language
_NUMBER = re.compile(r"\d+")
_GROUP = re.compile(r"\(\?<!\\d\)(?:\(\?:[^)]*\)|\\d\{1,4\})|\\s\*?")  # the number and the spaces in a source
_LITERAL_WORD = re.compile(r"[^\W\d_]+")
_NO_TURN = 10**9  # Babel goes to the next unit at a threshold; never here


class _Phrase(NamedTuple):
    """What a phrase means: so many of a unit ago; `times` is None where the text has the number."""

    unit: _Unit
    times: int | None
    language: str


class _RelativePatterns(NamedTuple):
    """One pattern for all phrases; the group that matched names the phrase."""

    parts: tuple[str, ...]
    pattern: re.Pattern[str]
    phrases: dict[str, _Phrase]


def relative_dates(simple: PlainText, languages: tuple[str, ...], now: datetime) -> Iterator[FoundDate]:
    """Find the dates counted from now; their zone is that of `now`."""
    known = _relative_patterns(vocabulary_of(languages).tags)
    if not any(part in simple.text for part in known.parts):
        return
    for match in known.pattern.finditer(simple.text):
        name = match.lastgroup or ""
        phrase = known.phrases[name]
        digits = _NUMBER.search(match[name])
        count = phrase.times if phrase.times is not None else int(digits[0]) if digits else 1
        moment = _moment_ago(now, count * _STEP[phrase.unit])
        if moment is not None:
            yield _dated(simple, match, phrase, moment, languages)


def _moment_ago(now: datetime, gap: timedelta) -> datetime | None:
    try:
        moment = now - gap
    except OverflowError:
        return None
    return moment if FIRST_YEAR <= moment.year <= LAST_YEAR else None


def _dated(
    simple: PlainText, match: re.Match[str], phrase: _Phrase, moment: datetime, languages: tuple[str, ...]
) -> FoundDate:
    start, end = match.span()
    precision: Precision = "minute"
    if phrase.unit in ("day", "hour"):
        clock = _clock_beside(simple.text, match, languages) if phrase.unit == "day" else None
        at = clock.at if clock else time()
        moment = datetime.combine(moment.date(), at, tzinfo=at.tzinfo or moment.tzinfo)
        if clock is None:
            precision = "day"
        else:
            start, end = min(start, clock.start), max(end, clock.end)
    start, end = simple.span(start, end)
    return FoundDate(
        moment=moment.replace(second=0, microsecond=0),
        precision=precision,
        order="relative",
        ambiguous=False,
        start=start,
        end=end,
        language=phrase.language,
    )


def _clock_beside(text: str, match: re.Match[str], languages: tuple[str, ...]) -> ClockHit | None:
    clocks = clock_patterns(languages)
    return clocks.after(text, match.end()) or clocks.ahead_of(text, match.start(), 0)


@lru_cache(maxsize=64)
def _relative_patterns(tags: tuple[str, ...]) -> _RelativePatterns:
    spelled: dict[str, _Phrase] = {}
    for tag in tags:
        for source, phrase in _phrases(tag):
            spelled.setdefault(source, phrase)
    groups = sorted(spelled.items(), key=lambda item: -len(item[0]))
    pattern = "|".join(f"(?P<p{index}>{source})" for index, (source, _) in enumerate(groups))
    phrases = {f"p{index}": phrase for index, (_, phrase) in enumerate(groups)}
    compiled = re.compile(f"{NO_LETTER_BEFORE}(?:{pattern}){NO_LETTER_BEHIND}")
    return _RelativePatterns(_needed_parts(spelled), compiled, phrases)


def _needed_parts(sources: Iterable[str]) -> tuple[str, ...]:
    """Words of which every phrase has one: "ago" stands for all of "3 days ago", "2 hours ago" and the rest."""
    phrases = [set(_GROUP.sub(" ", source).replace("\\", "").split()) for source in sources]
    usual = Counter(word for words in phrases for word in words)

    def worth(word: str) -> tuple[bool, int, int, str]:
        return len(word) > 1, usual[word], len(word), word

    return distinct_parts(max(words, key=worth) for words in phrases)


def _phrases(tag: str) -> Iterator[tuple[str, _Phrase]]:
    locale = locale_of(tag)
    if locale is None:
        return
    habits = language_habits(locale.language)
    one = "|".join(("", *map(re.escape, habits.one)))
    for unit, count, length in product(get_args(_Unit), _COUNTS, get_args(_Format)):
        written = plain(_written_ago(unit, count, length, locale)).rstrip(".")
        for phrase in {written, without_accents(written)} - {""}:
            counted = _NUMBER.search(phrase) is not None
            number = rf"(?<!\\d)(?:\\d{{1,4}}{one})" if count == 1 else r"(?<!\\d)\\d{1,4}"
            source = _NUMBER.sub(number, re.sub(r"\\?\s+", r"\\s*", re.escape(phrase)), count=1)
            yield source, _Phrase(unit, None if counted else count, tag)
    for word, days in habits.days_ago.items():
        yield re.escape(plain(word)).replace(r"\ ", r"\s"), _Phrase("day", days, tag)


def _written_ago(unit: _Unit, count: int, length: _Format, locale: Locale) -> str:
    """CLDR's phrase, empty where it has none or where the narrow one is a bare "-3 h"."""
    gap = -count * _STEP[unit]
    try:
        ago, bare = (
            format_timedelta(
                gap, granularity=unit, threshold=_NO_TURN, format=length, add_direction=directed, locale=locale
            )
            for directed in (True, False)
        )
    except KeyError:
        return ""  # what Babel raises for a unit that the locale has no words for, such as Persian seconds
    return "" if _letters(ago) == _letters(bare) or plain(ago).startswith("-") else ago


def _letters(text: str) -> str:
    return "".join(_LITERAL_WORD.findall(text))
