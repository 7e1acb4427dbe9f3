"""Which addresses of a blog were already asked for, and what to say when asking again."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import delete, insert, select

from posterity.archive.schema import seen
from posterity.model import WarcPointer, from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """The latest answer to a request for one address; `status` 0 when there was no answer."""

    url: str
    status: int
    fetched_at: datetime
    etag: str | None = None
    last_modified: str | None = None
    warc: WarcPointer | None = None
    kind: str | None = None


def write_seen(connection: Connection, blog_id: str, answers: Iterable[Seen]) -> None:
    """Store the answers in place of earlier ones for the same addresses."""
    rows = {
        answer.url: {
            "blog_id": blog_id,
            "url": answer.url,
            "status": answer.status,
            "document": to_json(answer).decode(),
        }
        for answer in answers
    }
    for url in rows:
        connection.execute(delete(seen).where(seen.c.blog_id == blog_id, seen.c.url == url))
    if rows:
        connection.execute(insert(seen), list(rows.values()))


def seen_of(connection: Connection, blog_id: str) -> dict[str, Seen]:
    """The answers by address, in the order of addresses."""
    rows = connection.execute(select(seen.c.url, seen.c.document).where(seen.c.blog_id == blog_id).order_by(seen.c.url))
    return {row.url: from_json(row.document, Seen) for row in rows}
