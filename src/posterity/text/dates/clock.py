"""The time of day that stands beside a date: 15:05, 3:05 pm, 15h05, 15時05分, 오후 3:05, with its zone.

It is looked for next to a date only. Elsewhere in a text, 15:05 may be the length of a film.
"""

from __future__ import annotations

import re
from datetime import UTC, time, timedelta, timezone
from functools import cached_property, lru_cache
from typing import NamedTuple

from posterity.text.dates.vocabulary import (
    NO_LETTER_BEHIND,
    PUNCTUATION,
    ZONE_HOURS,
    HalfDay,
    alternatives,
    vocabulary_of,
)

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
        for pattern in self._behind:
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
    def _behind(self) -> tuple[re.Pattern[str], ...]:
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
