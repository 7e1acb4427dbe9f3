"""What a page declares about itself: its address, in a sentence what it is about, and its tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.links import absolute
from posterity.dom.plain_text import text_of
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


def declared_terms(document: Document) -> tuple[tuple[str, ...], str]:
    """Return the tags that the page tells to machines, else the links that it marks as tags, and which they are."""
    marked = document.elements('meta[property="article:tag"], a[rel~="tag"]')
    told = [content for element in marked if element.tag == "meta" and (content := element.attrs.get("content"))]
    linked = [] if told else [text_of(element.tree) for element in marked if element.tag == "a"]
    terms = tuple(dict.fromkeys(filter(None, map(one_line, told or linked))))
    return terms, "article:tag" if told else "rel=tag"
