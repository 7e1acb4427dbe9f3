"""The links of a page, for a crawler: canonical, each once, in the order of the page."""

from __future__ import annotations

from posterity.dom import parse
from posterity.dom.links import absolute
from posterity.errors import UnreadablePage
from posterity.urls import canonical_url


def page_links(body: bytes, url: str) -> list[str]:
    """Return the addresses that the page links to; none when it cannot be read."""
    try:
        document = parse(body, url)
    except UnreadablePage:
        return []
    base = document.base_url
    hrefs = document.attributes("a[href], area[href], link[rel~=next][href], link[rel~=prev][href]", "href")
    found = (absolute(base, href) for href in hrefs)
    return list(dict.fromkeys(canonical_url(link) for link in found if link))
