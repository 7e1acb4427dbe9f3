"""Micro.blog: the archive as a JSON Feed.

Blogs on Micro.blog have all posts in `/archive/index.json` (github.com/microdotblog/issues, 101 and 112; template in
microdotblog/theme-blank, layouts/list.archivejson.json) and the latest in `/feed.json`. Both are JSON Feeds
(jsonfeed.org/version/1.1): `items` with `url`, `id`, `title`, `date_published`, `date_modified`, maybe `next_url`.
"""

from __future__ import annotations

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps, post_of
from posterity.dom import Document

_ENDPOINTS = (
    "link[rel=micropub][href^='https://micro.blog/'], link[rel=token_endpoint][href^='https://micro.blog/'], "
    "link[rel=microsub][href^='https://micro.blog/']"
)
name = "micro.blog"


def detect(home: Document) -> bool:
    """Return whether the host is Micro.blog's or the page declares its endpoints."""
    return values.is_below(values.host_of(home.url), "micro.blog") or home.has(_ENDPOINTS)


def listing(home: Document) -> Steps:
    """Read the archive, or the feed if there is no archive."""
    found = ListedPosts()
    for place in ("/archive/index.json", "/feed.json"):
        url, asked = values.url_of(home.url, place), set[str]()
        while url and url not in asked and len(asked) < MAX_PAGES:
            asked.add(url)
            feed = values.json_of((yield url))
            items = values.items_of(values.member(feed, "items"))
            if not isinstance(feed, dict):
                found.failed.append(url)
            if not found.add(_post(item, url) for item in items):
                break
            url = values.url_of(url, values.member(feed, "next_url"))
        if found.items:
            break
    return found.listing()


def _post(item: values.JsonObject | None, base_url: str) -> ListedPost | None:
    url = values.url_of(base_url, values.member(item, "url")) or values.url_of("", values.member(item, "id"))
    return post_of(item, url, published="date_published", updated="date_modified")
