"""The further pages of a long thread: WordPress's `comment-page-2` and `cpage=2`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from posterity.dom.links import absolute
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.dom import Document

_IN_PATH = re.compile(r"^(?P<post>.*?)/?comment-page-(?P<number>\d+)/?$")
_MOST = 200


def comment_page_links(document: Document) -> list[str]:
    """Return the addresses of the thread's other pages, in order; pages between the first and last linked are inferred.

    Themes link only to "older comments", or to 1, 2, 3 ... 9.
    """
    own = _split(canonical_url(document.url))
    linked: dict[int, str] = {}
    for href in document.attributes("a[href*=comment-page-], a[href*='cpage=']", "href"):
        url = absolute(document.base_url, href)
        if url:
            url = canonical_url(url)
            post, number = _split(url)
            if number and post == own[0]:
                linked.setdefault(number, url)
    if not linked:
        return []
    highest = min(max(linked), _MOST)
    return [linked.get(number) or _numbered(linked, number) for number in range(1, highest + 1) if number != own[1]]


def _split(url: str) -> tuple[str, int]:
    """The post's address without scheme, www and trailing slash, and the number of its comment page."""
    parts = urlsplit(url)
    query = [(key, value) for key, value in parse_qsl(parts.query) if key != "cpage"]
    page = next((value for key, value in parse_qsl(parts.query) if key == "cpage"), "")
    match = _IN_PATH.match(parts.path)
    path = (match["post"] if match else parts.path).rstrip("/")
    number = int(match["number"]) if match else int(page) if page.isdigit() else 0
    return f"{parts.netloc.removeprefix('www.')}{path}?{query}", number


def _numbered(linked: dict[int, str], number: int) -> str:
    known, url = next(iter(linked.items()))
    return re.sub(rf"(comment-page-|cpage=){known}\b", rf"\g<1>{number}", url)
