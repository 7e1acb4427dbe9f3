"""The health of a blog: the share of listed posts that is stored, failed updates, drift, and what to do about it."""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime
from itertools import takewhile
from typing import Literal

import msgspec

from posterity.archive import Archive, overview
from posterity.errors import PosterityError
from posterity.model import Blog, HarvestReport, from_json
from posterity.text.normal_form import count_of

Grade = Literal["good", "fair", "poor", "unknown"]
_GOOD, _FAIR = 0.98, 0.8  # shares of the listed posts
# A matching rule gives its article a confidence of at least 0.8; a guessed container has about half of that.
_UNSURE, _MIN_POSTS = 0.5, 3


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The health of one blog, with a sentence for each problem."""

    grade: Grade = "unknown"
    coverage: float | None = None
    missing: int = 0
    errors: int = 0
    failed_updates: int = 0
    drift: bool = False
    overdue: bool = False
    cut_short: bool = False
    notes: tuple[str, ...] = ()


class BlogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A blog as listed on the home page."""

    blog: Blog
    count: overview.BlogCount
    health: Health


class ReportDigest(msgspec.Struct, frozen=True):
    """The part of a report that is kept in memory; reports may be long, and the page of a blog reads its own."""

    missing: int
    errors: int
    drift: bool
    cut_short: str | None = None
    media: int = 0
    missing_media: int = 0
    lists: tuple[str, ...] = ()


def health_of(archive: Archive, blog: Blog, report: HarvestReport | None, posts: int) -> Health:
    """Return the health of a blog with this many stored posts, after its latest report."""
    return grade_health(blog, outcome_of(archive, report) if report else None, posts)


def outcome_of(archive: Archive, report: HarvestReport) -> ReportDigest:
    """Return the digest of a report; drift is detected from the confidences of the blog's latest posts."""
    sure = overview.latest_confidences(archive, report.blog)
    drift = len(sure) >= _MIN_POSTS and sum(one < _UNSURE for one in sure) > len(sure) / 2
    cut_short = report.ended_because if report.is_cut_short else None
    files = len({medium.url for medium in report.missing_media})
    return ReportDigest(len(report.missing), report.errors, drift, cut_short, report.media, files, report.notes)


def grade_health(blog: Blog, outcome: ReportDigest | None, posts: int) -> Health:
    """Return the health of a blog with this many stored posts, after a harvest with this outcome."""
    if outcome is None:
        return Health(notes=("No harvest of this blog has ended yet.",))
    listed = posts + outcome.missing
    files = outcome.media + outcome.missing_media
    kept_files = outcome.media / files if files else 1.0
    # The lower share of posts and media files: a blog without its pictures is incomplete.
    coverage = min(posts / listed if listed else 0.0, kept_files)
    failed = sum(1 for _ in takewhile(lambda result: result == "failed", reversed(blog.results)))
    overdue = blog.due_at is not None and blog.due_at < datetime.now(UTC)
    notes = []
    if outcome.cut_short:
        notes.append(f"The harvest was cut short: {outcome.cut_short}. Harvest it again to continue.")
    if outcome.missing:
        notes.append(f"{outcome.missing} listed posts are missing.")
    if outcome.missing_media:
        notes.append(f"{count_of(outcome.missing_media, 'file')} could not be downloaded.")
    notes += [f"{note[0].upper()}{note[1:]}." for note in outcome.lists]
    if outcome.errors:
        notes.append(f"{count_of(outcome.errors, 'page')} could not be read.")
    if outcome.drift:
        notes.append("The rules do not match its latest posts: they may need to be learned again.")
    if failed:
        notes.append(f"The last {failed} updates failed." if failed > 1 else "The last update failed.")
    poor = coverage < _FAIR or failed > 1 or outcome.drift
    flawed = coverage < _GOOD or outcome.errors or failed or outcome.cut_short or outcome.lists
    grade: Grade = "poor" if poor else "fair" if flawed else "good"
    return Health(
        grade=grade, coverage=coverage, missing=outcome.missing, errors=outcome.errors, failed_updates=failed,
        drift=outcome.drift, overdue=overdue, cut_short=outcome.cut_short is not None, notes=tuple(notes),
    )  # fmt: skip


_POLL_S = 0.25  # interval between checks for changes; a check takes microseconds
_PAUSES = 9  # the pause after counting, in multiples of the time that counting took


class BlogLines:
    """The lines of all blogs, most recently updated first; a thread keeps them current."""

    def __init__(self, archive: Archive, *, follow: bool = True) -> None:
        self._archive = archive
        self._watch = overview.ChangeWatch(archive)
        self._known: dict[str, tuple[str, datetime | None, ReportDigest]] = {}
        self._lines: list[BlogLine] = []
        self.generation = 0  # incremented by every refresh
        self._counting = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        if follow:
            self.refresh()
            self._thread = threading.Thread(target=self._follow, daemon=True, name="blog-lines")
            self._thread.start()

    def all(self) -> list[BlogLine]:
        """Return the lines of the latest refresh; empty without `follow` until `refresh` is called."""
        return self._lines

    def one(self, name: str) -> BlogLine:
        """Return the current line of a blog, by its id, URL or host."""
        blog = self._archive.blog(name)
        count = overview.blog_count(self._archive, blog.id)
        report = self._archive.report(blog.id)
        return BlogLine(blog=blog, count=count, health=health_of(self._archive, blog, report, count.posts))

    def refresh(self) -> None:
        """Recompute all lines; if the archive cannot be read or is closed, the old ones stay."""
        try:
            with self._counting:
                if self._ended.is_set():  # called by a job that ends after the server
                    return
                self._watch.has_changed()
                blogs, counts = self._archive.blogs(), overview.blog_counts(self._archive)
                outcomes = self._outcomes(blogs)
                found = []
                for blog in blogs:
                    count = counts.get(blog.id, overview.BlogCount())
                    health = grade_health(blog, outcomes.get(blog.id), count.posts)
                    found.append(BlogLine(blog=blog, count=count, health=health))
                self._lines = sorted(found, key=lambda line: (_last(line.blog), line.blog.url), reverse=True)
                self.generation += 1
        except PosterityError:
            logging.getLogger("posterity.serve").warning("the blogs cannot be counted", exc_info=True)

    def close(self) -> None:
        """Stop the thread and stop watching the archive."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        with self._counting:
            self._watch.close()

    def _follow(self) -> None:
        pause_s = _POLL_S
        while not self._ended.wait(pause_s):
            pause_s = _POLL_S
            if self._has_changed():
                began = time.monotonic()
                self.refresh()
                pause_s += _PAUSES * (time.monotonic() - began)

    def _has_changed(self) -> bool:
        try:
            with self._counting:
                return self._watch.has_changed()
        except Exception:  # a database that is temporarily unavailable: the next check tries again
            logging.getLogger("posterity.serve").warning("the archive cannot be watched", exc_info=True)
            return False

    def _outcomes(self, blogs: list[Blog]) -> dict[str, ReportDigest]:
        """Return the digest of every blog's latest report; only new reports are read."""
        updated = {blog.id: blog.updated_at for blog in blogs}
        known = {blog: at for blog, (at, moment, _) in self._known.items() if updated.get(blog) == moment}
        for blog, (at, document) in overview.latest_reports(self._archive, known).items():
            outcome = outcome_of(self._archive, from_json(document, HarvestReport))
            self._known[blog] = (at, updated.get(blog), outcome)
        return {blog: outcome for blog, (_, _, outcome) in self._known.items()}


def _last(blog: Blog) -> datetime:
    return blog.updated_at or blog.harvested_at or datetime.min.replace(tzinfo=UTC)
