"""Background jobs: harvests, updates, exports and re-extractions, each in a thread, with a stream of events.

Events are kept for clients that connect late or reconnect: a client sends the number of its last event and receives
the rest. Jobs end with the server. A harvest that was interrupted continues from the archive when requested again.
"""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import msgspec

from posterity.archive import Archive, open_archive
from posterity.archive.overview import blog_counts
from posterity.blog.changes import RecordChanges
from posterity.blog.profile import profile_from_rules
from posterity.blog.records import stored_records
from posterity.blog.stored import archived_pages
from posterity.config import CrawlSettings, Settings
from posterity.crawl.jobs import Ended, Event, FeedRead, Fetched, HarvestJob, Learned, Stored, Updated, UpdateJob
from posterity.crawl.run import checked_url, chosen_blogs, seconds_until_due
from posterity.crawl.worker_process import WorkerProcess
from posterity.errors import InputError, Interrupted, NotInArchive, PosterityError
from posterity.export.export import ENDING, export
from posterity.export.formats import all_formats
from posterity.export.selection import select_posts
from posterity.extraction.selection import Selection
from posterity.model import Blog, Post, Rejected, RuleSet
from posterity.serve.problems import Problem
from posterity.serve.settings import ServeSettings
from posterity.urls import place_key, post_id, with_scheme

JobKind = Literal["harvest", "update", "export", "reextract"]
JobState = Literal["waiting", "running", "done", "failed", "stopped"]
_REMEMBERED = 200
# A blog of 20,000 posts has about 60,000 events; the counts of dropped events are in `progress`.
_MAX_EVENTS = 5_000


class JobStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The public state of a job: `progress` holds counts, `result` the final report or file."""

    id: str
    kind: JobKind
    target: str
    state: JobState
    created_at: datetime
    ended_at: datetime | None = None
    progress: dict[str, Any] = {}
    result: dict[str, Any] | None = None
    problem: str | None = None


class Job:
    """A background job. `work` receives the job, adds events to it, and checks `stopping`."""

    def __init__(self, kind: JobKind, target: str, work: Callable[[Job], dict[str, Any] | None]) -> None:
        self.id = uuid4().hex[:16]
        self.kind, self.target = kind, target
        self.state: JobState = "waiting"
        self.created_at = datetime.now(UTC)
        self.ended_at: datetime | None = None
        self.progress: dict[str, Any] = {}
        self.result: dict[str, Any] | None = None
        self.problem: str | None = None
        self.stop_work: Callable[[], None] = lambda: None
        # Called when the job is dropped.
        self.cleanup: Callable[[], None] = lambda: None
        self.stopping = False
        self._work = work
        self._events: list[tuple[str, Any]] = []
        self._first = 0
        self._lock = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Return whether the job has ended."""
        return self.state in ("done", "failed", "stopped")

    def status(self) -> JobStatus:
        """Return the current status."""
        return JobStatus(
            id=self.id, kind=self.kind, target=self.target, state=self.state, created_at=self.created_at,
            ended_at=self.ended_at, progress=dict(self.progress), result=self.result, problem=self.problem,
        )  # fmt: skip

    def add_event(self, name: str, value: Any, **progress: Any) -> None:
        """Store an event for all listeners, and update the progress."""
        with self._lock:
            self.progress = {**self.progress, **progress}
            self._events.append((name, value))
            if len(self._events) > _MAX_EVENTS:
                dropped = len(self._events) - _MAX_EVENTS
                del self._events[:dropped]
                self._first += dropped

    def event_count(self) -> int:
        """Return the number of events so far, including dropped ones."""
        with self._lock:
            return self._first + len(self._events)

    def events_after(self, number: int) -> list[tuple[int, str, Any]]:
        """Return the events after this number, with their numbers; the oldest may have been dropped."""
        with self._lock:
            start = max(0, number - self._first)
            numbered = enumerate(self._events[start:], self._first + start + 1)
            return [(place, name, value) for place, (name, value) in numbered]

    def stop(self) -> None:
        """Request a clean stop of the work."""
        self.stopping = True
        self.stop_work()

    def run(self, settle: Callable[[], None] = lambda: None) -> None:
        """Do the work and record its outcome, exceptions included. `settle` is called before the end is published."""
        self.state = "running"
        state: JobState = "done"
        try:
            self.result = self._work(self)
        except Interrupted as problem:
            state, self.problem = "stopped", str(problem)
        except PosterityError as problem:
            state, self.problem = "failed", str(problem)
        except Exception as problem:
            logging.getLogger("posterity.serve").exception("job %s failed", self.id)
            state, self.problem = "failed", f"Unexpected error in Posterity: {type(problem).__name__}."
        settle()
        self.ended_at = datetime.now(UTC)
        self.add_event("over", {"state": state, "problem": self.problem, "result": self.result})
        self.state = state


class Jobs:
    """The jobs of a server: `at_once` run in parallel, up to `waiting` are queued."""

    def __init__(self, at_once: int, waiting: int, settle: Callable[[], None] = lambda: None) -> None:
        self._max_waiting = waiting
        self._settle = settle
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._turn = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._closed = False

    def start(self, job: Job) -> Job:
        """Start a job, or return the unfinished job with the same work; raise `Problem` if the queue is full."""
        with self._lock:
            for other in self._jobs.values():
                if not other.is_over and (other.kind, other.target) == (job.kind, job.target):
                    return other
            if sum(other.state == "waiting" for other in self._jobs.values()) >= self._max_waiting:
                raise Problem(429, "Too many jobs are waiting. Try again later.", {"Retry-After": "60"})
            self._jobs[job.id] = job
            over = [other.id for other in self._jobs.values() if other.is_over]
            for old in over[: max(0, len(self._jobs) - _REMEMBERED)]:
                self._jobs.pop(old).cleanup()
        threading.Thread(target=self._run, args=(job,), daemon=True, name=f"job-{job.id}").start()
        return job

    def all(self) -> list[Job]:
        """Return all known jobs, newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def version(self) -> Hashable:
        """Return a value that changes when a job starts, progresses or ends."""
        jobs = self.all()
        return len(jobs), tuple((job.id, job.state, job.event_count()) for job in jobs if not job.is_over)

    def get(self, job_id: str) -> Job:
        """Return the job with this id; raise `Problem` if there is none."""
        with self._lock:
            if job_id not in self._jobs:
                raise Problem(404, f"There is no job {job_id!r}. Jobs are not kept when the server restarts.")
            return self._jobs[job_id]

    def close(self) -> None:
        """Start no more jobs, and stop those that are running."""
        self._closed = True
        for job in self.all():
            if not job.is_over:
                job.stop()
            job.cleanup()

    def _run(self, job: Job) -> None:
        with self._turn:
            if self._closed or job.stopping:
                job.state = "stopped"
                problem = "It was stopped before it started."
                job.add_event("over", {"state": "stopped", "problem": problem, "result": None})
                return
            job.run(self._settle)


def harvest_job(settings: ServeSettings, url: str, limit_pages: int | None = None) -> Job:
    """Return the job that harvests a blog; raise if the URL is invalid. The scheme may be omitted."""
    url = url.strip()
    if re.fullmatch(r"[\w-]+(\.[\w-]+)+(:\d+)?(/\S*)?", url):
        url = with_scheme(url)
    task = HarvestJob(url=checked_url(url), archive=settings.archive, settings=_crawl(settings, limit_pages))
    return Job("harvest", url, lambda job: _follow(job, WorkerProcess(task, in_background=True), Ended))


def update_job(settings: ServeSettings, blog: Blog) -> Job:
    """Return the job that updates a blog, with the options of its harvest and the restrictions of this server."""

    def work(job: Job) -> dict[str, Any]:
        ours = _crawl(settings, None)
        with open_archive(settings.archive) as archive:
            known = archive.harvest_options(blog.id)
        if known is not None:
            crawl = msgspec.structs.replace(
                known.crawl,
                contact=settings.contact or known.crawl.contact,
                public_only=ours.crawl.public_only,
                allowed_hosts=ours.crawl.allowed_hosts,
                render=ours.crawl.render if ours.crawl.public_only else known.crawl.render,
            )
            ours = msgspec.structs.replace(ours, crawl=crawl, render=known.render)
        task = UpdateJob(blog=blog.id, url=blog.url, archive=settings.archive, settings=ours)
        return _follow(job, WorkerProcess(task, "posterity.crawl.update_worker", in_background=True), Updated)

    return Job("update", blog.url, work)


# Blogs that were added or updated, possibly by another program, are noticed after this time at the latest.
_MAX_WAIT_S = 60.0


class DueUpdates:
    """A thread that starts an update job for every blog that is due."""

    def __init__(self, settings: ServeSettings, jobs: Jobs) -> None:
        self._settings, self._jobs = settings, jobs
        self._closed = threading.Event()
        self._begun: dict[str, datetime | None] = {}
        self._thread = threading.Thread(target=self._run, daemon=True, name="due-updates")
        self._thread.start()

    def close(self) -> None:
        """Stop the thread; running jobs continue."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        wait_s = 0.0
        while not self._closed.wait(wait_s):
            try:
                for blog in chosen_blogs(self._settings.archive):
                    # Do not restart an update that failed to set the next due time.
                    if blog.id not in self._begun or self._begun[blog.id] != blog.due_at:
                        self._jobs.start(update_job(self._settings, blog))
                        self._begun[blog.id] = blog.due_at
                wait_s = min(_MAX_WAIT_S, seconds_until_due(self._settings.archive))
            except Problem:  # the queue is full; the other blogs stay due
                wait_s = _MAX_WAIT_S
            except PosterityError as problem:
                logging.getLogger("posterity.serve").warning("no updates for now: %s", problem)
                wait_s = _MAX_WAIT_S
            # A blog stays due until its update has ended.
            wait_s = max(wait_s, 5.0)


def _crawl(settings: ServeSettings, limit_pages: int | None) -> Settings:
    public_only = not settings.fetches_private
    return Settings(
        crawl=CrawlSettings(
            delay_s=settings.delay_s,
            contact=settings.contact,
            limit_pages=limit_pages,
            public_only=public_only,
            allowed_hosts=settings.allowed_hosts,
            # A browser resolves host names itself, which bypasses the check for private hosts.
            render="never" if public_only else "auto",
        )
    )


def _follow(job: Job, worker: WorkerProcess, ending: type[Ended] | type[Updated]) -> dict[str, Any]:
    job.stop_work = worker.stop
    with worker:
        if job.stopping:
            worker.stop()
        report = worker.outcome(lambda event: _on_event(job, event), ending).report
    return {"blog": report.blog, "report": msgspec.to_builtins(report)}


def _on_event(job: Job, event: Event) -> None:
    """Add a crawl event to the job in a short form: rule sets are long, and reports come with the result."""
    match event:
        case FeedRead():
            job.add_event("feed", event, feed=event.url, entries=event.entries)
        case Learned():
            job.add_event("rules", rule_lines(event.rules))
        case Fetched():
            job.add_event("page", event, pages=event.pages, known=event.known, sources=event.sources)
        case Stored():
            job.add_event("post", {**msgspec.to_builtins(event), "id": post_id(event.url)}, posts=event.posts)
        case Ended() | Updated():
            pass
        case _:
            job.add_event(str(event.__struct_config__.tag), event)


def rule_lines(rules: RuleSet) -> dict[str, Any]:
    """Return a summary of a rule set, with the best rule of every field."""
    return {
        "evidence": len(rules.evidence),
        "rules": [
            {"field": field, "rule": str(found[0].rule), "confidence": found[0].confidence, "more": len(found) - 1}
            for field, found in rules.fields.items()
            if found
        ],
    }


def export_job(settings: ServeSettings, format_name: str, blog: Blog | None) -> Job:
    """Return the job that exports a blog, or everything, in one of the formats of `posterity export`."""
    if format_name not in all_formats():
        raise InputError(f"There is no format {format_name!r}. Choose one of: {', '.join(all_formats())}.")

    def work(job: Job) -> dict[str, Any]:
        # Exports do not outlive the server, so they are temporary files.
        folder = Path(tempfile.mkdtemp(prefix="posterity-export-"))
        try:
            name = re.sub("[/:]", "-", blog.url.split("://", 1)[-1].strip("/")) if blog else "archive"
            target = folder / f"{name}{all_formats()[format_name].ending or '-' + format_name}"
            with open_archive(settings.archive) as archive:
                total = sum(one.posts for key, one in blog_counts(archive).items() if blog is None or key == blog.id)
                selection = Selection(blogs=(blog.id,)) if blog else Selection()
                posts = _count_posts(select_posts(archive, selection), job, total)
                export(archive, str(target), format_name, selection=selection, posts=posts)
            job.add_event("written", {"posts": total, "of": total}, posts=total, known=total)
            file = _one_file(target)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return {"file": str(file), "name": file.name, "bytes": file.stat().st_size}

    job = Job("export", f"{format_name} {blog.url if blog else 'everything'}", work)
    job.cleanup = lambda: _drop(job)
    return job


def _drop(job: Job) -> None:
    if job.result and "file" in job.result:
        shutil.rmtree(Path(job.result["file"]).parent, ignore_errors=True)


def _one_file(target: Path) -> Path:
    """Return the single file to download: a folder, or a file with others beside it, becomes a ZIP file."""
    beside = [path for path in target.parent.iterdir() if path != target and not path.name.endswith(ENDING)]
    if target.is_file() and not beside:
        return target
    zipped = Path(shutil.make_archive(str(target.parent) + "-packed", "zip", target.parent))
    return Path(shutil.move(zipped, target.parent / f"{target.name.removesuffix('.zip')}.zip"))


def _count_posts(posts: Iterable[Post], job: Job, total: int) -> Iterator[Post]:
    for number, post in enumerate(posts, 1):
        if job.stopping:
            raise Interrupted("The export was stopped.")
        yield post
        if number % 25 == 0:
            job.add_event("written", {"posts": number, "of": total}, posts=number, known=total)


def reextract_job(settings: ServeSettings, blog: Blog) -> Job:
    """Return the job that applies the stored rules of a blog to its stored pages."""

    def work(job: Job) -> dict[str, Any]:
        with open_archive(settings.archive) as archive:
            return _apply_rules(archive, blog, job)

    return Job("reextract", blog.url, work)


def _apply_rules(archive: Archive, blog: Blog, job: Job) -> dict[str, Any]:
    if (rules := archive.rules(blog.id)) is None:
        raise NotInArchive(f"There are no rules for {blog.url} yet. Harvest it first.")
    urls, files = [], set()
    for post in archive.posts_of(blog.id):
        urls.append(post.url)
        files |= {origin.warc.rpartition("#")[0] for origin in post.provenance.values() if origin.warc}
    page_source = archived_pages(archive, blog.id, frozenset(files))
    profile = profile_from_rules(rules, blog.url, urls)
    changes = RecordChanges(archive, dry_run=False)
    for number, found in enumerate(stored_records(page_source, profile, blog.id, {place_key(url) for url in urls}), 1):
        if job.stopping:
            changes.flush()
            raise Interrupted("Stopped. The records rebuilt so far are stored.")
        if not isinstance(found, Rejected):
            change = changes.take(found, page_source)
            job.add_event("post", {"url": change.url, "title": found.title, "state": change.state, "posts": number},
                     posts=number, pages=number, known=len(urls))  # fmt: skip
    changes.flush()
    return {"blog": blog.id, "report": {"rules": rules.version, "posts": changes.counts(), "fields": changes.fields()}}
