"""Every day on a page that may be the day of publication, with who tells it and where it stands."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from posterity.dom.structured_data import types_of
from posterity.dom.tree import TEXT
from posterity.extract.declared_fields import date_in_address
from posterity.extract.hybrid.choice import Candidate
from posterity.extract.hybrid.date_labels import said_of_date
from posterity.extract.hybrid.date_metas import kind_of_meta
from posterity.extract.hybrid.date_settled import LATER_READING
from posterity.extract.hybrid.page_dates import SHORTEST, dates_in, may_date
from posterity.extract.hybrid.zones import NOT_OF_ARTICLE, placed, zone_of
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
_DAY_FIRST = re.compile(r"(?<!\d)\d\d?([._-])\d\d?\1(?:19|20)\d\d(?!\d)")
_TELLING_ATTRIBUTES = ("datetime", "content", "title", "data-datetime", "data-date", "data-time", "data-published")
_MAX_TEXT = 120
_MAX_INDENTED = 300  # a short text with the white space of its source
_MAX_START = 50  # a paragraph may begin with the day: "12.11.2021. ..."
_LABEL = 40  # characters before a date that tell what kind of date it is
_MAX_NODES = 30
_MAX_PLACES = 60
_MAX_DATES = 4
_WORD = re.compile(r"[^\W\d_]{3}")
_LONGEST_LABEL = 10  # pieces of three letters, of 4, 6, 8 and 10: "Published on Tuesday, 12 March 2021 at noon"
# The sign of a day that a sentence mentions.
IN_SENTENCE = "in a sentence"


def declared_days(page: PageFacts) -> Iterator[Candidate]:
    """Yield the days in <meta>, in JSON-LD and in the page's address."""
    for name, contents in page.data.metas.items():
        kind = kind_of_meta(name)
        if kind:
            yield from _declared(contents[0], f"meta {kind}", page)
    yield from _declared_in_items(page)
    yield from _named_by_address(page)


def _declared_in_items(page: PageFacts) -> Iterator[Candidate]:
    """The days in JSON-LD; of several articles the first is the page's own."""
    articles = 0
    for item in page.data.items:
        types = " ".join(types_of(item))
        about = "article" if _ARTICLE_TYPE.search(types) else "page" if "Page" in types else "other"
        if about == "article" and "datePublished" in item:
            articles += 1
            about = "article" if articles == 1 else "further"
        for key, kind in _ITEM_DATES.items():
            yield from _declared(item.get(key), f"ld {about} {kind}", page)


def _named_by_address(page: PageFacts) -> Iterator[Candidate]:
    """The day in the page's address, also where it begins with the day: /news/29-10-2021-slug."""
    if found := date_in_address(page.url):
        moment = found.fields["published"].replace(tzinfo=None)
        yield _candidate(FoundDate(moment, "day", "iso", False, 0, 0), ("address",))
    elif told := _DAY_FIRST.search(page.path):
        dates = dates_in(told[0], page.language)[:1]
        yield from (_candidate(date, ("address",)) for date in dates if not date.ambiguous)


def marked_days(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Yield the days in <time> and in elements that call themselves a date."""
    tree = page.tree
    for place, node in enumerate(tree.nodes_by_tag.get("time", ())[:_MAX_PLACES]):
        attrs = tree.attrs[node]
        sources = ["time", *(["pubdate"] if "pubdate" in attrs else []), *([] if place else ["time first"])]
        told = attrs.get("datetime") or one_line(tree.plain(node))
        yield from islice(_shown(page, node, title, told, sources), 1)
    read = 0
    for node, marks in page.date_nodes:
        text = _told_by(page, node)
        if text and read < _MAX_PLACES:
            first = () if read else ("first marked",)
            yield from _shown(page, node, title, text, [f"is {mark}" for mark in marks], first)
            read += 1


def spoken_days(page: PageFacts, around: Surroundings) -> Iterator[Candidate]:
    """Yield the days in texts near the title and at the article's end; of long ones only what they begin with."""
    for node, text in (*around.near_title, *around.near_end):
        if may_date(text):
            source, told = ("text", text) if len(text) <= _MAX_TEXT else ("long text", text[:_MAX_START])
            yield from _shown(page, node, around.title, told, [source])


def any_days(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Yield the days in all short texts of the page."""
    texts, unseen = page.tree.text, page.tree.unseen
    for node in page.tree.nodes_by_tag.get(TEXT, ()):
        text = texts[node]
        if SHORTEST <= len(text) <= _MAX_INDENTED and not text.isspace() and may_date(text) and not unseen[node]:
            text = one_line(text)
            if len(text) <= _MAX_TEXT:
                yield from _shown(page, node, title, text, ["any text"])


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


def _declared(text: object, sign: str, page: PageFacts) -> Iterator[Candidate]:
    if isinstance(text, str) and len(text) <= _MAX_TEXT:
        yield from (_candidate(date, (sign,)) for date in dates_in(text, page.language)[:1])


def _shown(
    page: PageFacts, node: int, title: int, told: str, sources: Iterable[str], more: tuple[str, ...] = ()
) -> Iterator[Candidate]:
    """The days in a text or attribute of a node, each with its place and what is said of it."""
    dates = dates_in(told, page.language)[:_MAX_DATES] if len(told) <= _MAX_TEXT else ()
    if not dates:
        return
    zone = zone_of(page, node, title)
    spoken = (IN_SENTENCE,) if _is_sentence(page, node) else ()
    signs = (*placed(sources, zone), *(() if zone in NOT_OF_ARTICLE else more), *spoken)
    behind = 0
    for place, date in enumerate(dates):
        says = _said(page, node, told[behind : date.start]) if date.start >= behind else None
        doubts = (*(("ambiguous",) if date.ambiguous else ()), *((LATER_READING,) if place else ()))
        yield _candidate(date, (*signs, *doubts, *((says,) if says else ())), node)
        behind = date.end


def _is_sentence(page: PageFacts, node: int) -> bool:
    """Whether a text says more than when something was published, and by whom."""
    tree = page.tree
    return tree.tag[node] == TEXT and len(_WORD.findall(tree.text[node])) > _LONGEST_LABEL


def _said(page: PageFacts, node: int, label: str) -> str | None:
    """What the words before the date say of it; where there are none, the text before."""
    if _WORD.search(label):
        return said_of_date(label[-_LABEL:])
    tree = page.tree
    own = one_line(tree.plain(node))[:_LABEL] if tree.tag[node] != TEXT else ""
    before = (tree.text[each] for each in range(node - 1, max(0, node - 6), -1))
    return said_of_date(own) or said_of_date(next((text[-_LABEL:] for text in before if text.strip()), ""))


def _candidate(date: FoundDate, signs: tuple[str, ...], node: int = -1) -> Candidate:
    return Candidate(date, date.moment.date().isoformat(), signs, node)
