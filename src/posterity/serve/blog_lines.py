"""Every blog with its counts and its health, kept ready: whoever asks gets them at once, whatever is being written.

Counting a hundred thousand posts takes some 50 ms of processor time, so a thread does it when the archive has changed,
and nobody waits for it. While a harvest writes, it changes all the time: then counting takes at most a tenth of the
time.
"""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.archive.overview import BlogCount, ChangeWatch, blog_count, blog_counts, latest_reports
from posterity.errors import PosterityError
from posterity.model import Blog, HarvestReport, from_json
from posterity.serve.health import BlogLine, Outcome, graded, health_of, outcome_of

if TYPE_CHECKING:
    from posterity.archive import Archive

_LOOK_S = 0.25  # how late a change may be seen; a look costs some microseconds
_PAUSES = 9  # times as long as counting takes


class BlogLines:
    """The lines of all blogs, the latest updated first."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._watch = ChangeWatch(archive)
        self._known: dict[str, tuple[str, datetime | None, Outcome]] = {}
        self._lines: list[BlogLine] = []
        self._counting = threading.Lock()
        self._ended = threading.Event()
        self.refresh()
        self._thread = threading.Thread(target=self._follow, daemon=True, name="blog-lines")
        self._thread.start()

    def all(self) -> list[BlogLine]:
        """Every blog of the archive, as it was a moment ago."""
        return self._lines

    def one(self, name: str) -> BlogLine:
        """The line of one blog, by its id, address or host, as it is now."""
        blog = self._archive.blog(name)
        count = blog_count(self._archive, blog.id)
        report = self._archive.report(blog.id)
        return BlogLine(blog=blog, count=count, health=health_of(self._archive, blog, report, count.posts))

    def refresh(self) -> None:
        """Count now; an archive that cannot be read right now, or is closed, leaves everything as it was."""
        try:
            with self._counting:
                if self._ended.is_set():  # a job that ends after the server
                    return
                self._watch.has_changed()
                self._lines = self._counted()
        except PosterityError:
            logging.getLogger("posterity.serve").warning("the blogs cannot be counted", exc_info=True)

    def close(self) -> None:
        """End the thread and let go of the archive."""
        self._ended.set()
        self._thread.join()
        with self._counting:
            self._watch.close()

    def _follow(self) -> None:
        pause_s = _LOOK_S
        while not self._ended.wait(pause_s):
            pause_s = _LOOK_S
            if self._has_changed():
                began = time.monotonic()
                self.refresh()
                pause_s += _PAUSES * (time.monotonic() - began)

    def _has_changed(self) -> bool:
        try:
            with self._counting:
                return self._watch.has_changed()
        except Exception:  # the database is away for a moment: the next look tells
            logging.getLogger("posterity.serve").warning("the archive cannot be watched", exc_info=True)
            return False

    def _counted(self) -> list[BlogLine]:
        blogs, counts = self._archive.blogs(), blog_counts(self._archive)
        outcomes = self._outcomes(blogs)
        found = []
        for blog in blogs:
            count = counts.get(blog.id, BlogCount())
            found.append(BlogLine(blog=blog, count=count, health=graded(blog, outcomes.get(blog.id), count.posts)))
        return sorted(found, key=lambda line: (_last(line.blog), line.blog.url), reverse=True)

    def _outcomes(self, blogs: list[Blog]) -> dict[str, Outcome]:
        """What the latest report of every blog says; only those that are new are read."""
        updated = {blog.id: blog.updated_at for blog in blogs}
        known = {blog: at for blog, (at, moment, _) in self._known.items() if updated.get(blog) == moment}
        for blog, (at, document) in latest_reports(self._archive, known).items():
            outcome = outcome_of(self._archive, from_json(document, HarvestReport))
            self._known[blog] = (at, updated.get(blog), outcome)
        return {blog: outcome for blog, (_, _, outcome) in self._known.items()}


def _last(blog: Blog) -> datetime:
    return blog.updated_at or blog.harvested_at or datetime.min.replace(tzinfo=UTC)
