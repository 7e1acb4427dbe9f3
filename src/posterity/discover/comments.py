"""Comments of a post outside of its page: those in its comment feed, and the URLs of its further comment pages."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from posterity.dom import Document, parse, text_of
from posterity.dom.metadata import absolute
from posterity.dom.plain_text import html_of
from posterity.model import Comment, Feed, FeedEntry
from posterity.urls import canonical_url


def comments_in(feed: Feed) -> tuple[Comment, ...]:
    """Return the feed's entries as comments. Feeds do not have who replies to whom."""
    entries = sorted(feed.entries, key=lambda entry: entry.published.timestamp() if entry.published else 0.0)
    return tuple(
        Comment(
            id=_id(entry, order),
            author=entry.authors[0] if entry.authors else None,
            published=entry.published,
            text=comment_text(entry),
            html=html_of(parse(entry.content or entry.summary or "").tree, feed.url),
        )
        for order, entry in enumerate(entries, 1)
    )


def comment_text(entry: FeedEntry) -> str:
    """Return the words of a comment as its feed gives them."""
    markup = entry.content or entry.summary or ""
    return text_of(parse(markup).tree) if markup else ""


def by_number(comment: Comment) -> tuple[int, str]:
    """The sort key that puts comments of several pages into the order in which they were written."""
    number = comment.id.rpartition("-")[2]
    return (int(number) if number.isdigit() else 0, comment.id)


def _id(entry: FeedEntry, order: int) -> str:
    fragment = (entry.link or entry.guid or "").rpartition("#")[2]
    return fragment if fragment.startswith("comment-") else f"c{order}"


_IN_PATH = re.compile(r"^(?P<post>.*?)/?comment-page-(?P<number>\d+)/?$")
_MOST = 200


def comment_page_links(document: Document) -> list[str]:
    """Return the URLs of the thread's other pages, in order; pages between the first and last linked are inferred.

    Themes link only to "older comments", or to 1, 2, 3 ... 9.
    """
    own = _split(canonical_url(document.url))
    linked: dict[int, str] = {}
    for href in document.attributes("a[href*=comment-page-], a[href*='cpage=']", "href"):
        url = absolute(document.base_url, href)
        if url:
            url = canonical_url(url)
            post, number = _split(url)
            if number and post == own[0]:
                linked.setdefault(number, url)
    if not linked:
        return []
    highest = min(max(linked), _MOST)
    return [linked.get(number) or _numbered(linked, number) for number in range(1, highest + 1) if number != own[1]]


def _split(url: str) -> tuple[str, int]:
    """The post's URL without scheme, www and trailing slash, and the number of its comment page."""
    parts = urlsplit(url)
    query = [(key, value) for key, value in parse_qsl(parts.query) if key != "cpage"]
    page = next((value for key, value in parse_qsl(parts.query) if key == "cpage"), "")
    match = _IN_PATH.match(parts.path)
    path = (match["post"] if match else parts.path).rstrip("/")
    number = int(match["number"]) if match else int(page) if page.isdigit() else 0
    return f"{parts.netloc.removeprefix('www.')}{path}?{query}", number


def _numbered(linked: dict[int, str], number: int) -> str:
    known, url = next(iter(linked.items()))
    return re.sub(rf"(comment-page-|cpage=){known}\b", rf"\g<1>{number}", url)
