"""Which addresses of a blog were already asked for, and what to say when asking again."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from posterity.archive.schema import seen
from posterity.archive.upsert import write_rows
from posterity.model import WarcPointer, from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection


_MAX_KEY = 500  # PostgreSQL takes no key of more than 2,700 bytes


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
            "url": _key(answer.url),
            "status": answer.status,
            "document": to_json(answer).decode(),
        }
        for answer in answers
    }
    write_rows(connection, seen, list(rows.values()))


def seen_of(connection: Connection, blog_id: str) -> dict[str, Seen]:
    """The answers by address, in the order of addresses."""
    rows = connection.execute(select(seen.c.document).where(seen.c.blog_id == blog_id).order_by(seen.c.url))
    answers = [from_json(row.document, Seen) for row in rows]
    return {answer.url: answer for answer in answers}


def _key(url: str) -> str:
    return url if len(url) <= _MAX_KEY else "sha256:" + hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
