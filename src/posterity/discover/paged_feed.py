"""Where a feed goes on: RFC 5005 and JSON Feed say so, WordPress and Blogger have their own ways."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

if TYPE_CHECKING:
    from posterity.model import Feed

_BLOGGER_PATH = "/feeds/posts/"


def next_feed_page(feed: Feed, page: int, seen: int) -> str | None:
    """Return the address of the feed's next page, or None; `page` counts from 1, `seen` entries came so far."""
    if feed.next_url:
        return feed.next_url
    parts = urlsplit(feed.url)
    query = dict(parse_qsl(parts.query))
    if _BLOGGER_PATH in parts.path:
        return _with_query(feed.url, {**query, "start-index": str(seen + 1), "max-results": "150"})
    if feed.format.startswith("rss") and (
        parts.path.rstrip("/").endswith("/feed") or "feed" in query or parts.path == "/feed"
    ):
        return _with_query(feed.url, {**query, "paged": str(page + 1)})
    return None


def _with_query(url: str, query: dict[str, str]) -> str:
    return urlunsplit(urlsplit(url)._replace(query=urlencode(query)))
