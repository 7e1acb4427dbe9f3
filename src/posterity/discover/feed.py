"""Feeds into `Feed` and `FeedEntry`: RSS and Atom by feedparser, JSON Feed directly.

A feed that is broken but readable keeps its entries and says what is wrong in `problem`; one that gives nothing
raises `BrokenFeed` with the parser's own word.
"""

from __future__ import annotations

import re
from calendar import timegm
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from posterity.discover.json_feed import looks_like_json_feed, read_json_feed
from posterity.errors import BrokenFeed
from posterity.model import Feed, FeedEntry
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.model import Page

_XML_FEED = re.compile(rb"<(?:\w+:)?(?:rss|feed|RDF)\b", re.IGNORECASE)
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "0.0.0.0", "")  # noqa: S104 - generators run with a local setting leave these in the feed


def looks_like_feed(body: bytes) -> bool:
    """Tell whether the bytes are a feed, by their beginning alone."""
    return bool(_XML_FEED.search(body[:4096])) or looks_like_json_feed(body)


def feed_on(page: Page | None) -> Feed | None:
    """Return the feed that a page is, or None where there is no page, no feed, or one that cannot be read."""
    if page is None or not looks_like_feed(page.body):
        return None
    try:
        return read_feed(page.body, page.url, page.content_type)
    except BrokenFeed:
        return None


def read_feed(body: bytes, url: str, content_type: str = "") -> Feed:
    """Return the feed in these bytes, or raise `BrokenFeed`; without an address, it is where it says itself."""
    if looks_like_json_feed(body):
        return read_json_feed(body, url)
    import feedparser

    headers = {"content-location": url, "content-type": content_type or "application/xml"}
    # A stream, not bytes: feedparser would take bytes that look like an address for an address.
    parsed = feedparser.parse(BytesIO(body.strip()), response_headers=headers, sanitize_html=False)
    problem = str(parsed.bozo_exception) if parsed.bozo and not _harmless(parsed.bozo_exception) else None
    if not parsed.entries and (problem or not parsed.get("version")):
        what = problem or "it is neither RSS, Atom nor JSON Feed"
        raise BrokenFeed(f"The feed{f' at {url}' if url else ''} cannot be read: {what}.", problem=what)
    channel = parsed.feed
    url = url or _own_address(channel)
    return Feed(
        url=url,
        format=parsed.get("version") or "unknown",
        title=_line(channel.get("title")),
        home=_home(channel, url),
        language=channel.get("language") or None,
        authors=_authors(channel),
        license=channel.get("license") or channel.get("rights") or None,
        next_url=_link(channel.get("links", ()), ("prev-archive", "next")),
        entries=tuple(_entry(entry, url) for entry in parsed.entries),
        problem=problem,
    )


def _harmless(exception: object) -> bool:
    """The header said another encoding or type than the bytes have; feedparser followed the bytes."""
    return type(exception).__name__ in ("CharacterEncodingOverride", "NonXMLContentType")


def _entry(entry: Any, url: str) -> FeedEntry:
    contents = [
        item.value for item in entry.get("content", ()) if item.get("value") and "html" in item.get("type", "html")
    ]
    content = max(
        contents or [item.value for item in entry.get("content", ()) if item.get("value")], key=len, default=None
    )
    summary = entry.get("summary") or None
    if content is None and summary and len(summary) > 0 and _is_whole(summary):
        content = summary
    return FeedEntry(
        link=_entry_link(entry, url),
        guid=entry.get("id"),
        title=_line(entry.get("title")),
        authors=_authors(entry),
        published=_moment(entry.get("published_parsed")) or _moment(_own(entry, "updated_parsed")),
        updated=_moment(_own(entry, "updated_parsed")),
        content=content,
        summary=summary,
        tags=tuple(dict.fromkeys(one_line(tag.term) for tag in entry.get("tags", ()) if tag.get("term"))),
        language=entry.get("language") or (entry.get("title_detail") or {}).get("language"),
        comments_url=entry.get("comments") or None,
        comment_feed=entry.get("wfw_commentrss") or _link(entry.get("links", ()), ("replies",), "xml"),
        comment_count=_count(entry.get("slash_comments") or entry.get("thr_total")),
    )


def _is_whole(summary: str) -> bool:
    """RSS has one <description> for both; several paragraphs of markup are an article, a line is a summary."""
    return len(re.findall(r"<(?:p|br|div|h\d|li|pre|img)\b", summary, re.IGNORECASE)) >= 2


def _entry_link(entry: Any, feed_url: str) -> str | None:
    """The post's own address: FeedBurner's original link first, then the link, then a guid that is one."""
    # feedparser takes any later <link> without an address, such as a broken enclosure, for the entry's own.
    link = entry.get("feedburner_origlink") or entry.get("link") or _link(entry.get("links", ()), ("alternate",))
    if not link and str(entry.get("id", "")).startswith(("http://", "https://")):
        link = entry["id"]
    full = _reachable(urljoin(feed_url, link), feed_url) if link else ""
    return full if full.startswith(("http://", "https://")) else None


def _reachable(link: str, feed_url: str) -> str:
    """A link to localhost in a feed from elsewhere is a forgotten setting: it means the feed's host."""
    parts, home = urlsplit(link), urlsplit(feed_url)
    if (parts.hostname or "") in _LOCAL_HOSTS and (home.hostname or "") not in _LOCAL_HOSTS:
        return parts._replace(scheme=home.scheme, netloc=home.netloc).geturl()
    return link


def _home(channel: Any, url: str) -> str | None:
    link = channel.get("link")
    return _reachable(urljoin(url, link), url) if link else None


def _authors(thing: Any) -> tuple[str, ...]:
    """Names; "mail@host (Name)" gives the name, a bare address gives nothing."""
    named = [author.get("name") or "" for author in thing.get("authors", ())] or [thing.get("author") or ""]
    # feedparser takes the ending of a long host name for a part of the name, with the bracket before it.
    named = [name.partition("(")[2] if "(" in name and ")" not in name else name for name in named]
    names = (one_line(re.sub(r"^\S+@\S+\s*\((.+)\)$|^(.+?)\s*<\S+@\S+>$", r"\1\2", name)) for name in named)
    return tuple(dict.fromkeys(name for name in names if name and not re.fullmatch(r"\S+@\S+\.\S+", name)))


def _link(links: Iterable[Any], relations: tuple[str, ...], in_type: str = "") -> str | None:
    for relation in relations:
        for link in links:
            if link.get("rel") == relation and link.get("href") and in_type in (link.get("type") or in_type):
                return str(link["href"])
    return None


def _own_address(channel: Any) -> str:
    """Where the feed says that it is: Atom has a link to itself, and RSS borrows it."""
    address = _link(channel.get("links", ()), ("self",)) or ""
    return address if address.startswith(("http://", "https://")) else ""


def _own(entry: Any, key: str) -> Any:
    """What stands under the key itself: feedparser would answer with the publication date for a missing update."""
    return dict.get(entry, key)


def _moment(parsed: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(timegm(parsed), UTC) if parsed else None
    except (ValueError, OverflowError, OSError):
        return None


def _count(value: object) -> int | None:
    text = str(value or "")
    return int(text) if text.isdigit() else None


def _line(value: str | None) -> str | None:
    """Titles may hold markup: `<i>Moby-Dick</i>` is a title."""
    if not value:
        return None
    from posterity.dom import parse

    plain = parse(value).tree.plain(0) if "<" in value or "&" in value else value
    return one_line(plain) or None
