"""The gzip members of a WARC file, one record each, and where a file was cut or damaged.

A crash can cut a file anywhere, and a disk can turn bits over. What can be read is read: behind damage the next
record begins where the next gzip header does.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, BinaryIO, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC = b"\x1f\x8b\x08"
_CHUNK = 256 * 1024


class Member(msgspec.Struct, frozen=True):
    """A stretch of the file: a whole record, one that is cut off by the end of the file, or damage."""

    state: Literal["whole", "cut", "damaged"]
    offset: int
    length: int
    content: bytes = b""


def members(stream: BinaryIO) -> Iterator[Member]:
    """Yield the stretches of an open WARC file from its beginning to its end, without a gap."""
    offset = 0
    while True:
        member = member_at(stream, offset)
        if member is None:
            return
        yield member
        offset += member.length


def member_at(stream: BinaryIO, offset: int) -> Member | None:
    """Return the stretch that begins at this place, or None at the end of the file."""
    stream.seek(offset)
    inflate = zlib.decompressobj(zlib.MAX_WBITS + 16)
    content: list[bytes] = []
    consumed = 0
    while chunk := stream.read(_CHUNK):
        try:
            content.append(inflate.decompress(chunk))
        except zlib.error:
            return _damage_at(stream, offset)
        consumed += len(chunk) - len(inflate.unused_data)
        if inflate.eof:
            return Member("whole", offset, consumed, b"".join(content))
    return Member("cut", offset, consumed) if consumed else None


def _damage_at(stream: BinaryIO, offset: int) -> Member:
    """What cannot be read, up to the next place where a record begins or to the end of the file."""
    stream.seek(offset + 1)
    searched, tail = offset + 1, b""
    while chunk := stream.read(_CHUNK):
        data = tail + chunk
        found = data.find(_MAGIC)
        while found >= 0:
            place = searched - len(tail) + found
            if _begins_record(stream, place):
                return Member("damaged", offset, place - offset)
            found = data.find(_MAGIC, found + 1)
        searched += len(chunk)
        tail = data[-len(_MAGIC) + 1 :]
        stream.seek(searched)
    return Member("damaged", offset, searched - offset)


def _begins_record(stream: BinaryIO, place: int) -> bool:
    stream.seek(place)
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(stream.read(4096), 5) == b"WARC/"
    except zlib.error:
        return False
