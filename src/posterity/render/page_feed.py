"""A feed for blogs that are rendered by scripts, built from the JSON data that the home page requests.

Such blogs often have no feed, but their scripts fetch the posts as JSON. A list of objects with titles and texts is
treated as a list of posts. If an object has no URL, the link with its title on the rendered page is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from posterity.dom import Document
from posterity.dom.media import absolute
from posterity.model import Feed, FeedEntry
from posterity.model.post import aware
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

FORMAT = "page data"
# Names of fields in APIs (GData, WordPress REST, Ghost, Strapi, JSON Feed), the most reliable first.
_TITLE = ("title", "headline", "name")
_CONTENT = ("content", "content_html", "body", "html", "text", "content_text")
_SUMMARY = ("summary", "excerpt", "description")
_DATE = ("published", "date", "date_published", "published_at", "publishedAt", "created_at", "createdAt", "date_gmt")
_LINK = ("link", "url", "permalink", "href", "canonical_url")
_COUNT = ("thr$total", "comment_count", "comments_count")
_MIN_POSTS = 2
_MIN_SHARE = 0.8
_MAX_DEPTH = 6
_MAX_TITLE = 300


def page_feed(responses: Iterable[tuple[str, bytes]], document: Document) -> Feed | None:
    """Return a feed of the posts in the responses (URL and body) that the page has fetched, or None."""
    links = _links_by_title(document)
    entries: dict[str, FeedEntry] = {}
    source = ""
    for url, body in responses:
        for thing in _posts_in(_decode_json(body)):
            entry = _entry(thing, document, links)
            if entry is not None and entry.link:
                source = source or url
                entries.setdefault(entry.link, entry)
    if len(entries) < _MIN_POSTS:
        return None
    title = next((one_line(tree.plain(0)) for tree in document.all("title")), None)
    return Feed(url=source, format=FORMAT, title=title, home=document.url, entries=tuple(entries.values()))


def _decode_json(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _posts_in(data: Any, depth: int = 0) -> list[dict[str, Any]]:
    """Return the largest list of objects with titles and texts, at any depth."""
    if depth > _MAX_DEPTH:
        return []
    best: list[dict[str, Any]] = []
    if isinstance(data, list):
        things = [thing for thing in data if isinstance(thing, dict)]
        posts = [thing for thing in things if _text(thing, _TITLE) and (_text(thing, _CONTENT) or _text(thing, _DATE))]
        if posts and len(posts) >= _MIN_SHARE * len(data):
            best = posts
    for inner in _inside(data):
        found = _posts_in(inner, depth + 1)
        best = found if len(found) > len(best) else best
    return best


def _inside(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield from (value for value in data.values() if isinstance(value, dict | list))
    elif isinstance(data, list):
        yield from (value for value in data[:_MIN_POSTS] if isinstance(value, dict | list))


def _entry(thing: dict[str, Any], document: Document, links: dict[str, str]) -> FeedEntry | None:
    title = one_line(_text(thing, _TITLE))[:_MAX_TITLE]
    link = absolute(document.base_url, _text(thing, _LINK)) or _alternate(thing.get("link")) or links.get(title)
    count = _text(thing, _COUNT)
    people = thing.get("author") or thing.get("authors")
    some = people if isinstance(people, list) else [people]
    names = (_text(one, ("name", "displayName", "login")) if isinstance(one, dict) else one for one in some)
    text = _text(thing, _DATE)
    readings = read_dates(text) if text else ()
    return FeedEntry(
        link=link,
        guid=str(thing.get("id") or "") or None,
        title=title,
        authors=tuple(one_line(name) for name in names if isinstance(name, str) and name.strip()),
        published=aware(readings[0].moment) if readings else None,
        content=_text(thing, _CONTENT) or None,
        summary=_text(thing, _SUMMARY) or None,
        comment_count=int(count) if count.isdecimal() else None,
    )


def _links_by_title(document: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for tree in document.all("a[href]"):
        if url := absolute(document.base_url, tree.attrs[0].get("href")):
            found.setdefault(one_line(tree.plain(0)), url)
    return found


def _text(thing: dict[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = thing.get(name)
        if isinstance(value, dict):  # GData's {"$t": ...}, WordPress's {"rendered": ...}
            value = value.get("$t") or value.get("rendered")
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value)
    return ""


def _alternate(links: Any) -> str | None:
    """Return the "alternate" link of a GData entry, which is its page."""
    found = links if isinstance(links, list) else []
    hrefs = (link.get("href") for link in found if isinstance(link, dict) and link.get("rel") == "alternate")
    return next((str(href) for href in hrefs if href), None)
