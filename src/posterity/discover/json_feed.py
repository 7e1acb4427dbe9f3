"""JSON Feed 1.0 and 1.1, small enough to read directly."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import urljoin

import msgspec

from posterity.errors import BrokenFeed
from posterity.model import Feed, FeedEntry
from posterity.text.normal_form import one_line


def looks_like_json_feed(body: bytes) -> bool:
    """Tell whether the bytes are a JSON Feed: an object that names the format's home near its beginning."""
    start = body[:2048].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and re.search(rb"jsonfeed\.org\\?/version|\"items\"\s*:", body[:65536]) is not None


def read_json_feed(body: bytes, url: str) -> Feed:
    """Return the feed, or raise `BrokenFeed` with the place where the JSON ends to make sense."""
    try:
        data = msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise BrokenFeed(f"The JSON feed at {url} cannot be read: {problem}.", problem=str(problem)) from problem
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list):
        raise BrokenFeed(f"The JSON feed at {url} cannot be read: it has no list of items.", problem="no items")
    home = _text(data.get("home_page_url"))
    url = url or _text(data.get("feed_url")) or ""
    return Feed(
        url=url,
        format="json",
        title=_text(data.get("title")),
        home=urljoin(url, home) if home else None,
        language=_text(data.get("language")),
        authors=_names(data),
        next_url=_text(data.get("next_url")),
        entries=tuple(_entry(item, url) for item in items if isinstance(item, dict)),
    )


def _entry(item: dict[str, Any], url: str) -> FeedEntry:
    link = _text(item.get("url")) or _text(item.get("external_url")) or _text(item.get("id"))
    plain = _text(item.get("content_text"))
    return FeedEntry(
        link=urljoin(url, link) if link else None,
        guid=_text(item.get("id")),
        title=_text(item.get("title")),
        authors=_names(item),
        published=_moment(item.get("date_published")),
        updated=_moment(item.get("date_modified")),
        content=item.get("content_html") or (f"<p>{escape(plain)}</p>" if plain else None),
        summary=_text(item.get("summary")),
        tags=tuple(tag for tag in item.get("tags") or () if isinstance(tag, str)),
        language=_text(item.get("language")),
    )


def _names(thing: dict[str, Any]) -> tuple[str, ...]:
    people = thing.get("authors") or [thing.get("author")]
    names = (_text(person.get("name")) for person in people if isinstance(person, dict))
    return tuple(name for name in names if name)


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _text(value: object) -> str | None:
    return one_line(str(value)) or None if isinstance(value, str | int) else None
