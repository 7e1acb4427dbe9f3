"""WordPress.com: the platform's own API, which also covers blogs on other domains.

Follows developer.wordpress.com/docs/api/1.1/get/sites/$site/posts/: `number` up to 100, `fields`, `page_handle` from
`meta.next_page`, the total in `found`; a post has `URL`, `title`, `date`, `modified`, `discussion.comment_count`, the
`name` of its `author`, and `categories` and `tags` by name.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

import msgspec

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps, post_of
from posterity.dom import Document

_API = "https://public-api.wordpress.com/rest/v1.1/sites"
_FIELDS = "URL,title,date,modified,discussion,author,categories,tags"
# Blogs on WordPress.com link to this host for oEmbed; sites with the Jetpack plugin only have a DNS prefetch for it.
_DECLARATION = (
    "link[rel~=alternate][href*='//public-api.wordpress.com/'], "
    "link[rel='https://api.w.org/'][href*='//public-api.wordpress.com/']"
)
name = "wordpress.com"


def detect(home: Document) -> bool:
    """Return whether the host is WordPress.com's or the page declares its API."""
    return values.is_below(values.host_of(home.url), "wordpress.com") or home.has(_DECLARATION)


def listing(home: Document) -> Steps:
    """Walk the pages by their handles, or by offset after a page without one."""
    found = ListedPosts()
    site = f"{_API}/{quote(values.host_of(home.url))}/posts/"
    place: dict[str, str] = {}
    for _ in range(MAX_PAGES):
        url = f"{site}?{urlencode({'number': '100', 'fields': _FIELDS, **place})}"
        response = values.json_of((yield url))
        items = values.items_of(values.member(response, "posts"))
        found.total = values.count_of(values.member(response, "found")) if found.total is None else found.total
        if not items:
            found.failed += [] if found.is_complete else [url]
            break
        if not found.add(_post(item, home.url) for item in items) or found.is_complete:
            break
        handle = values.text_of(values.member(response, "meta", "next_page"))
        place = {"page_handle": handle} if handle else {"offset": str(found.items)}
    return found.listing()


def _post(item: values.JsonObject | None, home_url: str) -> ListedPost | None:
    url = values.url_of(home_url, values.member(item, "URL"))
    post = post_of(item, url, published="date", updated="modified", comments="discussion.comment_count")
    terms = [term for group in ("categories", "tags") for term in values.members_of(values.member(item, group))]
    author = values.names_of([values.member(item, "author")])
    return msgspec.structs.replace(post, authors=author, tags=values.names_of(terms)) if post is not None else None
