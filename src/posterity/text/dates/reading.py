"""Finds all dates in a text, in many formats and languages.

Days are found first, by the patterns of each format; then the time of day beside each day is parsed. Nothing is
guessed: a date without a year, or one that does not exist, is ignored. Days of other calendars (Hebrew, Hijri, Persian,
Buddhist, Japanese eras) are converted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

import msgspec

from posterity.text.dates.formats import (
    CLOCKS_BEGIN,
    EARLIEST_YEAR,
    FIRST_YEAR,
    NUMERALS,
    ClockHit,
    DayHit,
    DayOrder,
    FoundDate,
    clock_patterns,
    days_in_digits,
    days_with_named_month,
    digits_of,
    full_year,
    labelled_days,
    possible_day,
    relative_dates,
)
from posterity.text.dates.vocabulary import language_words, vocabulary_of
from posterity.text.normal_form import plain, plain_text

# The minimum for a date with a year: a full year, or the two digits of a short one.
_YEAR = re.compile(
    r"(?:19|20)\d\d|'\d\d|\d\s?[./-]\s?\d\d?\s?[./-]\s?\d|[^\W\d_]\.?[-/ ]\d\d|2[56]\d\d|\d\s?[年년]"
    "|[〇零一二三四五六七八九元]年|[\u0620-\u06ff]\\W{1,3}1[34]\\d\\d|1[34]\\d\\d[/-]|[/-]1[34]\\d\\d|ת[ק-ת]?[א-צ]?[\"'\u05f3\u05f4][א-ת]"
)
_MIDNIGHT = time()
_REMEMBERED_CHARS = 200
# Limited to the years and zones that other formats allow.
_ISO = re.compile(
    r"((?:19|20)\d\d-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.\d+)?"
    r"(Z|[+-](?:0\d|1[0-3]):?[0-5]\d)?)?",
    re.ASCII,
)


def iso_date(text: str) -> FoundDate | None:
    """Return the date to the second, or None if the text is not a date or contains anything else."""
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    day, clock, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{zone or ''}" if clock else day)
    except ValueError:  # the 31st of a short month
        return None
    if moment.date() in CLOCKS_BEGIN:
        return None
    return FoundDate(moment, "minute" if clock else "day", "iso", ambiguous=False, start=0, end=len(text))


def read_dates(
    text: str,
    *,
    languages: Sequence[str] = ("en",),
    order: DayOrder | None = None,
    now: datetime | None = None,
    coarse: bool = False,
    since_year: int = FIRST_YEAR,
) -> tuple[FoundDate, ...]:
    """Return every date in the text from `since_year` on, in the order of the text.

    `languages` are BCP 47 tags, tried in this order and then English; unknown tags are ignored. Without `order`, a
    date such as 03/04/2021 is returned once for each reading, the usual one in the first language first. Relative
    dates ("3 days ago") are read only if `now` is given. Those in weeks, months or years, which are less precise than
    a day, are read only with `coarse`.
    """
    if exact := iso_date(text):
        return (exact,) if exact.moment.year >= since_year else ()
    tags = tuple(languages)
    absolute = _remembered if len(text) <= _REMEMBERED_CHARS else _absolute
    found = [date for date in absolute(text, tags, order) if date.moment.year >= since_year]
    if now is not None:
        simple = plain_text(text)
        taken = [(date.start, date.end) for date in found]
        found += [
            date
            for date in relative_dates(simple, tags, now, coarse=coarse)
            if not any(date.start < end and start < date.end for start, end in taken)
        ]
        found.sort(key=lambda date: date.start)
    return tuple(found)


def _absolute(original: str, languages: tuple[str, ...], order: DayOrder | None) -> list[FoundDate]:
    simple = plain_text(original)
    if not _YEAR.search(simple.text):
        return []
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
        start, end = (min(hit.start, clock.start), max(hit.end, clock.end)) if clock else (hit.start, hit.end)
        found += _dates_of_hit(hit, clock, *simple.span(start, end))
        free_from = end
    return found


# Cached, because the dates in sidebars and footers are on every page of a blog.
_remembered = lru_cache(maxsize=4096)(_absolute)


def forget_texts() -> None:
    """Clear the cache of texts, for benchmarks."""
    _remembered.cache_clear()


def _day_hits(text: str, languages: tuple[str, ...], order: DayOrder | None) -> Iterable[DayHit]:
    yield from days_in_digits(text, vocabulary_of(languages), order)
    yield from labelled_days(text)
    yield from days_with_named_month(text, languages)
    if not text.isascii() or any(language.startswith("fa") for language in languages):
        yield from days_of_other_calendars(text, languages)


def _apart(hits: Iterable[DayHit]) -> list[DayHit]:
    """The hits in order, without those that overlap an earlier or longer one."""
    apart: list[DayHit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not apart or hit.start >= apart[-1].end:
            apart.append(hit)
    return apart


def _dates_of_hit(hit: DayHit, clock: ClockHit | None, start: int, end: int) -> list[FoundDate]:
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


# A year and a number near it; the text must be as short as the line below a title.
_DAY = re.compile(r"\d\D{1,20}(?:19|20)\d\d(?!\d)|(?:19|20)\d\d\D{1,12}\d|\d{1,2}[./-]\d{1,2}[./-]\d\d")
_DATE_LINE = 100


def is_date_line(text: str) -> bool:
    """Return whether the text is a date and little else: "Posted on 12 March 2021 by Ada"."""
    return len(text) <= _DATE_LINE and _DAY.search(text) is not None


class DateReading(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to read a blog's dates, stored with its rules; `order` is None while it is unknown."""

    languages: tuple[str, ...] = ("en",)
    order: DayOrder | None = None

    def dates(self, text: str, now: datetime | None = None) -> tuple[FoundDate, ...]:
        """Return every date in the text."""
        return read_dates(text, languages=self.languages, order=self.order, now=now)


_FARTHEST_ZONE = timedelta(hours=14)
_ZONE_STEP = timedelta(minutes=15)  # all zones in use are whole quarters of an hour from UTC
_MINUTE = timedelta(minutes=1)
# Non-ASCII digits (full-width, Arabic), and Chinese dates.
_OTHER_FIGURE = re.compile(r"[^\D0-9]|年")
_ASCII_FIGURE = re.compile(r"[0-9]+")
_LONGEST_YEAR = 4
_THAI_YEARS_AHEAD = 543
NO_FIT = 9


def mentions(
    text: str,
    when: datetime,
    *,
    languages: Sequence[str] = ("en",),
    now: datetime | None = None,
    tolerance_days: int = 1,
) -> FoundDate | None:
    """Return the date in the text that best fits `when`, or None.

    The same moment fits best; then the same minute at another offset, preferably on the same day; then the same day;
    then a day at most `tolerance_days` away.
    """
    if now is None and not (may_mention(text, when, tolerance_days) and _may_have_day(text, when, tolerance_days)):
        return None
    found = read_dates(text, languages=languages, now=now, since_year=EARLIEST_YEAR)
    best = min(found, key=lambda date: misfit(date, when, tolerance_days), default=None)
    return best if best is not None and misfit(best, when, tolerance_days) < NO_FIT else None


def misfit(date: FoundDate, when: datetime, tolerance_days: int = 1) -> int:
    """Return how badly a reading fits: 0 for the same moment, 9 for none at all."""
    local = date.moment.replace(tzinfo=None)
    wanted = when.replace(tzinfo=None)
    days = abs((local.date() - wanted.date()).days)
    if date.precision == "minute":
        if date.moment.tzinfo and when.tzinfo and abs(date.moment - when) < _MINUTE:
            return 0
        if _same_at_some_offset(local, wanted):
            return 1 if days == 0 else 2
    if days == 0:
        return 3 if date.precision == "day" else 4
    return 5 + min(days, 3) if days <= tolerance_days else NO_FIT


def _same_at_some_offset(local: datetime, wanted: datetime) -> bool:
    gap = abs(local.replace(second=0, microsecond=0) - wanted.replace(second=0, microsecond=0))
    return gap <= _FARTHEST_ZONE and gap % _ZONE_STEP == timedelta()


def may_mention(text: str, when: datetime, tolerance_days: int = 1) -> bool:
    """Return whether the text may contain the date: it has the year's last two digits, or non-ASCII digits.

    Relative dates ("yesterday") have neither.
    """
    for ending in _digits(when, tolerance_days).year_endings:
        if ending in text:
            return True
    return _has_other_digits(text)


def _may_have_day(text: str, when: datetime, tolerance_days: int) -> bool:
    """Whether a number in the text is the day of the month or a near one, or is long enough to contain it."""
    days = _digits(when, tolerance_days).days
    return any(
        figure in days or len(figure) > _LONGEST_YEAR for figure in _ASCII_FIGURE.findall(text)
    ) or _has_other_digits(text)


def _has_other_digits(text: str) -> bool:
    return not text.isascii() and _OTHER_FIGURE.search(text) is not None


class _Digits(NamedTuple):
    """The digits of the years and days around a date."""

    year_endings: frozenset[str]
    days: frozenset[str]


@lru_cache(maxsize=64)  # a page is searched for one date
def _digits(when: datetime, tolerance_days: int) -> _Digits:
    # In another time zone it may be the day before or after.
    farthest = max(1, tolerance_days)
    near = [when + timedelta(days=days) for days in range(-farthest, farthest + 1)]
    years = [day.year + ahead for day in near for ahead in (0, _THAI_YEARS_AHEAD)]
    days = [figure for day in near for figure in (str(day.day), f"{day.day:02}")]
    return _Digits(frozenset(f"{year % 100:02}" for year in years), frozenset(days))


_AGREEMENT = 0.9  # a feed entry may carry the date of an edit and fit the wrong reading by chance


def day_order_of(evidence: Iterable[tuple[str, datetime]], languages: Sequence[str]) -> DayOrder | None:
    """Return the order of day and month in the examples, or None if they are ambiguous or contradictory.

    An example is a text from a page and the moment in the feed: 03/03/2021 decides nothing, 25/03/2021 decides.
    """
    orders: Counter[DayOrder] = Counter()
    for text, when in evidence:
        orders.update(_orders_in(text, when, languages))
    if not orders:
        return None
    (order, count), *_ = orders.most_common(1)
    return order if count >= _AGREEMENT * orders.total() else None


def _orders_in(text: str, when: datetime, languages: Sequence[str]) -> set[DayOrder]:
    orders: set[DayOrder] = set()
    for read in read_dates(text, languages=languages):
        if read.order in ("dmy", "mdy") and read.moment.day != read.moment.month and misfit(read, when) < NO_FIT:
            orders.add(read.order)
    return orders if len(orders) == 1 else set()


_COMMON = ("en", "de", "fr", "es", "it", "pt", "nl", "ru")
# Other languages of many blogs. If two share the name of different months, the one with more blogs comes first.
_OTHERS = ("pl", "cs", "hu", "sv", "da", "nb", "fi", "tr", "el", "ro", "uk", "ca", "ar", "he")
_NAMED_MONTH = re.compile(r"\d\W{0,3}[^\W\d_]{3,}\W{1,4}(?:19|20)\d\d|(?:19|20)\d\d\W{1,3}[^\W\d_]{3,}\W{1,3}\d")
# A text without any of these contains no day with its year. The search for a digit rules out texts much faster.
_DIGIT = re.compile(r"\d")
_YEAR_OF_A_DAY = re.compile(
    r"(?:19|20|25)\d\d|\d\d?[./-]\d\d?[./-]\d\d|年|년|\d\d? [A-Za-z]{3,9}\.? '?\d\d\b|[\u0620-\u06ff]\W{1,3}\d{4}"
    "|\\d ?[\u0e01-\u0e4e.]{4,12} ?\\d\\d|1[34]\\d\\d[/-]|ת[ק-ת]?[א-צ]?[\"'\u05f3\u05f4][א-ת]"
)
_NO_DIGITS = re.compile("[〇零一二三四五六七八九元]年|ת[ק-ת]?[א-צ]?[\"'\u05f3\u05f4][א-ת]")
SHORTEST = 6  # characters of a day: 1.5.21


def may_date(text: str) -> bool:
    """Return whether a text may contain a day with its year; a quick check."""
    if len(text) < SHORTEST or (_DIGIT.search(text) is None and (text.isascii() or _NO_DIGITS.search(text) is None)):
        return False
    return _YEAR_OF_A_DAY.search(text) is not None


@lru_cache(maxsize=4096)  # sidebars and footers are the same on every page of a blog
def dates_in(text: str, language: str, since_year: int = FIRST_YEAR) -> tuple[FoundDate, ...]:
    """Return the dates in a text, read in this language; if it is empty or finds none, in common languages."""
    own = read_dates(text, languages=(language,), since_year=since_year) if language else ()
    found = own or read_dates(text, languages=_COMMON, since_year=since_year)
    others = not found and _NAMED_MONTH.search(text)
    return read_dates(text, languages=_OTHERS, since_year=since_year) if others else found


def start_of_day(text: str, date: FoundDate) -> int:
    """Return the start of a date in the text, including the weekday before it."""
    before = text[: date.start].rstrip(" ,")
    word = re.search(r"[^\W\d_]+\.?$", before)
    name = plain(word[0]).rstrip(".") if word else ""
    # "agosto 29" is read as Spanish, also behind "domenica".
    known = filter(None, map(language_words, (date.language or "en", *_COMMON)))
    is_weekday = name and any(name in words.weekdays for words in known)
    return word.start() if word and is_weekday else date.start


def has_one_reading(found: FoundDate) -> bool:
    """Return whether a numeric date has only one reading: 25/03/2021."""
    return found.order in ("dmy", "mdy") and not found.ambiguous and found.moment.day != found.moment.month


_PERSIAN_MONTHS = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split()
_ISLAMIC_MONTHS = (
    "محرم", "صفر", "ربيع ال[اأ]ول", "ربيع ال(?:[آا]خر|ثاني)", "جماد[ىي] ال[اأ]ول[ىي]",
    "جماد[ىي] ال(?:[آا]خر[ةه]|ثاني[ةه])",
    "رجب", "شعبان", "رمضان", "شوال", "ذ[وي] ?القعد[ةه]", "ذ[وي] ?الحج[ةه]",
)  # fmt: skip
_ARABIC_LETTER = re.compile("[\u0620-\u06ff]")


def _pattern(months: list[str]) -> re.Pattern[str]:
    # Arabic and Persian keyboards have their own yeh and kaf.
    names = "|".join(f"({name})" for name in months).replace("ی", "[یي]").replace("ک", "[کك]")
    return re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})\s+(?:{names})\s*[،,]?\s+(?P<year>1[34]\d\d)(?!\d)")


_PERSIAN = _pattern(_PERSIAN_MONTHS)
_ISLAMIC = _pattern(list(_ISLAMIC_MONTHS))
# A numeric date is in these calendars if the page is Persian or the date names the Islamic era.
_FIGURES = re.compile(
    r"(?<![\d/-])(?:(?P<year>1[34]\d\d)(?P<mark>[/-])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)"
    r"|(?P<day2>\d\d?)(?P<mark2>[/-])(?P<month2>\d\d?)(?P=mark2)(?P<year2>1[34]\d\d))(?![\d/-])(?P<era>\s?هـ?(?!\w))?"
)
# The Gregorian year before each era's first year.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}
_NUMBER = rf"\d{{1,3}}|[{NUMERALS}]{{1,3}}"
_ERA_DAY = re.compile(
    rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<year>{_NUMBER}|元)\s?年\s?(?P<month>{_NUMBER})\s?月\s?(?P<day>{_NUMBER})\s?日"
)


def days_of_other_calendars(text: str, languages: Sequence[str]) -> Iterator[DayHit]:
    """Find the dates in other calendars."""
    if "年" in text:
        for match in _ERA_DAY.finditer(text):
            year = _ERAS[match["era"]] + (1 if match["year"] == "元" else int(digits_of(match["year"])))
            month, day = int(digits_of(match["month"])), int(digits_of(match["day"]))
            yield from _hit(match, possible_day(full_year(f"{year:04}"), month, day), None)
    if _HEBREW_LETTER.search(text):
        for match in _HEBREW.finditer(text):
            yield from _hit(match, _hebrew_day(match), "he")
    is_persian = any(language.startswith("fa") for language in languages)
    if is_persian or "ه" in text:
        yield from _days_in_digits(text, is_persian=is_persian)
    if _ARABIC_LETTER.search(text):
        for match in _PERSIAN.finditer(text):
            yield from _hit(match, _persian_day(int(match["year"]), _month(match), int(match["day"])), "fa")
        for match in _ISLAMIC.finditer(text):
            yield from _hit(match, _islamic_day(int(match["year"]), _month(match), int(match["day"])), "ar")


def _days_in_digits(text: str, *, is_persian: bool) -> Iterator[DayHit]:
    for match in _FIGURES.finditer(text):
        year, month, day = (int(match[part] or match[f"{part}2"]) for part in ("year", "month", "day"))
        if 1 <= month <= 12 and (match["era"] or is_persian):
            found = _islamic_day(year, month, day) if match["era"] else _persian_day(year, month, day)
            yield from _hit(match, found, "ar" if match["era"] else "fa")


def _hit(match: re.Match[str], day: date | None, language: str | None) -> Iterator[DayHit]:
    if day is not None and full_year(f"{day.year:04}"):
        yield DayHit(match.start(), match.end(), (("text", day),), language=language)


def _month(match: re.Match[str]) -> int:
    """The number of the month, by the group that matched: day, twelve months, year."""
    return next(number for number, name in enumerate(match.groups()[1:13], 1) if name)


_NEW_YEAR_1400 = date(2021, 3, 21)


def _persian_day(year: int, month: int, day: int) -> date | None:
    """The date by the 33-year cycle, which agrees with the official calendar from 1244 to 1472."""
    length = 31 if month <= 6 else 30 if month <= 11 or _is_persian_leap(year) else 29
    if not 1 <= day <= length or not 1244 <= year <= 1472:
        return None
    first, last = sorted((year, 1400))
    days = sum(365 + _is_persian_leap(between) for between in range(first, last))
    new_year = _NEW_YEAR_1400 + timedelta(days=days if year > first else -days)
    return new_year + timedelta(days=31 * min(month - 1, 6) + 30 * max(month - 7, 0) + day - 1)


def _is_persian_leap(year: int) -> bool:
    return (25 * year + 11) % 33 < 8  # eight leap years in 33


_JULIAN_DAY_OF_YEAR_0 = 1_721_425
_LAST_ISLAMIC_DAY = 30


def _islamic_day(year: int, month: int, day: int) -> date | None:
    """The date in the civil (tabular) calendar."""
    if not 1 <= day <= _LAST_ISLAMIC_DAY:
        return None
    julian_day = (11 * year + 3) // 30 + 354 * year + 30 * month - (month - 1) // 2 + day + 1_948_440 - 385
    return date.fromordinal(julian_day - _JULIAN_DAY_OF_YEAR_0)


# Patterns of the months from Nisan; in a leap year there are two months of Adar.
_HEBREW_MONTHS = (
    "ניסן", "אי?יר", "סיוו?ן", "תמוז", "(?:מנחם )?אב", "אלול", "תשרי", "(?:מר)?חשוו?ן", "כסלי?ו", "טבת", "שבט",
    "אדר(?P<first_adar> ?א['\u05f3]?)?(?![א-ת])", "אדר ?ב['\u05f3]?(?![א-ת])",
)  # fmt: skip
_HEBREW_LETTER = re.compile("[א-ת]")
_QUOTES = "['\"\u05f3\u05f4]"
_HEBREW = re.compile(
    rf"(?<![א-ת])(?P<day>[א-ל]{_QUOTES}?[א-ט]?|ט{_QUOTES}?[וז]){_QUOTES}?\s+ב?-?"
    rf"(?:{'|'.join(f'({name})' for name in reversed(_HEBREW_MONTHS))})[,\s]+"
    rf"(?:ה{_QUOTES})?(?P<year>ת[ק-ת]?[א-צ]?{_QUOTES}?[א-ת])(?![א-ת])"
)
_LETTERS = "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"
_VALUES = (*range(1, 10), *range(10, 100, 10), 100, 200, 300, 400, 20, 40, 50, 80, 90)
_VALUE_OF_LETTER = dict(zip(_LETTERS, _VALUES, strict=True))
_HEBREW_EPOCH = -1_373_427  # the ordinal of the day before year 1
_PARTS_OF_DAY = 25_920
_MONTHS_OF_CYCLE = 235  # in 19 years


def _hebrew_day(match: re.Match[str]) -> date | None:
    """The date in the fixed Hebrew calendar; years are written without the thousands."""
    months = [name for number, name in enumerate(match.groups()[1:15]) if number != 2]
    day = sum(_VALUE_OF_LETTER.get(letter, 0) for letter in match["day"])
    year = 5000 + sum(_VALUE_OF_LETTER.get(letter, 0) for letter in match["year"])
    month = 13 - next(number for number, name in enumerate(months) if name)
    lengths = _hebrew_months(year)
    if month == 12 and not match["first_adar"]:
        month = len(lengths)  # in a leap year, plain "Adar" is the second
    if month > len(lengths) or not 1 <= day <= lengths[month - 1]:
        return None
    # The year begins with Tishri, the seventh month.
    before = sum(lengths[6 : month - 1]) if month >= 7 else sum(lengths[6:]) + sum(lengths[: month - 1])
    return date.fromordinal(_hebrew_new_year(year) + before + day - 1)


def _hebrew_months(year: int) -> list[int]:
    """The lengths of the months, from Nisan."""
    length = _hebrew_new_year(year + 1) - _hebrew_new_year(year)
    is_leap = length > 380
    heshvan, kislev = 29 + (length % 10 == 5), 30 - (length % 10 == 3)
    return [30, 29, 30, 29, 30, 29, 30, heshvan, kislev, 29, 30, 30 if is_leap else 29] + [29] * is_leap


def _hebrew_new_year(year: int) -> int:
    """The ordinal of 1 Tishri: the day of the new moon, delayed by the four postponement rules."""
    day = _delayed_new_moon(year)
    if _delayed_new_moon(year + 1) - day == 356:
        day += 2
    elif day - _delayed_new_moon(year - 1) == 382:
        day += 1
    return _HEBREW_EPOCH + day


def _delayed_new_moon(year: int) -> int:
    months = (_MONTHS_OF_CYCLE * year - 234) // 19
    day = 29 * months + (12_084 + 13_753 * months) // _PARTS_OF_DAY
    return day + 1 if 3 * (day + 1) % 7 < 3 else day


_ZONES = timedelta(days=2)  # the largest difference due to zones and days without a time


class ThreadDates(NamedTuple):
    """How to read the dates of a comment thread, all with the same order of day and month."""

    languages: Sequence[str]
    now: datetime | None
    order: DayOrder | None
    posted: datetime | None = None

    def with_order(self, texts: Sequence[str]) -> ThreadDates:
        """Return a copy with the order of day and month in these texts, if they settle it."""
        return self._replace(order=self.order or _agreed_order(texts, self.languages) or self._order_after_post(texts))

    def _order_after_post(self, texts: Sequence[str]) -> DayOrder | None:
        """The only order of day and month in which no comment is older than its post, or None."""
        if self.posted is None:
            return None
        first = self.posted - _ZONES
        orders: tuple[DayOrder, ...] = ("dmy", "mdy")
        possible = [order for order in orders if self._are_after(first, texts, order)]
        return possible[0] if len(possible) == 1 else None

    def is_too_early(self, dates: Sequence[datetime | None]) -> bool:
        """Return whether most dates are before the post's."""
        first = self.posted - _ZONES if self.posted else None
        early = [date < first for date in dates if date and first]
        return 2 * sum(early) > len(early)

    def _are_after(self, first: datetime, texts: Sequence[str], order: DayOrder) -> bool:
        found = (read_dates(text, languages=self.languages, now=self.now, order=order) for text in texts)
        return all(_aware(readings[0]) >= first for readings in found if readings)

    def moment(self, text: str) -> datetime | None:
        """Return the moment in the text, UTC without a zone; None if there is no date or it is ambiguous."""
        readings = read_dates(text, languages=self.languages, now=self.now, order=self.order) or dates_in(text, "")
        if not readings or (readings[0].ambiguous and self.order is None):
            return None
        return _aware(readings[0])


def _agreed_order(texts: Sequence[str], languages: Sequence[str]) -> DayOrder | None:
    """The order of day and month of the unambiguous dates, or None if they disagree."""
    readings = (found for text in texts for found in read_dates(text, languages=languages))
    orders = {found.order for found in readings if found.order in ("dmy", "mdy") and not found.ambiguous}
    return orders.pop() if len(orders) == 1 else None


def _aware(found: FoundDate) -> datetime:
    return found.moment if found.moment.tzinfo is not None else found.moment.replace(tzinfo=UTC)
