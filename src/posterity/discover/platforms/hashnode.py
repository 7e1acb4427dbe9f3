"""Hashnode: the sitemap of a blog.

Hashnode's public API is GraphQL by POST (apidocs.hashnode.com), but list pages are requested by GET, so the sitemap is
read instead. Its format is in github.com/Hashnode/starter-kit, packages/utils/seo/sitemap.ts: the home page, posts as
`/SLUG` with priority 0.8 and a date, static pages with priority 1 and no date, tags as `/tag/SLUG`.
"""

from __future__ import annotations

from posterity.discover.platforms.listing import Steps, walk_sitemaps
from posterity.discover.platforms.values import host_of, is_below, loads_from, path_of, url_of
from posterity.dom import Document

_LISTS = ("tag", "series", "page")
_PAGES = ("archive", "newsletter", "members", "badge", "recommendations")
name = "hashnode"


def detect(home: Document) -> bool:
    """Return whether the host is Hashnode's or the page loads from its CDN."""
    return is_below(host_of(home.url), "hashnode.dev") or loads_from(home, "cdn.hashnode.com")


def listing(home: Document) -> Steps:
    """Read the sitemap next to the home page."""
    folder = path_of(home.url).rstrip("/")
    return walk_sitemaps(
        [url_of(home.url, f"{folder}/sitemap.xml")],
        lambda url, changed, _: path_of(url).rstrip("/") != folder and changed is not None and _is_post(url),
    )


def _is_post(url: str) -> bool:
    folder, _, name = path_of(url).rstrip("/").rpartition("/")
    return name not in _PAGES and folder.rpartition("/")[2] not in _LISTS
