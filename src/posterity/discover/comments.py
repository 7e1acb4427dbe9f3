"""Comments of a post outside its page: in its comment feed, on further comment pages, in WordPress's REST API."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from posterity.discover.feed import entry_text
from posterity.discover.platforms.values import moment_of
from posterity.dom import Document, parse, text_of
from posterity.dom.media import absolute
from posterity.dom.plain_text import html_of
from posterity.model import Comment, Feed, FeedEntry
from posterity.text.normal_form import one_line
from posterity.urls import canonical_url


def comments_in(feed: Feed) -> tuple[Comment, ...]:
    """Return the feed's entries as comments, oldest first; feeds have no parents of replies."""
    entries = sorted(feed.entries, key=lambda entry: entry.published.timestamp() if entry.published else 0.0)
    return tuple(
        Comment(
            id=_id(entry, order),
            author=entry.authors[0] if entry.authors else None,
            published=entry.published,
            text=entry_text(entry),
            html=html_of(parse(entry.content or entry.summary or "").tree, feed.url),
        )
        for order, entry in enumerate(entries, 1)
    )


def by_number(comment: Comment) -> tuple[int, str]:
    """Return the sort key that puts comments of several pages into the order in which they were written."""
    number = comment.id.rpartition("-")[2]
    return (int(number) if number.isdigit() else 0, comment.id)


def _id(entry: FeedEntry, order: int) -> str:
    fragment = (entry.link or entry.guid or "").rpartition("#")[2]
    return fragment if fragment.startswith("comment-") else f"c{order}"


_IN_PATH = re.compile(r"^(?P<post>.*?)/?comment-page-(?P<number>\d+)/?$")
_MOST = 200


def comment_page_links(document: Document) -> list[str]:
    """Return the URLs of the thread's other pages in order, including unlinked pages before the last linked one.

    Themes may link only to "older comments", or to pages 1, 2, 3 ... 9.
    """
    own = _split_page_number(canonical_url(document.url))
    linked: dict[int, str] = {}
    for href in document.attributes("a[href*=comment-page-], a[href*='cpage=']", "href"):
        url = absolute(document.base_url, href)
        if url:
            url = canonical_url(url)
            post, number = _split_page_number(url)
            if number and post == own[0]:
                linked.setdefault(number, url)
    if not linked:
        return []
    numbers = (number for number in range(1, min(max(linked), _MOST) + 1) if number != own[1])
    return [linked.get(number) or _with_page_number(linked, number) for number in numbers]


def _split_page_number(url: str) -> tuple[str, int]:
    """The post's URL without scheme, www and trailing slash, and the number of its comment page."""
    parts = urlsplit(url)
    query = [(key, value) for key, value in parse_qsl(parts.query) if key != "cpage"]
    page = next((value for key, value in parse_qsl(parts.query) if key == "cpage"), "")
    match = _IN_PATH.match(parts.path)
    path = (match["post"] if match else parts.path).rstrip("/")
    number = int(match["number"]) if match else int(page) if page.isdigit() else 0
    return f"{parts.netloc.removeprefix('www.')}{path}?{query}", number


def _with_page_number(linked: dict[int, str], number: int) -> str:
    known, url = next(iter(linked.items()))
    return re.sub(rf"(comment-page-|cpage=){known}\b", rf"\g<1>{number}", url)


_NUMBER = re.compile(r"(?:^|\s)(?:postid|page-id)-(\d+)(?:\s|$)")
_SHORT_LINK = re.compile(r"[?&]p=(\d+)$")
PAGE_SIZE = 100


class RestText(msgspec.Struct, frozen=True):
    """A text in a response of the REST API."""

    rendered: str = ""


class RestComment(msgspec.Struct, frozen=True):
    """A comment in a response of the REST API; `parent` is 0 if it has none."""

    id: int
    parent: int = 0
    author_name: str = ""
    author_url: str = ""
    date_gmt: str = ""
    content: RestText = RestText()


def comments_url(document: Document, page: int = 1) -> str | None:
    """Return the REST API's URL of the post's comments, or None if the page does not declare it."""
    number = post_number(document)
    declared = next(iter(document.attributes("link[rel='https://api.w.org/'][href]", "href")), None)
    root = absolute(document.base_url, declared)
    if not number or not root:
        return None
    fields = ",".join(RestComment.__struct_fields__)
    query = urlencode({"post": number, "per_page": PAGE_SIZE, "page": page, "_fields": fields})
    return f"{root}wp/v2/comments{'&' if '?' in root else '?'}{query}"


def post_number(document: Document) -> str | None:
    """Return the post's number from the class of <body> or the short link, or None."""
    in_classes = map(_NUMBER.search, document.attributes("body", "class"))
    in_links = map(_SHORT_LINK.search, document.attributes("link[rel=shortlink][href]", "href"))
    return next((match[1] for match in chain(in_classes, in_links) if match), None)


def read_comments(body: bytes) -> list[RestComment]:
    """Return the comments in a response of the REST API; an empty list for any other response."""
    try:
        return msgspec.json.decode(body, type=list[RestComment])
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError):
        return []


def as_comment(rest: RestComment) -> Comment:
    """Convert a comment of the REST API."""
    tree = parse(rest.content.rendered).tree
    return Comment(
        id=f"comment-{rest.id}",
        parent=f"comment-{rest.parent}" if rest.parent else None,
        author=one_line(parse(rest.author_name).tree.plain(0)) or None,
        author_url=rest.author_url or None,
        published=moment_of(rest.date_gmt),
        text=text_of(tree),
        html=html_of(tree),
    )


# WordPress's default for `thread_comments_depth`: deeper replies are flat on the page, or missing.
_SHOWN_DEPTH = 5


def is_deep(comments: tuple[Comment, ...]) -> bool:
    """Return whether the thread is so deep that the page may not show the parents of all replies."""
    levels: dict[str, int] = {}
    for comment in comments:
        levels[comment.id] = levels.get(comment.parent or "", 0) + 1
    return max(levels.values(), default=0) >= _SHOWN_DEPTH


def with_shown_parents(listed: tuple[Comment, ...], shown: Iterable[Comment]) -> tuple[Comment, ...]:
    """Return the comments of a feed with their parents on the page, and those that only the page has.

    Feeds have the newest ten. Where the page has no numbers of comments, these cannot be compared.
    """
    parents = {each.id: each.parent for each in shown}
    ids = {each.id for each in listed}
    found = [
        msgspec.structs.replace(each, parent=parent) if (parent := parents.get(each.id)) else each for each in listed
    ]
    if ids.isdisjoint(parents):
        return tuple(found)
    return tuple(sorted([*found, *(each for each in shown if each.id not in ids)], key=by_number))


def with_declared_threads(comments: tuple[Comment, ...], listed: Iterable[Comment]) -> tuple[Comment, ...]:
    """Return the comments of the page with the parents from the API, plus those that only the API has."""
    shown = {each.id: each for each in comments}
    better = {each.id: msgspec.structs.replace(shown.get(each.id, each), parent=each.parent) for each in listed}
    return tuple(sorted((shown | better).values(), key=by_number)) if better else comments
