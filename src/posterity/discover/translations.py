"""The same post in another language: what pages declare as their translations.

The feed of a blog in two languages names the posts of one of them, and their addresses look unlike the others
(/posts/tides/ and /fr/posts/marees/).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from posterity.dom.links import absolute
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Document
    from posterity.urls import PostPattern, Scope

_DECLARED = "link[rel~=alternate][hreflang][href]:not([type]), a[hreflang][href]"
_MIN_ADDRESSES = 2
# Somebody writes in two or three languages; ten are a machine's.
_MOST_LANGUAGES = 3


def translated_posts(pages: Iterable[Document], scope: Scope, pattern: PostPattern) -> dict[str, list[str]]:
    """Return the addresses in other languages that these posts declare, by language, where they have another pattern.

    Only the blog's own host counts; none are returned where there are more languages than one person writes.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for page in pages:
        for element in page.elements(_DECLARED):
            url = canonical_url(absolute(page.base_url, element.attrs.get("href")) or "")
            if scope.is_on_host(url) and not pattern.fits(url) and url != canonical_url(page.url):
                found[(element.attrs.get("hreflang") or "").lower()][url] = None
    several = {language: list(urls) for language, urls in found.items() if len(urls) >= _MIN_ADDRESSES}
    return several if len(several) <= _MOST_LANGUAGES else {}
