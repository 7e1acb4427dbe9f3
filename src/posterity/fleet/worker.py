"""A fleet worker: takes tasks from the queue, runs each blog in a child process, and sends heartbeats.

A worker whose heartbeat is older than `stalled_s` is considered dead, and its tasks are taken over. A worker that could
not write its heartbeat for half of that time kills its children, so that a machine without a connection to the database
never requests a host that another machine has taken over.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from procrastinate import BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job
from procrastinate.worker import Worker

from posterity.archive.shared_files import CACHE_VARIABLE
from posterity.config import CONTACT_VARIABLE, Settings
from posterity.crawl.jobs import Event, PageError
from posterity.errors import PosterityError
from posterity.fleet import children, queue
from posterity.model import HarvestReport

_MAX_RETRY_WAIT_S = 6 * 3600.0
# Attempts including interruptions: a blog that crashes every machine must not be retried forever.
_MAX_RUNS = 20
_WATCH_S = 0.5
_PUT_BACK = """
UPDATE procrastinate_jobs SET attempts = attempts + 1, scheduled_at = NULL, status = CASE WHEN EXISTS (
    SELECT 1 FROM procrastinate_jobs AS other
    WHERE other.status = 'todo' AND other.queueing_lock = procrastinate_jobs.queueing_lock
) THEN 'aborted'::procrastinate_job_status ELSE 'todo'::procrastinate_job_status END
WHERE id = %(id)s AND status = 'doing'
AND (worker_id IS NULL OR worker_id NOT IN (SELECT id FROM procrastinate_workers)) RETURNING status::text
"""


class WorkerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a worker."""

    slots: int = 2
    name: str = ""
    limits: children.Limits = children.Limits()
    spool: Path = Path("posterity-spool")
    heartbeat_s: float = 5.0
    stalled_s: float = 30.0
    attempts: int = 5
    # The wait before the second attempt; it doubles with each further one.
    retry_wait_s: float = 60.0
    until_empty: bool = False


class TaskEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event of a worker, about a task and its blog or about the worker itself."""

    event: str
    worker: str
    task: int | None = None
    kind: str = ""
    blog: str = ""
    reason: str = ""
    posts: int = 0
    seconds: float = 0.0


class FleetWorker:
    """A worker process."""

    def __init__(self, archive: str, options: WorkerOptions, on_event: Callable[[TaskEvent], None]) -> None:
        self.archive, self.options, self._on_event = archive, options, on_event
        self.name = options.name or f"{socket.gethostname()}-{os.getpid()}"
        self._app = queue.make_app(archive, pool_size=options.slots + 3)
        self._children = children.Children(options.limits)
        os.environ.setdefault(CACHE_VARIABLE, str(options.spool / "cache"))  # shared by all runs
        self._threads = ThreadPoolExecutor(options.slots, thread_name_prefix="blog")
        self._lost: set[int] = set()
        self._running: set[int] = set()
        self._renewed = 0.0
        self._ending = False
        self._worker: Worker | None = None
        self._add_tasks()
        # Procrastinate logs all arguments of tasks, and expected errors with tracebacks; `on_event` reports instead.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)

    def run(self) -> None:
        """Work until the fleet is drained, a signal arrives, or (with `until_empty`) no task is left."""
        with queue.connected(self.archive):
            pass  # report a wrong URL at once
        try:
            asyncio.run(self._run())
        finally:
            self._threads.shutdown()
            self._children.close()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                loop.add_signal_handler(number, self._end)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._end))
        watching = asyncio.create_task(self._watch_children())
        try:
            async with self._app.open_async():
                while not self._ending:
                    with suppress(ConnectorException):
                        await self._work_while_running()
                    await asyncio.sleep(min(1.0, self.options.heartbeat_s))
        finally:
            watching.cancel()

    def _end(self) -> None:
        """Stop cleanly at the first signal, at once at the second; interrupted tasks return to the queue."""
        if self._ending:
            self._children.kill()
            return
        self._on_event(TaskEvent(event="ending", worker=self.name))
        self._ending = True
        self._children.stop()
        if self._worker is not None:
            self._worker.stop()

    async def _work_while_running(self) -> None:
        """Process tasks until the state of the fleet changes or the database is lost."""
        state = await self._state()
        if state == "draining" or (self.options.until_empty and await self._is_empty()):
            self._ending = True
            return
        if state == "paused":
            return
        try:
            rescued = await asyncio.to_thread(children.rescue_files, self.archive, self.options.spool)
        except PosterityError as problem:
            self._on_event(TaskEvent(event="files wait", worker=self.name, reason=str(problem)))
        else:
            if rescued:
                self._on_event(TaskEvent(event="files rescued", worker=self.name, reason=f"of {rescued} runs"))
        options = self.options
        self._worker = _TaskGuardWorker(
            self._lost,
            app=self._app,
            queues=[queue.BLOGS, queue.UPKEEP],
            name=self.name,
            concurrency=options.slots,
            fetch_job_polling_interval=min(2.0, options.heartbeat_s),
            install_signal_handlers=False,
            listen_notify=False,
            delete_jobs="successful",
            # `_keep_alive` sends the heartbeat, because it has to know whether it arrived.
            update_heartbeat_interval=10.0**9,
            stalled_worker_timeout=options.stalled_s,
        )
        self._lost.clear()
        self._renewed = time.monotonic()
        alive = asyncio.create_task(self._keep_alive(self._worker))
        if self._ending:
            self._worker.stop()
        try:
            await self._worker.run()
        finally:
            alive.cancel()
            self._worker = None

    async def _keep_alive(self, worker: Worker) -> None:
        """Renew the heartbeat, take over tasks of dead workers, and obey the state of the fleet."""
        named = False
        while True:
            begun = time.monotonic()
            try:
                if worker.worker_id is not None:
                    if not named:
                        await self._write_name(worker.worker_id)
                        named = True
                    if not await self._renew(worker.worker_id):
                        self._abandon_tasks(worker, "another worker has taken over its tasks")
                        return
                    self._renewed = begun
                    await self._take_over()
                    if await self._state() != "running" or (self.options.until_empty and await self._is_empty()):
                        worker.stop()
            except ConnectorException as problem:
                self._on_event(TaskEvent(event="no database", worker=self.name, reason=str(problem)))
            await asyncio.sleep(self.options.heartbeat_s if named else _WATCH_S)

    async def _watch_children(self) -> None:
        """Enforce the limits, and kill all children when other workers may soon consider this one dead."""
        while True:
            await asyncio.sleep(_WATCH_S)
            await asyncio.to_thread(self._children.enforce_limits)
            silent_s = time.monotonic() - self._renewed
            if self._worker is not None and self._running and silent_s > self.options.stalled_s / 2:
                self._abandon_tasks(self._worker, f"the database did not respond for {silent_s:.0f} s")

    def _abandon_tasks(self, worker: Worker, reason: str) -> None:
        """Kill the children and drop their tasks, which another worker takes over."""
        if self._running - self._lost:
            self._on_event(TaskEvent(event="cut off", worker=self.name, reason=reason))
        self._lost |= self._running
        self._children.kill()
        worker.stop()

    async def _renew(self, worker_id: int) -> bool:
        statement = "UPDATE procrastinate_workers SET last_heartbeat = now() WHERE id = %(id)s RETURNING id"
        return bool(await self._query(statement, id=worker_id))

    async def _take_over(self) -> None:
        """Return the tasks of dead workers to the queue."""
        manager = self._app.job_manager
        await manager.prune_stalled_workers(self.options.stalled_s)
        for job in await manager.get_stalled_jobs(seconds_since_heartbeat=self.options.stalled_s):
            if await self._put_back(job.id):
                await self._query("UPDATE runs SET outcome = 'lost', ended_at = now(), reason = 'its worker has died' "
                                  "WHERE task = %(task)s AND outcome = 'running'", task=job.id)  # fmt: skip
                self._on_event(self._event("taken over", job))

    async def _put_back(self, job_id: int | None) -> bool:
        """Return a task to the queue unless it has an owner: two workers may find it at the same time.

        A task that was queued again in the meantime, like the periodic one every minute, is aborted instead.
        """
        try:
            rows = await self._query(_PUT_BACK, id=job_id)
        except UniqueViolation:  # it was queued just now; the next round aborts this one
            return False
        return any(row["status"] == "todo" for row in rows)

    async def _state(self) -> str:
        rows = await self._query("SELECT value FROM control WHERE name = 'state'")
        return str(rows[0]["value"]) if rows else "running"

    async def _is_empty(self) -> bool:
        rows = await self._query(
            "SELECT 1 FROM procrastinate_jobs WHERE queue_name = %(queue)s AND status IN ('todo', 'doing') LIMIT 1",
            queue=queue.BLOGS,
        )
        return not rows

    async def _write_name(self, worker_id: int) -> None:
        await self._query(
            "INSERT INTO worker_names (id, name, host, pid, slots) "
            "VALUES (%(id)s, %(name)s, %(host)s, %(pid)s, %(slots)s) ON CONFLICT DO NOTHING RETURNING id",
            id=worker_id, name=self.name, host=socket.gethostname(), pid=os.getpid(), slots=self.options.slots,
        )  # fmt: skip

    async def _query(self, statement: Any, **values: Any) -> list[dict[str, Any]]:
        if "RETURNING" not in statement and not statement.startswith("SELECT"):
            await self._app.connector.execute_query_async(statement, **values)
            return []
        return await self._app.connector.execute_query_all_async(statement, **values)

    def _add_tasks(self) -> None:
        """Register the tasks: harvest, update, and the periodic task that queues updates."""
        strategy = _Retries(self.options)

        async def harvest(context: JobContext, url: str, settings: dict[str, Any]) -> None:
            await self._work_on(context, "harvest", url, settings=msgspec.convert(settings, Settings))

        async def update(context: JobContext, blog: str, url: str) -> None:
            settings = await asyncio.to_thread(self._settings_of, blog)
            await self._work_on(context, "update", url, blog=blog, settings=settings)

        async def queue_due_updates(timestamp: int) -> None:  # noqa: ARG001 - Procrastinate passes it
            await asyncio.to_thread(self._queue_due_updates)

        self._app.task(name="harvest", queue=queue.BLOGS, pass_context=True, retry=strategy)(harvest)
        self._app.task(name="update", queue=queue.BLOGS, pass_context=True, retry=strategy)(update)
        due = self._app.task(
            name="queue_due_updates", queue=queue.UPKEEP, queueing_lock="due", lock="due",
            priority=queue.UPDATE_PRIORITY,
        )  # fmt: skip
        self._app.periodic(cron="* * * * *")(due(queue_due_updates))

    def _settings_of(self, blog: str) -> Settings:
        """Return the settings of the blog's harvest, with this machine's contact."""
        from posterity.archive import open_archive
        from posterity.crawl.run import UpdateOptions, settings_for

        contact = os.environ.get(CONTACT_VARIABLE, "")
        with open_archive(self.archive) as archive:
            return settings_for(archive, blog, UpdateOptions(crawl={"contact": contact} if contact else {}))

    def _queue_due_updates(self) -> None:
        from posterity.crawl.run import chosen_blogs

        # A blog without a due time has usually just been harvested, or is being harvested.
        fresh = datetime.now(UTC) - timedelta(days=1)
        due = [
            (blog.id, blog.url)
            for blog in chosen_blogs(self.archive)
            if blog.due_at is not None or (blog.harvested_at is not None and blog.harvested_at < fresh)
        ]
        app = queue.make_app(self.archive, pool_size=1)
        with app.open():
            queued = queue.add_updates(self.archive, app, due)
        if queued:
            self._on_event(TaskEvent(event="queued updates", worker=self.name, posts=queued))

    async def _work_on(
        self, context: JobContext, kind: str, url: str, *, blog: str = "", settings: Settings = Settings()
    ) -> None:
        job = context.job
        assert job.id is not None
        self._running.add(job.id)
        try:
            if await self._query("SELECT 1 FROM runs WHERE task = %(task)s AND outcome = 'done'", task=job.id):
                return  # its worker died after the run was recorded, but before the task was
            if (run := await self._begin_run(job.id, kind, url)) is None:
                self._lost.add(job.id)
                return
            about = {"kind": kind, "url": url, "archive": self.archive, "blog": blog}
            task = children.BlogTask(number=job.id, settings=settings, **about)
            self._on_event(self._event("started", job))
            begun = time.monotonic()
            try:
                report = await self._in_thread(task)
            except PosterityError as problem:
                again = _Retries(self.options).get_retry_decision(exception=problem, job=job) is not None
                await self._end_run(job.id, run, "retried" if again else "failed", str(problem))
                if job.id not in self._lost:
                    self._on_event(self._event("will be retried" if again else "failed", job, reason=str(problem)))
                raise
            await self._end_run(job.id, run, "done", "", report)
            self._on_event(self._event("done", job, posts=_posts(report), seconds=round(time.monotonic() - begun, 2)))
        finally:
            self._running.discard(job.id)

    async def _in_thread(self, task: children.BlogTask) -> children.Report:
        def on_event(event: Event) -> None:
            if isinstance(event, PageError):
                self._on_event(TaskEvent(event="pageerror", worker=self.name, task=task.number, blog=task.url,
                                     reason=f"{event.url}: {event.error}"))  # fmt: skip

        run = partial(children.run_with_files, self._children, task, self.options.spool, on_event)
        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    async def _begin_run(self, task: int, kind: str, url: str) -> int | None:
        """Record the start of a run; return None if this worker has lost the task, as after a slow query."""
        rows = await self._query(
            "INSERT INTO runs (task, kind, url, worker) SELECT %(task)s, %(kind)s, %(url)s, %(worker)s WHERE EXISTS "
            "(SELECT 1 FROM procrastinate_jobs WHERE id = %(task)s AND status = 'doing' AND worker_id = %(id)s) "
            "RETURNING id",
            task=task, kind=kind, url=url, worker=self.name, id=self._worker.worker_id if self._worker else None,
        )  # fmt: skip
        return int(rows[0]["id"]) if rows else None

    async def _end_run(
        self, task: int, run: int, outcome: str, reason: str, report: children.Report | None = None
    ) -> None:
        """Record the end of a run, waiting for the database if needed; does nothing for a lost task."""
        while task not in self._lost:
            try:
                await self._query(
                    "UPDATE runs SET outcome = %(outcome)s, reason = %(reason)s, ended_at = now(), posts = %(posts)s, "
                    "requests = %(requests)s, bytes = %(bytes)s WHERE id = %(run)s AND outcome = 'running'",
                    outcome=outcome, reason=reason, run=run, posts=_posts(report),
                    requests=report.requests if report else 0, bytes=report.bytes if report else 0,
                )  # fmt: skip
            except ConnectorException:
                await asyncio.sleep(_WATCH_S)
            else:
                return

    def _event(self, event: str, job: Job, **facts: Any) -> TaskEvent:
        blog = str(job.task_kwargs.get("url", ""))
        return TaskEvent(event=event, worker=self.name, task=job.id, kind=job.task_name, blog=blog, **facts)


class _TaskGuardWorker(Worker):
    """A Procrastinate worker that does not record lost tasks, which another worker may already be running."""

    def __init__(self, lost: set[int], **options: Any) -> None:
        super().__init__(**options)
        self._lost_tasks = lost

    async def _persist_job_status(self, job: Job, *arguments: Any, **facts: Any) -> None:
        while job.id not in self._lost_tasks:
            try:
                await super()._persist_job_status(job, *arguments, **facts)
            except ConnectorException as problem:
                # If the database refuses to end a task, it has already ended: the response to an earlier try was lost.
                if not isinstance(problem.__cause__, psycopg.OperationalError):
                    return
                await asyncio.sleep(_WATCH_S)
            else:
                return


class _Retries(BaseRetryStrategy):
    """Exponential backoff; no retry if another attempt would fail the same way."""

    def __init__(self, options: WorkerOptions) -> None:
        self._options = options

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when to retry, or None if the task has failed permanently."""
        if not isinstance(exception, PosterityError) or children.is_final(exception):
            return None
        if children.is_interruption(exception):
            return RetryDecision(retry_in={"seconds": 0}) if job.attempts < _MAX_RUNS else None
        if job.attempts + 1 >= self._options.attempts:
            return None
        wait_s = min(_MAX_RETRY_WAIT_S, self._options.retry_wait_s * 2**job.attempts)
        return RetryDecision(retry_in={"seconds": int(wait_s)})


def _posts(report: children.Report | None) -> int:
    if isinstance(report, HarvestReport):
        return report.posts
    return report.new if report is not None else 0
