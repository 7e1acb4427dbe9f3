"""How a blog is doing: how much of what was promised is there, whether its updates work, and what to do about it."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.archive.overview import BlogCount, ChangeWatch, blog_counts, latest_confidences, latest_reports
from posterity.model import Blog, HarvestReport, from_json

if TYPE_CHECKING:
    from posterity.archive import Archive

Grade = Literal["good", "fair", "poor", "unknown"]
_GOOD, _FAIR = 0.98, 0.8  # of the promised posts
# A rule that fits gives its article with 0.8 and more; where none fits, the guess of a container has half of that.
_UNSURE, _MIN_POSTS = 0.5, 3
_PAUSES = 9  # times as long as counting takes


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """One blog's, with a sentence for each thing that is wrong."""

    grade: Grade = "unknown"
    coverage: float | None = None
    missing: int = 0
    errors: int = 0
    failed_updates: int = 0
    drift: bool = False
    overdue: bool = False
    notes: tuple[str, ...] = ()


class BlogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A blog as the first page shows it."""

    blog: Blog
    count: BlogCount
    health: Health


class _Outcome(msgspec.Struct, frozen=True):
    """What is kept of a report: the rest of it may be long, and is read again for the blog's own page."""

    missing: int
    errors: int
    drift: bool


class BlogHealth:
    """Answers for all blogs at once, and counts again only when the archive has changed.

    While a harvest writes, it changes all the time: then counting takes at most a tenth of the server's time.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._watch = ChangeWatch(archive)
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, datetime | None, _Outcome]] = {}
        self._lines: list[BlogLine] = []
        self._valid_until = 0.0
        self._is_old = True

    def lines(self) -> list[BlogLine]:
        """Every blog of the archive, the latest updated first."""
        with self._lock:
            self._is_old = self._watch.has_changed() or self._is_old
            began = time.monotonic()
            if self._is_old and began >= self._valid_until:
                self._lines = self._counted()
                self._is_old = False
                self._valid_until = began + _PAUSES * (time.monotonic() - began)
            return self._lines

    def close(self) -> None:
        """Let go of the archive."""
        self._watch.close()

    def _counted(self) -> list[BlogLine]:
        blogs, counts = self._archive.blogs(), blog_counts(self._archive)
        outcomes = self._outcomes(self._archive, blogs)
        found = [
            BlogLine(
                blog=blog,
                count=counts.get(blog.id, BlogCount()),
                health=_health(blog, outcomes.get(blog.id), counts.get(blog.id, BlogCount()).posts),
            )
            for blog in blogs
        ]
        return sorted(found, key=lambda line: (_last(line.blog), line.blog.url), reverse=True)

    def _outcomes(self, archive: Archive, blogs: list[Blog]) -> dict[str, _Outcome]:
        updated = {blog.id: blog.updated_at for blog in blogs}
        known = {blog: at for blog, (at, moment, _) in self._known.items() if updated.get(blog) == moment}
        for blog, (at, document) in latest_reports(archive, known).items():
            self._known[blog] = (at, updated.get(blog), _outcome(archive, from_json(document, HarvestReport)))
        return {blog: outcome for blog, (_, _, outcome) in self._known.items()}


def health_of(archive: Archive, blog: Blog, report: HarvestReport | None, posts: int) -> Health:
    """How one blog is doing."""
    return _health(blog, _outcome(archive, report) if report else None, posts)


def _outcome(archive: Archive, report: HarvestReport) -> _Outcome:
    sure = latest_confidences(archive, report.blog)
    drift = len(sure) >= _MIN_POSTS and sum(one < _UNSURE for one in sure) > len(sure) / 2
    return _Outcome(len(report.missing), report.errors, drift)


def _health(blog: Blog, outcome: _Outcome | None, posts: int) -> Health:
    if outcome is None:
        return Health(notes=("No harvest of this blog has ended yet.",))
    promised = posts + outcome.missing
    coverage = posts / promised if promised else 0.0
    failed = 0
    for result in reversed(blog.results):
        if result != "failed":
            break
        failed += 1
    overdue = blog.due_at is not None and blog.due_at < datetime.now(UTC)
    notes = []
    if outcome.missing:
        notes.append(f"{outcome.missing} promised posts are missing.")
    if outcome.errors:
        notes.append(f"{outcome.errors} pages could not be read.")
    if outcome.drift:
        notes.append("Its latest posts do not look as its rules say: they may have to be learned again.")
    if failed:
        notes.append(f"The last {failed} updates failed." if failed > 1 else "The last update failed.")
    poor = coverage < _FAIR or failed > 1 or outcome.drift
    grade: Grade = "poor" if poor else "good" if coverage >= _GOOD and not outcome.errors and not failed else "fair"
    return Health(
        grade=grade, coverage=coverage, missing=outcome.missing, errors=outcome.errors, failed_updates=failed,
        drift=outcome.drift, overdue=overdue, notes=tuple(notes),
    )  # fmt: skip


def _last(blog: Blog) -> datetime:
    return blog.updated_at or blog.harvested_at or datetime.min.replace(tzinfo=UTC)
