"""Facts of a page, gathered once for all of its fields: what it declares, and the names of its elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.classify.thread_page import is_thread
from posterity.dom import Document, Tree
from posterity.dom.metadata import StructuredData, structured_data, types_of
from posterity.extraction.hybrid.article import Article
from posterity.extraction.hybrid.name_patterns import NamePatterns, Places, name_patterns_in
from posterity.lexicon import declarations, language_of_country
from posterity.text.normal_form import letters_and_digits

# /en-gb/ and /de/ begin the URLs of pages in that language.
_SECTION = re.compile(r"/([a-z]{2}[-_][a-zA-Z]{2}|de|en|es|fr|it|nl|pl|pt|ru)/")
_SHORTEST_PATH = 4
_NEVER_NAMED = frozenset({"meta", "link", "body", "html", "script", "style", "img", "input", "form"})


NamedNodes: TypeAlias = "tuple[tuple[int, tuple[str, ...]], ...]"


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """All that the fields of a page are found in. Named nodes come in document order, each with its patterns."""

    url: str
    # Both empty where the URL is none: http://[::1
    host: str
    path: str
    # As the page declares it, else by the country of its host; may be empty.
    language: str
    tree: Tree
    article: Article
    data: StructuredData
    places: Places
    author_nodes: NamedNodes
    date_nodes: NamedNodes
    # The messages of many people are what it is for.
    is_thread: bool
    # What links with rel="license" point at.
    licenses: tuple[str, ...]
    # What the site calls itself, by its letters and digits.
    site_names: frozenset[str]

    @property
    def is_front(self) -> bool:
        """Whether its URL is that of a front page: "/", "/en" or "/de/"."""
        return len(self.path) < _SHORTEST_PATH


def page_facts(document: Document, article: Article) -> PageFacts:
    """Return the facts of a page, gathered in one pass over its elements."""
    tree = document.tree
    authors, dates, licenses = _named_nodes(tree)
    data = structured_data(tree)
    host, path = _host_and_path(document.url)
    return PageFacts(
        url=document.url,
        host=host,
        path=path,
        language=_language(document, data, host, path),
        tree=tree,
        article=article,
        data=data,
        places=Places(tree, article.node),
        author_nodes=authors,
        date_nodes=dates,
        is_thread=is_thread(document),
        licenses=licenses,
        site_names=site_names(host, data),
    )


def _named_nodes(tree: Tree) -> tuple[NamedNodes, NamedNodes, tuple[str, ...]]:
    """The nodes that are named as an author, those that are named as a date, and the licences."""
    found: dict[int, NamePatterns] = {}
    for names, nodes in tree.named.classes.items():
        patterns = name_patterns_in(names)
        if patterns is not None:
            found |= dict.fromkeys(nodes, patterns)
    for node, names in _other_names(tree):
        patterns = name_patterns_in(names)
        if patterns is not None:
            found[node] = found[node] | patterns if node in found else patterns
    named = [(node, found[node]) for node in sorted(found) if tree.tag[node] not in _NEVER_NAMED]
    authors = tuple((node, patterns.author) for node, patterns in named if patterns.author)
    return authors, tuple((node, patterns.date) for node, patterns in named if patterns.date), tuple(_licenses(tree))


def _other_names(tree: Tree) -> Iterator[tuple[int, str]]:
    """What elements are called other than by class: each with its node."""
    yield from tree.named.ids
    for node in tree.named.saying:
        if tree.tag[node] not in _NEVER_NAMED:
            attrs = tree.attrs[node]
            for attribute in ("itemprop", "rel", "property"):
                if value := attrs.get(attribute):
                    yield node, value


def _licenses(tree: Tree) -> Iterator[str]:
    for node in tree.named.saying:
        rel = tree.attrs[node].get("rel")
        if rel and "license" in rel and "license" in rel.split() and (href := tree.attrs[node].get("href")):
            yield href


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").removeprefix("www."), parts.path
    except ValueError:
        return "", ""


def _language(document: Document, data: StructuredData, host: str, path: str) -> str:
    declared = document.language or data.first("og:locale", "content-language", "language", "dc.language")
    if not declared and (section := _SECTION.match(path)):
        declared = section[1]
    return declared.replace("_", "-").strip() or language_of_country().get(host.rpartition(".")[2], "")


_SITE_NAME_METAS = declarations("meta.site_name")
_TYPES = frozenset(declarations("type.site"))
_MUCH = 0.6  # "The Example Times" and example.com share less than this, "Example Times" and exampletimes.com more


def site_names(host: str, data: StructuredData) -> frozenset[str]:
    """Return the names of the site by their letters and digits: its host, and what its pages declare."""
    labels = host.split(".")
    names = {host, labels[0], labels[-2] if len(labels) > 1 else ""}
    names.update(data.first(meta) for meta in _SITE_NAME_METAS)
    for item in data.items:
        names.add(_text(data.resolved(item.get("publisher")).get("name")))
        if _TYPES.intersection(types_of(item)):
            names.add(_text(item.get("name")))
    return frozenset(filter(None, map(letters_and_digits, names)))


def is_site_name(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text is one of the names, or differs from it by little."""
    return is_key_of_site(letters_and_digits(text), names)


def is_key_of_site(key: str, names: Iterable[str]) -> bool:
    """Tell the same of the letters and digits of a text."""
    length = len(key)
    return bool(key) and any(
        (name in key and len(name) > _MUCH * length) or (key in name and length > _MUCH * len(name)) for name in names
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
