"""Where an interrupted harvest goes on: the answers that it already has are read from WARC, not asked for again.

A harvest leaves a mark when it begins and takes it away when it ends by itself. Whoever finds the mark replays what
has come in since: the same pages teach the same rules and lead to the same links, so the frontier grows back to where
it was, without a request. Nothing but the archive is needed for that, and nothing is written twice.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from posterity.archive.captures import captures_of_blog
from posterity.archive.columns import date_key
from posterity.archive.schema import facts
from posterity.archive.upsert import write_rows

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.archive.captures import Capture

# After a week the pages may have changed: better to begin anew.
RESUME_WITHIN = timedelta(days=7)
# What may be better on the next try is asked for again.
_PASSING = (0, 408, 425, 429)
_MEDIA = (
    "image/",
    "audio/",
    "video/",
    "font/",
    "text/css",
    "application/pdf",
    "application/font",
    "application/x-font",
)


class Frontier:
    """The mark of one harvest, and the answers that an interrupted one left behind, by address."""

    def __init__(self, archive: Archive, blog_id: str, now: datetime) -> None:
        self._archive = archive
        self._name = f"unfinished harvest {blog_id}"
        begun = self._mark()
        self.resumes = begun is not None and now - begun < RESUME_WITHIN
        self.started_at = begun if begun and self.resumes else now
        self.answers: dict[str, Capture] = self._since(blog_id) if self.resumes else {}
        with archive.database.writing() as connection:
            write_rows(connection, facts, [{"name": self._name, "value": self.started_at.isoformat()}])

    @property
    def spent(self) -> tuple[int, int]:
        """How many requests for pages and for media the earlier sittings made."""
        media = sum((one.mime or "").startswith(_MEDIA) for one in self.answers.values())
        return len(self.answers) - media, media

    def finished(self) -> None:
        """The harvest ended by itself: the next one begins anew."""
        with self._archive.database.writing() as connection:
            connection.execute(delete(facts).where(facts.c.name == self._name))

    def _mark(self) -> datetime | None:
        with self._archive.database.reading() as connection:
            value = connection.scalar(select(facts.c.value).where(facts.c.name == self._name))
        return datetime.fromisoformat(value).astimezone(UTC) if value else None

    def _since(self, blog_id: str) -> dict[str, Capture]:
        with self._archive.database.reading() as connection:
            found = captures_of_blog(connection, blog_id)
        begun = date_key(self.started_at)
        usable = [one for one in found if one.fetched_at >= begun and one.kind in ("response", "revisit")]
        return {
            one.url: one
            for one in sorted(usable, key=lambda one: one.fetched_at)
            if one.status < 500 and one.status not in _PASSING
        }
