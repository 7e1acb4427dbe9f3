"""Reads one record back from its place in a WARC file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.archive.content_coding import decoded_body
from posterity.archive.failures import translated
from posterity.archive.fast_warc import ArchiveIterator, WarcRecord
from posterity.errors import ArchiveError, NotInArchive
from posterity.model import Page, WarcPointer

if TYPE_CHECKING:
    from pathlib import Path

# Servers send cookies and policies of many kilobytes; the reader's own limit of 32 would reject such records.
MAX_HEADER_BYTES = 4 * 1024 * 1024
NOT_MODIFIED = 304


class StoredRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it lies in the file: headers of WARC and HTTP, and the payload with its content coding."""

    kind: str
    record_id: str
    url: str
    date: datetime
    warc_headers: Mapping[str, str]
    status: int
    http_headers: tuple[tuple[str, str], ...]
    payload: bytes

    def http_header(self, name: str) -> str:
        """The value of an HTTP header, or the empty string."""
        return next((value for key, value in self.http_headers if key.lower() == name), "")


def pointer_of(text: str) -> WarcPointer:
    """Return the pointer that prints as this text; `NotInArchive` when none does."""
    file, _, offset = text.rpartition("#")
    if not file or "/" in file or not offset.isdigit():
        raise NotInArchive(f"{text!r} names no WARC record. It looks like NAME.warc.gz#1234.")
    return WarcPointer(file, int(offset), "")


def record_at(path: Path, offset: int) -> StoredRecord:
    """Return the record that begins at this place of the file."""
    if not path.is_file():
        raise NotInArchive(
            f"The WARC file {path} is missing. Put it back from a backup, or run `posterity archive verify`."
        )
    with translated(str(path)), path.open("rb") as stream:
        stream.seek(offset)
        try:
            record = next(iter(records_in(stream)), None)
            if record is not None:
                return stored(record)
        except (OSError, ValueError) as problem:
            raise ArchiveError(
                f"There is no whole record at {path}#{offset}. Run `posterity archive verify`."
            ) from problem
    raise ArchiveError(f"There is no record at {path}#{offset}. Run `posterity archive verify`.")


def records_in(stream: object) -> ArchiveIterator:
    """Iterate over the records of an open WARC file, from where it stands."""
    return ArchiveIterator(
        stream,  # type: ignore[arg-type]
        parse_http=True,
        strict_mode=False,
        max_header_len=MAX_HEADER_BYTES,
    )


def stored(record: WarcRecord) -> StoredRecord:
    """Return the record read to its end."""
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
    """Return the page of an answer whose payload may lie in another record, with content codings taken off."""
    return Page(
        url=record.url,
        requested_url=record.url,
        status=payload.status if record.status in (0, NOT_MODIFIED) else record.status,
        content_type=record.http_header("content-type") or payload.http_header("content-type"),
        body=decoded_body(payload.payload, payload.http_header("content-encoding")),
        fetched_at=record.date,
        warc=pointer,
    )
