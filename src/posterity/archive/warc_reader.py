"""Reads records of WARC files: one by its offset, or all of them, including damaged and truncated ones."""

from __future__ import annotations

import contextlib
import warnings
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, BinaryIO, Literal

import msgspec

from posterity.archive.database import translated
from posterity.errors import ArchiveError, NotInArchive
from posterity.model import Page, WarcPointer
from posterity.model.page import kept_headers, page_type

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.stream_io import BrotliReader, ZstdReader
    from fastwarc.warc import ArchiveIterator, WarcRecord

__all__ = ["ArchiveIterator", "BrotliReader", "WarcRecord", "ZstdReader"]


# A small body can expand to gigabytes; no page that a browser could show is larger.
MAX_DECODED_BYTES = 256 * 1024 * 1024


def decoded_body(body: bytes, content_encoding: str) -> bytes:
    """Return the body without the codings that the header lists, the last applied removed first.

    Of a truncated body, the readable part is returned, as in a browser. If the header is wrong, the body is unchanged.
    """
    # No server applies more than three; each coding of a hostile header would expand to the limit.
    for coding in reversed([name.strip().lower() for name in content_encoding.split(",")][-3:]):
        body = _without(coding, body)
    return body


def _without(coding: str, body: bytes) -> bytes:
    if coding in ("gzip", "x-gzip", "deflate"):
        for bits in (zlib.MAX_WBITS + 32, -zlib.MAX_WBITS):  # some servers send deflate without its header
            with contextlib.suppress(zlib.error):
                return zlib.decompressobj(bits).decompress(body, MAX_DECODED_BYTES)
        return body
    if (reader := {"br": BrotliReader, "zstd": ZstdReader}.get(coding)) is None:
        return body
    plain = body
    with contextlib.suppress(OSError, ValueError):
        plain = reader(BytesIO(body)).read(MAX_DECODED_BYTES)
    return plain


# Servers send cookies and policies of many kilobytes; FastWARC's default limit of 32 KB would reject such records.
MAX_HEADER_BYTES = 4 * 1024 * 1024
NOT_MODIFIED = 304


class StoredRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record as in the file: headers of WARC and HTTP, and the payload with its content coding."""

    kind: str
    record_id: str
    url: str
    date: datetime
    warc_headers: Mapping[str, str]
    status: int
    http_headers: tuple[tuple[str, str], ...]
    payload: bytes

    def http_header(self, name: str) -> str:
        """Return the value of an HTTP header, or an empty string."""
        return next((value for key, value in self.http_headers if key.lower() == name), "")


def pointer_of(text: str) -> WarcPointer:
    """Return the pointer with this text form; raise `NotInArchive` if the text has another form."""
    file, _, offset = text.rpartition("#")
    if not file or "/" in file or not offset.isdigit():
        raise NotInArchive(f"{text!r} is not a WARC record. The form is NAME.warc.gz#1234.")
    return WarcPointer(file, int(offset), "")


@contextlib.contextmanager
def open_warc(path: Path) -> Iterator[BinaryIO]:
    """Open a WARC file of the archive; raise if it is missing, and translate the errors of reading it."""
    if not path.is_file():
        raise NotInArchive(
            f"The WARC file {path} is missing. Restore it from a backup, or run `posterity archive verify`."
        )
    with translated(str(path)), path.open("rb") as stream:
        yield stream


def record_at(path: Path, offset: int) -> StoredRecord:
    """Return the record at this offset of the file."""
    with open_warc(path) as stream:
        stream.seek(offset)
        try:
            if (record := next(iter(records_in(stream)), None)) is not None:
                return stored(record)
        except (OSError, ValueError) as problem:
            raise ArchiveError(
                f"There is no complete record at {path}#{offset}. Run `posterity archive verify`."
            ) from problem
    raise ArchiveError(f"There is no record at {path}#{offset}. Run `posterity archive verify`.")


def records_in(stream: object) -> ArchiveIterator:
    """Iterate over the records of an open WARC file, from its current position."""
    return ArchiveIterator(
        stream,  # type: ignore[arg-type]
        parse_http=True,
        strict_mode=False,
        max_header_len=MAX_HEADER_BYTES,
    )


def stored(record: WarcRecord) -> StoredRecord:
    """Read a record to its end and return it."""
    headers = dict(record.headers.to_tuples())
    http = record.http_headers if record.is_http_parsed else None
    return StoredRecord(
        kind=headers.get("WARC-Type", "unknown").lower(),
        record_id=headers.get("WARC-Record-ID", ""),
        url=headers.get("WARC-Target-URI", "").strip("<>"),
        date=record.record_date,
        warc_headers=headers,
        status=(http.status_code or 0) if http is not None else 0,
        http_headers=http.to_tuples() if http is not None else (),
        payload=record.reader.read(),
    )


def page_of(record: StoredRecord, payload: StoredRecord, pointer: WarcPointer | None) -> Page:
    """Return the page of a response, without content codings; the payload may be in another record."""
    body = decoded_body(payload.payload, payload.http_header("content-encoding"))
    return Page(
        url=record.url,
        requested_url=record.url,
        status=payload.status if record.status in (0, NOT_MODIFIED) else record.status,
        content_type=page_type(record.http_header("content-type") or payload.http_header("content-type"), body),
        body=body,
        fetched_at=record.date,
        warc=pointer,
        headers=kept_headers([*record.http_headers, *(payload.http_headers if payload is not record else ())]),
    )


_MAGIC = b"\x1f\x8b\x08"
_CHUNK = 256 * 1024


class Member(msgspec.Struct, frozen=True):
    """A section of the file: a whole record, one cut off by the end of the file, or damage."""

    state: Literal["whole", "cut", "damaged"]
    offset: int
    length: int
    content: bytes = b""


def members(stream: BinaryIO) -> Iterator[Member]:
    """Yield the sections of an open WARC file from beginning to end, without gaps."""
    offset = 0
    while True:
        if (member := member_at(stream, offset)) is None:
            return
        yield member
        offset += member.length


def member_at(stream: BinaryIO, offset: int) -> Member | None:
    """Return the section at this offset, or None at the end of the file."""
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
    if not consumed:
        return None
    # Damage can also make a record claim more bytes than there are, including the records after it.
    damage = _damage_at(stream, offset)
    return damage if damage.length < consumed else Member("cut", offset, consumed)


def _damage_at(stream: BinaryIO, offset: int) -> Member:
    """Return the damaged section, which ends at the next record or at the end of the file."""
    begins = (place for place in places_of(stream, _MAGIC, offset + 1) if _begins_record(stream, place))
    end = next(begins, None)
    return Member("damaged", offset, (stream.seek(0, SEEK_END) if end is None else end) - offset)


def places_of(stream: IO[bytes], mark: bytes, start: int) -> Iterator[int]:
    """Yield every offset of the mark from `start` on; the caller may seek in the stream in between."""
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


def _begins_record(stream: BinaryIO, place: int) -> bool:
    stream.seek(place)
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(stream.read(4096), 5) == b"WARC/"
    except zlib.error:
        return False
