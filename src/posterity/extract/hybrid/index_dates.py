"""The dates of a front page's posts: the place that dates most of its records is where this blog writes dates.

What a machine may read (`datetime`, `title` of <abbr>) goes before what is named a date, and that before any short text
with a date in it. A date above a post holds for all posts below it, as on Blogger. Whether 3/4 is in March or in April
is told by the other dates, then by their order: the newest post comes first, and soon after the one before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from posterity.extract.declared_fields import date_in_address
from posterity.extract.found_field import Found, aware
from posterity.extract.hybrid.page_dates import dates_in
from posterity.model import Provenance
from posterity.text.dates import read_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta

    from posterity.dom.tree import Attributes
    from posterity.extract.hybrid.index_page import IndexPage
    from posterity.text.dates import DayOrder, FoundDate

_NAMED = re.compile(r"date|time|publi|posted|dateline", re.IGNORECASE)
_CHANGED = re.compile(r"updat|modif|edited", re.IGNORECASE)
_MAX_AGO = 40  # characters of a label with a day told from now
_MAX_CHARS = 120  # a line about the post; what is longer is the post
_DATE_LIKE = re.compile(r"\d\s?[年년]|(?:19|20|25)\d\d|\d[./-]\d\d(?!\d)")
# How much a way of saying the date is worth, when all records have it.
_MACHINE, _NAME, _TEXT, _ABOVE, _EDIT = 3.0, 2.0, 1.2, 1.0, 0.2
_CONFIDENCE, _ADDRESS_CONFIDENCE = 0.9, 0.8
_BEFORE_CHARS = 400


class _Witness(msgspec.Struct, frozen=True):
    place: object
    worth: float
    text: str


def dates_of(page: IndexPage, addresses: Sequence[str | None]) -> list[Found | None]:
    """Return the date of every record, None for those that have none."""
    said: dict[object, dict[int, str]] = defaultdict(dict)
    worth: dict[object, float] = {}
    for number in range(len(page.records)):
        for witness in _witnesses(page, number):
            said[witness.place].setdefault(number, witness.text)
            worth[witness.place] = witness.worth
    ranked = sorted(said, key=lambda place: -worth[place] * len(said[place]))
    readings = {place: _in_order(page, said[place]) for place in ranked}
    found = [_first(number, ranked, readings) for number in range(len(page.records))]
    return [date or _by_address(address) for date, address in zip(found, addresses, strict=True)]


def _first(number: int, ranked: list[object], readings: dict[object, dict[int, FoundDate]]) -> Found | None:
    for place in ranked:
        date = readings[place].get(number)
        if date is not None:
            fields = {"published": aware(date, None), "published_precision": date.precision}
            return Found(fields, Provenance(method="index", rule=_spelled(place), confidence=_CONFIDENCE))
    return None


def _spelled(place: object) -> str:
    tag, classes = place[-4:-2] if isinstance(place, tuple) else ("", frozenset())
    return ".".join([str(tag), *sorted(classes)])


def _by_address(address: str | None) -> Found | None:
    return date_in_address(address) if address else None


def _witnesses(page: IndexPage, number: int) -> Iterator[_Witness]:
    record, tree = page.records[number], page.tree
    for node in page.seen(record):
        if node != record.anchor:
            yield from _said_by(page, node)
    start = tree.end[page.records[number - 1].roots[-1]] if number else _stage(page)
    if page.ink.between(start, record.roots[0]) <= _BEFORE_CHARS:
        for node in range(record.roots[0] - 1, start - 1, -1):
            if tree.tag[node] != "#text" and not tree.unseen[node]:
                for witness in _said_by(page, node):
                    yield _Witness(("above", *page.place(node)), _ABOVE, witness.text)


def _stage(page: IndexPage) -> int:
    """Where the element begins that holds all records."""
    tree, last = page.tree, page.records[-1].roots[-1]
    node = page.records[0].parent
    while tree.end[node] < tree.end[last]:
        node = tree.parent[node]
    return node


def _said_by(page: IndexPage, node: int) -> Iterator[_Witness]:
    tree, attrs = page.tree, page.tree.attrs[node]
    names = " ".join(filter(None, (attrs.get("class"), attrs.get("itemprop"), attrs.get("id"))))
    edit = _EDIT if _CHANGED.search(names) and "publ" not in names else 1.0
    place = page.place(node)
    for value in _machine_values(tree.tag[node], attrs):
        yield _Witness(("machine", *place), _MACHINE * edit, value)
    if not 0 < page.ink.chars(node) <= _MAX_CHARS:
        return
    text = page.spaced_text(node)
    if not _may_date(page, text):
        return
    if tree.tag[node] == "time" or _NAMED.search(names):
        yield _Witness(("named", *place), _NAME * edit, text)
    elif any(tree.text[child] and _may_date(page, tree.text[child]) for child in tree.children(node)):
        yield _Witness(("text", *place), _TEXT * edit, text)


def _may_date(page: IndexPage, text: str) -> bool:
    """Tell whether a text names a year, or a day as seen from when the page was fetched: "3 days ago"."""
    if _DATE_LIKE.search(text):
        return True
    return page.now is not None and len(text) <= _MAX_AGO and bool(_read(page, text))


def _read(page: IndexPage, text: str) -> tuple[FoundDate, ...]:
    return read_dates(text, languages=page.languages, now=page.now) or dates_in(text, "")


def _machine_values(tag: str, attrs: Attributes) -> Iterator[str]:
    value = attrs.get("datetime") or (attrs.get("content") if "date" in (attrs.get("itemprop") or "").lower() else None)
    if not value and tag in ("abbr", "span", "time", "a"):
        value = attrs.get("title")
    if value and len(value) <= _MAX_CHARS and _DATE_LIKE.search(value):
        yield value


def _in_order(page: IndexPage, texts: dict[int, str]) -> dict[int, FoundDate]:
    """Read the dates of one place, all in the same order of day and month."""
    both = {number: _read(page, text) for number, text in texts.items()}
    order = _order(list(both.values()))
    chosen: dict[int, FoundDate] = {}
    for number, readings in both.items():
        fitting = [date for date in readings if not date.ambiguous or date.order == order]
        if fitting:
            chosen[number] = fitting[0]
    return chosen


def _order(readings: list[tuple[FoundDate, ...]]) -> DayOrder | None:
    told = (date for dates in readings for date in dates if not date.ambiguous and date.moment.day != date.moment.month)
    settled = {date.order for date in told} & {"dmy", "mdy"}
    if len(settled) == 1:
        return "dmy" if "dmy" in settled else "mdy"
    unsettled = [dates for dates in readings if dates and dates[0].ambiguous]
    if not unsettled:
        return None
    usual: DayOrder = "mdy" if unsettled[0][0].order == "mdy" else "dmy"
    other: DayOrder = "dmy" if usual == "mdy" else "mdy"
    return min(usual, other, key=lambda order: _disorder(unsettled, order))


def _disorder(readings: list[tuple[FoundDate, ...]], order: DayOrder) -> tuple[int, timedelta]:
    """How often a later record has a later date, and how long a time the records span: they follow one another."""
    days = [date.moment.replace(tzinfo=None) for dates in readings for date in dates if date.order == order]
    return sum(later > earlier for earlier, later in pairwise(days)), max(days) - min(days)
