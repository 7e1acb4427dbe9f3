"""Tumblr: the read interface of version 1, which needs no key.

Tumblr's own page on version 1 is gone; the shape is the one that clients document (rdrr.io/github/fcocquemas/rtumblr,
tumblrRead): `/api/read/json` with `num` up to 50 and `start`. The response is a script that assigns an object with
`posts-total` and `posts`, each with `url-with-slug`, `url`, `unix-timestamp`, `date-gmt` and a title by its type
(`regular-title`, `link-text`, `conversation-title`). Notes are no comments and are left out.
"""

from __future__ import annotations

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps
from posterity.dom import Document

_NUM = 50
_MAX_MISSES = 2  # pages in a row
_TITLES = ("regular-title", "link-text", "conversation-title")
_APP_LINKS = (
    "meta[property='al:android:package'][content='com.tumblr'], link[href^='android-app://com.tumblr/'], "
    "meta[property='al:ios:app_name'][content='Tumblr'], meta[name^='twitter:app:name'][content='Tumblr'], "
    "link[href*='//assets.tumblr.com/'], script[src*='//assets.tumblr.com/'], script[src*='//static.tumblr.com/']"
)


class Tumblr:
    """A blog on Tumblr, also under its own domain."""

    name = "tumblr"

    def detect(self, home: Document) -> bool:
        """Return whether the host is a blog's, or the page links to the blog in Tumblr's app."""
        return bool(_blog(home)) and (
            values.is_below(values.host_of(_blog(home)), "tumblr.com") or home.has(_APP_LINKS)
        )

    def listing(self, home: Document) -> Steps:
        """Walk the posts by their number, as far as the total goes."""
        found = ListedPosts()
        start, misses = 0, 0
        for _ in range(MAX_PAGES):
            url = values.url_of(_blog(home), f"/api/read/json?num={_NUM}&start={start}")
            if url is None:
                break
            response = _object_in((yield url))
            items = values.items_of(values.member(response, "posts"))
            if response is None:
                found.failed.append(url)
                misses += 1
                start += _NUM
                if found.total is None or start >= found.total or misses > _MAX_MISSES:
                    break
                continue
            misses = 0
            found.total = values.count_of(values.member(response, "posts-total"))
            start += len(items)
            if not found.add(_post(item, url) for item in items) or (found.total and start >= found.total):
                break
        return found.listing()


def _blog(home: Document) -> str:
    """The URL of the blog's own host; tumblr.com/NAME shows a blog inside the dashboard's frame."""
    if values.host_of(home.url) not in ("tumblr.com", "www.tumblr.com"):
        return home.url
    name = values.path_of(home.url).removeprefix("/blog/view").strip("/").partition("/")[0]
    return f"https://{name}.tumblr.com/" if name.replace("-", "").isalnum() else ""


def _object_in(script: bytes | None) -> values.JsonObject | None:
    script = script or b""
    value = values.json_of(script[script.find(b"{") : script.rfind(b"}") + 1])
    return value if isinstance(value, dict) else None


def _post(item: values.JsonObject | None, base_url: str) -> ListedPost | None:
    url = values.url_of(base_url, values.member(item, "url-with-slug")) or values.url_of(
        base_url, values.member(item, "url")
    )
    if url is None:
        return None
    titles = (values.text_of_html(values.member(item, name)) for name in _TITLES)
    return ListedPost(
        url=url,
        title=next(filter(None, titles), None),
        published=values.moment_of_epoch(values.member(item, "unix-timestamp"))
        or values.moment_of(values.member(item, "date-gmt")),
    )
