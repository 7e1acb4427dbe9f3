"""Method `e-mcst`: a page filtered by its domain's markers, and mCST where none of them is found.

Document 004, section 3, Figure 3. Step (a), marker detection, is `markers_of(pages of the domain)`; step (b) is
this method. It takes the markers from `context.options["markers"]` (a `Markers`, or a list of texts such as
["div|class|entry"]), else learns them from `context.site`. With markers at hand, only the block itself is read, not
the whole page.

Where the text leaves a choice:
- The filter returns the first element that the marker names: in the pages it was learned from there was only one.
- A marked block with neither text nor media is as good as none, and the next marker is tried.
- The markers of a site are learned once for all its pages that come one after another.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from posterity.errors import InputError
from posterity.extract.assemble import article_fields, post_from
from posterity.extract.cst_weights import TEXT_ONLY, attenuation_by_depth_and_width, main_block
from posterity.extract.markers import Marker, Markers, marker_from, markers_of
from posterity.model import Post, Provenance

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.method import Context

MARKER_CONFIDENCE = 0.944  # 004, Table 2, data set 1: TCS of E-mCST
FALLBACK_CONFIDENCE = 0.797  # 004, Table 2: TCS of mCST


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the block that a marker names, else the one mCST finds, or nothing when the page has no text."""
    for marker in domain_markers(context).in_order:
        fields = filtered(document, marker)
        if fields is not None:
            return (_post(document, fields, str(marker), MARKER_CONFIDENCE),)
    tree = document.tree
    block = main_block(tree, TEXT_ONLY, attenuation_by_depth_and_width)
    if block is None:
        return ()
    return (
        _post(
            document, article_fields(tree, document.base_url, block), f"mcst: {tree.path(block)}", FALLBACK_CONFIDENCE
        ),
    )


def domain_markers(context: Context) -> Markers:
    """Return the markers the context gives, else those of its site, else none; anything else raises `InputError`."""
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
    """Return the fields of the block that the marker names, or None when it names none with content."""
    tree = document.first(marker.css)
    if tree is None:
        return None
    fields = article_fields(tree, document.base_url)
    return fields if fields["text"] or fields["media"] else None


@lru_cache(maxsize=1)
def _site_markers(site: tuple[Document, ...]) -> Markers:
    return markers_of(site)


def _post(document: Document, fields: dict[str, Any], rule: str, confidence: float) -> Post:
    return post_from(document, fields, {"text": Provenance(method="e-mcst", rule=rule, confidence=confidence)})
