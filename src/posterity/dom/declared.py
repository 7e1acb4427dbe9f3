"""What a page declares about itself: its address, and in a sentence what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.links import absolute
from posterity.text.normal_form import one_line
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom.document import Document


def declared_address(document: Document) -> str | None:
    """Return what the page itself gives as its canonical address, if it is a usable one."""
    declared = document.declared("link[rel~=canonical][href]", "href")
    full = absolute(document.base_url, declared)
    if not full:
        return None
    # A blog drawn by scripts has one <head> for all its routes.
    is_for_all_routes = "#" in canonical_url(document.url) and "#" not in canonical_url(full)
    return None if is_for_all_routes else canonical_url(full)


def declared_summary(document: Document) -> str | None:
    """Return what the page gives as its own description, in one line."""
    described = 'meta[name="description"][content], meta[property="og:description"][content]'
    return one_line(document.declared(described, "content") or "") or None
