"""How a blog is doing: how much of what was promised is there, whether its updates work, and what to do about it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.archive.overview import BlogCount, latest_confidences
from posterity.model import Blog, HarvestReport

if TYPE_CHECKING:
    from posterity.archive import Archive

Grade = Literal["good", "fair", "poor", "unknown"]
_GOOD, _FAIR = 0.98, 0.8  # of the promised posts
# A rule that fits gives its article with 0.8 and more; where none fits, the guess of a container has half of that.
_UNSURE, _MIN_POSTS = 0.5, 3


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """One blog's, with a sentence for each thing that is wrong."""

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
    """A blog as the first page shows it."""

    blog: Blog
    count: BlogCount
    health: Health


class Outcome(msgspec.Struct, frozen=True):
    """What is kept of a report: the rest of it may be long, and is read again for the blog's own page."""

    missing: int
    errors: int
    drift: bool
    cut_short: str | None = None


def health_of(archive: Archive, blog: Blog, report: HarvestReport | None, posts: int) -> Health:
    """How one blog is doing."""
    return graded(blog, outcome_of(archive, report) if report else None, posts)


def outcome_of(archive: Archive, report: HarvestReport) -> Outcome:
    """What a report says of a blog's health, with a look at its latest posts."""
    sure = latest_confidences(archive, report.blog)
    drift = len(sure) >= _MIN_POSTS and sum(one < _UNSURE for one in sure) > len(sure) / 2
    cut_short = report.ended_because if report.is_cut_short else None
    return Outcome(len(report.missing), report.errors, drift, cut_short)


def graded(blog: Blog, outcome: Outcome | None, posts: int) -> Health:
    """How a blog with this many posts is doing, after a harvest that ended so."""
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
    if outcome.cut_short:
        notes.append(f"The harvest was cut short: {outcome.cut_short}. Harvest it again to go on.")
    if outcome.missing:
        notes.append(f"{outcome.missing} promised posts are missing.")
    if outcome.errors:
        notes.append(f"{outcome.errors} pages could not be read.")
    if outcome.drift:
        notes.append("Its latest posts do not look as its rules say: they may have to be learned again.")
    if failed:
        notes.append(f"The last {failed} updates failed." if failed > 1 else "The last update failed.")
    poor = coverage < _FAIR or failed > 1 or outcome.drift
    flawed = coverage < _GOOD or outcome.errors or failed or outcome.cut_short
    grade: Grade = "poor" if poor else "fair" if flawed else "good"
    return Health(
        grade=grade, coverage=coverage, missing=outcome.missing, errors=outcome.errors, failed_updates=failed,
        drift=outcome.drift, overdue=overdue, cut_short=outcome.cut_short is not None, notes=tuple(notes),
    )  # fmt: skip
