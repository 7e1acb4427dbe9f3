"""The links of a page, for a crawler: canonical, each once, in the order of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from posterity.dom.links import absolute
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom import Document

# In the head: the neighbours of a page, and itself in another language.
_LINKS = (
    "a[href], area[href], link[rel~=next][href], link[rel~=prev][href], "
    "link[rel~=alternate][hreflang][href]:not([type])"
)


def page_links(document: Document) -> list[str]:
    """Return the addresses that the page links to."""
    base = document.base_url
    root = urljoin(base, "/")
    hrefs = document.attributes(_LINKS, "href")
    # Most links lead to the same places from every page of a blog: seen from its root, they are known already.
    found = (absolute(base if _is_relative(href) else root, href) for href in dict.fromkeys(hrefs))
    return list(dict.fromkeys(canonical_url(link) for link in found if link))


def _is_relative(href: str) -> bool:
    """Tell whether the address means something else on a page of another folder."""
    return not href.startswith(("/", "http://", "https://"))
