"""Where the next record begins in a crawl file, for reading on behind damage."""

from __future__ import annotations

import re
import zlib
from os import SEEK_END
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_PLAIN = b"\nWARC/1."
_CHUNK = 256 * 1024
# A record of WARC, or the first line of one of ARC: an address, an IP number, fourteen digits.
_RECORD = re.compile(rb"WARC/1\.|(?:https?|filedesc|dns)://?\S+ \S+ \d{14} ")
_ENOUGH = 4096
_MAX_HEAD = 64 * 1024
_LENGTH = re.compile(rb"^content-length:\s*(\d+)", re.IGNORECASE | re.MULTILINE)


def next_start(stream: IO[bytes], after: int) -> int | None:
    """Return the first place behind `after` where a record begins, or None when none does.

    Only gzip and plain text can be searched: in other packings everything behind damage is lost.
    """
    stream.seek(0)
    beginning = stream.read(4)
    if beginning == _ZSTD:
        return None
    mark = _GZIP if beginning.startswith(_GZIP) else _PLAIN
    for place in _places(stream, mark, after + 1):
        if mark == _PLAIN:
            return place + 1
        if _unpacks_to_record(stream, place):
            return place
    return None


def end_of_record(stream: IO[bytes], begin: int) -> int:
    """Return where a record that can be read ends; its own place when that cannot be told."""
    stream.seek(begin)
    if stream.read(len(_GZIP)) == _GZIP:
        return begin + _packed_bytes(stream, begin)
    stream.seek(begin)
    head, end, _ = stream.read(_MAX_HEAD).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return begin + len(head) + len(end) + int(length[1]) + len(end) if length else begin


def is_whole(stream: IO[bytes], begin: int) -> bool:
    """Tell whether the file does not end in the middle of the record that begins there, as far as that can be told."""
    end = end_of_record(stream, begin)
    stream.seek(begin)
    if stream.read(len(_GZIP)) == _GZIP:
        return end > begin
    return end <= stream.seek(0, SEEK_END)


def _places(stream: IO[bytes], mark: bytes, start: int) -> Iterator[int]:
    """Yield every place of the mark; whoever asks may move the stream in between."""
    while True:
        stream.seek(start)
        chunk = stream.read(_CHUNK)
        found = chunk.find(mark)
        if found >= 0:
            yield start + found
            start += found + 1
        elif len(chunk) < len(mark):
            return
        else:
            start += len(chunk) - len(mark) + 1


def _packed_bytes(stream: IO[bytes], begin: int) -> int:
    """How long the gzip member is that begins there."""
    stream.seek(begin)
    inflate = zlib.decompressobj(zlib.MAX_WBITS + 16)
    length = 0
    while not inflate.eof and (chunk := stream.read(_CHUNK)):
        try:
            inflate.decompress(chunk)
        except zlib.error:
            return 0
        length += len(chunk) - len(inflate.unused_data)
    return length if inflate.eof else 0


def _unpacks_to_record(stream: IO[bytes], place: int) -> bool:
    stream.seek(place)
    try:
        beginning = zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(stream.read(_ENOUGH), _ENOUGH)
    except zlib.error:
        return False
    return _RECORD.match(beginning) is not None
