"""Method `e-mcst`: the block named by its domain's markers, or mCST if the page has none of them.

Document 004, section 3, Figure 3. Step (a), marker detection, is `markers_of(pages of the domain)`; step (b) is
`posts`. It takes the markers from `context.options["markers"]` (a `Markers`, or a list of texts such as
["div|class|entry"]), or learns them from `context.site`. With markers, only the block is read, not the whole page.

Where the paper leaves a choice:
- The filter returns the first element that the marker matches: in the pages it was learned from there was only one.
- A marked block without text and media is skipped, and the next marker is tried.
- The markers of a site are learned once for consecutive pages of the site.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from posterity.dom import Document, Tree
from posterity.dom.tree import node_path
from posterity.errors import InputError
from posterity.extraction.content_structure import TEXT_ONLY, attenuation_by_depth_and_width, main_block
from posterity.extraction.method import Context
from posterity.extraction.record import article_fields, post_from
from posterity.model import Post, Provenance
from posterity.model.rules import css_name

_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"[A-Za-z_][\w:.-]*", re.ASCII)
_SPECIAL_IN_STRING = re.compile(r'[\\"\x00-\x1f\x7f]')


class Marker(msgspec.Struct, frozen=True, order=True):
    """One marker; without an attribute it matches every element of the tag."""

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
        # Quoted, because a class such as "-" or "2col" is not a CSS identifier.
        name, feature = css_name(self.attribute), "~=" if self.attribute == "class" else "="
        values = self.value.split() if self.attribute == "class" else [self.value]
        return tag + "".join(f'[{name}{feature}"{_SPECIAL_IN_STRING.sub(_escaped, value)}"]' for value in values)


class Markers(msgspec.Struct, frozen=True, kw_only=True):
    """The most common markers of a domain's pages; a field is None if there is no such marker."""

    primary: Marker | None = None
    secondary: Marker | None = None

    @property
    def in_order(self) -> tuple[Marker, ...]:
        """The existing markers in the order in which they are tried."""
        return tuple(marker for marker in (self.primary, self.secondary) if marker is not None)


def marker_from(text: str) -> Marker:
    """Parse a marker such as "div|class|entry", or raise `InputError`."""
    tag, *rest = (part.strip() for part in text.strip().split("|", 2))
    if _NAME.fullmatch(tag) and not rest:
        return Marker(tag.lower())
    if _NAME.fullmatch(tag) and len(rest) == 2 and _NAME.fullmatch(rest[0]) and rest[1]:
        return Marker(tag.lower(), rest[0].lower(), rest[1])
    raise InputError(
        f"{text.strip()!r} is not a marker. Write tag|attribute|value, such as div|class|entry, or a tag alone."
    )


def root_markers(tree: Tree, node: int) -> list[Marker]:
    """Return the possible markers of an element, preferred ones first."""
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
    """Return the first marker of mCST's main block that is unique in the page, or None."""
    tree = document.tree
    block = main_block(tree, TEXT_ONLY, attenuation_by_depth_and_width)
    if block is None:
        return None
    return next((marker for marker in root_markers(tree, block) if document.count(marker.css) == 1), None)


def most_common(found: Iterable[Marker | None]) -> Markers:
    """Return the two most common markers of many pages as primary and secondary (Table 1)."""
    ranked = [marker for marker, _ in Counter(marker for marker in found if marker is not None).most_common(2)]
    return Markers(primary=ranked[0] if ranked else None, secondary=ranked[1] if len(ranked) > 1 else None)


def markers_of(documents: Iterable[Document]) -> Markers:
    """Return the markers of a domain, learned from its pages (Algorithm 1, mCST_MarkerDetector)."""
    return most_common(marker_of(document) for document in documents)


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    return f"\\{char}" if char in '\\"' else f"\\{ord(char):x} "


MARKER_CONFIDENCE = 0.944  # 004, Table 2, data set 1: TCS of E-mCST
FALLBACK_CONFIDENCE = 0.797  # 004, Table 2: TCS of mCST


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the block that a marker matches, else mCST's main block, or nothing if the page has no text."""
    for marker in domain_markers(context).in_order:
        fields = filtered(document, marker)
        if fields is not None:
            node = document.path_of(marker.css)
            return (_post(document, fields, str(marker), node, MARKER_CONFIDENCE),)
    tree = document.tree
    block = main_block(tree, TEXT_ONLY, attenuation_by_depth_and_width)
    if block is None:
        return ()
    fields = article_fields(tree, document.base_url, block)
    return (_post(document, fields, f"mcst: {tree.path(block)}", node_path(tree, block), FALLBACK_CONFIDENCE),)


def domain_markers(context: Context) -> Markers:
    """Return the markers in the context's options, else those of its site; raise `InputError` if malformed."""
    given = context.options.get("markers")
    if given is None:
        return _site_markers(context.site)
    if isinstance(given, Markers):
        return given
    if isinstance(given, list | tuple) and all(isinstance(text, str) for text in given):
        parsed: list[Marker | None] = [marker_from(text) for text in given[:2]]
        primary, secondary, *_ = [*parsed, None, None]
        return Markers(primary=primary, secondary=secondary)
    raise InputError('The option "markers" takes up to two markers, such as ["div|class|entry", "div|id|content"].')


def filtered(document: Document, marker: Marker) -> dict[str, Any] | None:
    """Return the fields of the block that the marker matches, or None if it matches none with content."""
    tree = document.first(marker.css)
    if tree is None:
        return None
    fields = article_fields(tree, document.base_url)
    return fields if fields["text"] or fields["media"] else None


@lru_cache(maxsize=1)
def _site_markers(site: tuple[Document, ...]) -> Markers:
    return markers_of(site)


def _post(document: Document, fields: dict[str, Any], rule: str, node: str | None, confidence: float) -> Post:
    provenance = Provenance(method="e-mcst", rule=rule, node=node, confidence=confidence)
    return post_from(document, fields, {"text": provenance})
