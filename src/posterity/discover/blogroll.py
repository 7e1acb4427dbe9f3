"""Where a blog's page recommends other blogs: its links to other hosts that do not belong to the posts on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.discover.links import page_links
from posterity.urls import Scope, place_key

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from posterity.dom import Document

# Pages that are nothing but recommendations, in the languages in which they were met.
_LINK_PAGE = re.compile(
    r"(?:blog-?roll|links?|liens|linkliste|enlaces|friends?|following|feeds-i-follow|reading-list)(?:\.\w+)?/?$",
    re.IGNORECASE,
)


def recommended_links(document: Document, home_url: str, in_posts: AbstractSet[str] = frozenset()) -> list[str]:
    """Return the page's links to other hosts; `in_posts` are the places that posts link to, which are no blogroll."""
    scope = Scope.of(home_url)
    return [link for link in page_links(document) if not scope.is_on_host(link) and place_key(link) not in in_posts]


def link_pages(document: Document, home_url: str) -> list[str]:
    """Return the pages of the blog that a page links to and that seem to hold its blogroll."""
    scope = Scope.of(home_url)
    return [link for link in page_links(document) if scope.includes(link) and _LINK_PAGE.search(link)]
