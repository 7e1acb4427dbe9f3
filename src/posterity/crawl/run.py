"""Runs a harvest from the calling process: starts a worker, receives its events, returns its report."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from os import PathLike
from typing import Any, Generic, TypeVar

import msgspec

from posterity import clock
from posterity.archive import Archive, open_archive
from posterity.archive.maintenance import write_schedules
from posterity.config import Settings
from posterity.crawl.jobs import REVISITS, Ended, Event, HarvestJob, Updated, UpdateJob, checked_url
from posterity.crawl.quiet_update import quiet_update
from posterity.crawl.worker_process import Ending, ForkServer, WorkerProcess, fork_server, on_interrupt
from posterity.discover.schedule import due_after, is_due, rotation_size
from posterity.errors import ArchiveError, Interrupted, PosterityError
from posterity.http_client import url_of_host
from posterity.model import Blog, HarvestReport, Schedule
from posterity.model.report import UpdateReport
from posterity.urls import is_bare_host, place_key, with_scheme

__all__ = ["aharvest", "checked_url", "harvest"]

_WORKER = "posterity.crawl.update_worker"  # runs jobs of both kinds


def harvest(
    url: str,
    archive: str | PathLike[str] = "posterity-archive",
    *,
    delay: float | None = None,
    limit: int | None = None,
    settings: Settings = Settings(),
    on_event: Callable[[Event], None] = lambda _: None,
) -> HarvestReport:
    """Harvest the whole blog at this URL into the archive and return the completeness report.

    `delay` (seconds between requests to a host) and `limit` (pages) override the `settings`. `on_event` is called with
    every event. Raises the error that stopped the harvest, whose message explains what to do. A harvest that was
    interrupted continues when it is called again.
    """
    with WorkerProcess(_job(url, archive, delay, limit, settings)) as worker, on_interrupt(worker.stop, worker.kill):
        return worker.report(on_event)


async def aharvest(
    url: str,
    archive: str | PathLike[str] = "posterity-archive",
    *,
    delay: float | None = None,
    limit: int | None = None,
    settings: Settings = Settings(),
    on_event: Callable[[Event], None] = lambda _: None,
) -> HarvestReport:
    """Harvest as `harvest` does, without blocking the event loop; usable in a notebook.

    `on_event` is called in the event loop. Cancelling the task ends the harvest cleanly.
    """
    loop = asyncio.get_running_loop()
    job = await asyncio.to_thread(_job, url, archive, delay, limit, settings)

    def pass_on(event: Event) -> None:
        loop.call_soon_threadsafe(on_event, event)

    with WorkerProcess(job) as worker:
        running = asyncio.create_task(asyncio.to_thread(worker.report, pass_on))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            worker.stop()
            with suppress(PosterityError):  # the worker reports that it was interrupted
                await running
            raise


def _job(
    url: str, archive: str | PathLike[str], delay: float | None, limit: int | None, settings: Settings
) -> HarvestJob:
    crawl = settings.crawl
    if delay is not None:
        crawl = msgspec.structs.replace(crawl, delay_s=delay)
    if limit is not None:
        crawl = msgspec.structs.replace(crawl, limit_pages=limit)
    settings = msgspec.structs.replace(settings, crawl=crawl)
    return HarvestJob(url=_whole_url(url), archive=str(archive), settings=settings)


def _whole_url(url: str) -> str:
    """Return the URL; for a bare host name, the URL at which the host responds."""
    return url_of_host(url) if is_bare_host(url) else checked_url(url)


class HarvestOutcome(msgspec.Struct, frozen=True):
    """The outcome of one harvest: its report, or the error that stopped it."""

    url: str
    report: HarvestReport | None = None
    problem: PosterityError | None = None


class UpdateOutcome(msgspec.Struct, frozen=True):
    """The outcome of one update: its report, or the error that stopped it."""

    url: str
    report: UpdateReport | None = None
    problem: PosterityError | None = None


def harvest_many(
    urls: Iterable[str],
    archive: str | PathLike[str] = "posterity-archive",
    *,
    workers: int = 4,
    settings: Settings = Settings(),
    on_event: Callable[[str, Event], None] = lambda _url, _event: None,
) -> list[HarvestOutcome]:
    """Harvest the blogs, `workers` of them at a time, and return the outcome of each, in the given order.

    `on_event` gets the events of all blogs, one at a time, with the blog's URL. A failure of one blog does not affect
    the others; an archive that cannot be written, and Ctrl-C, end all.
    """

    unique: dict[str, str] = {}
    for url in urls:
        unique.setdefault(place_key(with_scheme(url)), url)
    found = _run_many(
        list(unique.values()), lambda url: _job(url, archive, None, None, settings), Ended, workers, on_event
    )
    return _outcomes(HarvestOutcome, found)


def _run_many(
    urls: list[str],
    job_of: Callable[[str], HarvestJob | UpdateJob],
    ending: type[Ending],
    workers: int,
    on_event: Callable[[str, Event], None],
) -> dict[str, Ending | PosterityError]:
    """Run a job for every URL, `workers` of them at a time; return how each ended, in the given order."""
    queue = _Queue(urls)
    # For a single worker, a fork server costs more than it saves.
    with (
        fork_server() if len(urls) > 1 else nullcontext() as server,
        ThreadPoolExecutor(workers, thread_name_prefix="blog") as pool,
    ):
        blog_workers = _WorkerPool(queue, job_of, ending, on_event, server)
        with on_interrupt(blog_workers.stop, blog_workers.kill):
            for done in [pool.submit(blog_workers.work) for _ in range(workers)]:
                done.result()
    return {
        url: blog_workers.endings.get(url)
        or Interrupted(f"The work on {url} was not started. Run the same command again to continue.")
        for url in queue.order
    }


_Outcome = TypeVar("_Outcome", HarvestOutcome, UpdateOutcome)


def _outcomes(kind: Callable[..., _Outcome], found: Mapping[str, Ended | Updated | PosterityError]) -> list[_Outcome]:
    """Return the outcome of each blog."""
    return [
        kind(url, problem=ending) if isinstance(ending, PosterityError) else kind(url, report=ending.report)
        for url, ending in found.items()
    ]


def _host_of(url: str) -> str:
    """Return the host of a URL as given; an invalid URL is refused when it is harvested."""
    return re.split(r"[/?#]", with_scheme(url).partition("://")[2], maxsplit=1)[0]


class _Queue:
    """The blogs in order; a blog whose host is busy is overtaken by the next one."""

    def __init__(self, urls: Iterable[str]) -> None:
        self.order = list(urls)
        self._waiting = list(self.order)
        self._busy: set[str] = set()
        self._changed = threading.Condition()

    def taken(self) -> Iterator[str]:
        """Yield blogs to work on until none is left; each counts as done when the next one is requested."""
        while (url := self._next()) is not None:
            try:
                yield url
            finally:
                with self._changed:
                    self._busy.discard(_host_of(url))
                    self._changed.notify_all()

    def close(self) -> None:
        """Hand out no more blogs."""
        with self._changed:
            self._waiting.clear()
            self._changed.notify_all()

    def _next(self) -> str | None:
        with self._changed:
            while self._waiting:
                for url in self._waiting:
                    if _host_of(url) not in self._busy:
                        self._waiting.remove(url)
                        self._busy.add(_host_of(url))
                        return url
                self._changed.wait()
        return None


class _WorkerPool(Generic[Ending]):
    """Threads that each run one worker process at a time."""

    def __init__(
        self,
        queue: _Queue,
        job_of: Callable[[str], HarvestJob | UpdateJob],
        ending: type[Ending],
        on_event: Callable[[str, Event], None],
        server: ForkServer | None,
    ) -> None:
        self._server = server
        self.endings: dict[str, Ending | PosterityError] = {}
        self._queue, self._job_of, self._ending, self._on_event = queue, job_of, ending, on_event
        self._running: set[WorkerProcess] = set()
        self._lock = threading.RLock()
        self._event_lock = threading.Lock()

    def work(self) -> None:
        """Run jobs until none is left."""
        for url in self._queue.taken():
            try:
                self.endings[url] = self._run(url)
            except PosterityError as problem:
                self.endings[url] = problem
                if isinstance(problem, ArchiveError):
                    self._queue.close()

    def stop(self) -> None:
        """Start nothing new and let running workers end in order."""
        # In a thread, because a signal handler must not wait for a lock that the interrupted code may hold.
        threading.Thread(target=self._stop).start()

    def kill(self) -> None:
        """Kill all workers."""
        for worker in tuple(self._running):
            worker.kill()

    def _stop(self) -> None:
        self._queue.close()
        with self._lock:
            for worker in self._running:
                worker.stop()

    def _run(self, url: str) -> Ending:
        with WorkerProcess(self._job_of(url), _WORKER, self._server) as worker:
            with self._lock:
                self._running.add(worker)
            try:
                return worker.outcome(lambda event: self._pass_on(url, event), self._ending)
            finally:
                with self._lock:
                    self._running.discard(worker)

    def _pass_on(self, url: str, event: Event) -> None:
        with self._event_lock:
            self._on_event(url, event)


class UpdateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of an update. Posts older than `since` are left alone.

    At most `revisits` posts are requested again without a reason; a given number applies even if the blog has no news.
    `rotation` is the number of updates in which every post is requested at least once; None: as in the blog's record.
    `crawl` and `render` are changes, by name, to the settings of the blog's harvest, which the archive stores.
    """

    since: datetime | None = None
    revisits: int | None = None
    rotation: int | None = None
    crawl: dict[str, Any] = {}
    render: dict[str, Any] = {}


_NO_OPTIONS = UpdateOptions()


def settings_for(archive: Archive, blog_id: str, options: UpdateOptions = _NO_OPTIONS) -> Settings:
    """Return the settings of the blog's latest harvest with these changes."""
    known = archive.harvest_options(blog_id) or Settings()
    return msgspec.structs.replace(
        known,
        crawl=msgspec.structs.replace(known.crawl, **options.crawl),
        render=msgspec.structs.replace(known.render, **options.render),
    )


def _update_job(archive: Archive, blog: Blog, location: str, options: UpdateOptions) -> UpdateJob:
    return UpdateJob(
        blog=blog.id,
        url=blog.url,
        archive=location,
        since=options.since,
        revisits=REVISITS if options.revisits is None else options.revisits,
        revisit_always=options.revisits is not None,
        rotation=options.rotation,
        settings=settings_for(archive, blog.id, options),
    )


def update(
    blog: str,
    archive: str | PathLike[str] = "posterity-archive",
    *,
    since: datetime | None = None,
    revisits: int | None = None,
    settings: Settings | None = None,
    options: UpdateOptions | None = None,
    on_event: Callable[[Event], None] = lambda _: None,
) -> UpdateReport:
    """Update one blog of the archive and return what was new, edited or gone.

    `blog` is an id, a URL or a host name. Without `settings`, those of its harvest apply, changed by `options`.
    At most `revisits` posts are requested again without a reason; a given number applies even if the blog has no news.
    Raises the error that stopped the update, whose message explains what to do.
    """
    options = options or UpdateOptions(since=since, revisits=revisits)
    with open_archive(str(archive)) as store:
        known = store.blog(blog)
        job = msgspec.structs.replace(_update_job(store, known, str(archive), options), asked_since=clock.now())
        job = msgspec.structs.replace(job, settings=settings or job.settings)
        try:
            quiet = quiet_update(store, job, on_event)
        except KeyboardInterrupt:
            raise Interrupted(f"The update of {known.url} was interrupted. Run the same command again.") from None
        if quiet is not None:
            on_event(Updated(report=quiet))
            return quiet
    stopped = threading.Event()
    with WorkerProcess(job, _WORKER) as worker:

        def stop() -> None:
            stopped.set()
            worker.stop()

        with on_interrupt(stop, worker.kill):
            report = worker.outcome(on_event, Updated).report
    if stopped.is_set():  # too late to stop this update, but no further one is wanted
        done = f"Interrupted when the update of {known.url} was done."
        raise Interrupted(f"{done} Run the same command again to continue.")
    return report


def update_many(
    blogs: Iterable[str],
    archive: str | PathLike[str] = "posterity-archive",
    *,
    workers: int = 4,
    options: UpdateOptions = _NO_OPTIONS,
    on_event: Callable[[str, Event], None] = lambda _url, _event: None,
) -> list[UpdateOutcome]:
    """Update the blogs, `workers` of them at a time, and return the outcome of each, in the given order.

    A failure of one blog does not affect the others; an archive that cannot be written, and Ctrl-C, end all.
    """
    location = str(archive)
    with open_archive(location) as store:
        jobs = {blog.url: _update_job(store, blog, location, options) for blog in map(store.blog, dict.fromkeys(blogs))}
    found = _run_many(list(jobs), jobs.__getitem__, Updated, workers, on_event)
    return _outcomes(UpdateOutcome, found)


def chosen_blogs(
    archive: str | PathLike[str], names: Sequence[str] = (), *, everything: bool = False, due: bool = False
) -> list[Blog]:
    """Return the named blogs, or all, or those that are due, the most overdue first; an unknown name raises.

    With `due`, named blogs are returned only if they are due. Without it, paused blogs are returned only by name.
    """
    now = clock.now()
    with open_archive(str(archive)) as store:
        blogs = list({blog.id: blog for blog in map(store.blog, names)}.values()) if names else store.blogs()
    if (names and not due) or everything:
        return blogs
    waiting = [blog for blog in blogs if is_due(blog.due_at, now) and blog.schedule.mode != "paused"]
    return sorted(waiting, key=lambda blog: (blog.due_at or datetime.min.replace(tzinfo=UTC), blog.url))


def next_moment(archive: str | PathLike[str], names: Sequence[str] = ()) -> datetime | None:
    """Return when the next of these blogs, or of all, is due; None if there are none or all are paused."""
    with open_archive(str(archive)) as store:
        blogs = list(map(store.blog, names)) if names else store.blogs()
    now = clock.now()
    return min((blog.due_at or now for blog in blogs if blog.schedule.mode != "paused"), default=None)


def seconds_until_due(archive: str | PathLike[str], names: Sequence[str] = ()) -> float:
    """Return the time until a blog is due, at least a second; infinity if there is none."""
    moment = next_moment(archive, names)
    return max(1.0, (moment - clock.now()).total_seconds()) if moment else float("inf")


def put_rotation(archive: Archive, name: str, updates: int | None) -> Blog:
    """Store the number of updates in which every post of the blog is requested at least once; None: samples only."""
    blog = msgspec.structs.replace(archive.blog(name), rotation=updates)
    archive.put_blog(blog)
    write_schedules(archive)
    return blog


def rotation_cost(archive: Archive, blog: Blog) -> int:
    """Return the number of posts that an update of the blog requests because of its rotation."""
    posts = sum(1 for _ in archive.posts_of(blog.id, gone=False))
    return rotation_size(posts, blog.rotation) if blog.rotation else 0


def put_schedule(archive: Archive, name: str, schedule: Schedule) -> Blog:
    """Store the schedule of a blog and return the blog; the time of the next update counts from the last one."""
    blog = archive.blog(name)
    updated_at = blog.updated_at or blog.harvested_at or clock.now()
    dates = [post.published for post in archive.posts_of(blog.id, gone=False) if post.published]
    due_at = due_after(schedule, dates, blog.results, updated_at)
    planned = msgspec.structs.replace(blog, schedule=schedule, due_at=due_at)
    archive.put_blog(planned)
    write_schedules(archive)
    return planned
