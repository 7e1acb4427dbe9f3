"""Times of day beside a date (15:05, 3:05 pm, 15h05, 15時05分, with their zones), and relative dates.

A time is searched for only beside a date: elsewhere in a text, 15:05 may be the length of a video. The phrases of
relative dates (3 days ago, vor 2 Stunden, 3日前, yesterday at 15:05) are those of CLDR: Babel formats them for a few
numbers of every plural form, and the number becomes a group of the pattern. "2 months ago" has a low precision.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from datetime import UTC, datetime, time, timedelta, timezone
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from babel.dates import format_timedelta

from posterity.lexicon import language_habits
from posterity.model.post import Precision
from posterity.text.dates.formats import FIRST_YEAR, LAST_YEAR, FoundDate
from posterity.text.dates.vocabulary import (
    NO_LETTER_BEFORE,
    NO_LETTER_BEHIND,
    PUNCTUATION,
    ZONE_HOURS,
    HalfDay,
    PlainText,
    alternatives,
    distinct_parts,
    locale_of,
    plain,
    vocabulary_of,
    without_accents,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from babel import Locale


_WINDOW = 48  # characters before a date in which its time of day may begin
_REACH = 160  # characters behind a date in which it must have begun
_FIGURE = re.compile(r"\d")
_NOON = 12
_HOURS = 24
_MINUTES = 60
_DAWN = 6  # "night" is before dawn or after dusk
_LAST_ZONE_HOUR = 14
_ZONE = rf"(?:\s?\(?(?P<zone>(?:utc|gmt)?\s?[+-]\d{{1,2}}(?::?\d\d)?(?!\d)|{alternatives(ZONE_HOURS)}(?![^\W_]))\)?)"
_ISO_CLOCK = re.compile(
    rf"t(?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?(?!\d){_ZONE}?", re.ASCII
)
_ZONE_PARTS = re.compile(r"([a-z]*)\s?(?:([+-])(\d{1,2}):?(\d\d)?)?")


class ClockHit(NamedTuple):
    """A time of day, with its zone if it has one, and where it stands."""

    at: time
    start: int
    end: int


class ClockPatterns:
    """The patterns for a time of day behind, before and inside a date. Each is made when a figure stands there."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._words = vocabulary_of(languages)
        self._halves: dict[str, HalfDay] = {"am": "am", "pm": "pm", **self._words.halves}

    def after(self, text: str, end: int) -> ClockHit | None:
        """The time of day that follows a date which ends at `end`."""
        if not _FIGURE.search(text, end, end + _REACH):
            return None
        for pattern in self._patterns_behind:
            match = pattern.match(text, end)
            if match:
                return self._hit(match)
        return None

    def ahead_of(self, text: str, start: int, not_before: int) -> ClockHit | None:
        """The time of day that precedes a date which starts at `start`."""
        begin = max(not_before, start - _WINDOW)
        match = self._before.search(text, begin, start) if _FIGURE.search(text, begin, start) else None
        return self._hit(match) if match else None

    def inside(self, text: str, start: int) -> ClockHit | None:
        """The time of day that begins exactly at `start`."""
        match = self._alone.match(text, start)
        return self._hit(match) if match else None

    @cached_property
    def _patterns_behind(self) -> tuple[re.Pattern[str], ...]:
        joined = rf"{PUNCTUATION}{{0,4}}{self._beside}{{1,3}}:?\s?{self._clock(dotted=True)}"
        return (_ISO_CLOCK, re.compile(rf"[{PUNCTUATION[1:-1]}:]{{0,4}}{self._free}"), re.compile(joined))

    @cached_property
    def _before(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\d.:,]){self._free}{PUNCTUATION}{{1,4}}{self._beside}{{0,3}}\Z")

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(self._free)

    @property
    def _free(self) -> str:
        return self._clock(dotted=self._words.dotted_clock)

    @property
    def _beside(self) -> str:
        between = alternatives(self._words.beside_a_time | self._words.weekdays)
        return rf"(?:{between}{NO_LETTER_BEHIND}{PUNCTUATION}{{0,3}})"

    def _clock(self, *, dotted: bool) -> str:
        return _clock(_half_pattern(self._halves), dotted=dotted)

    def _hit(self, match: re.Match[str]) -> ClockHit | None:
        parts = {name: part for name, part in match.groupdict().items() if part is not None}
        marker = parts.get("early") or parts.get("late")
        half = self._halves[re.sub(r"[.\s]", "", marker)] if marker else None
        hour = _hour_of_day(int(parts["hour"]), half)
        minute = int(next((parts[name] for name in ("minute", "minute_unit", "minute_dot") if name in parts), 0))
        second = int(next((parts[name] for name in ("second", "second_unit") if name in parts), 0))
        if hour >= _HOURS or minute >= _MINUTES:
            return None
        zone = _zone(parts["zone"]) if "zone" in parts else None
        start = min(match.start(name) for name in parts)
        end = max(match.end(name) for name in parts)
        return ClockHit(time(hour, minute, min(second, _MINUTES - 1), tzinfo=zone), start, end)


# Languages are few, and their patterns are used again for every page.
clock_patterns = lru_cache(maxsize=64)(ClockPatterns)


def _half_pattern(halves: dict[str, HalfDay]) -> str:
    spelled = (r"\.?\s?".join(map(re.escape, name)) if len(name) < 4 else re.escape(name) for name in halves)
    return "(?:" + "|".join(sorted(spelled, key=len, reverse=True)) + r")\.?"


def _clock(half: str, *, dotted: bool) -> str:
    dot = r"|\.(?P<minute_dot>[0-5]\d)(?![\d.]|,\d)" if dotted else r"|(?P<minute_dot>(?!))"
    return (
        rf"(?:(?P<early>{half})\s?)?(?P<hour>\d{{1,2}})"
        r"(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?!\d)(?:\s?(?:uhr|hrs?|h|ч)\b\.?)?"
        r"|(?:\s?h\s?(?=\d\d)|h\b|\s?(?:[時时点點시]|uhr\b))\s?"
        r"(?:(?P<minute_unit>\d{1,2})(?!\d)\s?(?:[分분]|min\b|m\b)?(?:\s?(?P<second_unit>\d{1,2})\s?[秒초])?)?"
        rf"{dot}|(?(early)(?!\d)|(?=\s?{half}{NO_LETTER_BEHIND})))"
        rf"(?:\s?(?P<late>{half}){NO_LETTER_BEHIND})?{_ZONE}?"
    )


def _hour_of_day(hour: int, half: HalfDay | None) -> int:
    if half is None or hour > _NOON:
        return hour
    if half == "night":
        half = "pm" if _DAWN <= hour < _NOON else "am"
    return hour % _NOON + (_NOON if half == "pm" else 0)


@lru_cache(maxsize=256)
def _zone(text: str) -> timezone | None:
    match = _ZONE_PARTS.fullmatch(text)
    if match is None:
        return None
    name, feature, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    if offset > timedelta(hours=_LAST_ZONE_HOUR):
        return None
    offset = timedelta(hours=ZONE_HOURS.get(name, 0)) + (-offset if feature == "-" else offset)
    return timezone(offset) if offset else UTC


_Unit: TypeAlias = Literal["year", "month", "week", "day", "hour", "minute", "second"]
_Format: TypeAlias = Literal["long", "short", "narrow"]
_COARSE: Final = ("year", "month", "week")  # units that leave the day open
_FINE: Final = ("day", "hour", "minute", "second")
# Of a month and a year, what Babel takes them for; dates are counted by the calendar.
_STEP: dict[_Unit, timedelta] = {
    "year": timedelta(days=365),
    "month": timedelta(days=30),
    "week": timedelta(weeks=1),
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


def relative_dates(
    simple: PlainText, languages: tuple[str, ...], now: datetime, *, coarse: bool
) -> Iterator[FoundDate]:
    """Find the dates counted from now, in the zone of `now`; those in weeks, months or years only if `coarse`."""
    tags = vocabulary_of(languages).tags
    for units in (_FINE, _COARSE) if coarse else (_FINE,):
        yield from _dates_in_units(simple, languages, now, _relative_patterns(tags, units))


def _dates_in_units(
    simple: PlainText, languages: tuple[str, ...], now: datetime, known: _RelativePatterns
) -> Iterator[FoundDate]:
    if not any(part in simple.text for part in known.parts):
        return
    for match in known.pattern.finditer(simple.text):
        name = match.lastgroup or ""
        phrase = known.phrases[name]
        digits = _NUMBER.search(match[name])
        count = phrase.times if phrase.times is not None else int(digits[0]) if digits else 1
        moment = _moment_ago(now, count, phrase.unit)
        if moment is not None:
            yield _date_from_phrase(simple, match, phrase, moment, languages)


def _moment_ago(now: datetime, count: int, unit: _Unit) -> datetime | None:
    try:
        if unit in ("month", "year"):
            year, month = divmod(now.year * 12 + now.month - 1 - count * (12 if unit == "year" else 1), 12)
            moment = now.replace(year=year, month=month + 1, day=min(now.day, monthrange(year, month + 1)[1]))
        else:
            moment = now - count * _STEP[unit]
    except (OverflowError, ValueError):  # before the first year there is
        return None
    return moment if FIRST_YEAR <= moment.year <= LAST_YEAR else None


def _date_from_phrase(
    simple: PlainText, match: re.Match[str], phrase: _Phrase, moment: datetime, languages: tuple[str, ...]
) -> FoundDate:
    start, end = match.span()
    precision: Precision = "minute"
    if phrase.unit in _COARSE:
        precision = phrase.unit
        moment = datetime.combine(moment.date(), time(), tzinfo=moment.tzinfo)
    elif phrase.unit in ("day", "hour"):
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
def _relative_patterns(tags: tuple[str, ...], units: tuple[_Unit, ...]) -> _RelativePatterns:
    spelled: dict[str, _Phrase] = {}
    for tag in tags:
        for source, phrase in _phrases(tag, units):
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


def _phrases(tag: str, units: tuple[_Unit, ...]) -> Iterator[tuple[str, _Phrase]]:
    locale = locale_of(tag)
    if locale is None:
        return
    habits = language_habits(locale.language)
    one = "|".join(("", *map(re.escape, habits.one)))
    for unit, count, length in product(units, _COUNTS, get_args(_Format)):
        written = plain(_written_ago(unit, count, length, locale)).rstrip(".")
        for phrase in {written, without_accents(written)} - {""}:
            counted = _NUMBER.search(phrase) is not None
            number = rf"(?<!\\d)(?:\\d{{1,4}}{one})" if count == 1 else r"(?<!\\d)\\d{1,4}"
            source = _NUMBER.sub(number, re.sub(r"\\?\s+", r"\\s*", re.escape(phrase)), count=1)
            yield source, _Phrase(unit, None if counted else count, tag)
    for word, days in habits.days_ago.items() if units == _FINE else ():
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
