"""The comment widget of a page, and the exchange of requests and responses that fetches its thread.

A widget is recognised by the element for its thread, not by its scripts: a script that counts comments may be on every
page of a blog.

A service returns the first request, and reads each response: its comments, and the next request. If a response cannot
be read or is incomplete, the exchange ends without a result; then the page is rendered and its buttons are clicked.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime
from typing import Protocol

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document, parse, text_of
from posterity.dom.media import absolute
from posterity.dom.plain_text import html_of
from posterity.lexicon import widgets
from posterity.model import Comment

_MAX_REQUESTS = 200
# The selectors of the thread's element, by the name of the widget.
PLACES = {widget.name: ", ".join(widget.place) for widget in widgets() if widget.place}
_ANY = ", ".join(PLACES.values())


def widget_on(document: Document) -> str | None:
    """Return the name of the comment widget on the page, or None."""
    if not document.count(_ANY):
        return None
    return next((name for name, place in PLACES.items() if document.count(place)), None)


def widget_source(document: Document, widget: str) -> str | None:
    """Return the `src` of the widget's element, if it has one."""
    return next((absolute(document.base_url, src) for src in document.attributes(PLACES[widget], "src")), None)


def has_acted(widget: str, before: Document, after: Document) -> bool:
    """Return whether the widget has added anything to its element: text, a form or a frame."""
    inside = ", ".join(f"{place} *" for place in PLACES[widget].split(", "))
    return after.count(inside) > before.count(inside) or after.count("iframe") > before.count("iframe")


class ServiceRequest(msgspec.Struct, frozen=True):
    """A URL to request with these headers; `about` is for internal use by the service."""

    url: str
    headers: tuple[tuple[str, str], ...] = ()
    about: str = ""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """The comments of one response, and the next request."""

    comments: tuple[Comment, ...] = ()
    then: ServiceRequest | None = None


class Service(Protocol):
    """The interface of a comment service."""

    name: str

    def first_request(self, document: Document, settings: RenderSettings) -> ServiceRequest | None:
        """Return the first request for the comments of this page, or None if it does not use the service."""

    def read(self, body: bytes, request: ServiceRequest) -> Batch | None:
        """Return the content of the response, or None if it cannot be read or is incomplete."""


class ServiceThread(msgspec.Struct, frozen=True):
    """The thread of a page at one service."""

    service: Service
    request: ServiceRequest


def dialogue(thread: ServiceThread) -> Generator[ServiceRequest, bytes | None, tuple[Comment, ...] | None]:
    """Yield requests, receive each body (None: no response), and return all comments, or None on failure."""
    comments: dict[str, Comment] = {}
    request: ServiceRequest | None = thread.request
    for _ in range(_MAX_REQUESTS):
        if request is None:
            return tuple(comments.values())
        body = yield request
        try:
            batch = thread.service.read(body, request) if body is not None else None
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError):
            batch = None
        if batch is None:
            return None
        comments |= {comment.id: comment for comment in batch.comments}
        request = batch.then
    return None


def comment_of(
    number: object,
    *,
    parent: object,
    author: str | None,
    author_url: str | None,
    published: datetime | None,
    html: str,
    base_url: str = "",
) -> Comment:
    """Return a comment with these parts; numbers become ids in the form used on pages."""
    tree = parse(html).tree
    return Comment(
        id=f"comment-{number}",
        parent=f"comment-{parent}" if parent else None,
        author=author or None,
        author_url=author_url or None,
        published=published,
        text=text_of(tree),
        html=html_of(tree, base_url),
    )
