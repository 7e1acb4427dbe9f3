"""Squarespace: a collection's page as JSON.

Follows developers.squarespace.com/url-queries (`?format=json` on the URL of any collection), which does not document
the format. Paging follows Automattic/data-liberation-agent, pull request 66: `items` with `fullUrl`, `title`,
`publishOn` and `updatedOn` in milliseconds and `commentCount`; `pagination.nextPage`, and `.nextPageOffset` for the
parameter `offset`. `collection.typeName` and `.itemCount` are used if present. If the home page is not a collection,
which is common, the blogs that it links to are tried.
"""

from __future__ import annotations

import re

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps
from posterity.dom import Document

_ASSETS = ("static1.squarespace.com", "assets.squarespace.com", "images.squarespace-cdn.com")
_MAX_CANDIDATES = 5  # collections tried if the home page is not one; each costs a request
_BLOG_NAMES = re.compile(
    r"/(?:[\w-]*blog[\w-]*|journal|news|posts|stories|articles|writing|notes|essays)/?", re.IGNORECASE
)
_NO_BLOGS = ("products", "events", "portfolio", "album", "gallery", "index", "store")
name = "squarespace"


def detect(home: Document) -> bool:
    """Return whether the host is Squarespace's or the page loads its assets."""
    return values.is_below(values.host_of(home.url), "squarespace.com") or values.loads_from(home, *_ASSETS)


def listing(home: Document) -> Steps:
    """Walk the collection of the home page, else the first linked collection with posts."""
    result = yield from _walk(home.url)
    if not result.posts:
        for url in _candidates(home):
            section = yield from _walk(url)
            if section.posts:
                return section
    return result


def _candidates(home: Document) -> list[str]:
    links = (values.url_of(home.base_url, href) for href in home.attributes("a[href]", "href"))
    own = (url for url in links if url and values.host_of(url) == values.host_of(home.url))
    blogs = (re.split(r"[?#]", url, maxsplit=1)[0] for url in own if _BLOG_NAMES.fullmatch(values.path_of(url)))
    return list(dict.fromkeys(blogs))[:_MAX_CANDIDATES]


def _walk(collection: str) -> Steps:
    found = ListedPosts()
    collection = re.split(r"[?#]", collection, maxsplit=1)[0]
    offset = ""
    for _ in range(MAX_PAGES):
        url = values.url_of(collection, f"{collection}?format=json{offset}")
        if url is None:
            break
        response = values.json_of((yield url))
        if not isinstance(response, dict):
            found.failed.append(url)
            break
        kind = values.text_of(values.member(response, "collection", "typeName")) or ""
        items = values.items_of(values.member(response, "items"))
        if kind.lower().startswith(_NO_BLOGS) or not found.add(_post(item, url) for item in items):
            break
        found.total = values.count_of(values.member(response, "collection", "itemCount"))
        following = values.count_of(values.member(response, "pagination", "nextPageOffset"))
        if following is None or values.member(response, "pagination", "nextPage") is False:
            break
        offset = f"&offset={following}"
    return found.listing()


def _post(item: values.JsonObject | None, base_url: str) -> ListedPost | None:
    url = values.url_of(base_url, values.member(item, "fullUrl"))
    if url is None:
        return None
    return ListedPost(
        url=url,
        title=values.text_of_html(values.member(item, "title")),
        published=values.moment_of_epoch(values.member(item, "publishOn"), 1000),
        updated=values.moment_of_epoch(values.member(item, "updatedOn"), 1000),
        comment_count=values.count_of(values.member(item, "commentCount")),
    )
