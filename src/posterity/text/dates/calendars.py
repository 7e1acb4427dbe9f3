"""Days that are written in another calendar than the Gregorian: Persian, Islamic, Japanese eras, the Republic's years.

Buddhist years differ in nothing but their number and are read with the other years of Thai. An Islamic month begins
when the moon is seen, so a day by the civil reckoning, which is used here, may be off by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from posterity.text.dates.formats import DayHit, full_year, possible_day

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
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}  # the year before the first
_ERA_DAY = re.compile(
    rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<year>\d{{1,3}}|元)\s?年\s?(?P<month>\d{{1,2}})\s?月\s?(?P<day>\d{{1,2}})\s?日"
)


def days_of_other_calendars(text: str) -> Iterator[DayHit]:
    """Find the days that are counted in years of another calendar."""
    if "年" in text:
        for match in _ERA_DAY.finditer(text):
            year = _ERAS[match["era"]] + (1 if match["year"] == "元" else int(match["year"]))
            yield from _hit(match, possible_day(full_year(f"{year:04}"), int(match["month"]), int(match["day"])), None)
    if _ARABIC_LETTER.search(text):
        for match in _PERSIAN.finditer(text):
            yield from _hit(match, _persian_day(int(match["year"]), _month(match), int(match["day"])), "fa")
        for match in _ISLAMIC.finditer(text):
            yield from _hit(match, _islamic_day(int(match["year"]), _month(match), int(match["day"])), "ar")


def _hit(match: re.Match[str], day: date | None, language: str | None) -> Iterator[DayHit]:
    if day is not None and full_year(f"{day.year:04}"):
        yield DayHit(match.start(), match.end(), (("text", day),), language=language)


def _month(match: re.Match[str]) -> int:
    """The number of the month; the groups are the day, the twelve months and the year."""
    return next(number for number, name in enumerate(match.groups()[1:13], 1) if name)


_NEW_YEAR_1400 = date(2021, 3, 21)


def _persian_day(year: int, month: int, day: int) -> date | None:
    """The day by the cycle of 33 years, which agrees with the official calendar from 1244 to 1472."""
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
    """The day of the civil, arithmetical calendar."""
    if not 1 <= day <= _LAST_ISLAMIC_DAY:
        return None
    julian_day = (11 * year + 3) // 30 + 354 * year + 30 * month - (month - 1) // 2 + day + 1_948_440 - 385
    return date.fromordinal(julian_day - _JULIAN_DAY_OF_YEAR_0)
