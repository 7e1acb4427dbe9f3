"""The links of a page, for a crawler: canonical, each once, in the order of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.links import absolute
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom import Document


def page_links(document: Document) -> list[str]:
    """Return the addresses that the page links to."""
    base = document.base_url
    hrefs = document.attributes("a[href], area[href], link[rel~=next][href], link[rel~=prev][href]", "href")
    found = (absolute(base, href) for href in hrefs)
    return list(dict.fromkeys(canonical_url(link) for link in found if link))
