"""What a page declares to machines: its <title>, its <meta> elements and its JSON-LD."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from posterity.dom.document import Document
from posterity.dom.links import absolute
from posterity.dom.plain_text import text_of
from posterity.dom.tree import Tree
from posterity.text.normal_form import one_line
from posterity.urls import canonical_url

# The attributes by which <meta> elements are named: RDFa and Open Graph, HTML, microdata.
_META_NAMES = ("property", "name", "itemprop")
# Where JSON-LD nests the things that a page is about.
_NESTED = ("@graph", "mainEntity", "mainEntityOfPage")
_MAX_NESTING = 4
# What content management systems wrap around the JSON, so that older browsers or XML parsers do not see it.
_WRAPPING = re.compile(r"^\s*(?://\s*)?(?:<!--|<!\[CDATA\[|/\*.{0,20}?\*/)*|(?://\s*)?(?:-->|\]\]>)*\s*;?\s*$")


class StructuredData(msgspec.Struct, frozen=True):
    """`metas` are contents by name in lower case; `items` are the objects of JSON-LD, nested ones too, in order."""

    title: str
    metas: dict[str, list[str]]
    items: tuple[dict[str, Any], ...]

    def first(self, *names: str) -> str:
        """The first content of the first of these <meta> names that the page has, or an empty text."""
        return next((self.metas[name][0] for name in names if name in self.metas), "")

    @property
    def types(self) -> set[str]:
        """The types of all JSON-LD objects."""
        return {name for item in self.items for name in types_of(item)}

    def with_types(self, *types: str) -> Iterator[dict[str, Any]]:
        """The JSON-LD objects of any of these types."""
        return (item for item in self.items if any(name in types for name in types_of(item)))

    def resolved(self, value: object) -> dict[str, Any]:
        """The object that a JSON-LD value is or points at with @id; an empty one for anything else."""
        return _resolved(value, self.items)


def structured_data(tree: Tree) -> StructuredData:
    """Return what the page declares; broken JSON-LD is left out."""
    metas: dict[str, list[str]] = {}
    for node in tree.nodes_by_tag.get("meta", ()):
        attrs = tree.attrs[node]
        content = one_line(attrs.get("content") or "")
        if content:
            for name in _META_NAMES:
                if key := attrs.get(name):
                    metas.setdefault(key.lower(), []).append(content)
    scripts = tree.nodes_by_tag.get("script", ())
    items = _items(tree.plain(node) for node in scripts if "ld+json" in (tree.attrs[node].get("type") or ""))
    return StructuredData(title=_page_title(tree), metas=metas, items=items)


def json_ld(document: Document) -> tuple[dict[str, Any], ...]:
    """Return the objects of a page's JSON-LD, for those who need nothing else of the page's tree."""
    return _items(script.plain(0) for script in document.all('script[type*="ld+json"]'))


def declared_person_names(value: object, items: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the names in a JSON-LD value such as an author: a text, an object, one that @id points at, or several."""
    for each in value if isinstance(value, list) else [value]:
        names = _resolved(each, items).get("name") if isinstance(each, dict) else each
        for name in names if isinstance(names, list) else [names]:
            if isinstance(name, str) and (declared := one_line(name)) and "://" not in declared:
                yield declared


def types_of(item: dict[str, Any]) -> list[str]:
    """Return the names of a JSON-LD object's types, without their vocabulary."""
    types = item.get("@type")
    names = types if isinstance(types, list) else [types]
    return [name.rsplit("/", 1)[-1] for name in names if isinstance(name, str)]


def _resolved(value: object, items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    if len(value) > 1 or "@id" not in value:
        return value
    return next((item for item in items if item.get("@id") == value["@id"] and len(item) > 1), value)


def _items(scripts: Iterable[str]) -> tuple[dict[str, Any], ...]:
    return tuple(item for script in scripts for item in _objects(_decoded(script), 0))


def _decoded(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    try:
        # Line breaks inside strings are no JSON, and common.
        return json.loads(_WRAPPING.sub("", text), strict=False)
    except (ValueError, RecursionError):
        return None


def _objects(data: object, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(data, list):
        for part in data:
            yield from _objects(part, depth)
    elif isinstance(data, dict) and depth < _MAX_NESTING:
        yield data
        for key in _NESTED:
            if isinstance(data.get(key), (dict, list)):
                yield from _objects(data[key], depth + 1)


def _page_title(tree: Tree) -> str:
    """The first <title> that is not the caption of a drawing."""
    for node in tree.nodes_by_tag.get("title", ()):
        if tree.tag[tree.parent[node]] != "svg" and (title := one_line(tree.plain(node))):
            return title
    return ""


def declared_url(document: Document) -> str | None:
    """Return what the page itself gives as its canonical URL, if it is a usable one."""
    declared = document.declared("link[rel~=canonical][href]", "href")
    full = absolute(document.base_url, declared)
    if not full:
        return None
    # A blog rendered by scripts has one <head> for all its routes.
    is_for_all_routes = "#" in canonical_url(document.url) and "#" not in canonical_url(full)
    return None if is_for_all_routes else canonical_url(full)


def declared_summary(document: Document) -> str | None:
    """Return what the page gives as its own description, in one line."""
    described = 'meta[name="description"][content], meta[property="og:description"][content]'
    return one_line(document.declared(described, "content") or "") or None


def declared_terms(document: Document) -> tuple[tuple[str, ...], str]:
    """Return the tags that the page declares, else the links that it declares as tags, and which they are."""
    tagged = document.elements('meta[property="article:tag"], a[rel~="tag"]')
    declared = [content for element in tagged if element.tag == "meta" and (content := element.attrs.get("content"))]
    linked = [] if declared else [text_of(element.tree) for element in tagged if element.tag == "a"]
    terms = tuple(dict.fromkeys(filter(None, map(one_line, declared or linked))))
    return terms, "article:tag" if declared else "rel=tag"
