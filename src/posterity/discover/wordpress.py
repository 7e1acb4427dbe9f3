"""What a WordPress page tells about its own REST interface: where it is, and the post's number in it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlencode

import msgspec

from posterity.dom import parse, text_of
from posterity.dom.clean_html import html_of
from posterity.dom.links import absolute
from posterity.model import Comment
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from posterity.dom import Document

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
    """Return the comments in an answer of the interface; none when it is something else."""
    return _read_list(body, RestComment)


def read_posts(body: bytes) -> list[RestPost]:
    """Return the posts in an answer of the interface; none when it is something else."""
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
