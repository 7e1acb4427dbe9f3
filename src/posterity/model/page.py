"""A page as it came over the wire, before anything is made of it."""

from __future__ import annotations

from datetime import datetime

import msgspec


class WarcPointer(msgspec.Struct, frozen=True):
    """Where a response lies: the WARC file's name, the offset of its record, and the record's id."""

    file: str
    offset: int
    record_id: str

    def __str__(self) -> str:
        return f"{self.file}#{self.offset}"


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one request. `url` is where the redirects ended, `requested_url` where they began."""

    url: str
    requested_url: str
    status: int
    content_type: str = ""
    body: bytes
    fetched_at: datetime
    warc: WarcPointer | None = None
