"""WordPress's REST interface: where a page declares it, the post's number in it, and how its lists are read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TypeVar
from urllib.parse import urlencode

import msgspec

from posterity.discover.comments import by_number
from posterity.dom import Document, parse, text_of
from posterity.dom.metadata import absolute
from posterity.dom.plain_text import html_of
from posterity.model import Comment
from posterity.text.normal_form import one_line

_NUMBER = re.compile(r"(?:^|\s)(?:postid|page-id)-(\d+)(?:\s|$)")
_SHORT_LINK = re.compile(r"[?&]p=(\d+)$")
PAGE_SIZE = 100

Listed = TypeVar("Listed", bound=msgspec.Struct)


class RestText(msgspec.Struct, frozen=True):
    """A text as the interface gives it."""

    rendered: str = ""


class RestPost(msgspec.Struct, frozen=True):
    """A post as the interface lists it."""

    link: str


class RestComment(msgspec.Struct, frozen=True):
    """A comment as the interface gives it; parent 0 is none."""

    id: int
    parent: int = 0
    author_name: str = ""
    author_url: str = ""
    date_gmt: str = ""
    content: RestText = RestText()


def comments_url(document: Document, page: int = 1) -> str | None:
    """Return where the REST interface lists the post's comments, or None."""
    number = post_number(document)
    return _list_url(document, "comments", RestComment, page, post=number) if number else None


def posts_url(document: Document, page: int = 1) -> str | None:
    """Return where the REST interface lists the blog's posts, or None."""
    return _list_url(document, "posts", RestPost, page)


def _list_url(document: Document, what: str, kind: type[msgspec.Struct], page: int, **of: str) -> str | None:
    declared = next(iter(document.attributes("link[rel='https://api.w.org/'][href]", "href")), None)
    root = absolute(document.base_url, declared)
    if not root:
        return None
    query = urlencode({**of, "per_page": PAGE_SIZE, "page": page, "_fields": ",".join(kind.__struct_fields__)})
    return f"{root}wp/v2/{what}{'&' if '?' in root else '?'}{query}"


def post_number(document: Document) -> str | None:
    """Return the post's number: from the class of <body>, else from the short link."""
    for classes in document.attributes("body", "class"):
        match = _NUMBER.search(classes)
        if match:
            return match.group(1)
    for href in document.attributes("link[rel=shortlink][href]", "href"):
        match = _SHORT_LINK.search(href)
        if match:
            return match.group(1)
    return None


def read_comments(body: bytes) -> list[RestComment]:
    """Return the comments in a response of the interface; none when it is something else."""
    return _read_list(body, RestComment)


def read_posts(body: bytes) -> list[RestPost]:
    """Return the posts in a response of the interface; none when it is something else."""
    return _read_list(body, RestPost)


def _read_list(body: bytes, kind: type[Listed]) -> list[Listed]:
    try:
        return msgspec.json.decode(body, type=list[kind])  # type: ignore[valid-type]
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        return []


def as_comment(rest: RestComment) -> Comment:
    """Return the interface's comment as ours."""
    tree = parse(rest.content.rendered).tree
    return Comment(
        id=f"comment-{rest.id}",
        parent=f"comment-{rest.parent}" if rest.parent else None,
        author=one_line(parse(rest.author_name).tree.plain(0)) or None,
        author_url=rest.author_url or None,
        published=datetime.fromisoformat(rest.date_gmt).replace(tzinfo=UTC) if rest.date_gmt else None,
        text=text_of(tree),
        html=html_of(tree),
    )


# WordPress's own default for `thread_comments_depth`: what lies deeper stands flat on the page, or not at all.
_SHOWN_DEPTH = 5


def is_deep(comments: tuple[Comment, ...]) -> bool:
    """Tell whether there may be replies whose place the page does not show."""
    levels: dict[str, int] = {}
    for comment in comments:
        levels[comment.id] = levels.get(comment.parent or "", 0) + 1
    return max(levels.values(), default=0) >= _SHOWN_DEPTH


def with_declared_threads(comments: tuple[Comment, ...], listed: Iterable[Comment]) -> tuple[Comment, ...]:
    """Return the comments of the page in the threads that the interface gives, with those that it alone knows."""
    shown = {each.id: each for each in comments}
    better = {each.id: msgspec.structs.replace(shown.get(each.id, each), parent=each.parent) for each in listed}
    return tuple(sorted((shown | better).values(), key=by_number)) if better else comments
