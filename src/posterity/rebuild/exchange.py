"""An answer as it stands in somebody else's file: headers and body as they came, and the page in them."""

from __future__ import annotations

from datetime import datetime

import msgspec

from posterity.archive.content_coding import decoded_body
from posterity.model import Page, WarcPointer


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One answer; `body` still has its content coding, but no chunks. `warc` is its place in the file it is from."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    fetched_at: datetime
    warc: WarcPointer | None = None

    def header(self, name: str) -> str:
        """The value of an HTTP header, or the empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def page(self) -> Page:
        """The answer as a page."""
        return Page(
            url=self.url,
            requested_url=self.url,
            status=self.status,
            content_type=self.header("content-type"),
            body=decoded_body(self.body, self.header("content-encoding")),
            fetched_at=self.fetched_at,
            warc=self.warc,
        )


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """A record that could not be read: in which file, where it begins, and why."""

    file: str
    offset: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}#{self.offset}: {self.problem}"
