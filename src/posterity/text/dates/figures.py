"""Dates in figures: 2021-03-12, 12.03.2021, 3/12/21, 20210312T101500Z, and what only looks like one.

Which of two small numbers is the month cannot be seen: both readings come back until somebody knows the order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.text.dates.found import DayHit, DayOrder, Order, full_year, possible_day

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from posterity.text.dates.vocabulary import Vocabulary

_TRIPLE = re.compile(r"(?<![\d$€£¥+#_])(?<!\bv)(\d{1,4})(\s?([./-])\s?)(\d{1,2})\2(\d{4}|\d{1,2})(?!\d)")
_BASIC = re.compile(r"(?<![\d.])(\d{4})(\d\d)(\d\d)(?=t\d{4}(?:\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d|\b))")
_BASIC_ALONE = re.compile(r"\s*(\d{4})(\d\d)(\d\d)\s*")


def days_in_figures(text: str, words: Vocabulary, order: DayOrder | None) -> Iterator[DayHit]:
    """Find the days written in figures only."""
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
    """Whether the three numbers are part of more: an IP address, a version, a telephone number."""
    start, end, sign = match.start(), match.end(), match[3]
    if text[start - 1 : start] == sign and text[start - 2 : start - 1].isdigit():
        return True
    if len(match[1]) == 4 and sign != ".":
        # In a path, /2021/03/12/10-things has a day and /2021/03/1-thing has none.
        return len(match[5]) == 1 and text[end : end + 1] == "-"
    return text[end : end + 1] == sign and text[end + 1 : end + 2].isdigit()


def _readings(match: re.Match[str], words: Vocabulary, order: DayOrder | None) -> tuple[tuple[Order, date], ...]:
    first, joint, sign, second, third = match.groups()
    if len(first) == 4 and len(third) < 3:
        strict = sign == "-" and len(joint) == 1 and len(second) == len(third) == 2
        return _one("iso" if strict else "ymd", possible_day(full_year(first), int(second), int(third)))
    if words.short_year_first and len(first) == 2 and len(third) < 3:
        return _one("ymd", possible_day(full_year(first), int(second), int(third)))
    if len(first) > 2 or len(third) == 1:
        return ()
    if len(third) == 2 and not (words.bare_short_dates or _is_short_date(first, joint, second)):
        return ()
    # Whoever writes the month first hardly ever writes dots.
    likely: DayOrder = order or ("dmy" if words.day_first or sign == "." else "mdy")
    days = _day_and_month(full_year(third), int(first), int(second), likely)
    return days[:1] if order is not None or int(first) == int(second) else days


def _is_short_date(first: str, joint: str, second: str) -> bool:
    # 1.2.10 is a version; 01.02.10 and 1/2/10 are dates.
    return joint == "/" or (len(joint) == 1 and len(first) == len(second) == 2)


def _day_and_month(year: int | None, first: int, second: int, likely: DayOrder) -> tuple[tuple[Order, date], ...]:
    """Both readings of two numbers, as far as the calendar allows, the likely order first."""
    orders: dict[DayOrder, date | None] = {
        "dmy": possible_day(year, second, first),
        "mdy": possible_day(year, first, second),
    }
    likely_first: tuple[DayOrder, ...] = ("dmy", "mdy") if likely == "dmy" else ("mdy", "dmy")
    return tuple((name, day) for name in likely_first if (day := orders[name]) is not None)


def _one(order: Order, day: date | None) -> tuple[tuple[Order, date], ...]:
    return ((order, day),) if day else ()
