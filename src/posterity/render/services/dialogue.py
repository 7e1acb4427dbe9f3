"""Which comment widget a page carries, and how its thread is requested: over the network, or from stored responses.

Only the place of a thread counts: a script that counts comments stands on every page of a blog.

A service names the first URL and reads each response: comments, and the next URL. What it cannot read, or
knows is not all, ends the dialogue without a result: then the page is rendered and its buttons are clicked.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime
from typing import Protocol

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document, parse, text_of
from posterity.dom.metadata import absolute
from posterity.dom.plain_text import html_of
from posterity.lexicon import widgets
from posterity.model import Comment

_MAX_ASKS = 200
# By name: the selectors of the place of the thread on a page.
PLACES = {widget.name: ", ".join(widget.place) for widget in widgets() if widget.place}
_ANY = ", ".join(PLACES.values())


def widget_on(document: Document) -> str | None:
    """Return the name of the comment widget on the page, or None."""
    if not document.count(_ANY):
        return None
    return next((name for name, place in PLACES.items() if document.count(place)), None)


def widget_source(document: Document, widget: str) -> str | None:
    """Return the URL that the widget itself comes from, where its place on the page has it."""
    return next((absolute(document.base_url, src) for src in document.attributes(PLACES[widget], "src")), None)


def has_acted(widget: str, before: Document, after: Document) -> bool:
    """Tell whether the widget has put anything on the page: words, a form or a frame in its place."""
    inside = ", ".join(f"{place} *" for place in PLACES[widget].split(", "))
    return after.count(inside) > before.count(inside) or after.count("iframe") > before.count("iframe")


class Ask(msgspec.Struct, frozen=True):
    """A URL to request, with the headers that the service wants; `about` is for the service to remember something."""

    url: str
    headers: tuple[tuple[str, str], ...] = ()
    about: str = ""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What one response holds."""

    comments: tuple[Comment, ...] = ()
    then: Ask | None = None


class Service(Protocol):
    """One comment service."""

    name: str

    def first_ask(self, document: Document, settings: RenderSettings) -> Ask | None:
        """Return where the comments of this page are, or None when the page does not use the service."""

    def read(self, body: bytes, ask: Ask) -> Batch | None:
        """Return what the response holds, or None when it cannot be read or is not all."""


class ServiceThread(msgspec.Struct, frozen=True):
    """A page's comments with one service."""

    service: Service
    ask: Ask


def dialogue(thread: ServiceThread) -> Generator[Ask, bytes | None, tuple[Comment, ...] | None]:
    """Yield what to request, take each response (None: there is none), return all comments or None when it fails."""
    comments: dict[str, Comment] = {}
    ask: Ask | None = thread.ask
    for _ in range(_MAX_ASKS):
        if ask is None:
            return tuple(comments.values())
        body = yield ask
        try:
            batch = thread.service.read(body, ask) if body is not None else None
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError):
            batch = None
        if batch is None:
            return None
        comments |= {comment.id: comment for comment in batch.comments}
        ask = batch.then
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
    """Return a comment of which the service gave these parts; numbers become ids as they are on pages."""
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
