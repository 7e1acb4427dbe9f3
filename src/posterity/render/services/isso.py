"""isso, a self-hosted comment server: `GET /?uri=...` returns the whole thread, with nested replies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlencode, urlsplit

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document
from posterity.model import Comment
from posterity.render.services.dialogue import Batch, ServiceRequest, comment_of
from posterity.urls import canonical_url


class _Reply(msgspec.Struct):
    id: int
    text: str = ""
    author: str | None = None
    website: str | None = None
    created: float | None = None
    replies: list[_Reply] = []
    hidden_replies: int = 0


class _Thread(msgspec.Struct):
    replies: list[_Reply]
    hidden_replies: int = 0


name = "isso"


def first_request(document: Document, settings: RenderSettings) -> ServiceRequest | None:  # noqa: ARG001
    """Return the request for the thread."""
    server = next(iter(document.attributes("script[data-isso]", "data-isso")), None)
    if server is None or not document.count("#isso-thread"):
        return None
    named = document.attributes("#isso-thread[data-isso-id]", "data-isso-id")
    uri = named[0] if named else urlsplit(document.url).path or "/"
    base = canonical_url(server, document.url).rstrip("/")
    return ServiceRequest(f"{base}/?{urlencode({'uri': uri})}")


def read(body: bytes, request: ServiceRequest) -> Batch | None:  # noqa: ARG001
    """Return the comments, or None if some are hidden."""
    thread = msgspec.json.decode(body, type=_Thread)
    return Batch(comments=tuple(_flat(thread.replies, None))) if not _hides(thread) else None


def _flat(replies: list[_Reply], parent: int | None) -> Iterator[Comment]:
    for reply in replies:
        published = datetime.fromtimestamp(reply.created, UTC) if reply.created else None
        yield comment_of(
            reply.id, parent=parent, author=reply.author, author_url=reply.website, published=published, html=reply.text
        )
        yield from _flat(reply.replies, reply.id)


def _hides(thread: _Thread | _Reply) -> bool:
    return thread.hidden_replies > 0 or any(map(_hides, thread.replies))
