"""Where a page's feeds are: what the page declares, then what it links to, then where feeds usually lie."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from posterity.dom.links import absolute

if TYPE_CHECKING:
    from posterity.dom import Document

_FEED_TYPES = (
    "application/rss+xml application/atom+xml application/feed+json application/rdf+xml "
    "application/json text/xml application/xml"
).split()
_FEED_PATH = re.compile(
    r"(?:/feed/?$|/rss/?$|/atom/?$|\.rss$|\.rdf$|\.atom$|feed\.(?:xml|json)$|(?:atom|rss|index)\.xml$|/feeds/posts/)",
    re.IGNORECASE,
)
_COMMENT_FEED = re.compile(r"comment|/replies", re.IGNORECASE)
# In the order of how many blogs have them.
_USUAL_PLACES = "feed/ feed.xml rss.xml atom.xml index.rdf index.xml rss feeds/posts/default feed.json".split()


def declared_feeds(document: Document) -> list[str]:
    """Return the feeds that the page names itself, in its order; comment feeds only when there is no other."""
    base = document.base_url
    declared = [
        (absolute(base, tree.attrs[0].get("href")), tree.attrs[0].get("title") or "")
        for tree in document.all("link[rel~=alternate][href], link[rel~=feed][href]")
        if (tree.attrs[0].get("type") or "").partition(";")[0].strip().lower() in _FEED_TYPES
    ]
    linked = [
        (absolute(base, href), "") for href in document.attributes("a[href]", "href") if _FEED_PATH.search(_path(href))
    ]
    ranked: dict[str, bool] = {}
    for url, title in declared + linked:
        if url and url not in ranked:
            ranked[url] = bool(_COMMENT_FEED.search(urlsplit(url).path + title))
    # Comments are no posts; a page that offers nothing else may still call its only feed so.
    return [url for url, about_comments in ranked.items() if not about_comments] or list(ranked)


def _path(href: str) -> str:
    return re.split(r"[?#]", href, maxsplit=1)[0]


def usual_feeds(home_url: str) -> list[str]:
    """Return the places where a feed often lies although no page names it: beside the page, then at the root."""
    folder = urljoin(home_url, ".")
    root = urljoin(home_url, "/")
    return list(dict.fromkeys(urljoin(place, name) for place in (folder, root) for name in _USUAL_PLACES))
