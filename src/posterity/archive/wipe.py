"""Replaces records in WARC files by tombstones of the same id and the same length.

Because the length stays, every other record stays where it is and every pointer stays true. The rest of the old
record's place is filled by the comment field of the gzip header (RFC 1952), which readers skip.
"""

from __future__ import annotations

import os
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from posterity.archive.failures import translated
from posterity.archive.warc_members import member_at
from posterity.archive.warc_records import payload_digest

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive.warc_reader import StoredRecord

TOMBSTONE = b"posterity-tombstone: taken down\r\n"
_HAS_COMMENT = 0x10


def wipe_records(path: Path, record_ids: dict[int, str]) -> int:
    """Overwrite the records at these places, and the requests that belong to them; return how many there were."""
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
    """Tell whether this is what is left of a record that was taken down."""
    return record.kind == "metadata" and not record.url and record.payload == TOMBSTONE


def _wipe(stream: BinaryIO, offset: int, record_id: str | None) -> int:
    """Overwrite one record and return the length of its place; 0 when another record lies there."""
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
        f"Content-Type: application/warc-fields\r\nContent-Length: {len(TOMBSTONE)}\r\n\r\n"
    )
    record = head.encode() + TOMBSTONE + b"\r\n\r\n"
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    squeezed = squeeze.compress(record) + squeeze.flush()
    tail = zlib.crc32(record).to_bytes(4, "little") + len(record).to_bytes(4, "little")
    padding = length - 10 - 1 - len(squeezed) - len(tail)
    # A record of ours has more headers than its tombstone, two of them digests that do not compress.
    assert padding >= 0, "a tombstone is shorter than any record"
    out = BytesIO()
    out.write(bytes((0x1F, 0x8B, 8, _HAS_COMMENT)) + bytes(4) + bytes((2, 255)))
    out.write(b" " * padding + b"\x00" + squeezed + tail)
    return out.getvalue()


def _fields(content: bytes) -> dict[str, str]:
    head = content.partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    pairs = (line.partition(":") for line in head.split("\r\n")[1:])
    return {name.strip().lower(): value.strip() for name, _, value in pairs}
