"""When the article on a page without rules was published: not when it was edited, commented on or copyrighted."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from posterity.dom.document import TEXT
from posterity.dom.structured_data import types_of
from posterity.extract.declared_fields import date_in_address
from posterity.extract.found_field import Found, aware
from posterity.extract.hybrid.choice import Answer, Candidate, answers_of, best_answer
from posterity.extract.hybrid.learned_weights import DATE
from posterity.model import Provenance
from posterity.text.dates import FoundDate, read_dates
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.extract.hybrid.page_facts import PageFacts

# Names of <meta> elements, by what they tell.
_METAS = {
    "article:published_time": "published", "og:article:published_time": "published", "article:published": "published",
    "datepublished": "published", "dc.date.issued": "published", "dcterms.issued": "published", "dc.date.created": "published",
    "dcterms.created": "published", "dc.issued": "published", "citation_publication_date": "published", "citation_online_date": "published",
    "citation_date": "published", "parsely-pub-date": "published", "sailthru.date": "published", "pubdate": "published", "publish-date": "published",
    "publish_date": "published", "published_time": "published", "publishdate": "published", "published-date": "published", "published": "published",
    "datecreated": "published", "cxenseparse:recs:publishtime": "published", "cxenseparse:publishtime": "published", "date-pub": "published",
    "shareaholic:article_published_time": "published", "article.published": "published", "publication_date": "published", "article.created": "published",
    "displaydate": "published", "og:pubdate": "published", "og:published_time": "published", "rnews:datepublished": "published", "ptime": "published", "originalpublicationdate": "published",
    "date": "date", "dc.date": "date", "dcterms.date": "date", "og:date": "date", "article.date": "date", "cdate": "date", "created": "date", "release_date": "date", "eomportal-lastupdate": "modified",
    "article:modified_time": "modified", "og:updated_time": "modified", "datemodified": "modified", "last-modified": "modified",
    "dcterms.modified": "modified", "article:modified": "modified", "revised": "modified", "lastmod": "modified", "updated_time": "modified",
    "og:article:modified_time": "modified", "shareaholic:article_modified_time": "modified", "dc.date.modified": "modified",
}  # fmt: skip
_SOME_DATE = re.compile(r"date|time|publish|upload|created")
_ARTICLE_TYPES = re.compile("Article|BlogPosting|Posting|Recipe|Report|Review")
_ITEM_DATES = {"datePublished": "published", "dateCreated": "created", "dateModified": "modified", "uploadDate": "upload"}
_PUBLISHED_WORD = re.compile(
    r"publi|posted|erschienen|ver[öo]ffentlicht|erstellt|geschrieben|written|created|am:|\bon\b|\bam\b|vom|datum|date|первонач|опубл|发布|時間|时间",
    re.IGNORECASE,
)
_MODIFIED_WORD = re.compile(
    r"updat|modifi|aktualis|ge[äa]ndert|letzte|edited|revis|stand|mis à jour|actualiz|更新|обновл|last", re.IGNORECASE
)
_OTHER_WORD = re.compile(r"©|copyright|\(c\)|expire|event|termin|until|bis zum|joined|member|since|seit|registr|geboren|born", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d|\d\d?[./-]\d\d?[./-]\d\d|年|년|\d\d? [A-Za-z]{3,9}\.? '?\d\d\b")
_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?:/|$)")
_ATTRIBUTES = ("datetime", "content", "title", "data-datetime", "data-date", "data-time", "data-published")
_MAX_TEXT = 120
_MAX_START = 50
_MAX_NODES = 30
_MAX_PLACES = 60
_BEFORE_TITLE = 80
_BEHIND_TITLE = 120


def date_on(page: PageFacts, title: int, fetched_at: datetime | None) -> Found | None:
    """Return the day or moment of publication, or None when the page does not tell."""
    choice = best_answer(date_answers(page, title, fetched_at), DATE)
    if choice is None:
        return None
    dates: list[FoundDate] = [candidate.value for candidate in choice.answer.candidates]
    exact = next((date for date in dates if date.precision == "minute" and date.moment.tzinfo), None)
    exact = exact or next((date for date in dates if date.precision == "minute"), dates[0])
    rule = ", ".join(sorted({candidate.signs[0] for candidate in choice.answer.candidates})[:4])
    fields = {"published": aware(exact, None), "published_precision": exact.precision}
    return Found(fields, Provenance(method="page", rule=rule, confidence=choice.confidence))


def date_answers(page: PageFacts, title: int, fetched_at: datetime | None = None) -> list[Answer]:
    """Return every day that may be the day of publication, with the signs for it."""
    candidates = [*_declared(page), *_in_address(page), *_times(page, title), *_marked(page, title)]
    candidates += _in_text(page, title)
    if not any(sign in _SURE for candidate in candidates for sign in candidate.signs):
        candidates += _anywhere(page, title)
    if fetched_at is not None:
        latest = (fetched_at + timedelta(days=1)).date().isoformat()
        candidates = [each for each in candidates if each.key <= latest]
    answers = answers_of(candidates)
    days = sorted(answer.key for answer in answers)
    month = _MONTH_IN_PATH.search(page.url)
    return [
        Answer(answer.key, answer.candidates, _signs(answer) | set(_bearing(answer, days, month)))
        for answer in answers
    ]


_SURE = frozenset({"meta published", "ld article published", "ld page published", "address"})
_SOURCES = (
    "is published", "pubdate", "time first", "first marked", "is entry-date", "time", "is date", "is some-date", "text", "long text", "any text", "is updated",
)  # fmt: skip
_ZONES = (
    "next to title", "before title", "near title", "next to title aside", "before title aside", "near title aside", "end of article", "in article", "far before", "far behind",
    "end of article aside", "in article aside", "far before aside", "far behind aside",
    "comments", "unseen",
)  # fmt: skip


def _signs(answer: Answer) -> frozenset[str]:
    shown = {tuple(sign.split(", ", 1)) for sign in answer.signs if ", " in sign}
    signs = {sign for sign in answer.signs if ", " not in sign}
    signs |= {source for source, _ in shown} | {f"at {zone}" for _, zone in shown}
    if shown:
        source, zone = min(shown, key=lambda pair: (_ZONES.index(pair[1]), _SOURCES.index(pair[0])))
        signs.add(f"{source}, {zone}")
    return frozenset(signs)


def _candidates(text: str, signs: Iterable[str], page: PageFacts, node: int = -1) -> Iterator[Candidate]:
    signs = tuple(signs)
    dates = read_dates(text, languages=page.languages)
    for place, date in enumerate(dates[:4]):
        more = ("ambiguous",) if date.ambiguous else ()
        later = ("later reading",) if place else ()
        yield Candidate(date, date.moment.date().isoformat(), (*signs, *more, *later), node)


def _declared(page: PageFacts) -> Iterator[Candidate]:
    for name, contents in page.data.metas.items():
        kind = _METAS.get(name) or ("some" if _SOME_DATE.search(name) else None)
        if kind and len(contents[0]) < _MAX_TEXT:
            yield from list(_candidates(contents[0], (f"meta {kind}",), page))[:1]
    for item in page.data.items:
        types = " ".join(types_of(item))
        about = "article" if _ARTICLE_TYPES.search(types) else "page" if "Page" in types else "other"
        for key, kind in _ITEM_DATES.items():
            value = item.get(key)
            if isinstance(value, str) and len(value) < _MAX_TEXT:
                yield from list(_candidates(value, (f"ld {about} {kind}",), page))[:1]


def _in_address(page: PageFacts) -> Iterator[Candidate]:
    found = date_in_address(page.url)
    if found is not None:
        moment = found.fields["published"].replace(tzinfo=None)
        date = FoundDate(moment, "day", "iso", ambiguous=False, start=0, end=0)
        yield Candidate(date, moment.date().isoformat(), ("address",))


def _times(page: PageFacts, title: int) -> Iterator[Candidate]:
    tree = page.tree
    for place, node in enumerate(tree.nodes_by_tag.get("time", ())[:_MAX_PLACES]):
        value = tree.attrs[node].get("datetime") or one_line(tree.plain(node))
        if len(value) < _MAX_TEXT:
            signs = ["time", *(("time first",) if not place else ()), *(("pubdate",) if "pubdate" in tree.attrs[node] else ())]
            yield from list(_candidates(value, _with_place(page, node, title, signs), page, node))[:1]


def _marked(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Dates in elements that call themselves a date."""
    tree = page.tree
    seen = 0
    for node, marks in page.date_nodes:
        if tree.end[node] - node > _MAX_NODES:
            continue
        attrs = tree.attrs[node]
        told = next((value for name in _ATTRIBUTES if (value := attrs.get(name)) and _YEAR.search(value)), None)
        text = told or one_line(tree.plain(node))
        if len(text) <= _MAX_TEXT and _YEAR.search(text):
            first = () if seen else ("first marked",)
            seen += 1
            yield from _candidates(text, _with_place(page, node, title, [f"is {mark}" for mark in marks], text) + first, page, node)
            if seen >= _MAX_PLACES:
                return


def _in_text(page: PageFacts, title: int) -> Iterator[Candidate]:
    """Dates in short texts near the title or at either end of the article."""
    start = title if title >= 0 else page.article.node
    end = page.tree.end[page.article.node]
    size = len(page.tree)
    near = [*range(max(0, start - _BEFORE_TITLE), min(size, start + _BEHIND_TITLE)), *range(max(0, end - 40), min(size, end + 60))]
    yield from _texts(page, title, near, "text")


def _anywhere(page: PageFacts, title: int) -> Iterator[Candidate]:
    yield from _texts(page, title, range(len(page.tree)), "any text")


def _texts(page: PageFacts, title: int, nodes: Iterable[int], source: str) -> Iterator[Candidate]:
    tree = page.tree
    for node in dict.fromkeys(nodes):
        text = tree.text[node]
        if tree.tag[node] == TEXT and 5 < len(text) and _YEAR.search(text) and not tree.unseen[node]:
            text = one_line(text)
            if len(text) <= _MAX_TEXT:
                yield from _candidates(text, _with_place(page, node, title, [source], text), page, node)
            elif source == "text":
                yield from _candidates(text[:_MAX_START], _with_place(page, node, title, ["long text"], text), page, node)


def _with_place(page: PageFacts, node: int, title: int, sources: Iterable[str], text: str = "") -> tuple[str, ...]:
    places = page.places.of(node)
    zone = _zone(page, node, title)
    if "comments" in places:
        zone = "comments"
    elif places & {"others", "aside", "frame"}:
        zone = f"{zone} aside"
    before = text[:40] if text else ""
    label = f"{before} {_text_before(page, node)}"
    signs = [f"{source}, {zone}" for source in sources]
    if _MODIFIED_WORD.search(label):
        signs.append("says modified")
    if _PUBLISHED_WORD.search(label):
        signs.append("says published")
    if _OTHER_WORD.search(label):
        signs.append("says other")
    if page.tree.unseen[node]:
        signs.append("unseen")
    return tuple(signs)


def _text_before(page: PageFacts, node: int) -> str:
    texts = page.tree.text
    return next((texts[each][-40:] for each in range(node - 1, max(0, node - 6), -1) if texts[each].strip()), "")


def _zone(page: PageFacts, node: int, title: int) -> str:
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        return "before title"
    if start <= node <= start + 40:
        return "next to title"
    if start <= node <= start + _BEHIND_TITLE:
        return "near title"
    article, end = page.article.node, page.tree.end[page.article.node]
    if end - 20 < node < end + 60:
        return "end of article"
    return "far before" if node < start else "in article" if article <= node < end else "far behind"


def _bearing(answer: Answer, days: list[str], month: re.Match[str] | None) -> Iterator[str]:
    """Signs that compare the day with the others on the page, and with the address."""
    if len(days) == 1:
        yield "only day"
    elif answer.key == days[0]:
        yield "first day"
    elif answer.key == days[-1]:
        yield "last day"
    if len(days) > 4:
        yield "one of many days"
    if month:
        fits = answer.key.startswith(f"{month[1]}-{int(month[2]):02}")
        yield "fits address" if fits else "against address"
    sources = {sign.split(",")[0] for sign in answer.signs}
    if len(sources & {"meta published", "ld article published", "ld page published", "time", "text", "address"}) > 1:
        yield "told twice"
