"""An update from the outside: which blogs are due, a worker for each, its events and its report."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.config import Settings
from posterity.discover.schedule import is_due
from posterity.errors import Interrupted
from posterity.fetch.events import Updated
from posterity.fetch.update_job import REVISITS, UpdateJob
from posterity.fetch.worker_process import WorkerProcess, on_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from posterity.fetch.events import Event
    from posterity.model import Blog
    from posterity.model.update_report import UpdateReport


def update(
    blog: str,
    archive: str | PathLike[str] = "posterity-archive",
    *,
    since: datetime | None = None,
    revisits: int | None = None,
    settings: Settings = Settings(),
    tell: Callable[[Event], None] = lambda _: None,
) -> UpdateReport:
    """Bring one blog of the archive up to date and return what was new, edited or gone.

    `blog` is an id, an address or a host name. `revisits` posts are asked for again at most without a reason; naming a
    number does so even if the blog has no news. Raises what stopped the update, with what to do about it.
    """
    with open_archive(str(archive)) as store:
        known = store.blog(blog)
    job = UpdateJob(
        blog=known.id,
        url=known.url,
        archive=str(archive),
        since=since,
        revisits=REVISITS if revisits is None else revisits,
        revisit_always=revisits is not None,
        settings=settings,
    )
    stopped = threading.Event()
    with WorkerProcess(job, "posterity.fetch.update_worker") as worker:

        def stop() -> None:
            stopped.set()
            worker.stop()

        with on_interrupt(stop, worker.kill):
            report = worker.outcome(tell, Updated).report
    if stopped.is_set():  # too late to stop this update, but whoever pressed Ctrl-C wants no further one
        raise Interrupted(f"Interrupted when the update of {known.url} was done. Run the same command again to go on.")
    return report


def chosen_blogs(
    archive: str | PathLike[str], names: Sequence[str] = (), *, everything: bool = False, due: bool = False
) -> list[Blog]:
    """Return the named blogs, or all, or those that are due, the longest due first; a wrong name raises.

    With `due`, of the named ones too only those that are due. One that is paused is due only by name.
    """
    now = datetime.now(UTC)
    with open_archive(str(archive)) as store:
        blogs = list({blog.id: blog for blog in map(store.blog, names)}.values()) if names else store.blogs()
    if (names and not due) or everything:
        return blogs
    waiting = [blog for blog in blogs if is_due(blog.due_at, now) and blog.schedule.mode != "paused"]
    return sorted(waiting, key=lambda blog: (blog.due_at or datetime.min.replace(tzinfo=UTC), blog.url))


def next_moment(archive: str | PathLike[str], names: Sequence[str] = ()) -> datetime | None:
    """Return when the next of these blogs, or of all, is due; None when there is none, or all are paused."""
    with open_archive(str(archive)) as store:
        blogs = list(map(store.blog, names)) if names else store.blogs()
    now = datetime.now(UTC)
    return min((blog.due_at or now for blog in blogs if blog.schedule.mode != "paused"), default=None)


def seconds_until_due(archive: str | PathLike[str], names: Sequence[str] = ()) -> float:
    """Return how long there is nothing to do, at least a second; for ever when there is no blog."""
    moment = next_moment(archive, names)
    return max(1.0, (moment - datetime.now(UTC)).total_seconds()) if moment else float("inf")
