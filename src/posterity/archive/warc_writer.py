"""Writes WARC files: every exchange is on disk and in the index before its pointer is returned, or after `sync`.

Every writer has its own files, so any number of processes can write at the same time. A file is created when it is
needed, closed at a gigabyte, and never appended to again.
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol, Self

from posterity.archive import warc_records
from posterity.archive.captures import Capture, write_cdxj
from posterity.archive.database import date_key, translated
from posterity.archive.folder import lock_file
from posterity.archive.takedowns import CurrentTakedowns
from posterity.archive.warc_reader import NOT_MODIFIED, StoredRecord, member_at, record_at
from posterity.archive.warc_records import payload_digest
from posterity.model import WarcPointer

ROLL_AT_BYTES = 1_000_000_000  # the size that the WARC standard recommends (annex on file size)
SCREENSHOT = "urn:screenshot:"  # the prefix of a page's URL in the URL of its screenshot


class CaptureIndex(Protocol):
    """The index of captures, which a writer extends and searches."""

    def note_captures(self, captures: list[Capture]) -> None:
        """Add these records."""

    def drop_captures(self, record_ids: Iterable[str]) -> None:
        """Remove these records."""

    def captures_of_file(self, file: str) -> list[Capture]:
        """Return the records of a file, by offset."""

    def captured_urls(self, blog_id: str) -> set[str]:
        """Return the URLs from which harvests of the blog got full responses."""

    def earlier_response(self, url: str, digest: str | None) -> Capture | None:
        """Return the latest full response from this URL, with this payload if `digest` is given."""


class WarcWriter:
    """Writes what one harvest of one blog fetches, to files of its own."""

    def __init__(
        self,
        folder: Path,
        blog_id: str,
        index: CaptureIndex,
        facts: Mapping[str, str],
        roll_at_bytes: int = ROLL_AT_BYTES,
        takedowns: CurrentTakedowns | None = None,
    ) -> None:
        self._folder = folder
        self._blog_id = blog_id
        self._index = index
        self._facts = dict(facts)
        self._roll_at_bytes = roll_at_bytes
        self._takedowns = takedowns
        self._out: BinaryIO | None = None
        self._file = ""
        self._warcinfo_id = ""
        self._end = 0
        # If this is False, `sync` must be called before anything relies on what was written.
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
        """Write a response and its request and return the position of the response.

        `body` is as transferred, still with its content coding, but without chunked transfer coding. A response that an
        earlier record contains becomes a revisit record; `read_page` follows it. For a response that shows a text that
        was taken down, only a tombstone is written.
        """
        exchange = warc_records.Exchange(
            method=method, url=url, request_headers=tuple(request_headers), request_body=request_body, status=status,
            reason=reason, http_version=http_version, response_headers=tuple(response_headers), body=body, ip=ip,
            date=date_key(fetched_at),
        )  # fmt: skip
        coding = next((value for name, value in response_headers if name.lower() == "content-encoding"), "")
        if self._is_taken_down(body, exchange.mime, coding):
            return self.write_attachment("metadata", url, TOMBSTONE, mime=_FIELDS, fetched_at=fetched_at)
        self._begin_file(exchange.date)
        kind, digest, (record_id, record) = self._response_or_revisit(exchange)
        _, request = warc_records.request_record(exchange, self._warcinfo_id, record_id)
        offset = self._append(record + request)
        capture = Capture(
            record_id=record_id, kind=kind, blog_id=self._blog_id, url=url, fetched_at=exchange.date, status=status,
            mime=exchange.mime, digest=digest, file=self._file, offset=offset, length=len(record),
        )  # fmt: skip
        return self._add_capture(capture)

    def write_attachment(
        self, kind: str, url: str, content: bytes, *, mime: str, fetched_at: datetime, of: WarcPointer | None = None
    ) -> WarcPointer:
        """Write what was derived from a response: a resource (screenshot), a conversion (rendered page) or metadata."""
        if self._is_taken_down(content, mime, ""):
            kind, content, mime = "metadata", TOMBSTONE, _FIELDS
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
        return self._add_capture(capture)

    def _add_capture(self, capture: Capture) -> WarcPointer:
        self._unsynced.append(capture)
        if self.syncs_each:
            self.sync()
        return WarcPointer(capture.file, capture.offset, capture.record_id)

    def sync(self) -> None:
        """Flush what was written to the disk, then add it to the index."""
        if self._out is None or not self._unsynced:
            return
        with translated(str(self._folder / self._file)):
            os.fdatasync(self._out.fileno())
        self._index.note_captures(self._unsynced)
        self._wipe_taken_down()
        self._unsynced = []

    def _wipe_taken_down(self) -> None:
        """Wipe what was fetched while a takedown began: a takedown only searches what the index had by then."""
        if self._takedowns is None or not self._takedowns.has_grown():
            return
        path, places = self._folder / self._file, dict[int, str]()
        for capture in self._unsynced:
            record = record_at(path, capture.offset)
            if self._is_taken_down(record.payload, capture.mime, record.http_header("content-encoding")):
                places[capture.offset] = capture.record_id
        wipe_records(path, places)
        self._index.drop_captures(places.values())

    def _is_taken_down(self, body: bytes, mime: str | None, coding: str) -> bool:
        return self._takedowns is not None and self._takedowns.is_shown(body, mime, coding)

    def close(self) -> None:
        """Close the file and write its CDXJ index; a later write begins another file."""
        if self._out is not None:
            try:
                self.sync()
                # Read from the index, because some of what was written may have been taken down meanwhile.
                write_cdxj(self._folder / self._file, self._index.captures_of_file(self._file))
            finally:
                self._out.close()
                self._out = None

    def _response_or_revisit(self, exchange: warc_records.Exchange) -> tuple[str, str, tuple[str, bytes]]:
        """Return the kind of record for a response, the digest of its payload, and the record."""
        digest = warc_records.payload_digest(exchange.body)
        if (earlier := self._earlier(exchange, digest)) is None:
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
        # Only the same URL: a takedown of a record would break revisits of it by other URLs. Most URLs of a new blog
        # were never fetched before, and a query for each would cost as much as writing them.
        if self._captured is None:
            self._captured = self._index.captured_urls(self._blog_id)
        if exchange.url not in self._captured:
            self._captured.add(exchange.url)
            return None
        if exchange.status == NOT_MODIFIED:
            return self._index.earlier_response(exchange.url, None)
        if exchange.status == 200 and exchange.body:
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
            # Held until the file is closed, because repairs leave files alone that are being written.
            lock_file(self._out)
        self._end = 0
        self._warcinfo_id, record = warc_records.warcinfo_record(self._file, date, self._facts)
        self._append(record)

    def _append(self, record: bytes) -> int:
        """Append the bytes and return their offset; a failed write leaves nothing behind."""
        assert self._out is not None
        offset = self._end
        with translated(str(self._folder / self._file)):
            try:
                # On a disk that fills up, an unbuffered write writes a part and fails only at the next call.
                rest = memoryview(record)
                while rest:
                    rest = rest[self._out.write(rest) :]
            except OSError:
                self._out.truncate(offset)
                self._out.seek(offset)
                raise
        self._end += len(record)
        return offset


TOMBSTONE = b"posterity-tombstone: taken down\r\n"
_FIELDS = "application/warc-fields"
_HAS_COMMENT = 0x10


def wipe_records(path: Path, record_ids: dict[int, str]) -> int:
    """Overwrite the records at these offsets and their requests; return the number of records."""
    wiped = 0
    with translated(str(path)), path.open("r+b") as stream:
        for offset, record_id in sorted(record_ids.items()):
            length = _wipe(stream, offset, record_id)
            wiped += length > 0
            if length and _is_request_to(stream, offset + length, record_id):
                wiped += _wipe(stream, offset + length, None) > 0
        stream.flush()
        os.fsync(stream.fileno())
    return wiped


def is_tombstone(record: StoredRecord) -> bool:
    """Return whether the record is a tombstone of one that was taken down."""
    return record.kind == "metadata" and record.payload == TOMBSTONE


def _wipe(stream: BinaryIO, offset: int, record_id: str | None) -> int:
    """Overwrite one record and return its length; 0 if another record is there."""
    member = member_at(stream, offset)
    if member is None or member.state != "whole":
        return 0
    fields = _fields(member.content)
    if record_id is not None and fields.get("warc-record-id") != record_id:
        return 0
    tombstone = _tombstone(fields["warc-record-id"], fields["warc-date"], member.length)
    stream.seek(offset)
    stream.write(tombstone)
    return member.length


def _is_request_to(stream: BinaryIO, offset: int, record_id: str) -> bool:
    member = member_at(stream, offset)
    if member is None or member.state != "whole":
        return False
    fields = _fields(member.content)
    return fields.get("warc-type") == "request" and fields.get("warc-concurrent-to") == record_id


def _tombstone(record_id: str, date: str, length: int) -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: {record_id}\r\nWARC-Date: {date}\r\n"
        f"WARC-Block-Digest: {payload_digest(TOMBSTONE)}\r\n"
        f"Content-Type: {_FIELDS}\r\nContent-Length: {len(TOMBSTONE)}\r\n\r\n"
    )
    record = head.encode() + TOMBSTONE + b"\r\n\r\n"
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    squeezed = squeeze.compress(record) + squeeze.flush()
    tail = zlib.crc32(record).to_bytes(4, "little") + len(record).to_bytes(4, "little")
    padding = length - 10 - 1 - len(squeezed) - len(tail)
    # Our records have more headers than a tombstone, two of them digests that do not compress.
    assert padding >= 0, "a tombstone is shorter than any record"
    out = BytesIO()
    out.write(bytes((0x1F, 0x8B, 8, _HAS_COMMENT)) + bytes(4) + bytes((2, 255)))
    out.write(b" " * padding + b"\x00" + squeezed + tail)
    return out.getvalue()


def _fields(content: bytes) -> dict[str, str]:
    head = content.partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    pairs = (line.partition(":") for line in head.split("\r\n")[1:])
    return {name.strip().lower(): value.strip() for name, _, value in pairs}
