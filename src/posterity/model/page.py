"""Pages and feeds as they were received."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec


class WarcPointer(msgspec.Struct, frozen=True):
    """The position of a response: the WARC file's name, the offset of its record, and the record's id."""

    file: str
    offset: int
    record_id: str

    def __str__(self) -> str:
        return f"{self.file}#{self.offset}"


# Opt-outs from archiving and mining, and links to feeds, further pages and the canonical URL (RFC 8288).
KEPT_HEADERS = frozenset({"x-robots-tag", "tdm-reservation", "link"})


def kept_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the headers in `KEPT_HEADERS`, names in lower case."""
    return tuple((name.lower(), value) for name, value in headers if name.lower() in KEPT_HEADERS)


# Types that servers send for files with an unknown extension or none, such as pages of a mirror.
_UNKNOWN_TYPES = frozenset({"text/plain", "application/octet-stream", "binary/octet-stream", "application/unknown"})
_BEGINS_AS_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<!--.{0,2000}?-->\s*+)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)


def is_unknown_type(content_type: str) -> bool:
    """Return whether servers send this type for files of unknown type."""
    return content_type.partition(";")[0].strip().lower() in _UNKNOWN_TYPES


def page_type(content_type: str, body: bytes) -> str:
    """Return the content type of a response; "text/html" for an unknown type whose body starts like HTML."""
    return "text/html" if is_unknown_type(content_type) and _BEGINS_AS_HTML.match(body) else content_type


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The response to one request. `requested_url` is the URL before redirects, `url` the one after them.

    `headers` contains only those in `KEPT_HEADERS`.
    """

    url: str
    requested_url: str
    status: int
    content_type: str = ""
    body: bytes
    fetched_at: datetime
    warc: WarcPointer | None = None
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def is_html(self) -> bool:
        """Return whether the content type is HTML; also True if there is none."""
        return not self.content_type or "html" in self.content_type.lower()


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry; `content` and `summary` are the HTML of the feed with absolute links."""

    link: str | None = None
    guid: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    updated: datetime | None = None
    content: str | None = None
    summary: str | None = None
    tags: tuple[str, ...] = ()
    language: str | None = None
    comments_url: str | None = None
    comment_feed: str | None = None
    comment_count: int | None = None


NO_FEED = "none"  # the format of the substitute feed of a blog without feeds


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed feed; `problem` describes a defect that did not prevent reading the entries."""

    url: str
    format: str
    title: str | None = None
    home: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    license: str | None = None
    next_url: str | None = None
    entries: tuple[FeedEntry, ...] = ()
    problem: str | None = None
