"""Markers: the tag and attribute by which the pages of one domain mark their content block.

Document 004, section 3 (Table 1, Figure 4). A marker is written `tag|attribute|value`, such as
`div|class|entrybody`. mCST finds the block of every page, the block's root gives a marker, a marker that is not
unique in its page is dropped, and of those that remain the two found most often are the domain's primary and
secondary marker.

Where the text leaves a choice:
- GetTheRootMarker: the paper's examples show `id` and `class` and a bare `body`. A root is named by its id, else
  its class, else its tag alone. An id with a digit in it (post-1234) belongs to one page and comes after the class.
- A class is a set of words. Words with digits are left out for the same reason; a marker names every element that
  has all of its words. For the one-word classes of the paper this is equality.
- When the preferred name is not unique in the page, the next one is tried before the page is given up.
- Markers found equally often keep the order in which they were first found.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from posterity.errors import InputError
from posterity.extract.cst_weights import TEXT_ONLY, attenuation_by_depth_and_width, main_block
from posterity.model.rules import css_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Document, Tree

_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"[A-Za-z_][\w:.-]*", re.ASCII)
_SPECIAL_IN_STRING = re.compile(r'[\\"\x00-\x1f\x7f]')


class Marker(msgspec.Struct, frozen=True, order=True):
    """One marker; without an attribute it names every element of the tag."""

    tag: str
    attribute: str = ""
    value: str = ""

    def __str__(self) -> str:
        return f"{self.tag}|{self.attribute}|{self.value}" if self.attribute else self.tag

    @property
    def css(self) -> str:
        """The marker as a CSS selector."""
        tag = css_name(self.tag)
        if not self.attribute:
            return tag
        # Quoted, because a class such as "-" or "2col" is no name in CSS.
        name, sign = css_name(self.attribute), "~=" if self.attribute == "class" else "="
        values = self.value.split() if self.attribute == "class" else [self.value]
        return tag + "".join(f'[{name}{sign}"{_SPECIAL_IN_STRING.sub(_escaped, value)}"]' for value in values)


class Markers(msgspec.Struct, frozen=True, kw_only=True):
    """What a domain's pages agree on; a field is None when no second, or no marker at all, was found."""

    primary: Marker | None = None
    secondary: Marker | None = None

    @property
    def in_order(self) -> tuple[Marker, ...]:
        """Those there are, in the order in which a page is filtered."""
        return tuple(marker for marker in (self.primary, self.secondary) if marker is not None)


def marker_from(text: str) -> Marker:
    """Return the marker that this text writes, or raise `InputError`."""
    tag, *rest = (part.strip() for part in text.strip().split("|", 2))
    if _NAME.fullmatch(tag) and not rest:
        return Marker(tag.lower())
    if _NAME.fullmatch(tag) and len(rest) == 2 and _NAME.fullmatch(rest[0]) and rest[1]:
        return Marker(tag.lower(), rest[0].lower(), rest[1])
    raise InputError(
        f"{text.strip()!r} is not a marker. Write tag|attribute|value, such as div|class|entry, or a tag alone."
    )


def root_markers(tree: Tree, node: int) -> list[Marker]:
    """Return the markers that name an element, preferred ones first."""
    tag, attrs = tree.tag[node], tree.attrs[node]
    found = []
    name = (attrs.get("id") or "").strip()
    words = " ".join(sorted({word for word in tree.classes(node) if not _DIGIT.search(word)}))
    if words:
        found.append(Marker(tag, "class", words))
    if name:
        found.insert(len(found) if _DIGIT.search(name) else 0, Marker(tag, "id", name))
    return found or [Marker(tag)]


def marker_of(document: Document) -> Marker | None:
    """Return the marker of the block that mCST finds, if one of its names is unique in the page."""
    tree = document.tree
    block = main_block(tree, TEXT_ONLY, attenuation_by_depth_and_width)
    if block is None:
        return None
    return next((marker for marker in root_markers(tree, block) if document.count(marker.css) == 1), None)


def most_common(found: Iterable[Marker | None]) -> Markers:
    """Return the primary and the secondary marker of the markers of many pages (Table 1)."""
    ranked = [marker for marker, _ in Counter(marker for marker in found if marker is not None).most_common(2)]
    return Markers(primary=ranked[0] if ranked else None, secondary=ranked[1] if len(ranked) > 1 else None)


def markers_of(documents: Iterable[Document]) -> Markers:
    """Return the markers of a domain, learned from its pages (Algorithm 1, mCST_MarkerDetector)."""
    return most_common(marker_of(document) for document in documents)


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    return f"\\{char}" if char in '\\"' else f"\\{ord(char):x} "
