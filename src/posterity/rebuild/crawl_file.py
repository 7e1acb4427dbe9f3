"""The answers in a WARC, ARC or WACZ file, with all their headers, past damage where there is some.

WARC is read by fastwarc. ARC, its predecessor, has no reader there and is read by warcio. A stretch of a file can be
read alone: the records that begin in it, so that several readers can share one file.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, TypeAlias

import msgspec
from warcio.archiveiterator import ArchiveIterator as ArcIterator
from warcio.exceptions import ArchiveLoadFailed

from posterity.archive.failures import disk_error
from posterity.archive.fast_warc import ArchiveIterator
from posterity.archive.warc_reader import MAX_HEADER_BYTES, stored
from posterity.errors import InputError
from posterity.model import WarcPointer
from posterity.rebuild.exchange import Damage, Exchange
from posterity.rebuild.record_starts import end_of_record, is_whole, next_start

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst")
ARC_ENDINGS = (".arc", ".arc.gz")
ENDINGS = (*WARC_ENDINGS, *ARC_ENDINGS, ".wacz")
# Films of gigabytes lie in crawls; no page and no picture of a post is so large, and an answer is held in memory whole.
MAX_ANSWER_BYTES = 256 * 1024 * 1024
_PROBLEMS = (OSError, ValueError, EOFError, ArchiveLoadFailed)
_OK = 200
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)

Found: TypeAlias = Exchange | Damage
# Every record with the place where it begins; None for one that is no answer.
Records: TypeAlias = Iterator[tuple[int, "Found | None"]]


class Stretch(msgspec.Struct, frozen=True):
    """Some bytes of a crawl file, to its end when there is no `end`; a record begins at `begin`."""

    path: str
    begin: int = 0
    end: int | None = None


def is_crawl_file(path: Path) -> bool:
    """Tell by its name whether a file holds a crawl."""
    return path.name.lower().endswith(ENDINGS)


def crawl_file_exchanges(path: Path) -> Iterator[Found]:
    """Yield every answer in the file and, in their place, the records that cannot be read.

    A file in which nothing can be read raises `InputError`. An answer that only points to an earlier one (a revisit)
    is left out.
    """
    yield from exchanges_in_stretch(Stretch(str(path)))


def exchanges_in_stretch(stretch: Stretch) -> Generator[Found, None, int | None]:
    """Yield the answers of all records that begin in the stretch; return where the next record begins, if one does."""
    path = Path(stretch.path)
    try:
        if path.name.lower().endswith(".wacz"):
            yield from _in_wacz(path)
            return None
        with path.open("rb") as stream:
            return (yield from _in_file(stream, path.name, stretch.begin, stretch.end))
    except OSError as problem:
        raise disk_error(problem, str(path)) from problem
    except zipfile.BadZipFile as problem:
        raise InputError(f"{path} is no WACZ file: {problem}. Check that it is whole.") from problem


def _in_wacz(path: Path) -> Iterator[Found]:
    with zipfile.ZipFile(path) as package:
        inside = (
            name for name in package.namelist() if name.startswith("archive/") and name.lower().endswith(WARC_ENDINGS)
        )
        for name in sorted(inside):
            # A packed file cannot be searched from the middle; its copy can.
            with package.open(name) as packed, tempfile.TemporaryFile() as stream:
                shutil.copyfileobj(packed, stream)
                yield from _in_file(stream, f"{path.name}/{name}", 0, None)


def _in_file(stream: IO[bytes], name: str, begin: int, end: int | None) -> Generator[Found, None, int | None]:
    start: int | None = begin
    while start is not None and (end is None or start < end):
        start = yield from _up_to_damage(stream, name, start, end)
    return start


def _up_to_damage(stream: IO[bytes], name: str, begin: int, end: int | None) -> Generator[Found, None, int | None]:
    """Yield answers as far as the file is sound; return where to go on behind the damage or the stretch."""
    last: int | None = None
    held: Found | None = None
    stream.seek(begin)
    read = _arc_answers if name.lower().endswith(ARC_ENDINGS) else _warc_answers
    try:
        for place, answer in read(stream, name):
            if held is not None:
                yield held
            last, held = place, answer
            if end is not None and place >= end:
                return place
    except _PROBLEMS as problem:
        if held is not None:
            yield held
        culprit = begin if last is None else end_of_record(stream, last)
        start = next_start(stream, culprit)
        if begin == 0 and last is None and start is None:
            raise InputError(f"{name} is no WARC, ARC or WACZ file: {problem}. Check that it is whole.") from problem
        yield Damage(file=name, offset=culprit, problem=str(problem))
        return start
    # Where a file was cut, what is left of its last record is read without complaint.
    if last is not None and not is_whole(stream, last):
        yield Damage(file=name, offset=last, problem="the file ends in the middle of it")
    elif held is not None:
        yield held
    return None


def _warc_answers(stream: IO[bytes], name: str) -> Records:
    records = ArchiveIterator(
        stream,
        parse_http=True,
        strict_mode=False,
        max_header_len=MAX_HEADER_BYTES,
        auto_decode="transfer",  # wget and others keep the chunks that came over the wire
    )
    for record in records:
        place = record.stream_pos
        kind = record.headers.get("WARC-Type")
        if kind not in ("response", "resource"):
            yield place, None
        elif record.content_length > MAX_ANSWER_BYTES:
            yield place, _too_large(name, place, record.content_length)
        else:
            yield place, _warc_exchange(record, kind, WarcPointer(name, place, record.record_id or ""))


def _warc_exchange(record: Any, kind: str, pointer: WarcPointer) -> Exchange | None:
    whole = stored(record)
    own_type = record.headers.get("Content-Type") or ""
    is_page = kind == "response" or "html" in own_type
    if not is_page or not whole.url.startswith(("http://", "https://")):
        return None
    return Exchange(
        url=whole.url,
        status=whole.status or (_OK if kind == "resource" else 0),
        headers=whole.http_headers or (("Content-Type", own_type),),
        body=whole.payload,
        fetched_at=whole.date or _NO_DATE,
        warc=pointer,
    )


def _arc_answers(stream: IO[bytes], name: str) -> Records:
    begin = stream.tell()
    records: Any = ArcIterator(stream, arc2warc=True, check_digests=False)
    for number, record in enumerate(records):
        # warcio reads any line with spaces as an ARC record.
        if number == 0 and begin == 0 and record.rec_type != "warcinfo":
            raise ValueError("it does not begin with filedesc")
        if record.rec_type != "response" or record.http_headers is None:
            yield begin + records.get_record_offset(), None
        elif (record.length or 0) > MAX_ANSWER_BYTES:
            place = begin + records.get_record_offset()
            yield place, _too_large(name, place, record.length)
        else:
            body = record.content_stream().read()  # first: asking for the place skips what was not read
            place = begin + records.get_record_offset()
            yield place, _arc_exchange(record, body, WarcPointer(name, place, ""))


def _arc_exchange(record: Any, body: bytes, pointer: WarcPointer) -> Exchange:
    status = record.http_headers.get_statuscode()
    # warcio took off chunks and content coding together; the header would be wrong now.
    headers = tuple((name, value) for name, value in record.http_headers.headers if name.lower() != "content-encoding")
    return Exchange(
        url=record.rec_headers.get_header("WARC-Target-URI"),
        status=int(status) if status and status.isdigit() else 0,
        headers=headers,
        body=body,
        fetched_at=datetime.fromisoformat(record.rec_headers.get_header("WARC-Date")).astimezone(UTC),
        warc=pointer,
    )


def _too_large(name: str, place: int, length: int) -> Damage:
    return Damage(
        file=name, offset=place, problem=f"it has {length:,} bytes, and no more than {MAX_ANSWER_BYTES:,} are read"
    )
