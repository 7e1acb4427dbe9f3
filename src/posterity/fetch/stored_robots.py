"""robots.txt from the archive while it is fresh: RFC 9309 lets a crawler keep it for a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from protego import Protego

from posterity.archive.columns import date_key
from posterity.errors import ArchiveError
from posterity.fetch.robots import RobotsMiddleware
from posterity.model import WarcPointer

if TYPE_CHECKING:
    from posterity.archive import Archive

_FRESH = timedelta(hours=24)  # RFC 9309, 2.4: a cached copy should not be used for longer


class StoredRobotsMiddleware(RobotsMiddleware):
    """Asks for robots.txt only when the archive's copy is older than a day; an update then costs one request less."""

    async def _read(self, host: str) -> Protego | str | Exception:
        return _stored_rules(getattr(self.crawler.spider, "archive", None), host) or await super()._read(host)


def _stored_rules(archive: Archive | None, host: str) -> Protego | None:
    """The rules by the latest answer, unless it is old, was no answer, or led elsewhere."""
    captures = archive.captures(f"{host}/robots.txt") if archive is not None else []
    if archive is None or not captures or captures[-1].fetched_at < date_key(datetime.now(UTC) - _FRESH):
        return None
    latest = captures[-1]
    if 400 <= latest.status < 500:
        return Protego.parse("")
    if latest.status not in (200, 304):
        return None
    try:
        page = archive.read_page(WarcPointer(latest.file, latest.offset, latest.record_id))
    except ArchiveError:
        return None
    return Protego.parse(page.body.decode("utf-8", "replace"))
