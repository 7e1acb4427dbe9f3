"""A front page as its records: what all fields of its posts are looked up in, made once per page."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.identify.page_ink import Ink, stable_classes
from posterity.identify.repeated_records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Tree

# What a node looks like inside its record: the same in every record that a template made.
Place: TypeAlias = "tuple[str, frozenset[str], str, frozenset[str]]"

_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | {"td", "th"}


class IndexPage(msgspec.Struct, frozen=True):
    """The tree, its measures, its records, how it writes dates, and when it was fetched, if that is known."""

    tree: "Tree"
    ink: "Ink"
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

    def spelled(self, node: int) -> str:
        """Return the node's tag and classes, for people to read."""
        return ".".join([self.tree.tag[node], *sorted(stable_classes(self.tree, node))])

    def spaced_text(self, node: int) -> str:
        """Return the text below the node, its parts told apart: <b>12</b><i>May</i> is "12 May"."""
        tree = self.tree
        return " ".join(" ".join(tree.text[inner] for inner in range(node, tree.end[node])).split())
