"""Chinese, Japanese and Korean dates, where every number carries its unit: 2021年3月12日, 2021년 3월 12일.

The unit tells which number is the month, so these are read in any language.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from posterity.text.dates.found import DayHit, full_year, possible_day

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMERALS = "〇零一二三四五六七八九十廿卅"
_MONTH = rf"(?P<month>\d{{1,2}}|[{_NUMERALS}]{{1,2}})\s?[月월]"
_DAY = rf"(?P<day>\d{{1,2}}|[{_NUMERALS}]{{1,3}})(?:\s?[日일号號]|(?!\d))"
_SHAPES = (
    re.compile(rf"(?<!\d)(?P<year>\d{{4}}|\d\d|[{_NUMERALS}]{{4}})\s?[年년]\s?{_MONTH}\s?{_DAY}"),
    # WordPress puts the month into an English frame when nobody translated its date format: "12 3月, 2021".
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})\s{_MONTH},?\s?(?P<year>\d{{4}})(?!\d|\s?[年년])"),
    re.compile(rf"(?<!\d){_MONTH}\s?{_DAY},?\s?(?P<year>\d{{4}})(?!\d|\s?[年년])"),
)
_DIGIT = {char: str(value) for value, char in enumerate("〇一二三四五六七八九")} | {"零": "0"}
_TENS = {"十": "1", "廿": "2", "卅": "3"}


def labelled_days(text: str) -> Iterator[DayHit]:
    """Find the days whose month, at least, is labelled with its unit."""
    if "月" not in text and "월" not in text:
        return
    for match in chain.from_iterable(shape.finditer(text) for shape in _SHAPES):
        year, month, day_of_month = (_figures(match[part]) for part in ("year", "month", "day"))
        day = possible_day(full_year(year), int(month), int(day_of_month))
        if day:
            yield DayHit(match.start(), match.end(), (("text", day),))


def _figures(numeral: str) -> str:
    """Return a numeral in figures: "二〇二一" as 2021, "十二" as 12, "二十" as 20."""
    if numeral.isdecimal():
        return numeral
    units = _DIGIT.get(numeral[-1], "0")
    for position, char in enumerate(numeral):
        if char in _TENS:
            tens = _DIGIT[numeral[0]] if position else _TENS[char]
            return tens + units
    return "".join(_DIGIT[char] for char in numeral)
