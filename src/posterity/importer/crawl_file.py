"""Reads the responses in WARC, ARC and WACZ files, and skips damaged records.

WARC is read by fastwarc, ARC by warcio. A file can be read in byte ranges, by several processes at once: a range
contains the records that begin in it.
"""

from __future__ import annotations

import io
import lzma
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeAlias

import msgspec
from warcio.archiveiterator import ArchiveIterator as ArcIterator
from warcio.exceptions import ArchiveLoadFailed

from posterity.archive.database import disk_error
from posterity.archive.warc_reader import MAX_HEADER_BYTES, ArchiveIterator, decoded_body, places_of, stored
from posterity.errors import InputError, PosterityError
from posterity.model import Page, WarcPointer
from posterity.model.page import kept_headers, page_type
from posterity.urls.kinds import is_http_url


class CrawledExchange(msgspec.Struct, frozen=True, kw_only=True):
    """One response; `body` is still content-encoded, but not chunked. `warc` is its position in the crawl file."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    fetched_at: datetime
    warc: WarcPointer | None = None

    def header(self, name: str) -> str:
        """Return the value of an HTTP header, or the empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def page(self) -> Page:
        """The response as a page."""
        body = decoded_body(self.body, self.header("content-encoding"))
        return Page(
            url=self.url,
            requested_url=self.url,
            status=self.status,
            content_type=page_type(self.header("content-type"), body),
            body=body,
            fetched_at=self.fetched_at,
            warc=self.warc,
            headers=kept_headers(self.headers),
        )


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """A record that could not be read: its file, its offset, and the reason."""

    file: str
    offset: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}#{self.offset}: {self.problem}"


_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_FILEDESC = b"file"  # ARC files start with filedesc://
_PLAIN = b"\nWARC/1."
_CHUNK = 256 * 1024
# The start of a WARC record, or the first line of an ARC record: URL, IP address, 14 digits.
_RECORD = re.compile(rb"WARC/1\.|(?:https?|filedesc|dns)://?\S+ \S+ \d{14} ")
_ENOUGH = 4096
_MAX_HEAD = 64 * 1024
_LENGTH = re.compile(rb"^content-length:\s*(\d+)", re.IGNORECASE | re.MULTILINE)
_ARC_PLAIN = (b"\nhttp://", b"\nhttps://", b"\ndns:", b"\nftp://")


def next_start(stream: IO[bytes], after: int) -> int | None:
    """Return the offset of the first record after `after`, or None.

    Only gzip and uncompressed files can be searched; in other files, everything after damage is lost.
    """
    stream.seek(0)
    beginning = stream.read(4)
    if beginning == _ZSTD:
        return None
    if beginning == _FILEDESC:
        found = (_next_arc_start(stream, mark, after + 1) for mark in _ARC_PLAIN)
        return min((place for place in found if place is not None), default=None)
    mark = _GZIP if beginning.startswith(_GZIP) else _PLAIN
    for place in places_of(stream, mark, after + 1):
        if mark == _PLAIN:
            return place + 1
        if _unpacks_to_record(stream, place):
            return place
    return None


def _next_arc_start(stream: IO[bytes], mark: bytes, start: int) -> int | None:
    """Return the offset of the first ARC record after `start` whose first line starts with the mark."""
    places = (place + 1 for place in places_of(stream, mark, start))
    return next((place for place in places if _arc_end(stream, place) is not None), None)


def _arc_end(stream: IO[bytes], begin: int) -> int | None:
    """Return the end of the ARC record at `begin`, without the line break after it; None if there is no ARC record."""
    stream.seek(begin)
    line = stream.readline(_MAX_HEAD)
    fields = line.split()
    # The first line of an ARC record has five fields (ten in version 2); the third is the date, the last the length.
    is_arc = len(fields) in (5, 10) and len(fields[2]) == 14 and fields[2].isdigit() and fields[-1].isdigit()
    return begin + len(line) + int(fields[-1]) if is_arc else None


def end_of_record(stream: IO[bytes], begin: int) -> int:
    """Return the end of the record at `begin`; `begin` itself if the end is not known."""
    stream.seek(begin)
    if stream.read(len(_GZIP)) == _GZIP:
        return begin + _packed_bytes(stream, begin)
    if (arc_end := _arc_end(stream, begin)) is not None:
        return arc_end
    stream.seek(begin)
    head, end, _ = stream.read(_MAX_HEAD).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return begin + len(head) + len(end) + int(length[1]) + len(end) if length else begin


def is_whole(stream: IO[bytes], begin: int) -> bool:
    """Return whether the record at `begin` is complete, as far as that can be determined.

    The empty lines after the last record of an uncompressed WARC file may be missing.
    """
    end = end_of_record(stream, begin)
    stream.seek(begin)
    if stream.read(len(_GZIP)) == _GZIP:
        return end > begin
    is_arc = _arc_end(stream, begin) is not None
    return end - (0 if is_arc else len(b"\r\n\r\n")) <= stream.seek(0, SEEK_END)


def _packed_bytes(stream: IO[bytes], begin: int) -> int:
    """Return the length of the gzip member at `begin`; 0 if it is damaged or incomplete."""
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


WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst")
ARC_ENDINGS = (".arc", ".arc.gz")
ENDINGS = (*WARC_ENDINGS, *ARC_ENDINGS, ".wacz")
# Crawls contain videos of several gigabytes; pages and images are smaller, and a response is read into memory.
MAX_RESPONSE_BYTES = 256 * 1024 * 1024
_PAGE_RECORDS = ("response", "resource", "conversion")  # the last is a page that a browser has rendered

Found: TypeAlias = CrawledExchange | Damage
# Every record with its offset; None for a record that is not a response.
Records: TypeAlias = Iterator[tuple[int, "Found | None"]]


class ByteRange(msgspec.Struct, frozen=True):
    """A range of bytes of a crawl file; without `end`, up to the end of the file."""

    path: str
    begin: int = 0
    end: int | None = None


def is_crawl_file(path: Path) -> bool:
    """Return whether a file is a crawl file, by its name."""
    return path.name.lower().endswith(ENDINGS)


def crawl_file_exchanges(path: Path) -> Iterator[Found]:
    """Yield every response in the file, and a `Damage` for each record that cannot be read.

    Raises `InputError` if nothing can be read. Revisit records, which only refer to an earlier response, are left out.
    """
    yield from exchanges_in_range(ByteRange(str(path)))


def exchanges_in_range(byte_range: ByteRange) -> Generator[Found, None, int | None]:
    """Yield the responses of all records that begin in the range; return the offset of the next record, or None."""
    path = Path(byte_range.path)
    try:
        if path.name.lower().endswith(".wacz"):
            yield from _in_wacz(path)
            return None
        with path.open("rb") as stream:
            return (yield from _in_file(stream, path.name, byte_range.begin, byte_range.end))
    except OSError as problem:
        raise disk_error(problem, str(path)) from problem
    except zipfile.BadZipFile as problem:
        raise InputError(f"{path} is not a WACZ file: {problem}. Check that it is complete.") from problem


# Text compresses to a fifth or a twentieth of its size, decompression bombs to a thousandth.
_MAX_EXPANSION = 100
_EXPANSION_FROM_BYTES = 64 * 1024 * 1024


class _Unpacked(io.RawIOBase):
    def __init__(self, stream: IO[bytes], packed_bytes: int, name: str) -> None:
        self._stream, self._name, self._read_bytes = stream, name, 0
        self._max_bytes = _EXPANSION_FROM_BYTES + _MAX_EXPANSION * packed_bytes

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._stream.close()
        super().close()

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._read_bytes = self._stream.seek(offset, whence)
        return self._read_bytes

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: Any) -> int:
        try:
            content = self._stream.read(len(buffer))
        except (zlib.error, lzma.LZMAError, EOFError) as problem:
            raise InputError(f"{self._name} cannot be unpacked: {problem}. Check that it is complete.") from problem
        self._read_bytes += len(content)
        if self._read_bytes > self._max_bytes:
            raise InputError(f"{self._name} unpacks to more than {_MAX_EXPANSION} times its size and was not read.")
        buffer[: len(content)] = content
        return len(content)


def unpacked_within_limits(stream: IO[bytes], packed_bytes: int, name: str) -> BinaryIO:
    """Return a stream that raises `InputError` if a compressed file expands too much (a decompression bomb)."""
    return io.BufferedReader(_Unpacked(stream, packed_bytes, name))


def open_in_zip(package: zipfile.ZipFile, name: str) -> BinaryIO:
    """Return the unpacked content of one file of a package, within limits."""
    try:
        packed = package.open(name)
    except (RuntimeError, NotImplementedError) as problem:  # encrypted, or an unknown compression method
        raise InputError(f"{name} cannot be unpacked: {problem}. Check that it is complete.") from problem
    return unpacked_within_limits(packed, package.getinfo(name).compress_size, name)


def _in_wacz(path: Path) -> Iterator[Found]:
    with zipfile.ZipFile(path) as package:
        inside = (name for name in package.namelist() if name.startswith("archive/"))
        for name in sorted(name for name in inside if name.lower().endswith(WARC_ENDINGS)):
            # Reading needs a seekable file, which a compressed one is not.
            with open_in_zip(package, name) as packed, tempfile.TemporaryFile() as stream:
                shutil.copyfileobj(packed, stream)
                yield from _in_file(stream, f"{path.name}/{name}", 0, None)


def _in_file(stream: IO[bytes], name: str, begin: int, end: int | None) -> Generator[Found, None, int | None]:
    start: int | None = begin
    while start is not None and (end is None or start < end):
        start = yield from _up_to_damage(stream, name, start, end)
    return start


def _up_to_damage(stream: IO[bytes], name: str, begin: int, end: int | None) -> Generator[Found, None, int | None]:
    """Yield responses up to the first damage; return the offset of the next record after the damage or the range."""
    last: int | None = None
    held: Found | None = None
    stream.seek(begin)
    read = _arc_records if name.lower().endswith(ARC_ENDINGS) else _warc_records
    try:
        for place, response in read(stream, name):
            if held is not None:
                yield held
            last, held = place, _with_readable_url(response, name, place)
            if end is not None and place >= end:
                return place
    except (OSError, ValueError, EOFError, ArchiveLoadFailed) as problem:
        if held is not None:
            yield held
        damaged = begin if last is None else end_of_record(stream, last)
        start = next_start(stream, damaged)
        if begin == 0 and last is None and start is None:
            raise InputError(
                f"{name} is not a WARC, ARC or WACZ file: {problem}. Check that it is complete."
            ) from problem
        yield Damage(file=name, offset=damaged, problem=str(problem))
        return start
    # Both libraries read the last record of a truncated file without an error.
    if last is not None and not is_whole(stream, last):
        yield Damage(file=name, offset=last, problem="the file ends in the middle of it")
        return None
    if held is not None:
        yield held
    # At an empty gzip member, fastwarc stops without an error, even if records follow.
    behind = begin if last is None else end_of_record(stream, last)
    stream.seek(behind)
    if behind == last or not stream.read(_CHUNK).strip():
        return None
    yield Damage(file=name, offset=behind, problem="no record begins here")
    return next_start(stream, behind)


def _with_readable_url(response: Found | None, name: str, place: int) -> Found | None:
    # Crawls also contain other schemes such as dns:, which are not pages.
    if not isinstance(response, CrawledExchange) or is_http_url(response.url) or not response.url.startswith("http"):
        return response
    return Damage(file=name, offset=place, problem=f"its URL cannot be read: {response.url[:200]!r}")


def _warc_records(stream: IO[bytes], name: str) -> Records:
    records = ArchiveIterator(
        stream,
        parse_http=True,
        strict_mode=False,
        max_header_len=MAX_HEADER_BYTES,
        auto_decode="transfer",  # wget and others store the chunks of the transfer encoding
    )
    for record in records:
        place = record.stream_pos
        kind = record.headers.get("WARC-Type")
        if kind not in _PAGE_RECORDS:
            yield place, None
        elif record.content_length > MAX_RESPONSE_BYTES:
            yield place, _too_large(name, place, record.content_length)
        else:
            yield place, _warc_exchange(record, kind, WarcPointer(name, place, record.record_id or ""))


def _warc_exchange(record: Any, kind: str, pointer: WarcPointer) -> CrawledExchange | None:
    whole = stored(record)
    own_type = record.headers.get("Content-Type") or ""
    is_page = kind == "response" or "html" in own_type
    if not is_page or not whole.url.startswith(("http://", "https://")):
        return None
    # A page is rendered after its response, but dates may only have seconds; the rendered page must be the later one.
    later = timedelta(microseconds=1) if kind == "conversion" else timedelta()
    return CrawledExchange(
        url=whole.url,
        status=whole.status or (0 if kind == "response" else 200),
        headers=whole.http_headers or (("Content-Type", own_type),),
        body=whole.payload,
        fetched_at=(whole.date or datetime(1970, 1, 1, tzinfo=UTC)) + later,
        warc=pointer,
    )


def _arc_records(stream: IO[bytes], name: str) -> Records:
    begin = stream.tell()
    records: Any = ArcIterator(stream, arc2warc=True, check_digests=False)
    for number, record in enumerate(records):
        # warcio accepts any line with spaces as an ARC record.
        if number == 0 and begin == 0 and record.rec_type != "warcinfo":
            raise ValueError("it does not start with filedesc")
        if record.rec_type != "response" or record.http_headers is None:
            yield records.get_record_offset(), None
        elif (record.length or 0) > MAX_RESPONSE_BYTES:
            place = records.get_record_offset()
            yield place, _too_large(name, place, record.length)
        else:
            body = record.content_stream().read()  # first, because get_record_offset skips the rest of the record
            place = records.get_record_offset()
            yield place, _arc_exchange(record, body, WarcPointer(name, place, ""))


def _arc_exchange(record: Any, body: bytes, pointer: WarcPointer) -> CrawledExchange:
    status = record.http_headers.get_statuscode()
    # warcio has removed the content encoding with the chunks, so the header would be wrong.
    headers = tuple((name, value) for name, value in record.http_headers.headers if name.lower() != "content-encoding")
    return CrawledExchange(
        url=record.rec_headers.get_header("WARC-Target-URI"),
        status=int(status) if status and status.isdigit() else 0,
        headers=headers,
        body=body,
        fetched_at=datetime.fromisoformat(record.rec_headers.get_header("WARC-Date")).astimezone(UTC),
        warc=pointer,
    )


def _too_large(name: str, place: int, length: int) -> Damage:
    problem = f"it has {length:,} bytes, and no more than {MAX_RESPONSE_BYTES:,} are read"
    return Damage(file=name, offset=place, problem=problem)


# Small enough that all processes finish at about the same time, large enough to make the overhead negligible.
RANGE_BYTES = 32 * 1024 * 1024


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The result of reading one range: the offset of its first record (None without one) and of the next record."""

    number: int
    byte_range: ByteRange
    first: int | None
    next: int | None
    response_count: int = 0
    damaged: tuple[Damage, ...] = ()
    # The error, if nothing could be read.
    failure: PosterityError | None = None


def byte_ranges_of(path: Path, range_bytes: int = RANGE_BYTES) -> list[ByteRange]:
    """Divide a file into ranges; a file that can only be read from its start is a single range."""
    size = path.stat().st_size
    if path.name.lower().endswith((".wacz", ".zst")) or size <= range_bytes:
        return [ByteRange(str(path))]
    begins = range(0, size, range_bytes)
    return [ByteRange(str(path), begin, begin + range_bytes) for begin in begins]


def first_record(byte_range: ByteRange) -> int | None:
    """Return the offset of the first record of a range, or None."""
    if not byte_range.begin:
        return 0
    with Path(byte_range.path).open("rb") as stream:
        place = next_start(stream, byte_range.begin - 1)
    return place if place is not None and (byte_range.end is None or place < byte_range.end) else None


def fit_readings(readings: Sequence[Reading], read_again: Callable[[Reading, int], Reading]) -> Iterator[Reading]:
    """Yield consistent readings of one file in order; a range that started at the wrong record is read again."""
    expected: int | None = 0
    for reading in readings:
        end = reading.byte_range.end
        if expected is None or (end is not None and expected >= end):
            continue  # no record begins in this range
        if reading.first != expected:
            reading = read_again(reading, expected)  # noqa: PLW2901 - the same range
        expected = reading.next
        yield reading
