"""Ghost: the sitemap of posts.

Follows the source of TryGhost/Ghost, core/frontend/services/sitemap (handler.js, base-site-map-generator.js): the index
`sitemap.xml` names a file for each kind of page. Posts are in `sitemap-posts.xml`, after 50,000 URLs also in
`sitemap-posts-2.xml` and so on. Dates are those of the last change. Ghost's content API has more data but needs the
owner's key.
"""

from __future__ import annotations

from posterity.discover.platforms.listing import Steps, walk_sitemaps
from posterity.discover.platforms.values import generator_of, url_of
from posterity.dom import Document

_POSTS = "/sitemap-posts"
_FILE_SIZE = 50_000
name = "ghost"


def detect(home: Document) -> bool:
    """Return whether the page names Ghost as its generator or includes its members portal."""
    return "ghost" in generator_of(home).split() or home.has("script[data-ghost]")


def listing(home: Document) -> Steps:
    """Read the sitemap of posts; if it is missing or full, read the index for further files."""
    declared = url_of(home.url, next(iter(home.attributes("script[data-ghost]", "data-ghost")), None))
    site = f"{declared.rstrip('/')}/" if declared else home.url
    result = yield from walk_sitemaps([url_of(site, "./sitemap-posts.xml")], _is_post, lambda _: False)
    if 0 < len(result.posts) < _FILE_SIZE:
        return result
    index = url_of(site, "./sitemap.xml")
    return (yield from walk_sitemaps([index], _is_post, lambda url: _POSTS in url))


def _is_post(_url: str, _changed: str | None, sitemap: str) -> bool:
    return _POSTS in sitemap
