"""Blogger: the posts feed as JSON.

Follows developers.google.com/blogger/docs/2.0/developers_guide_protocol ("Retrieving posts using query parameters":
`start-index` from 1, `max-results`, `orderby`), with `summary` for short entries and `redirect=false` for blogs that
redirect their feed to FeedBurner. With `alt=json`, the Atom feed has `openSearch$totalResults.$t` and `entry` with
`title.$t`, `link` by `rel`, `published.$t`, `updated.$t` and `thr$total.$t`. No more than 150 entries come at once.
"""

from __future__ import annotations

import re
from functools import partial

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ChangeList, ListedPost, ListedPosts, Steps
from posterity.dom import Document

_HOST = re.compile(r"\.blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?$")  # blogspot.com, blogspot.de, blogspot.co.uk
_QUERY = "/feeds/posts/summary?alt=json&orderby={order}&redirect=false&max-results=150&start-index={start}"
_MAX_MISSES = 2  # pages in a row


class Blogger:
    """A blog on Blogger, on blogspot or under its own domain."""

    name = "blogger"

    def detect(self, home: Document) -> bool:
        """Return whether the host is blogspot, or the page names Blogger as its generator or editor."""
        return (
            _HOST.search(values.host_of(home.url)) is not None
            or "blogger" in values.generator_of(home).split()
            or home.has("link[rel='service.post'][href*='//www.blogger.com/feeds/']")
        )

    def listing(self, home: Document) -> Steps:
        """Walk the feed by the index of its first entry, as far as its total goes."""
        found = ListedPosts()
        start, misses = 1, 0
        for _ in range(MAX_PAGES):
            url = values.url_of(home.url, _QUERY.format(order="published", start=start))
            if url is None:
                break
            feed = values.member(values.json_of((yield url)), "feed")
            items = values.items_of(values.member(feed, "entry"))
            if feed is None:
                found.failed.append(url)
                misses += 1
                start += 150
                # The total is known from the pages before: a page that fails is no reason to leave out the rest.
                if found.total is None or start > found.total or misses > _MAX_MISSES:
                    break
                continue
            misses = 0
            found.total = values.count_of(values.member(feed, "openSearch$totalResults", "$t"))
            start += len(items)
            if not found.add(_post(item, home.url) for item in items) or (found.total and start > found.total):
                break
        return found.listing()


def change_lists(home_url: str) -> list[ChangeList]:
    """Return the feed of posts by their last change."""
    first, changes = (
        values.url_of(home_url, _QUERY.format(order=order, start=1)) for order in ("published", "updated")
    )
    if first is None or changes is None:
        return []
    return [ChangeList(first_page=first, url=changes, read=partial(_changed_posts, home_url=home_url))]


def _changed_posts(body: bytes, home_url: str) -> list[ListedPost]:
    posts = (_post(item, home_url) for item in values.items_of(values.member(values.json_of(body), "feed", "entry")))
    return [post for post in posts if post is not None]


def _post(item: values.JsonObject | None, home_url: str) -> ListedPost | None:
    links = (link for link in values.items_of(values.member(item, "link")) if values.member(link, "rel") == "alternate")
    url = values.url_of(home_url, values.member(next(links, None), "href"))
    if url is None:
        return None
    return ListedPost(
        url=url,
        title=values.text_of_html(values.member(item, "title", "$t")),
        published=values.moment_of(values.member(item, "published", "$t")),
        updated=values.moment_of(values.member(item, "updated", "$t")),
        comment_count=values.count_of(values.member(item, "thr$total", "$t")),
    )
