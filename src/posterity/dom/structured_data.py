"""What a page says of itself to machines: its <title>, its <meta> elements and its JSON-LD."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom.document import Tree

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

    def with_types(self, *types: str) -> Iterator[dict[str, Any]]:
        """The JSON-LD objects of any of these types."""
        return (item for item in self.items if any(name in types for name in types_of(item)))

    def resolved(self, value: object) -> dict[str, Any]:
        """The object that a JSON-LD value is or points at with @id; an empty one for anything else."""
        if not isinstance(value, dict):
            return {}
        if len(value) > 1 or "@id" not in value:
            return value
        return next((item for item in self.items if item.get("@id") == value["@id"] and len(item) > 1), value)


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
    items = tuple(item for node in _json_ld_nodes(tree) for item in _objects(_decoded(tree.plain(node)), 0))
    return StructuredData(title=_page_title(tree), metas=metas, items=items)


def types_of(item: dict[str, Any]) -> list[str]:
    """Return the names of a JSON-LD object's types, without their vocabulary."""
    types = item.get("@type")
    names = types if isinstance(types, list) else [types]
    return [name.rsplit("/", 1)[-1] for name in names if isinstance(name, str)]


def _json_ld_nodes(tree: Tree) -> Iterator[int]:
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            yield node


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
