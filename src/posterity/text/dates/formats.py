"""Formats of dates, of times of day beside them, and of relative dates.

Dates are numeric (12.03.2021, 3/12/21), ISO 8601, with named months, or with labels (2021年3月12日). If the order of
day and month is ambiguous, both readings are returned, unless the caller knows the order.

A time of day (15:05, 3:05 pm, 15h05, 15時05分, with its zone) is searched for only beside a date: elsewhere in a text,
15:05 may be the length of a video. Relative dates (3 days ago, vor 2 Stunden, 3日前, yesterday at 15:05) use the
phrases of CLDR: Babel formats them for numbers of every plural form, and the number becomes a group of the pattern.
"2 months ago" has a low precision.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, timezone
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from babel import Locale
from babel.dates import format_timedelta

from posterity.lexicon import language_habits
from posterity.model.post import Precision
from posterity.text.dates.vocabulary import (
    NO_LETTER_BEFORE,
    NO_LETTER_BEHIND,
    PUNCTUATION,
    ZONE_HOURS,
    HalfDay,
    Vocabulary,
    alternatives,
    distinct_parts,
    locale_of,
    vocabulary_of,
)
from posterity.text.normal_form import PlainText, plain, without_accents

DayOrder: TypeAlias = Literal["dmy", "mdy"]
Order: TypeAlias = Literal["iso", "ymd", "dmy", "mdy", "text", "relative"]

EARLIEST_YEAR = 1900  # for old diaries and newspapers published on the web
FIRST_YEAR = 1990  # no blog is older than the web; earlier years are read only with `since_year`
LAST_YEAR = 2099
LAST_SHORT_YEAR = 49  # '49 is 2049 and '90 is 1990; '50 to '89 are not dates of blogs


class FoundDate(msgspec.Struct, frozen=True):
    """A date in a text.

    `moment` is naive if the text has no time zone, and midnight with precision "day". `order` is how day and month were
    distinguished; if `ambiguous`, they could be swapped. `start` and `end` span date, time of day and zone. `language`
    is that of the recognised word, None for a numeric date.
    """

    moment: datetime
    precision: Precision
    order: Order
    ambiguous: bool
    start: int
    end: int
    language: str | None = None


class DayHit(NamedTuple):
    """A day found in a plain text, before the search for a time of day.

    There are two `(order, day)` if the order of day and month is ambiguous. A time of day inside the date, as in
    "Mar 12 10:15:00 2021", begins at `clock_at`.
    """

    start: int
    end: int
    days: tuple[tuple[Order, date], ...]
    ambiguous: bool = False
    language: str | None = None
    clock_at: int | None = None


def usable_moment(moment: datetime | None) -> datetime | None:
    """Return the moment, or None for the first and last years, which cannot be converted to other time zones.

    Generators write year 1 for undated pages.
    """
    return moment if moment is not None and MINYEAR < moment.year < MAXYEAR else None


def full_year(digits: str) -> int | None:
    """Return the year of two or four digits, or None for one that a blog post cannot have."""
    year = int(digits)
    if len(digits) == 2:
        if LAST_SHORT_YEAR < year < FIRST_YEAR % 100:
            return None
        year += 2000 if year <= LAST_SHORT_YEAR else 1900
    return year if EARLIEST_YEAR <= year <= LAST_YEAR else None


# The epochs of clocks, which software writes for "no date"; 31 December 1969 is the Unix epoch west of Greenwich.
CLOCKS_BEGIN = frozenset({date(1900, 1, 1), date(1904, 1, 1), date(1969, 12, 31), date(1970, 1, 1), date(1980, 1, 1)})


def possible_day(year: int | None, month: int, day: int) -> date | None:
    """Return the day, or None for an impossible one, such as 31 February, or an epoch."""
    if year is None:
        return None
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return None if found in CLOCKS_BEGIN else found


_TRIPLE = re.compile(r"(?<![\d$€£¥+#_])(?<!\bv)(\d{1,4})(\s?([./-])\s?)(\d{1,2})\2(\d{4}|\d{1,2})(?!\d)")
_BASIC = re.compile(r"(?<![\d.])(\d{4})(\d\d)(\d\d)(?=t\d{4}(?:\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d|\b))")
_BASIC_ALONE = re.compile(r"\s*(\d{4})(\d\d)(\d\d)\s*")


def days_in_digits(text: str, words: Vocabulary, order: DayOrder | None) -> Iterator[DayHit]:
    """Find the days written only in digits."""
    alone = _BASIC_ALONE.fullmatch(text)
    for match in (alone,) if alone else _BASIC.finditer(text):
        day = possible_day(full_year(match[1]), int(match[2]), int(match[3]))
        if day:
            yield DayHit(match.start(1), match.end(3), (("iso", day),))
    for match in _TRIPLE.finditer(text):
        days = _readings(match, words, order)
        if days and not _goes_on(text, match):
            small = max(int(match[1]), int(match[4])) <= 12 and match[1].lstrip("0") != match[4].lstrip("0")
            yield DayHit(match.start(), match.end(), days, ambiguous=small and days[0][0] in ("dmy", "mdy"))


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether the three numbers are part of something longer: an IP address, a version, a telephone number."""
    start, end, feature = match.start(), match.end(), match[3]
    if len(match[5]) == 4 and text[end : end + 1] == ":":  # a short year and a time of day: 28.09.1912:05
        return True
    if text[start - 1 : start] == feature and text[start - 2 : start - 1].isdigit():
        return True
    if len(match[1]) == 4 and feature != ".":
        # In a path, /2021/03/12/10-things has a day and /2021/03/1-thing has none.
        return len(match[5]) == 1 and text[end : end + 1] == "-"
    return text[end : end + 1] == feature and text[end + 1 : end + 2].isdigit()


def _readings(match: re.Match[str], words: Vocabulary, order: DayOrder | None) -> tuple[tuple[Order, date], ...]:
    first, joint, feature, second, third = match.groups()
    if len(first) == 4 and len(third) < 3:
        strict = feature == "-" and len(joint) == 1 and len(second) == len(third) == 2
        return _one("iso" if strict else "ymd", possible_day(full_year(first), int(second), int(third)))
    if words.short_year_first and len(first) == 2 and len(third) < 3:
        return _one("ymd", possible_day(full_year(first), int(second), int(third)))
    if len(first) > 2 or len(third) == 1:
        return ()
    # 1.2.10 is a version; 01.02.10 and 1/2/10 are dates.
    is_short_date = joint == "/" or (len(joint) == 1 and len(first) == len(second) == 2)
    if len(third) == 2 and not (words.bare_short_dates or is_short_date):
        return ()
    # Dates with the month first hardly ever have dots.
    likely: DayOrder = order or ("dmy" if words.day_first or feature == "." else "mdy")
    days = _day_and_month(_year(third, is_buddhist=words.buddhist_years), int(first), int(second), likely)
    return days[:1] if order is not None or int(first) == int(second) else days


def _day_and_month(year: int | None, first: int, second: int, likely: DayOrder) -> tuple[tuple[Order, date], ...]:
    """The possible readings of two numbers, the likely order first."""
    orders: dict[DayOrder, date | None] = {
        "dmy": possible_day(year, second, first),
        "mdy": possible_day(year, first, second),
    }
    likely_first: tuple[DayOrder, ...] = ("dmy", "mdy") if likely == "dmy" else ("mdy", "dmy")
    return tuple((name, day) for name in likely_first if (day := orders[name]) is not None)


def _one(order: Order, day: date | None) -> tuple[tuple[Order, date], ...]:
    return ((order, day),) if day else ()


_BUDDHIST_ERA = 543  # a Thai year is 543 ahead of the Gregorian one
_EARLIEST_BUDDHIST_YEAR = EARLIEST_YEAR + _BUDDHIST_ERA


def _year(digits: str, *, is_buddhist: bool) -> int | None:
    """The year of two or four digits; Thai years are Buddhist, including short ones: 64 is 2564, but 99 is 1999."""
    year = int(digits)
    if is_buddhist and len(digits) == 2 and FIRST_YEAR + _BUDDHIST_ERA - 2500 <= year < FIRST_YEAR % 100:
        year += 2500
    return (
        full_year(str(year - _BUDDHIST_ERA)) if is_buddhist and year >= _EARLIEST_BUDDHIST_YEAR else full_year(digits)
    )


_ORDINAL = r"st|nd|rd|th|er|re|ère|ème|eme|º|ª|°|o|a|:?[ea]|-?(?:го|ого|ое|е|й|ый|є)"
_FULL_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_THAI_YEAR = r"(?P<year>(?:19|20)\d\d|2[56]\d\d)(?!\d)"
# Two digits after an apostrophe are a year. After the month (12-Mar-21) so are two after a hyphen or slash, at the end,
# or before a time of day; elsewhere they may count comments, and in "March 12-15" they are another day.
_SHORT = r"(?P<short>\d\d)(?![\w:.])"
_SHORT_YEAR = rf"(?<='){_SHORT}"
_SHORT_YEAR_LAST = rf"(?:(?<=['/-])|(?=\d\d\s*(?:\Z|,?\s\d{{1,2}}:\d\d))){_SHORT}"
_NOT_IN_A_NUMBER = r"(?!(?<=\d)\d)"
_CLOCK_INSIDE = r"(?P<clock>\d{1,2}:\d\d(?::\d\d)?)(?:\s(?:[a-z]{3,4}|[+-]\d{4}))?"


def days_with_named_month(text: str, languages: tuple[str, ...]) -> Iterator[DayHit]:
    """Find the days with the name of a month in one of the languages."""
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
    year = _year(parts["year"] or parts["short"], is_buddhist=named.language.startswith("th"))
    day = possible_day(year, named.month, int(parts["day"]))
    if day is None:
        return None
    clock_at = match.start("clock") if parts.get("clock") else None
    return DayHit(match.start(), match.end(), (("text", day),), language=named.language, clock_at=clock_at)


@lru_cache(maxsize=64)
def _parts_of_months(languages: tuple[str, ...]) -> tuple[str, ...]:
    """Strings of which every name of a month contains one; only first words, because white space may vary."""
    return distinct_parts(name.split()[0] for name in vocabulary_of(languages).months)


@lru_cache(maxsize=64)
def _month_patterns(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The orders in which the languages write a date with a named month."""
    words = vocabulary_of(languages)
    # A digit in a name, as in Vietnamese "tháng 1", must be the whole number.
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
        rf"(?<!\d){full_year_only}{no_short}{joint}{month}{joint}{day}{NO_LETTER_BEHIND}(?!{joint}(?:19|20)\d\d(?!\d))",
    ]
    if words.year_then_day:
        shapes.append(rf"(?<!\d){full_year_only}{no_short}{joint}{day}{joint}{month}")
    return tuple(re.compile(shape) for shape in shapes)


NUMERALS = "〇零一二三四五六七八九十廿卅"
_MONTH = rf"(?P<month>\d{{1,2}}|[{NUMERALS}]{{1,2}})\s?[月월]"
_DAY = rf"(?P<day>\d{{1,2}}|[{NUMERALS}]{{1,3}})(?:\s?[日일号號]|(?!\d))"
_SHAPES = (
    # Not the year of an era: "昭和20年" is 1945.
    re.compile(rf"(?<![\d和成國国])(?P<year>\d{{4}}|\d\d|[{NUMERALS}]{{4}})\s?[年년]\s?{_MONTH}\s?{_DAY}"),
    # WordPress with an untranslated date format: "12 3月, 2021".
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})\s{_MONTH},?\s?(?P<year>\d{{4}})(?!\d|\s?[年년])"),
    re.compile(rf"(?<!\d){_MONTH}\s?{_DAY},?\s?(?P<year>\d{{4}})(?!\d|\s?[年년])"),
)
_DIGIT = {char: str(value) for value, char in enumerate("〇一二三四五六七八九")} | {"零": "0"}
_TENS = {"十": "1", "廿": "2", "卅": "3"}


def labelled_days(text: str) -> Iterator[DayHit]:
    """Find the days in which at least the month is labelled with its unit."""
    if "月" not in text and "월" not in text:
        return
    for match in chain.from_iterable(shape.finditer(text) for shape in _SHAPES):
        year, month, day_of_month = (digits_of(match[part]) for part in ("year", "month", "day"))
        day = possible_day(full_year(year), int(month), int(day_of_month))
        if day:
            yield DayHit(match.start(), match.end(), (("text", day),))


def digits_of(numeral: str) -> str:
    """Return a numeral in digits: "二〇二一" as 2021, "十二" as 12, "二十" as 20."""
    if numeral.isdecimal():
        return numeral
    units = _DIGIT.get(numeral[-1], "0")
    for position, char in enumerate(numeral):
        if char in _TENS:
            tens = _DIGIT[numeral[0]] if position else _TENS[char]
            return tens + units
    return "".join(_DIGIT[char] for char in numeral)


_WINDOW = 48  # characters before a date within which its time of day may begin
_REACH = 160  # characters after a date within which it must begin
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
    """A time of day, with its zone if it has one, and its position."""

    at: time
    start: int
    end: int


class ClockPatterns:
    """Patterns for a time of day after, before and inside a date, each compiled when a digit is found there."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._words = vocabulary_of(languages)
        self._halves: dict[str, HalfDay] = {"am": "am", "pm": "pm", **self._words.halves}

    def after(self, text: str, end: int) -> ClockHit | None:
        """Return the time of day after a date that ends at `end`, or None."""
        if not _FIGURE.search(text, end, end + _REACH):
            return None
        for pattern in self._patterns_behind:
            match = pattern.match(text, end)
            if match:
                return self._hit(match)
        return None

    def ahead_of(self, text: str, start: int, not_before: int) -> ClockHit | None:
        """Return the time of day before a date that starts at `start`, or None."""
        begin = max(not_before, start - _WINDOW)
        match = self._before.search(text, begin, start) if _FIGURE.search(text, begin, start) else None
        return self._hit(match) if match else None

    def inside(self, text: str, start: int) -> ClockHit | None:
        """Return the time of day that begins exactly at `start`, or None."""
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
        spelled = (r"\.?\s?".join(map(re.escape, name)) if len(name) < 4 else re.escape(name) for name in self._halves)
        half = "(?:" + "|".join(sorted(spelled, key=len, reverse=True)) + r")\.?"
        dot = r"|\.(?P<minute_dot>[0-5]\d)(?![\d.]|,\d)" if dotted else r"|(?P<minute_dot>(?!))"
        return (
            rf"(?:(?P<early>{half})\s?)?(?P<hour>\d{{1,2}})"
            r"(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?!\d)(?:\s?(?:uhr|hrs?|h|ч)\b\.?)?"
            r"|(?:\s?h\s?(?=\d\d)|h\b|\s?(?:[時时点點시]|uhr\b))\s?"
            r"(?:(?P<minute_unit>\d{1,2})(?!\d)\s?(?:[分분]|min\b|m\b)?(?:\s?(?P<second_unit>\d{1,2})\s?[秒초])?)?"
            rf"{dot}|(?(early)(?!\d)|(?=\s?{half}{NO_LETTER_BEHIND})))"
            rf"(?:\s?(?P<late>{half}){NO_LETTER_BEHIND})?{_ZONE}?"
        )

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


# Cached, because the patterns of a few languages are used for every page.
clock_patterns = lru_cache(maxsize=64)(ClockPatterns)


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
_COARSE: Final = ("year", "month", "week")  # less precise than a day
_FINE: Final = ("day", "hour", "minute", "second")
# Months and years have the lengths that Babel assumes; dates are computed by the calendar.
_STEP: dict[_Unit, timedelta] = {
    "year": timedelta(days=365),
    "month": timedelta(days=30),
    "week": timedelta(weeks=1),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}
_COUNTS = (1, 2, 3, 5, 11, 21, 22, 100)  # together they have every plural form of every language in CLDR
_NUMBER = re.compile(r"\d+")
_GROUP = re.compile(r"\(\?<!\\d\)(?:\(\?:[^)]*\)|\\d\{1,4\})|\\s\*?")  # the number and spaces in a phrase's pattern
_LITERAL_WORD = re.compile(r"[^\W\d_]+")
_NO_THRESHOLD = 10**9  # a threshold at which Babel never switches to the next unit


class _Phrase(NamedTuple):
    """The meaning of a phrase: `times` units ago; `times` is None if the number is in the text."""

    unit: _Unit
    times: int | None
    language: str


class _RelativePatterns(NamedTuple):
    """One pattern for all phrases, with a named group for each phrase."""

    parts: tuple[str, ...]
    pattern: re.Pattern[str]
    phrases: dict[str, _Phrase]


def relative_dates(
    simple: PlainText, languages: tuple[str, ...], now: datetime, *, coarse: bool
) -> Iterator[FoundDate]:
    """Find the relative dates, in the zone of `now`; those in weeks, months or years only if `coarse`."""
    for units in (_FINE, _COARSE) if coarse else (_FINE,):
        known = _relative_patterns(vocabulary_of(languages).tags, units)
        if not any(part in simple.text for part in known.parts):
            continue
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
    except (OverflowError, ValueError):  # before year 1
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
        clock, clocks = None, clock_patterns(languages)
        if phrase.unit == "day":
            clock = clocks.after(simple.text, end) or clocks.ahead_of(simple.text, start, 0)
        at = clock.at if clock else time()
        moment = datetime.combine(moment.date(), at, tzinfo=at.tzinfo or moment.tzinfo)
        if clock is None:
            precision = "day"
        else:
            start, end = min(start, clock.start), max(end, clock.end)
    start, end = simple.span(start, end)
    moment = moment.replace(second=0, microsecond=0)
    return FoundDate(moment, precision, "relative", ambiguous=False, start=start, end=end, language=phrase.language)


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
    """Words of which every phrase contains one, such as "ago" in "3 days ago" and "2 hours ago"."""
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
    """CLDR's phrase, or an empty string if there is none or only a narrow "-3 h"."""
    gap = -count * _STEP[unit]
    try:
        ago, bare = (
            format_timedelta(
                gap, granularity=unit, threshold=_NO_THRESHOLD, format=length, add_direction=directed, locale=locale
            )
            for directed in (True, False)
        )
    except KeyError:
        return ""  # Babel raises it if the locale has no words for a unit, such as Persian seconds
    return "" if _letters(ago) == _letters(bare) or plain(ago).startswith("-") else ago


def _letters(text: str) -> str:
    return "".join(_LITERAL_WORD.findall(text))
