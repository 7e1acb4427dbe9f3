"""Substack: the list behind a publication's archive page.

Undocumented; the format is taken from public clients (github.com/NHagar/substack_api,
github.com/jakub-k-slys/substack-api): `/api/v1/archive?sort=new&offset=N&limit=N` returns an array of posts with
`canonical_url`, `slug`, `title`, `post_date`, `updated_at` and `comment_count`. A page may have fewer posts than
requested, so the offset advances by the posts received, and a page without new posts is the end. There is no total.
"""

from __future__ import annotations

from urllib.parse import quote

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps, post_of
from posterity.dom import Document

_LIMIT = 50
name = "substack"


def detect(home: Document) -> bool:
    """Return whether the host is a publication's, or the page loads from Substack's CDN."""
    host = values.host_of(home.url)
    if host in ("substack.com", "www.substack.com", "open.substack.com"):
        return False  # profiles and the reader, which belong to no publication
    return values.is_below(host, "substack.com") or values.loads_from(home, "substackcdn.com")


def listing(home: Document) -> Steps:
    """Walk the archive by offset."""
    found = ListedPosts()
    for _ in range(MAX_PAGES):
        url = values.url_of(home.url, f"/api/v1/archive?sort=new&search=&offset={found.items}&limit={_LIMIT}")
        if url is None:
            break
        response = values.json_of((yield url))
        # Older responses wrap the array in an object.
        posts = values.member(response, "posts") if isinstance(response, dict) else response
        if not isinstance(posts, list):
            found.failed.append(url)
            break
        if not found.add(_post(item, home.url) for item in values.items_of(posts)):
            break
    return found.listing()


def _post(item: values.JsonObject | None, home_url: str) -> ListedPost | None:
    slug = values.text_of(values.member(item, "slug"))
    url = values.url_of(home_url, values.member(item, "canonical_url")) or (
        slug and values.url_of(home_url, f"/p/{quote(slug)}")
    )
    return post_of(item, url, published="post_date", updated="updated_at", comments="comment_count")
