"""Blogger: the posts feed as JSON.

Follows developers.google.com/blogger/docs/2.0/developers_guide_protocol ("Retrieving posts using query parameters":
`start-index` from 1, `max-results`, `orderby`), with `summary` for short entries and `redirect=false` for blogs that
redirect their feed to FeedBurner. With `alt=json`, the Atom feed has `openSearch$totalResults.$t` and `entry` with
`title.$t`, `link` by `rel`, `published.$t`, `updated.$t` and `thr$total.$t`. A response has at most 150 entries.
"""

from __future__ import annotations

import re
from functools import partial

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import ChangeList, ListedPost, NumberedPage, Steps, post_of, walk_by_number
from posterity.dom import Document

_HOST = re.compile(r"\.blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?$")  # blogspot.com, blogspot.de, blogspot.co.uk
_QUERY = "/feeds/posts/summary?alt=json&orderby={order}&redirect=false&max-results=150&start-index={start}"
name = "blogger"


def detect(home: Document) -> bool:
    """Return whether the host is blogspot, or the page names Blogger as its generator or editor."""
    return (
        _HOST.search(values.host_of(home.url)) is not None
        or "blogger" in values.generator_of(home).split()
        or home.has("link[rel='service.post'][href*='//www.blogger.com/feeds/']")
    )


def listing(home: Document) -> Steps:
    """Walk the feed by index, up to its total."""

    def read(body: bytes | None, _: str) -> NumberedPage | None:
        feed = values.member(values.json_of(body), "feed")
        if feed is None:
            return None
        posts = [_post(item, home.url) for item in values.items_of(values.member(feed, "entry"))]
        return NumberedPage(posts, values.count_of(values.member(feed, "openSearch$totalResults", "$t")))

    def page_at(count: int) -> str | None:
        return values.url_of(home.url, _QUERY.format(order="published", start=1 + count))

    return walk_by_number(page_at, read, 150)


def change_lists(home_url: str) -> list[ChangeList]:
    """Return the feed of posts ordered by last change."""
    queries = (_QUERY.format(order=order, start=1) for order in ("published", "updated"))
    first, changes = (values.url_of(home_url, query) for query in queries)
    if first is None or changes is None:
        return []
    return [ChangeList(first_page=first, url=changes, read=partial(_changed_posts, home_url=home_url))]


def _changed_posts(body: bytes, home_url: str) -> list[ListedPost]:
    posts = (_post(item, home_url) for item in values.items_of(values.member(values.json_of(body), "feed", "entry")))
    return [post for post in posts if post is not None]


def _post(item: values.JsonObject | None, home_url: str) -> ListedPost | None:
    links = (link for link in values.items_of(values.member(item, "link")) if values.member(link, "rel") == "alternate")
    url = values.url_of(home_url, values.member(next(links, None), "href"))
    return post_of(item, url, title="title.$t", published="published.$t", updated="updated.$t", comments="thr$total.$t")
