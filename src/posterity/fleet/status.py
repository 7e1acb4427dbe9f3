"""The status of a fleet: tasks by state, workers, running and failed blogs; for the command, the web page and metrics.

It needs only psycopg, so that a server can show a fleet without the dependencies of the extra `fleet`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
import psycopg
from psycopg.rows import class_row, dict_row

from posterity.errors import NotAnArchive
from posterity.fleet.queue import BLOGS, connected

_SHOWN = 200


class WorkerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One worker; `silent_s` is the age of its heartbeat."""

    name: str
    host: str
    slots: int
    running: int
    done: int
    started_at: datetime
    silent_s: float


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """A blog that is being harvested or updated."""

    task: int
    kind: str
    url: str
    worker: str
    started_at: datetime
    seconds: float


class FailedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A task that failed permanently, with the reason."""

    task: int
    kind: str
    url: str
    attempts: int
    failed_at: datetime | None
    reason: str


class FleetStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot of a fleet. `waiting` tasks can start, `delayed` tasks wait for their next attempt."""

    state: str
    waiting: int
    delayed: int
    running: int
    failed: int
    done: int
    done_last_hour: int
    retried: int
    lost: int
    posts: int
    requests: int
    bytes: int
    workers: tuple[WorkerLine, ...]
    runs: tuple[RunLine, ...]
    failures: tuple[FailedLine, ...]


_COUNTS = """
SELECT count(*) FILTER (WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())) AS waiting,
       count(*) FILTER (WHERE status = 'todo' AND scheduled_at > now()) AS delayed,
       count(*) FILTER (WHERE status = 'doing') AS running, count(*) FILTER (WHERE status = 'failed') AS failed
  FROM procrastinate_jobs WHERE queue_name = %s"""
_TOTALS = """
SELECT count(*) FILTER (WHERE outcome = 'done') AS done,
       count(*) FILTER (WHERE outcome = 'done' AND ended_at > now() - interval '1 hour') AS done_last_hour,
       count(*) FILTER (WHERE outcome = 'retried') AS retried, count(*) FILTER (WHERE outcome = 'lost') AS lost,
       coalesce(sum(posts), 0)::bigint AS posts, coalesce(sum(requests), 0)::bigint AS requests,
       coalesce(sum(bytes), 0)::bigint AS bytes FROM runs"""
_WORKERS = """
SELECT names.name, names.host, names.slots, names.started_at,
       extract(epoch FROM now() - alive.last_heartbeat)::float8 AS silent_s,
       (SELECT count(*) FROM procrastinate_jobs WHERE worker_id = names.id AND status = 'doing') AS running,
       (SELECT count(*) FROM runs WHERE worker = names.name AND outcome = 'done') AS done
  FROM worker_names names JOIN procrastinate_workers alive USING (id) ORDER BY names.name, names.id"""
_RUNS = """
SELECT task, kind, url, worker, started_at, extract(epoch FROM now() - started_at)::float8 AS seconds
  FROM runs WHERE outcome = 'running' ORDER BY started_at, id LIMIT %s"""
_FAILURES = """
SELECT jobs.id AS task, jobs.task_name AS kind, jobs.args->>'url' AS url, jobs.attempts,
       last.ended_at AS failed_at, coalesce(last.reason, 'its worker died too often') AS reason
  FROM procrastinate_jobs jobs LEFT JOIN LATERAL
       (SELECT ended_at, reason FROM runs WHERE runs.task = jobs.id ORDER BY id DESC LIMIT 1) last ON true
 WHERE jobs.status = 'failed' AND jobs.queue_name = %s ORDER BY last.ended_at DESC NULLS LAST, jobs.id LIMIT %s"""


def fleet_status(archive: str) -> FleetStatus:
    """Return the status of the archive's fleet; raise `NotAnArchive` if there is none."""
    with connected(archive) as connection:
        state = connection.execute("SELECT value FROM control WHERE name = 'state'").fetchone()
        return FleetStatus(
            state=state[0] if state else "running",
            **_row(connection, _COUNTS, BLOGS),
            **_row(connection, _TOTALS),
            workers=_lines(connection, WorkerLine, _WORKERS),
            runs=_lines(connection, RunLine, _RUNS, _SHOWN),
            failures=_lines(connection, FailedLine, _FAILURES, BLOGS, _SHOWN),
        )


def known_status(archive: str) -> FleetStatus | None:
    """Return the status, or None for an archive without a fleet."""
    try:
        return fleet_status(archive)
    except NotAnArchive:
        return None


def _row(connection: psycopg.Connection[Any], query: Any, *values: Any) -> dict[str, int]:
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(query, values).fetchone()
        assert row is not None
        return row


def _lines(connection: psycopg.Connection[Any], kind: Any, query: Any, *values: Any) -> Any:
    with connection.cursor(row_factory=class_row(kind)) as cursor:
        return tuple(cursor.execute(query, values).fetchall())
