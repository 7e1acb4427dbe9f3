"""Pages from somebody else's crawl: WARC, ARC and WACZ files, or a folder of them.

WARC is read by fastwarc. ARC, its predecessor, has no reader there and is read by warcio. A file that ends in the
middle of a record gives the pages before that.
"""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from warcio.archiveiterator import ArchiveIterator as ArcIterator
from warcio.exceptions import ArchiveLoadFailed

from posterity.archive.content_coding import decoded_body
from posterity.archive.failures import disk_error
from posterity.archive.warc_reader import page_of, records_in, stored
from posterity.errors import InputError
from posterity.model import Page, WarcPointer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst")
ARC_ENDINGS = (".arc", ".arc.gz")
ENDINGS = (*WARC_ENDINGS, *ARC_ENDINGS, ".wacz")


def read_pages(path: Path) -> Iterator[Page]:
    """Yield every answer in a WARC, ARC or WACZ file, or in all such files under a folder, by name.

    Payloads come without content coding. An answer that only points to an earlier one (a revisit) is left out.
    """
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.name.lower().endswith(ENDINGS)):
            yield from read_pages(file)
        return
    name = path.name.lower()
    try:
        if name.endswith(".wacz"):
            yield from _wacz_pages(path)
        else:
            with path.open("rb") as stream:
                yield from _pages(stream, path.name)
    except OSError as problem:
        if problem.errno is not None:
            raise disk_error(problem, str(path)) from problem
        raise InputError(f"{path} is no WARC, ARC or WACZ file: {problem}. Check that it is whole.") from problem
    except zipfile.BadZipFile as problem:
        raise InputError(f"{path} is no WACZ file: {problem}. Check that it is whole.") from problem


def _wacz_pages(path: Path) -> Iterator[Page]:
    with zipfile.ZipFile(path) as package:
        inside = [
            name for name in package.namelist() if name.startswith("archive/") and name.lower().endswith(WARC_ENDINGS)
        ]
        for name in sorted(inside):
            with package.open(name) as stream:
                yield from _pages(stream, name.rpartition("/")[2])


def _pages(stream: IO[bytes], name: str) -> Iterator[Page]:
    if name.lower().endswith(ARC_ENDINGS):
        yield from _arc_pages(stream, name)
        return
    for record in records_in(stream):
        if record.headers.get("WARC-Type") != "response":
            continue
        offset = record.stream_pos
        whole = stored(record)
        yield page_of(whole, whole, WarcPointer(name, offset, whole.record_id))


def _arc_pages(stream: IO[bytes], name: str) -> Iterator[Page]:
    records: Any = ArcIterator(stream, arc2warc=True, check_digests=False)
    try:
        for number, record in enumerate(records):
            if number == 0 and record.rec_type != "warcinfo":  # warcio reads any line with spaces as an ARC record
                raise InputError(f"{name} is no ARC file: it does not begin with filedesc. Check that it is whole.")
            if record.rec_type == "response" and record.http_headers is not None:
                body = record.raw_stream.read()  # first: asking for the place skips what was not read
                yield _arc_page(record, body, WarcPointer(name, records.get_record_offset(), ""))
    except ArchiveLoadFailed as problem:
        raise InputError(f"{name} is no ARC file: {problem}. Check that it is whole.") from problem


def _arc_page(record: Any, body: bytes, pointer: WarcPointer) -> Page:
    url = record.rec_headers.get_header("WARC-Target-URI")
    status = record.http_headers.get_statuscode()
    return Page(
        url=url,
        requested_url=url,
        status=int(status) if status and status.isdigit() else 0,
        content_type=record.http_headers.get_header("Content-Type") or "",
        body=decoded_body(body, record.http_headers.get_header("Content-Encoding") or ""),
        fetched_at=datetime.fromisoformat(record.rec_headers.get_header("WARC-Date")).astimezone(UTC),
        warc=pointer,
    )
