"""Every day on a page that may be the day of publication, with who tells it and where it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.dom.document import TEXT
from posterity.dom.structured_data import types_of
from posterity.extract.declared_fields import date_in_address
from posterity.extract.hybrid.choice import Candidate
from posterity.extract.hybrid.date_metas import kind_of_meta
from posterity.extract.hybrid.page_dates import dates_in, may_date
from posterity.extract.hybrid.zones import placed, zone_of
from posterity.text.dates import FoundDate
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.extract.hybrid.zones import Surroundings

# Sources of a day that a reader sees, the most telling first.
SHOWN = (
    "is published", "pubdate", "time first", "is entry-date", "time", "is date", "is some-date", "text", "long text",
    "any text", "is updated",
)  # fmt: skip
_ARTICLE_TYPE = re.compile("Article|Posting|Recipe|Report|Review")
_ITEM_DATES = {
    "datePublished": "published", "dateCreated": "created", "dateModified": "modified", "uploadDate": "upload",
}  # fmt: skip
_SAYS = {
    "says published": re.compile(
        r"publi|posted|erschienen|ver[öo]ffentlicht|erstellt|geschrieben|written|created|am:|\bon\b|\bam\b|vom|datum|"
        r"date|первонач|опубл|发布|時間|时间",
        re.IGNORECASE,
    ),
    "says modified": re.compile(
        r"updat|modifi|aktualis|ge[äa]ndert|letzte|edited|revis|stand|mis à jour|actualiz|更新|обновл|last",
        re.IGNORECASE,
    ),
    "says other": re.compile(
        r"©|copyright|\(c\)|expire|event|termin|until|bis zum|joined|member|since|seit|registr|geboren|born",
        re.IGNORECASE,
    ),
}
_TELLING_ATTRIBUTES = ("datetime", "content", "title", "data-datetime", "data-date", "data-time", "data-published")
_MAX_TEXT = 120
_MAX_INDENTED = 300  # a short text with the white space of its source
_MAX_START = 50  # a paragraph may begin with the day: "12.11.2021. ..."
_LABEL = 40  # characters before a date that tell what kind of date it is
_MAX_NODES = 30
_MAX_PLACES = 60


def declared_days(page: PageFacts) -> Iterator[Candidate]:
    """Yield the days in <meta>, in JSON-LD and in the page's address."""
    for name, contents in page.data.metas.items():
        kind = kind_of_meta(name)
        if kind:
            yield from _first(contents[0], (f"meta {kind}",), page)
    for item in page.data.items:
        types = " ".join(types_of(item))
        about = "article" if _ARTICLE_TYPE.search(types) else "page" if "Page" in types else "other"
        for key, kind in _ITEM_DATES.items():
            yield from _first(item.get(key), (f"ld {about} {kind}",), page)
    if found := date_in_address(page.url):
        moment = found.fields["published"].replace(tzinfo=None)
        yield Candidate(FoundDate(moment, "day", "iso", False, 0, 0), moment.date().isoformat(), ("address",))


def marked_days(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Yield the days in <time> and in elements that call themselves a date."""
    tree = page.tree
    for place, node in enumerate(tree.nodes_by_tag.get("time", ())[:_MAX_PLACES]):
        attrs = tree.attrs[node]
        sources = ["time", *(["pubdate"] if "pubdate" in attrs else []), *([] if place else ["time first"])]
        signs = _placed(page, node, title, sources)
        yield from _first(attrs.get("datetime") or one_line(tree.plain(node)), signs, page, node)
    read = 0
    for node, marks in page.date_nodes:
        text = _told_by(page, node)
        if text and read < _MAX_PLACES:
            signs = _placed(page, node, title, [f"is {mark}" for mark in marks], text)
            yield from _all(text, signs if read else (*signs, "first marked"), page, node)
            read += 1


def spoken_days(page: PageFacts, around: Surroundings) -> Iterator[Candidate]:
    """Yield the days in texts near the title and at the article's end; of long ones only what they begin with."""
    for node, text in (*around.near_title, *around.near_end):
        if not may_date(text):
            continue
        source, told = ("text", text) if len(text) <= _MAX_TEXT else ("long text", text[:_MAX_START])
        yield from _all(told, _placed(page, node, around.title, [source], text), page, node)


def any_days(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Yield the days in all short texts of the page."""
    texts, unseen = page.tree.text, page.tree.unseen
    for node in page.tree.nodes_by_tag.get(TEXT, ()):
        if len(texts[node]) <= _MAX_INDENTED and may_date(texts[node]) and not unseen[node]:
            text = one_line(texts[node])
            if len(text) <= _MAX_TEXT:
                yield from _all(text, _placed(page, node, title, ["any text"], text), page, node)


def _told_by(page: PageFacts, node: int) -> str:
    """What a marked element tells: an attribute with a date, else its text; nothing if that is long or no date."""
    tree = page.tree
    if tree.end[node] - node > _MAX_NODES:
        return ""
    attrs = tree.attrs[node]
    for name in _TELLING_ATTRIBUTES:
        value = attrs.get(name)
        if value and len(value) <= _MAX_TEXT and may_date(value):
            return value
    text = one_line(tree.plain(node))
    return text if len(text) <= _MAX_TEXT and may_date(text) else ""


def _first(text: object, signs: tuple[str, ...], page: PageFacts, node: int = -1) -> Iterator[Candidate]:
    if isinstance(text, str) and len(text) <= _MAX_TEXT:
        yield from list(_all(text, signs, page, node))[:1]


def _all(text: str, signs: tuple[str, ...], page: PageFacts, node: int = -1) -> Iterator[Candidate]:
    for place, date in enumerate(dates_in(text, page.language)[:4]):
        doubts = (*(("ambiguous",) if date.ambiguous else ()), *(("later reading",) if place else ()))
        yield Candidate(date, date.moment.date().isoformat(), (*signs, *doubts), node)


def _placed(page: PageFacts, node: int, title: int, sources: Iterable[str], text: str = "") -> tuple[str, ...]:
    texts = page.tree.text
    before = next((texts[each][-_LABEL:] for each in range(node - 1, max(0, node - 6), -1) if texts[each].strip()), "")
    label = f"{text[:_LABEL]} {before}"
    says = (sign for sign, pattern in _SAYS.items() if pattern.search(label))
    return (*placed(sources, zone_of(page, node, title)), *says)
