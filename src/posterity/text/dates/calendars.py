"""Days that are written in another calendar: Persian, Islamic, Hebrew, Japanese eras, years of the Republic of China.

Buddhist years differ in nothing but their number and are read with the other years of Thai. An Islamic month begins
when the moon is seen, so a day by the civil reckoning, which is used here, may be off by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from posterity.text.dates.formats import NUMERALS, DayHit, figures_of, full_year, possible_day

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
# Figures alone are a day of these calendars where the page is Persian, or where the Islamic era is named.
_FIGURES = re.compile(
    r"(?<![\d/-])(?:(?P<year>1[34]\d\d)(?P<mark>[/-])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)"
    r"|(?P<day2>\d\d?)(?P<mark2>[/-])(?P<month2>\d\d?)(?P=mark2)(?P<year2>1[34]\d\d))(?![\d/-])(?P<era>\s?هـ?(?!\w))?"
)
# The year before the first.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}
_NUMBER = rf"\d{{1,3}}|[{NUMERALS}]{{1,3}}"
_ERA_DAY = re.compile(
    rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<year>{_NUMBER}|元)\s?年\s?(?P<month>{_NUMBER})\s?月\s?(?P<day>{_NUMBER})\s?日"
)


def days_of_other_calendars(text: str, languages: Sequence[str]) -> Iterator[DayHit]:
    """Find the days that are counted in years of another calendar."""
    if "年" in text:
        for match in _ERA_DAY.finditer(text):
            year = _ERAS[match["era"]] + (1 if match["year"] == "元" else int(figures_of(match["year"])))
            month, day = int(figures_of(match["month"])), int(figures_of(match["day"]))
            yield from _hit(match, possible_day(full_year(f"{year:04}"), month, day), None)
    if _HEBREW_LETTER.search(text):
        for match in _HEBREW.finditer(text):
            yield from _hit(match, _hebrew_day(match), "he")
    is_persian = any(language.startswith("fa") for language in languages)
    if is_persian or "ه" in text:
        yield from _days_in_figures(text, is_persian=is_persian)
    if _ARABIC_LETTER.search(text):
        for match in _PERSIAN.finditer(text):
            yield from _hit(match, _persian_day(int(match["year"]), _month(match), int(match["day"])), "fa")
        for match in _ISLAMIC.finditer(text):
            yield from _hit(match, _islamic_day(int(match["year"]), _month(match), int(match["day"])), "ar")


def _days_in_figures(text: str, *, is_persian: bool) -> Iterator[DayHit]:
    for match in _FIGURES.finditer(text):
        year, month, day = (int(match[part] or match[f"{part}2"]) for part in ("year", "month", "day"))
        if 1 <= month <= 12 and (match["era"] or is_persian):
            found = _islamic_day(year, month, day) if match["era"] else _persian_day(year, month, day)
            yield from _hit(match, found, "ar" if match["era"] else "fa")


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


# Months from Nisan, as their names are found; in a leap year Adar is the first of two.
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
    """The day by the fixed Hebrew calendar; years are written without their thousands."""
    months = [name for number, name in enumerate(match.groups()[1:15]) if number != 2]
    day = sum(_VALUE_OF_LETTER.get(letter, 0) for letter in match["day"])
    year = 5000 + sum(_VALUE_OF_LETTER.get(letter, 0) for letter in match["year"])
    month = 13 - next(number for number, name in enumerate(months) if name)
    lengths = _hebrew_months(year)
    if month == 12 and not match["first_adar"]:
        month = len(lengths)  # of the two of a leap year, Adar alone is the second
    if month > len(lengths) or not 1 <= day <= lengths[month - 1]:
        return None
    # A year begins with Tishri, the seventh month.
    before = sum(lengths[6 : month - 1]) if month >= 7 else sum(lengths[6:]) + sum(lengths[: month - 1])
    return date.fromordinal(_hebrew_new_year(year) + before + day - 1)


def _hebrew_months(year: int) -> list[int]:
    """The lengths of the months from Nisan."""
    length = _hebrew_new_year(year + 1) - _hebrew_new_year(year)
    is_leap = length > 380
    heshvan, kislev = 29 + (length % 10 == 5), 30 - (length % 10 == 3)
    return [30, 29, 30, 29, 30, 29, 30, heshvan, kislev, 29, 30, 30 if is_leap else 29] + [29] * is_leap


def _hebrew_new_year(year: int) -> int:
    """The ordinal of the first day of Tishri: that of the new moon, put off by the four rules."""
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
