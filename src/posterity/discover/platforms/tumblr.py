"""Tumblr: the read API of version 1, which needs no key.

Tumblr no longer documents version 1; the format is taken from clients (rdrr.io/github/fcocquemas/rtumblr, tumblrRead):
`/api/read/json` with `num` up to 50 and `start`. The response is a script that assigns an object with `posts-total`
and `posts`, each with `url-with-slug`, `url`, `unix-timestamp`, `date-gmt` and a title by type (`regular-title`,
`link-text`, `conversation-title`). Notes are not comments and are ignored.
"""

from __future__ import annotations

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import ListedPost, NumberedPage, Steps, walk_by_number
from posterity.dom import Document

_NUM = 50
_URLS = ("url-with-slug", "url")
_TITLES = ("regular-title", "link-text", "conversation-title")
_APP_LINKS = (
    "meta[property='al:android:package'][content='com.tumblr'], link[href^='android-app://com.tumblr/'], "
    "meta[property='al:ios:app_name'][content='Tumblr'], meta[name^='twitter:app:name'][content='Tumblr'], "
    "link[href*='//assets.tumblr.com/'], script[src*='//assets.tumblr.com/'], script[src*='//static.tumblr.com/']"
)
name = "tumblr"


def detect(home: Document) -> bool:
    """Return whether the host is a blog's on Tumblr, or the page links to Tumblr's app or assets."""
    return bool(_blog(home)) and (values.is_below(values.host_of(_blog(home)), "tumblr.com") or home.has(_APP_LINKS))


def listing(home: Document) -> Steps:
    """Walk the posts by offset, up to the total."""
    blog = _blog(home)
    return walk_by_number(lambda count: values.url_of(blog, f"/api/read/json?num={_NUM}&start={count}"), _read, _NUM)


def _blog(home: Document) -> str:
    """The URL of the blog's own host, also for tumblr.com/NAME, which shows the blog in the dashboard."""
    if values.host_of(home.url) not in ("tumblr.com", "www.tumblr.com"):
        return home.url
    name = values.path_of(home.url).removeprefix("/blog/view").strip("/").partition("/")[0]
    return f"https://{name}.tumblr.com/" if name.replace("-", "").isalnum() else ""


def _read(script: bytes | None, url: str) -> NumberedPage | None:
    script = script or b""
    found = values.json_of(script[script.find(b"{") : script.rfind(b"}") + 1])
    if not isinstance(found, dict):
        return None
    posts = [_post(item, url) for item in values.items_of(found.get("posts"))]
    return NumberedPage(posts, values.count_of(found.get("posts-total")))


def _post(item: values.JsonObject | None, base_url: str) -> ListedPost | None:
    url = next(filter(None, (values.url_of(base_url, values.member(item, name)) for name in _URLS)), None)
    if url is None:
        return None
    titles = (values.text_of_html(values.member(item, name)) for name in _TITLES)
    return ListedPost(
        url=url,
        title=next(filter(None, titles), None),
        published=values.moment_of_epoch(values.member(item, "unix-timestamp"))
        or values.moment_of(values.member(item, "date-gmt")),
    )
