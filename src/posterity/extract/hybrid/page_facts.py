"""One reading of a page for all of its fields: what it declares, and which elements call themselves what."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.dom import Tree
from posterity.dom.structured_data import StructuredData, structured_data
from posterity.extract.hybrid.article import Article
from posterity.extract.hybrid.marks import Places, author_marks, date_marks, given_names, names_of
from posterity.extract.hybrid.site_name import site_names

if TYPE_CHECKING:
    from posterity.dom import Document

# Pages that name no language, or the wrong one, still write their months in it.
_COMMON = ("en", "de", "fr", "es", "it", "pt", "nl", "ru")
_LANGUAGE_OF_COUNTRY = {
    **{country: country for country in "de es fr it nl pl pt ru".split()},
    "at": "de",
    "br": "pt-BR",
    "ch": "de",
    "ua": "uk",
    "uk": "en-GB",
}
_UNMARKED = frozenset({"meta", "link", "body", "html", "script", "style", "img", "input", "form"})


Marked: TypeAlias = "tuple[tuple[int, tuple[str, ...]], ...]"


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the fields are looked for in. Marked nodes come in document order, each with the names of its marks."""

    url: str
    # Both empty where the address is none: http://[::1
    host: str
    path: str
    languages: tuple[str, ...]
    tree: Tree
    article: Article
    data: StructuredData
    places: Places
    author_nodes: Marked
    date_nodes: Marked
    # What the site calls itself, by its letters and digits.
    site_names: frozenset[str]


def page_facts(document: Document, article: Article) -> PageFacts:
    """Return the facts of a page, gathered in one pass over its elements."""
    tree = document.tree
    authors, dates = _marked(tree)
    data = structured_data(tree)
    host, path = _host_and_path(document.url)
    return PageFacts(
        url=document.url,
        host=host,
        path=path,
        languages=_languages(document, data, host),
        tree=tree,
        article=article,
        data=data,
        places=Places(tree),
        author_nodes=authors,
        date_nodes=dates,
        site_names=site_names(host, data),
    )


def _marked(tree: Tree) -> tuple[Marked, Marked]:
    """The nodes that call themselves an author, and those that call themselves a date.

    Most elements share their names with others, so each set of names is looked at once on a page.
    """
    authors, dates = [], []
    known: dict[tuple[str | None, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for node, attrs in enumerate(tree.attrs):
        if not attrs or tree.tag[node] in _UNMARKED:
            continue
        own = given_names(attrs)
        marks = known.get(own)
        if marks is None:
            names = names_of(attrs)
            marks = known[own] = (author_marks(names), date_marks(names))
        if marks[0]:
            authors.append((node, marks[0]))
        if marks[1]:
            dates.append((node, marks[1]))
    return tuple(authors), tuple(dates)


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").removeprefix("www."), parts.path
    except ValueError:
        return "", ""


def _languages(document: Document, data: StructuredData, host: str) -> tuple[str, ...]:
    told = document.language or data.first("og:locale", "content-language", "language", "dc.language")
    country = host.rpartition(".")[2]
    first = told.replace("_", "-") or _LANGUAGE_OF_COUNTRY.get(country, "")
    return (first, *_COMMON) if first else _COMMON
