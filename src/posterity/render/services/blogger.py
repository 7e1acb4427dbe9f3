"""Blogger: every post has a comment feed, available as JSON, which contains the parent of each comment."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document
from posterity.dom.media import absolute
from posterity.model import Comment
from posterity.render.services.dialogue import PLACES, Batch, ServiceRequest, comment_of

_PAGE_SIZE = 500  # the maximum of the API
_FEED = re.compile(r"/feeds/\d+/comments/default")
_NUMBER = re.compile(r"(?<!\d)(\d+)$")
name = "blogger"


def first_request(document: Document, settings: RenderSettings) -> ServiceRequest | None:  # noqa: ARG001
    """Return the feed, for pages that hide comments behind a click or render them by a script."""
    if not document.count(PLACES["blogger"]):
        return None
    for href in document.attributes("link[rel=alternate][href]", "href"):
        feed = _FEED.search(href) and absolute(document.base_url, href)
        if feed:
            return _page(feed.partition("?")[0], 1)
    return None


def read(body: bytes, request: ServiceRequest) -> Batch | None:
    """Return the comments of one page of the feed, and the request for the next page."""
    feed = msgspec.json.decode(body).get("feed", {})
    entries = feed.get("entry", [])
    url, _, query = request.url.partition("?")
    start = int(query.rpartition("=")[2])
    total = int(_text(feed.get("openSearch$totalResults")) or 0)
    last = start + len(entries) > total or not entries
    return Batch(comments=tuple(map(_comment, entries)), then=None if last else _page(url, start + len(entries)))


def _page(url: str, start: int) -> ServiceRequest:
    return ServiceRequest(f"{url}?alt=json&orderby=published&max-results={_PAGE_SIZE}&start-index={start}")


def _comment(entry: dict[str, Any]) -> Comment:
    author: dict[str, Any] = next(iter(entry.get("author", [])), {})
    response = (link.get("href", "") for link in entry.get("link", []) if link.get("rel") == "related")
    published = _text(entry.get("published"))
    return comment_of(
        _number(_text(entry.get("id"))),
        parent=_number(next(response, "")),
        author=_text(author.get("name")),
        author_url=_text(author.get("uri")),
        published=datetime.fromisoformat(published) if published else None,
        html=_text(entry.get("content")),
    )


def _text(value: Any) -> str:
    return str(value.get("$t", "")) if isinstance(value, dict) else ""


def _number(text: str) -> str | None:
    match = _NUMBER.search(text)
    return match.group() if match else None
