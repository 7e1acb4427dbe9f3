"""Writes WARC files: every exchange is on the disk, and in the index, before its place is told, or with `sync`.

One writer has its files for itself, so that any number of processes write at the same time. A file is begun when
it is needed, closed at a gigabyte, and never written again.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from typing import TYPE_CHECKING, BinaryIO, Protocol, Self

from posterity.archive import warc_records
from posterity.archive.captures import Capture
from posterity.archive.cdxj import write_cdxj
from posterity.archive.columns import date_key
from posterity.archive.failures import translated
from posterity.archive.warc_reader import NOT_MODIFIED
from posterity.model import WarcPointer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

ROLL_AT_BYTES = 1_000_000_000  # the size that the WARC standard recommends (annex on file size)
SCREENSHOT = "urn:screenshot:"  # before a page's address: the address of its picture
_OK = 200


class CaptureIndex(Protocol):
    """Where a writer notes what it wrote and finds what was written before."""

    def note_captures(self, captures: list[Capture]) -> None:
        """Remember these records."""

    def captured_urls(self, blog_id: str) -> set[str]:
        """Return the addresses that harvests of a blog have had full answers from."""

    def earlier_response(self, url: str, digest: str | None) -> Capture | None:
        """Return the latest full answer from this address, with this payload if one is named."""


class WarcWriter:
    """Writes what one harvest of one blog fetches."""

    def __init__(
        self,
        folder: Path,
        blog_id: str,
        index: CaptureIndex,
        facts: Mapping[str, str],
        roll_at_bytes: int = ROLL_AT_BYTES,
    ) -> None:
        self._folder = folder
        self._blog_id = blog_id
        self._index = index
        self._facts = dict(facts)
        self._roll_at_bytes = roll_at_bytes
        self._out: BinaryIO | None = None
        self._file = ""
        self._warcinfo_id = ""
        self._end = 0
        self._written: list[Capture] = []
        # Whoever sets this to False calls `sync` before it relies on what was written.
        self.syncs_each = True
        self._unsynced: list[Capture] = []
        self._captured: set[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write_exchange(  # noqa: PLR0913 - an exchange has this many parts
        self,
        *,
        url: str,
        status: int,
        response_headers: Sequence[tuple[str, str]],
        body: bytes,
        fetched_at: datetime,
        method: str = "GET",
        request_headers: Sequence[tuple[str, str]] = (),
        request_body: bytes = b"",
        reason: str = "",
        http_version: str = "HTTP/1.1",
        ip: str | None = None,
    ) -> WarcPointer:
        """Write an answer and its request and return where the answer lies.

        `body` is what came over the wire, still with its content coding, but without chunked transfer coding. An
        answer that an earlier record already holds becomes a revisit record; `read_page` follows it.
        """
        exchange = warc_records.Exchange(
            method=method, url=url, request_headers=tuple(request_headers), request_body=request_body, status=status,
            reason=reason, http_version=http_version, response_headers=tuple(response_headers), body=body, ip=ip,
            date=date_key(fetched_at),
        )  # fmt: skip
        self._begin_file(exchange.date)
        kind, digest, (record_id, record) = self._answer(exchange)
        _, request = warc_records.request_record(exchange, self._warcinfo_id, record_id)
        offset = self._append(record + request)
        capture = Capture(
            record_id=record_id, kind=kind, blog_id=self._blog_id, url=url, fetched_at=exchange.date, status=status,
            mime=exchange.mime, digest=digest, file=self._file, offset=offset, length=len(record),
        )  # fmt: skip
        return self._noted(capture)

    def write_attachment(
        self, kind: str, url: str, content: bytes, *, mime: str, fetched_at: datetime, of: WarcPointer | None = None
    ) -> WarcPointer:
        """Write what was made of an answer: a resource (screenshot), a conversion (rendered page) or metadata."""
        date = date_key(fetched_at)
        self._begin_file(date)
        headers = {"WARC-Date": date, "WARC-Warcinfo-ID": self._warcinfo_id, "Content-Type": mime}
        if of is not None:
            headers["WARC-Refers-To" if kind == "conversion" else "WARC-Concurrent-To"] = of.record_id
        record_id, record = warc_records.plain_record(kind, url, content, headers)
        offset = self._append(record)
        capture = Capture(
            record_id=record_id, kind=kind, blog_id=self._blog_id, url=url, fetched_at=date, mime=mime,
            digest=warc_records.payload_digest(content), file=self._file, offset=offset, length=len(record),
        )  # fmt: skip
        return self._noted(capture)

    def _noted(self, capture: Capture) -> WarcPointer:
        self._written.append(capture)
        self._unsynced.append(capture)
        if self.syncs_each:
            self.sync()
        return WarcPointer(capture.file, capture.offset, capture.record_id)

    def sync(self) -> None:
        """Bring what was written to the disk, then into the index."""
        if self._out is None or not self._unsynced:
            return
        with translated(str(self._folder / self._file)):
            os.fdatasync(self._out.fileno())
        self._index.note_captures(self._unsynced)
        self._unsynced = []

    def close(self) -> None:
        """End the file and write its CDXJ index; a later write begins another."""
        if self._out is not None:
            try:
                self.sync()
                write_cdxj(self._folder / self._file, self._written)
            finally:
                self._out.close()
                self._out = None
                self._written = []

    def _answer(self, exchange: warc_records.Exchange) -> tuple[str, str, tuple[str, bytes]]:
        """The record of an answer, with its kind and the digest of the payload it stands for."""
        digest = warc_records.payload_digest(exchange.body)
        earlier = self._earlier(exchange, digest)
        if earlier is None:
            return "response", digest, warc_records.response_record(exchange, self._warcinfo_id)
        refers = {
            "WARC-Refers-To": earlier.record_id,
            "WARC-Refers-To-Target-URI": earlier.url,
            "WARC-Refers-To-Date": earlier.fetched_at,
            "WARC-Payload-Digest": earlier.digest,
        }
        profile = warc_records.NOT_MODIFIED if exchange.status == NOT_MODIFIED else warc_records.IDENTICAL
        return "revisit", earlier.digest, warc_records.revisit_record(exchange, self._warcinfo_id, profile, refers)

    def _earlier(self, exchange: warc_records.Exchange, digest: str) -> Capture | None:
        # Only the same address: a record that others depend on could not be taken down without theirs. Most addresses
        # of a new blog were never answered before, and a question each would cost as much as writing them.
        if self._captured is None:
            self._captured = self._index.captured_urls(self._blog_id)
        if exchange.url not in self._captured:
            self._captured.add(exchange.url)
            return None
        if exchange.status == NOT_MODIFIED:
            return self._index.earlier_response(exchange.url, None)
        if exchange.status == _OK and exchange.body:
            return self._index.earlier_response(exchange.url, digest)
        return None

    def _begin_file(self, date: str) -> None:
        if self._out is not None and self._end < self._roll_at_bytes:
            return
        self.close()
        stamp = "".join(char for char in date if char.isdigit())[:14]
        self._file = f"{self._blog_id}-{stamp}-{uuid.uuid4().hex[:8]}.warc.gz"
        path = self._folder / self._file
        with translated(str(path)):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._out = path.open("xb", buffering=0)
            # Held until the file ends: whoever repairs files leaves alone those that are being written.
            fcntl.flock(self._out, fcntl.LOCK_EX)
        self._end = 0
        self._warcinfo_id, record = warc_records.warcinfo_record(self._file, date, self._facts)
        self._append(record)

    def _append(self, record: bytes) -> int:
        """Write the bytes behind all others and return where they begin; a write that fails leaves nothing behind."""
        assert self._out is not None
        offset = self._end
        with translated(str(self._folder / self._file)):
            try:
                _write_all(self._out, record)
            except OSError:
                self._out.truncate(offset)
                self._out.seek(offset)
                raise
        self._end += len(record)
        return offset


def _write_all(out: BinaryIO, record: bytes) -> None:
    # An unbuffered write on a disk that fills up writes a part and says so only at the next call.
    rest = memoryview(record)
    while rest:
        rest = rest[out.write(rest) :]
