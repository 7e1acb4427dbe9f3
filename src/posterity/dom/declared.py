"""What a page declares about its own address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.links import absolute
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
