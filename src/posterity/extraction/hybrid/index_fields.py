"""A page of several posts, and the title, URL, date and author of each of its records."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TypeAlias

import msgspec

from posterity.classify.repeated_records import Record
from posterity.classify.text_density import TextDensity, stable_classes
from posterity.dom import Tree, text_of
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.tree import Attributes
from posterity.extraction.record import FoundFields, aware, date_in_url
from posterity.lexicon import any_of, part_names, words_for
from posterity.model import Provenance
from posterity.text.dates import DayOrder, FoundDate, read_dates
from posterity.text.dates.reading import dates_in
from posterity.text.normal_form import one_line
from posterity.urls.kinds import is_listing

# What a node looks like inside its record: the same in every record that a template made.
Place: TypeAlias = "tuple[str, frozenset[str], str, frozenset[str]]"

_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | {"td", "th"}


class IndexPage(msgspec.Struct, frozen=True):
    """The tree, its measures, its records, how it writes dates, and when it was fetched, if that is known."""

    tree: Tree
    density: TextDensity
    base_url: str
    records: tuple[Record, ...]
    languages: tuple[str, ...]
    now: datetime | None = None

    def seen(self, record: Record) -> Iterator[int]:
        """Yield the elements of a record that a reader sees."""
        tree = self.tree
        for node in record.inside(tree):
            if tree.tag[node] != "#text" and not tree.unseen[node]:
                yield node

    def place(self, node: int) -> Place:
        """Return what the node looks like."""
        tree, parent = self.tree, self.tree.parent[node]
        return tree.tag[node], stable_classes(tree, node), tree.tag[parent], stable_classes(tree, parent)

    def is_block(self, node: int) -> bool:
        """Tell whether the element begins a line of its own."""
        return self.tree.tag[node] in _BLOCKS

    def is_line(self, node: int) -> bool:
        """Tell whether the element is a line of its own without lines inside it."""
        tree = self.tree
        return self.is_block(node) and not any(tree.tag[inner] in _BLOCKS for inner in range(node + 1, tree.end[node]))

    def tag_and_classes(self, node: int) -> str:
        """Return the node's tag and classes, for people to read."""
        return ".".join([self.tree.tag[node], *sorted(stable_classes(self.tree, node))])

    def spaced_text(self, node: int) -> str:
        """Return the text below the node, its parts distinguished: <b>12</b><i>May</i> is "12 May"."""
        tree = self.tree
        return " ".join(" ".join(tree.text[inner] for inner in range(node, tree.end[node])).split())


_PERMALINK = re.compile(any_of(part_names("listed.permalink")), re.IGNORECASE)
_AUTHOR = re.compile(any_of(part_names("listed.author")), re.IGNORECASE)
_BY = re.compile(
    rf"^(?:(?:{any_of(words_for('byline.index_written'))})\b[\s:]*)?"
    rf"(?:(?:{any_of(words_for('byline.by', 'byline.index_by', 'byline.index_label'))})\b[\s:：]*)?",
    re.IGNORECASE,
)
# "06.09.10 von Karin | 3 comments": a name behind its little word, up to the next separator or date.
_LITTLE_WORDS = any_of(words_for("byline.by", "byline.index_by"))
_BYLINE = re.compile(
    rf"(?:^|[\s|·•])(?:{_LITTLE_WORDS})\s+([^\W\d_][^|·•,\d:]{{1,60}}?)"
    rf"(?=\s*(?:[|·•,\d:]|\b(?:{any_of(words_for('byline.index_end'))})\b|$))",
    re.IGNORECASE,
)
_ONLY_BYLINE = re.compile(rf"(?:\w+ )?(?:{_LITTLE_WORDS})\s+((?:[^\W\d_][\w.'’-]*\s*){{1,4}})", re.IGNORECASE)
_MAX_NAME = 60
_MAX_LINE = 160


def title_of(page: IndexPage, record: Record) -> str | None:
    """Return the title that the record was found by, None where that is no title: a date, or a word for "link"."""
    if record.anchor is None:
        return None
    link = page.density.link_of(record.anchor)
    node = record.anchor
    # A heading may hold more than its link: a number of comments, a mark to copy the URL.
    if link is not None and link > node and page.density.chars(link) * 2 > page.density.chars(node):
        node = link
    title = one_line(text_of(page.tree, node))
    return title if any(map(str.isalnum, title)) and not _is_date(title, page.languages) else None


def _is_date(text: str, languages: tuple[str, ...]) -> bool:
    dates = read_dates(text, languages=languages) if len(text) <= 40 else ()
    rest = text[: dates[0].start] + text[dates[0].end :] if dates else text
    return bool(dates) and sum(map(str.isalnum, rest)) <= 12


def record_url(page: IndexPage, record: Record) -> str | None:
    """Return where the post itself is: its title's link, else what is called its permalink, else its one own link."""
    density = page.density
    title_link = None
    if record.anchor is not None:
        is_link = page.tree.tag[record.anchor] == "a"
        title_link, is_own = density.url_of(record.anchor if is_link else density.link_of(record.anchor))
        if title_link and is_own:
            return title_link
    own = Counter(_own_links(page, record))
    named = [url for url, is_named in own if is_named]
    if named:
        return named[0]
    counts = Counter(url for url, _ in own.elements())
    return title_link or (counts.most_common(1)[0][0] if counts else None)


def _own_links(page: IndexPage, record: Record) -> Iterator[tuple[str, bool]]:
    """Yield the URLs on the blog's own host that are no lists, and whether they are called permalinks."""
    tree = page.tree
    for node in record.inside(tree):
        if tree.tag[node] != "a":
            continue
        url, is_own = page.density.url_of(node)
        if url and is_own and not is_listing(url):
            attrs = tree.attrs[node]
            names = " ".join(filter(None, (attrs.get("class"), attrs.get("rel"))))
            has_time = any(tree.tag[inner] == "time" for inner in range(node, tree.end[node]))
            yield url, has_time or bool(_PERMALINK.search(names)) or "#" in (attrs.get("href") or "")


def authors_of(page: IndexPage) -> list[str | None]:
    """Return the author of every record: the place that names one in most records, else a byline."""
    counts: Counter[Place] = Counter()
    named: list[dict[Place, str]] = []
    for record in page.records:
        names = _named(page, record)
        named.append(names)
        counts.update(names.keys())
    ranked = sorted(counts, key=lambda place: -counts[place])
    found = [next((names[place] for place in ranked if place in names), None) for names in named]
    return [name or _by_line(page, record) for name, record in zip(found, page.records, strict=True)]


def _named(page: IndexPage, record: Record) -> dict[Place, str]:
    found: dict[Place, str] = {}
    for node in page.seen(record):
        attrs = page.tree.attrs[node]
        if not attrs or not 0 < page.density.chars(node) <= _MAX_NAME:
            continue
        names = " ".join(filter(None, (attrs.get("class"), attrs.get("rel"), attrs.get("itemprop"))))
        if names and _AUTHOR.search(names):
            name = _name(page.spaced_text(node), page.languages)
            if name:
                found.setdefault(page.place(node), name)
    return found


def _name(text: str, languages: Sequence[str]) -> str | None:
    for date in read_dates(text, languages=languages)[:1]:
        text = text[: date.start]
    name = _BY.sub("", text.strip(), count=1).strip(" ,:|-–—•·")
    return name if name and any(map(str.isalpha, name)) and len(name.split()) <= 6 else None


def _by_line(page: IndexPage, record: Record) -> str | None:
    """The name in a short line with a date, or in one that is nothing else."""
    for node in page.seen(record):
        if 0 < page.density.chars(node) <= _MAX_LINE and page.is_line(node):
            line = page.spaced_text(node)
            is_dated = page.density.is_dated(node, page.tree.end[node])
            match = _BYLINE.search(line) if is_dated else _ONLY_BYLINE.fullmatch(line)
            if match:
                return match.group(1).strip()
    return None


_NAMED = re.compile(any_of(part_names("listed.date")), re.IGNORECASE)
_CHANGED = re.compile(any_of(part_names("listed.changed")), re.IGNORECASE)
_MAX_AGO = 40  # characters of a label with a day counted from now
_MAX_CHARS = 120  # a line about the post; what is longer is the post
_DATE_LIKE = re.compile(r"\d\s?[年년]|(?:19|20|25)\d\d|\d[./-]\d\d(?!\d)")
# How much a way of saying the date is worth, when all records have it.
_MACHINE, _NAME, _TEXT, _ABOVE, _EDIT = 3.0, 2.0, 1.2, 1.0, 0.2
_CONFIDENCE, _URL_CONFIDENCE = 0.9, 0.8
_COARSE_CONFIDENCE = 0.4  # of a date such as "3 months ago"
_BEFORE_CHARS = 400


class _DateSource(msgspec.Struct, frozen=True):
    place: object
    worth: float
    text: str


def dates_of(page: IndexPage, urls: Sequence[str | None]) -> list[FoundFields | None]:
    """Return the date of every record, None for those that have none."""
    texts: dict[object, dict[int, str]] = defaultdict(dict)
    worth: dict[object, float] = {}
    for number in range(len(page.records)):
        for source in _date_sources(page, number):
            texts[source.place].setdefault(number, source.text)
            worth[source.place] = source.worth
    ranked = sorted(texts, key=lambda place: -worth[place] * len(texts[place]))
    readings = {place: _in_order(page, texts[place]) for place in ranked}
    found = [_first(number, ranked, readings) for number in range(len(page.records))]
    return [date or _by_url(url) for date, url in zip(found, urls, strict=True)]


def _first(number: int, ranked: list[object], readings: dict[object, dict[int, FoundDate]]) -> FoundFields | None:
    for place in ranked:
        date = readings[place].get(number)
        if date is not None:
            fields = {"published": aware(date, None), "published_precision": date.precision}
            confidence = _CONFIDENCE if date.precision in ("minute", "day") else _COARSE_CONFIDENCE
            return FoundFields(fields, Provenance(method="index", rule=_place_name(place), confidence=confidence))
    return None


def _place_name(place: object) -> str:
    tag, classes = place[-4:-2] if isinstance(place, tuple) else ("", frozenset())
    return ".".join([str(tag), *sorted(classes)])


def _by_url(url: str | None) -> FoundFields | None:
    return date_in_url(url) if url else None


def _date_sources(page: IndexPage, number: int) -> Iterator[_DateSource]:
    record, tree = page.records[number], page.tree
    for node in page.seen(record):
        if node != record.anchor:
            yield from _read_from(page, node)
    start = tree.end[page.records[number - 1].roots[-1]] if number else _stage(page)
    if page.density.between(start, record.roots[0]) <= _BEFORE_CHARS:
        for node in range(record.roots[0] - 1, start - 1, -1):
            if tree.tag[node] != "#text" and not tree.unseen[node]:
                for source in _read_from(page, node):
                    yield _DateSource(("above", *page.place(node)), _ABOVE, source.text)


def _stage(page: IndexPage) -> int:
    """Where the element begins that holds all records."""
    tree, last = page.tree, page.records[-1].roots[-1]
    node = page.records[0].parent
    while tree.end[node] < tree.end[last]:
        node = tree.parent[node]
    return node


def _read_from(page: IndexPage, node: int) -> Iterator[_DateSource]:
    tree, attrs = page.tree, page.tree.attrs[node]
    names = " ".join(filter(None, (attrs.get("class"), attrs.get("itemprop"), attrs.get("id"))))
    edit = _EDIT if _CHANGED.search(names) and "publ" not in names else 1.0
    place = page.place(node)
    for value in _machine_values(tree.tag[node], attrs):
        yield _DateSource(("machine", *place), _MACHINE * edit, value)
    if not 0 < page.density.chars(node) <= _MAX_CHARS:
        return
    text = page.spaced_text(node)
    if not _may_date(page, text):
        return
    if tree.tag[node] == "time" or _NAMED.search(names):
        yield _DateSource(("named", *place), _NAME * edit, text)
    elif any(tree.text[child] and _may_date(page, tree.text[child]) for child in tree.children(node)):
        yield _DateSource(("text", *place), _TEXT * edit, text)


def _may_date(page: IndexPage, text: str) -> bool:
    """Tell whether a text names a year, or a day as seen from when the page was fetched: "3 days ago"."""
    if _DATE_LIKE.search(text):
        return True
    return page.now is not None and len(text) <= _MAX_AGO and bool(_read(page, text))


def _read(page: IndexPage, text: str) -> tuple[FoundDate, ...]:
    return read_dates(text, languages=page.languages, now=page.now, coarse=True) or dates_in(text, "")


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
    certain = (
        date for dates in readings for date in dates if not date.ambiguous and date.moment.day != date.moment.month
    )
    orders = {date.order for date in certain} & {"dmy", "mdy"}
    if len(orders) == 1:
        return "dmy" if "dmy" in orders else "mdy"
    ambiguous = [dates for dates in readings if dates and dates[0].ambiguous]
    if not ambiguous:
        return None
    usual: DayOrder = "mdy" if ambiguous[0][0].order == "mdy" else "dmy"
    other: DayOrder = "dmy" if usual == "mdy" else "mdy"
    return min(usual, other, key=lambda order: _disorder(ambiguous, order))


def _disorder(readings: list[tuple[FoundDate, ...]], order: DayOrder) -> tuple[int, timedelta]:
    """How often a later record has a later date, and how long a time the records span: they follow one another."""
    days = [date.moment.replace(tzinfo=None) for dates in readings for date in dates if date.order == order]
    return sum(later > earlier for earlier, later in pairwise(days)), max(days) - min(days)
