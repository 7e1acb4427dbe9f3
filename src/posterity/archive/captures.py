"""The index of the WARC records in the database: what was captured, when, and where it lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import delete, select, tuple_

from posterity.archive.schema import captures
from posterity.archive.upsert import write_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row


_OK = 200


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """One WARC record; `fetched_at` is written as in WARC-Date, `kind` is its WARC-Type."""

    record_id: str
    kind: str
    blog_id: str | None = None
    url: str
    fetched_at: str
    status: int = 0
    mime: str | None = None
    digest: str
    file: str
    offset: int
    length: int


def write_captures(connection: Connection, some: list[Capture]) -> None:
    """Add records to the index."""
    write_rows(connection, captures, [msgspec.structs.asdict(capture) for capture in some])


def latest_response(connection: Connection, url: str, digest: str | None = None) -> Capture | None:
    """The latest full answer from this address, with this payload if one is named."""
    query = select(captures).where(captures.c.url == url, captures.c.kind == "response")
    if digest is not None:
        query = query.where(captures.c.digest == digest)
    row = connection.execute(query.order_by(captures.c.fetched_at.desc(), captures.c.record_id).limit(1)).first()
    return None if row is None else _capture_of(row)


def captured_urls(connection: Connection, blog_id: str) -> set[str]:
    """The addresses that harvests of a blog have had full answers from."""
    rows = connection.execute(
        select(captures.c.url).where(captures.c.blog_id == blog_id, captures.c.kind == "response").distinct()
    )
    return {row.url for row in rows}


def capture_with_id(connection: Connection, record_id: str) -> Capture | None:
    """The record with this id."""
    row = connection.execute(select(captures).where(captures.c.record_id == record_id)).first()
    return None if row is None else _capture_of(row)


def captures_of_url(connection: Connection, url: str) -> list[Capture]:
    """Every answer from one address, oldest first."""
    query = select(captures).where(captures.c.url == url, captures.c.kind.in_(("response", "revisit")))
    rows = connection.execute(query.order_by(captures.c.fetched_at, captures.c.record_id))
    return [_capture_of(row) for row in rows]


def answered_among(connection: Connection, urls: list[str]) -> set[str]:
    """Those of the addresses that a file was got from."""
    query = select(captures.c.url).where(captures.c.url.in_(urls), captures.c.status == _OK)
    rows = connection.execute(query.where(captures.c.kind.in_(("response", "revisit"))).distinct())
    return {row.url for row in rows}


def captures_of_urls(connection: Connection, urls: list[str]) -> list[Capture]:
    """Every record of these addresses, whatever its kind."""
    rows = connection.execute(
        select(captures).where(captures.c.url.in_(urls)).order_by(captures.c.file, captures.c.offset)
    )
    return [_capture_of(row) for row in rows]


def captures_of_blog(connection: Connection, blog_id: str) -> list[Capture]:
    """Every record that was fetched for this blog."""
    rows = connection.execute(
        select(captures).where(captures.c.blog_id == blog_id).order_by(captures.c.file, captures.c.offset)
    )
    return [_capture_of(row) for row in rows]


def captures_after(connection: Connection, blog_id: str, after: tuple[str, int], limit: int) -> list[Capture]:
    """The next records that were fetched for this blog, by file and place in it; none when the end is reached."""
    place = tuple_(captures.c.file, captures.c.offset)
    query = select(captures).where(captures.c.blog_id == blog_id, place > after)
    rows = connection.execute(query.order_by(captures.c.file, captures.c.offset).limit(limit))
    return [_capture_of(row) for row in rows]


def latest_responses(connection: Connection, blog_id: str) -> list[Capture]:
    """The latest full answer from every address that was fetched for this blog, by address."""
    query = select(captures).where(captures.c.blog_id == blog_id, captures.c.kind == "response")
    rows = connection.execute(query.order_by(captures.c.url, captures.c.fetched_at, captures.c.record_id))
    return list({row.url: _capture_of(row) for row in rows}.values())


def captures_of_file(connection: Connection, file: str) -> list[Capture]:
    """Every record of one WARC file that the index knows, in the order in which they lie."""
    rows = connection.execute(select(captures).where(captures.c.file == file).order_by(captures.c.offset))
    return [_capture_of(row) for row in rows]


def remove_captures(connection: Connection, record_ids: Iterable[str]) -> None:
    """Take records out of the index."""
    for record_id in record_ids:
        connection.execute(delete(captures).where(captures.c.record_id == record_id))


def _capture_of(row: Row[Any]) -> Capture:
    return msgspec.convert(row._mapping, Capture)  # noqa: SLF001 - SQLAlchemy's public name for it
