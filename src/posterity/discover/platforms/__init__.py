"""Public APIs and pages of blogging platforms that list all posts of a blog, one module per platform.

These modules make no requests: `listing` is a generator that yields the URL of the next list page and is sent its
body. To add a platform, write a module that follows `Platform`, and add it to `PLATFORMS`.
"""

from __future__ import annotations

from posterity.discover.platforms import (
    blogger,
    ghost,
    hashnode,
    livejournal,
    medium,
    microblog,
    squarespace,
    substack,
    tumblr,
    wordpress,
    wordpress_com,
    writefreely,
)
from posterity.discover.platforms.listing import MAX_PAGES, ChangeList, ListedPost, Listing, Platform, Steps
from posterity.dom import Document

__all__ = [
    "MAX_PAGES", "PLATFORMS", "ChangeList", "ListedPost", "Listing", "Platform", "Steps", "change_lists",
    "platforms_of",
]  # fmt: skip

PLATFORMS: tuple[Platform, ...] = (
    wordpress_com, wordpress, blogger, substack, tumblr, medium, ghost, microblog, writefreely,
    hashnode, livejournal, squarespace,
)  # fmt: skip


def platforms_of(home: Document) -> list[Platform]:
    """Return the platforms detected on the home page, the most likely first; usually one or none."""
    return [platform for platform in PLATFORMS if platform.detect(home)]


def change_lists(home_url: str) -> list[ChangeList]:
    """Return the lists of posts by last change that a blog with this home page may have."""
    return [*wordpress.change_lists(home_url), *blogger.change_lists(home_url)]
