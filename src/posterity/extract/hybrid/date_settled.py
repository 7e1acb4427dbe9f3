"""Which readings of a page's dates can stand together: 03/04/2021 has two, and a moment in UTC may be another day.

What else the page tells rules most of the wrong ones out, before any of them is weighed.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from posterity.extract.found_field import on_day

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from posterity.extract.hybrid.choice import Candidate
    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.text.dates import DayOrder, FoundDate
    from posterity.text.dates.found import Order

# The sign of a reading that is not the usual one in the page's language.
LATER_READING = "later reading"
_MIDNIGHTS = (22, 23)  # of Central Europe in UTC, in summer and winter
_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?:/|$)")


def settled(candidates: list[Candidate], page: PageFacts, order: DayOrder | None = None) -> list[Candidate]:
    """Return the candidates without the readings that the page itself rules out, moments on the day that it shows.

    `order` is how the other pages of its blog write day and month.
    """
    candidates = _with_day_and_month(candidates, page, order)
    return _midnights_on_their_day(_on_day_of_address(candidates))


def month_in_address(url: str) -> str | None:
    """Return the month that the address names, as 2021-03, or None."""
    month = _MONTH_IN_PATH.search(url)
    return f"{month[1]}-{int(month[2]):02}" if month else None


def _with_day_and_month(candidates: list[Candidate], page: PageFacts, order: DayOrder | None) -> list[Candidate]:
    """Of dates whose day and month could be exchanged, the readings that are likely.

    A day that the page declares settles them, else the month in its address, else its other dates in figures, else
    those of other pages. Where nothing does, English is written both ways, and other languages in one.
    """
    month = month_in_address(page.url)
    declared = {each.key for each in candidates if each.node < 0}
    candidates = _readings(candidates, lambda each: each.key in declared or _exchanged(each.key) not in declared)
    if any(each.value.ambiguous and _fits(each, month) for each in candidates):
        return _readings(candidates, lambda each: _fits(each, month))
    orders: set[Order] = {each.value.order for each in candidates if tells_order(each.value)}
    if len(orders) != 1 and order is not None:
        orders = {order}
    if len(orders) == 1:
        return _readings(candidates, lambda each: each.value.order in orders)
    if page.language and not page.language.startswith("en"):
        return _readings(candidates, lambda each: LATER_READING not in each.signs)
    return candidates


def _readings(candidates: list[Candidate], is_likely: Callable[[Candidate], bool]) -> list[Candidate]:
    return [each for each in candidates if not each.value.ambiguous or is_likely(each)]


def _exchanged(day: str) -> str:
    """The same figures with day and month exchanged."""
    year, month, day_of_month = day.split("-")
    return f"{year}-{day_of_month}-{month}"


def _fits(candidate: Candidate, month: str | None) -> bool:
    return month is not None and candidate.key.startswith(month)


def tells_order(found: FoundDate) -> bool:
    """Tell whether a date in figures has one reading only: 25/03/2021."""
    return found.order in ("dmy", "mdy") and not found.ambiguous and found.moment.day != found.moment.month


def _on_day_of_address(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates; moments of a neighbouring day are told in a zone in which they fall on the day of the address."""
    address = next((each.value.moment.date() for each in candidates if "address" in each.signs), None)
    return [each if address is None else _told_on(each, address) for each in candidates]


def _midnights_on_their_day(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates; 23:00 in UTC, where the next day is shown, is how software in Central Europe stores that day."""
    shown = {each.key for each in candidates if each.node >= 0}
    told = []
    for each in candidates:
        moment = each.value.moment
        following = moment.date() + timedelta(days=1)
        is_midnight = moment.hour in _MIDNIGHTS and not moment.minute and not moment.second
        is_next_day = is_midnight and each.key not in shown and following.isoformat() in shown
        told.append(_told_on(each, following) if is_next_day else each)
    return told


def _told_on(candidate: Candidate, day: date) -> Candidate:
    moment = candidate.value.moment
    if moment.tzinfo is None or candidate.value.precision == "day" or abs((moment.date() - day).days) != 1:
        return candidate
    local = on_day(moment, day)
    value = msgspec.structs.replace(candidate.value, moment=local)
    return msgspec.structs.replace(candidate, value=value, key=local.date().isoformat())
