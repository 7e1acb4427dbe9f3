"""The answers in a WARC, ARC or WACZ file, with all their headers, past damage where there is some.

`archive.read_warc` gives pages and stops at the first damage; whoever takes over a crawl wants the headers too, and
everything that can still be read.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from warcio.archiveiterator import ArchiveIterator as ArcIterator
from warcio.exceptions import ArchiveLoadFailed

from posterity.archive.failures import disk_error
from posterity.archive.fast_warc import ArchiveIterator
from posterity.archive.read_warc import ARC_ENDINGS, ENDINGS, WARC_ENDINGS
from posterity.archive.warc_reader import MAX_HEADER_BYTES, stored
from posterity.errors import InputError
from posterity.rebuild.exchange import Damage, Exchange
from posterity.rebuild.record_starts import end_of_record, is_whole, next_start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Reader = Callable[[IO[bytes]], Iterator[tuple[int, Exchange | None]]]

_PROBLEMS = (OSError, ValueError, EOFError, ArchiveLoadFailed)
_OK = 200
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)


def is_crawl_file(path: Path) -> bool:
    """Tell by its name whether a file holds a crawl."""
    return path.name.lower().endswith(ENDINGS)


def crawl_file_exchanges(path: Path) -> Iterator[Exchange | Damage]:
    """Yield every answer in the file and, in their place, the records that cannot be read.

    A file in which nothing can be read raises `InputError`. An answer that only points to an earlier one (a revisit)
    is left out.
    """
    try:
        if path.name.lower().endswith(".wacz"):
            yield from _in_wacz(path)
        else:
            with path.open("rb") as stream:
                yield from _in_file(stream, path.name)
    except OSError as problem:
        raise disk_error(problem, str(path)) from problem
    except zipfile.BadZipFile as problem:
        raise InputError(f"{path} is no WACZ file: {problem}. Check that it is whole.") from problem


def _in_wacz(path: Path) -> Iterator[Exchange | Damage]:
    with zipfile.ZipFile(path) as package:
        inside = (
            name for name in package.namelist() if name.startswith("archive/") and name.lower().endswith(WARC_ENDINGS)
        )
        for name in sorted(inside):
            # A packed file cannot be searched from the middle; its copy can.
            with package.open(name) as packed, tempfile.TemporaryFile() as stream:
                shutil.copyfileobj(packed, stream)
                yield from _in_file(stream, f"{path.name}/{name}")


def _in_file(stream: IO[bytes], name: str) -> Iterator[Exchange | Damage]:
    read = _arc_answers if name.lower().endswith(ARC_ENDINGS) else _warc_answers
    start: int | None = 0
    any_record = False
    while start is not None:
        begin, last, held, start = start, None, None, None
        stream.seek(begin)
        try:
            for place, answer in read(stream):
                if held is not None:
                    yield held
                last, held, any_record = place, answer, True
            # Where a file was cut, what is left of its last record is read without complaint.
            if last is not None and not is_whole(stream, last):
                yield Damage(file=name, offset=last, problem="the file ends in the middle of it")
            elif held is not None:
                yield held
        except _PROBLEMS as problem:
            if not any_record:
                raise InputError(
                    f"{name} is no WARC, ARC or WACZ file: {problem}. Check that it is whole."
                ) from problem
            if held is not None:
                yield held
            culprit = begin if last is None else end_of_record(stream, last)
            yield Damage(file=name, offset=culprit, problem=str(problem))
            start = next_start(stream, culprit)


def _warc_answers(stream: IO[bytes]) -> Iterator[tuple[int, Exchange | None]]:
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
            continue
        whole = stored(record)
        is_page = kind == "response" or "html" in (record.headers.get("Content-Type") or "")
        if not is_page or not whole.url.startswith(("http://", "https://")):
            yield place, None
            continue
        headers = whole.http_headers or (("Content-Type", record.headers.get("Content-Type") or ""),)
        status = whole.status or (_OK if kind == "resource" else 0)
        date = whole.date or _NO_DATE
        yield place, Exchange(url=whole.url, status=status, headers=headers, body=whole.payload, fetched_at=date)


def _arc_answers(stream: IO[bytes]) -> Iterator[tuple[int, Exchange | None]]:
    begin = stream.tell()
    records: Any = ArcIterator(stream, arc2warc=True, check_digests=False)
    for number, record in enumerate(records):
        if number == 0 and begin == 0 and record.rec_type != "warcinfo":
            raise ValueError("it does not begin with filedesc")
        is_answer = record.rec_type == "response" and record.http_headers is not None
        body = record.content_stream().read() if is_answer else b""
        yield begin + records.get_record_offset(), _arc_exchange(record, body) if is_answer else None


def _arc_exchange(record: Any, body: bytes) -> Exchange:
    status = record.http_headers.get_statuscode()
    # warcio took off chunks and content coding together; the header would be wrong now.
    headers = tuple((name, value) for name, value in record.http_headers.headers if name.lower() != "content-encoding")
    return Exchange(
        url=record.rec_headers.get_header("WARC-Target-URI"),
        status=int(status) if status and status.isdigit() else 0,
        headers=headers,
        body=body,
        fetched_at=datetime.fromisoformat(record.rec_headers.get_header("WARC-Date")).astimezone(UTC),
    )
