"""What a WordPress page tells about its own REST interface: where it is, and the post's number in it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
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


class RestText(msgspec.Struct, frozen=True):
    """A text as the interface gives it."""

    rendered: str = ""


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
    declared = next(iter(document.attributes("link[rel='https://api.w.org/'][href]", "href")), None)
    root = absolute(document.base_url, declared)
    number = post_number(document)
    if not root or not number:
        return None
    query = urlencode(
        {"post": number, "per_page": PAGE_SIZE, "page": page, "_fields": ",".join(RestComment.__struct_fields__)}
    )
    return f"{root}wp/v2/comments{'&' if '?' in root else '?'}{query}"


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
    try:
        return msgspec.json.decode(body, type=list[RestComment])
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
