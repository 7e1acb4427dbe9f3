"""The ledger of requests: every answer of a blog in the order they came, and how long its host was left alone before.

Made of the index of the WARC files, which has every answer, also those that are no pages. A request that brought no
answer is not in it.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.archive.captures import captures_of_blog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive.archive import Archive

_ANSWERS = ("response", "revisit")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One request; `waited_s` is the time since the host's answer before, absent for its first."""

    url: str
    answered_at: datetime
    status: int
    bytes: int
    waited_s: float | None = None


def requests_to(archive: Archive, blog_id: str) -> Iterator[Asked]:
    """Yield the requests that harvests and updates of the blog made, oldest first; `bytes` are those kept in WARC."""
    with archive.database.reading() as connection:
        captures = [one for one in captures_of_blog(connection, blog_id) if one.kind in _ANSWERS]
    last: dict[str, datetime] = {}
    for capture in sorted(captures, key=lambda one: (one.fetched_at, one.file, one.offset)):
        at = datetime.fromisoformat(capture.fetched_at)
        host = urlsplit(capture.url).netloc
        waited_s = round((at - last[host]).total_seconds(), 3) if host in last else None
        last[host] = at
        yield Asked(url=capture.url, answered_at=at, status=capture.status, bytes=capture.length, waited_s=waited_s)
