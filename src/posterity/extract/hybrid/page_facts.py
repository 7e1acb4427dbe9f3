"""One reading of a page for all of its fields: what it declares, and which elements call themselves what."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.dom.structured_data import StructuredData, structured_data
from posterity.extract.hybrid.article import Article
from posterity.extract.hybrid.marks import Places, author_marks, date_marks, names_of
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from posterity.dom import Document

from posterity.dom import Tree

_SITE_METAS = ("og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "copyright")
_SITE_TYPES = frozenset({"WebSite", "Organization", "NewsMediaOrganization", "Corporation", "Blog"})


# Pages that name no language, or the wrong one, still write their months in it.
_COMMON = ("en", "de", "fr", "es", "it", "pt", "nl", "ru")
_LANGUAGE_OF_COUNTRY = {"de": "de", "at": "de", "ch": "de", "fr": "fr", "es": "es", "it": "it", "pt": "pt", "br": "pt-BR", "nl": "nl", "ru": "ru", "ua": "uk", "pl": "pl", "uk": "en-GB"}


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the fields are looked for in. Marked nodes come in document order, each with the names of its marks."""

    url: str
    languages: tuple[str, ...]
    tree: Tree
    article: Article
    data: StructuredData
    places: Places
    author_nodes: tuple[tuple[int, tuple[str, ...]], ...]
    date_nodes: tuple[tuple[int, tuple[str, ...]], ...]
    # What the site calls itself, by its letters and digits.
    site_names: frozenset[str]


def page_facts(document: Document, article: Article) -> PageFacts:
    """Return the facts of a page, gathered in one pass over its elements."""
    tree = document.tree
    authors, dates = [], []
    for node, attrs in enumerate(tree.attrs):
        if attrs and tree.tag[node] not in ("meta", "link", "body", "html"):
            names = names_of(attrs)
            if names and (marks := author_marks(names)):
                authors.append((node, marks))
            if names and (marks := date_marks(names)):
                dates.append((node, marks))
    data = structured_data(tree)
    return PageFacts(
        url=document.url,
        languages=_languages(document.language, data, urlsplit(document.url).hostname or ""),
        tree=tree,
        article=article,
        data=data,
        places=Places(tree),
        author_nodes=tuple(authors),
        date_nodes=tuple(dates),
        site_names=_site_names(document.url, data),
    )


def _languages(declared: str | None, data: StructuredData, host: str) -> tuple[str, ...]:
    told = declared or data.first("og:locale", "content-language", "language", "dc.language")
    told = told or _LANGUAGE_OF_COUNTRY.get(host.rsplit(".", 1)[-1], "")
    return (told.replace("_", "-"), *_COMMON) if told else _COMMON


def _site_names(url: str, data: StructuredData) -> frozenset[str]:
    host = urlsplit(url).hostname or ""
    labels = host.removeprefix("www.").split(".")
    names = {host.removeprefix("www."), labels[0], labels[-2] if len(labels) > 1 else ""}
    names.update(data.first(meta) for meta in _SITE_METAS)
    for item in data.items:
        publisher = data.resolved(item.get("publisher"))
        names.update(str(part.get("name") or "") for part in (publisher,))
        if _SITE_TYPES.intersection(_types(item)):
            names.add(str(item.get("name") or ""))
    return frozenset(filter(None, map(letters_and_digits, names)))


def _types(item: dict[str, object]) -> list[str]:
    types = item.get("@type")
    return [str(name) for name in types] if isinstance(types, list) else [str(types)]
