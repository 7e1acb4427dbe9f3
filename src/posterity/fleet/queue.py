"""The queue of a fleet: tasks of Procrastinate in the PostgreSQL database of the archive, one per blog and run.

PostgreSQL is the only state that the machines share. `queueing_lock` is the blog, so that it is queued only once;
`lock` is the host, so that no host is requested from two machines at a time. The table `runs` has the outcome of every
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, LiteralString
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import msgspec
import psycopg

from posterity.archive.database import without_password
from posterity.archive.opening import is_postgres, split_location
from posterity.config import Settings
from posterity.crawl.jobs import checked_url
from posterity.errors import ArchiveError, InputError, NotAnArchive, UsageError
from posterity.importer.records.found import NOT_XML, EntityGuard
from posterity.urls import blog_id, canonical_url

if TYPE_CHECKING:
    from procrastinate import App

SCHEMA = "posterity_fleet"
BLOGS = "blogs"  # the queue of harvests and updates
UPKEEP = "upkeep"  # the queue of the periodic task
UPDATE_PRIORITY = 10  # an update is a few requests, a harvest may take hours
State = Literal["running", "paused", "draining"]

_BATCH = 1_000
_UNREACHABLE_MS = 10_000
_INIT_LOCK = 1_347_375_957  # key of the advisory lock that serialises `fleet init`; arbitrary
_TABLES: LiteralString = """
CREATE TABLE IF NOT EXISTS control (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE IF NOT EXISTS worker_names (
    id bigint PRIMARY KEY, name text NOT NULL, host text NOT NULL, pid integer NOT NULL, slots integer NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task bigint NOT NULL, kind text NOT NULL, url text NOT NULL,
    worker text NOT NULL, started_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz,
    outcome text NOT NULL DEFAULT 'running', reason text NOT NULL DEFAULT '',
    posts integer NOT NULL DEFAULT 0, requests bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS runs_of_task ON runs (task);
CREATE INDEX IF NOT EXISTS runs_by_end ON runs (ended_at);
"""


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """The result of adding a list of blogs."""

    queued: int
    already_queued: int
    already_harvested: int


def database_url(archive: str) -> str:
    """Return the URL of the archive's database for psycopg; raise `UsageError` for an archive in a folder."""
    if not is_postgres(archive):
        raise UsageError(
            f"A fleet needs an archive on PostgreSQL, and {archive} is a folder. "
            "Give --archive postgresql://user@host/name, or set $POSTERITY_ARCHIVE."
        )
    return split_location(archive).database_url


def connection_options() -> dict[str, Any]:
    """Return the options of all connections: the fleet's schema, and timeouts for a lost network."""
    return {
        "options": f"-csearch_path={SCHEMA}",
        "connect_timeout": _UNREACHABLE_MS // 1000,
        "tcp_user_timeout": _UNREACHABLE_MS,
    }


@contextmanager
def connected(archive: str) -> Iterator[psycopg.Connection[Any]]:
    """Yield a connection to the fleet's tables; raise `ArchiveError` without a server or a fleet."""
    shown = without_password(archive)
    try:
        with psycopg.connect(database_url(archive), **connection_options()) as connection:
            yield connection
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName) as problem:
        raise NotAnArchive(f"{shown} has no fleet yet. Create it with `posterity fleet init {shown}`.") from problem
    except psycopg.Error as problem:
        message = without_password(str(problem).splitlines()[0] if str(problem) else type(problem).__name__)
        raise ArchiveError(
            f"The database {shown} cannot be used: {message}. Check the server and its URL."
        ) from problem


def make_app(archive: str, *, pool_size: int = 4) -> App:
    """Return a Procrastinate app on the archive's database."""
    from procrastinate import App, PsycopgConnector

    connector = PsycopgConnector(
        conninfo=database_url(archive), kwargs=connection_options(), min_size=1, max_size=pool_size
    )
    return App(connector=connector, worker_defaults={"delete_jobs": "successful", "listen_notify": False})


def init(archive: str) -> None:
    """Create the archive and the tables of the fleet if they do not exist."""
    from procrastinate.schema import SchemaManager

    from posterity.archive import open_archive

    database_url(archive)
    with open_archive(archive, create=True):
        pass
    with connected(archive) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_INIT_LOCK,))
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        made = connection.execute("SELECT to_regclass('procrastinate_jobs') IS NOT NULL").fetchone()
        if not (made and made[0]):
            connection.execute(SchemaManager.get_schema())
        connection.execute(_TABLES)
        connection.execute("INSERT INTO control VALUES ('state', 'running') ON CONFLICT DO NOTHING")


def blogs_in(path: str) -> list[str]:
    """Return the blog URLs in a text file with one URL per line, or in an OPML file."""
    try:
        content = Path(path).read_bytes()
    except OSError as problem:
        raise InputError(f"The list {path} cannot be read: {problem.strerror}.") from problem
    is_xml = content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")
    urls = _opml_urls(content, path) if is_xml else _lines(content, path)
    if not urls:
        raise InputError(f"The list {path} contains no blog. Write one URL per line, or use OPML.")
    return [checked_url(url) for url in dict.fromkeys(urls)]


def _lines(content: bytes, path: str) -> list[str]:
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as problem:
        raise InputError(f"The list {path} is not UTF-8 text. Write one URL per line.") from problem
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _opml_urls(content: bytes, path: str) -> list[str]:
    """Return the home page of every subscription, or its feed if it has no home page."""
    try:
        EntityGuard(f"The list {path}").check(content)
        outlines = list(ET.fromstring(content).iter("outline"))  # noqa: S314 - no entities, see above
    except NOT_XML as problem:
        raise InputError(f"The list {path} is not OPML: {problem}.") from problem
    urls = (outline.get("htmlUrl") or outline.get("xmlUrl") or "" for outline in outlines)
    return [url.strip() for url in urls if url.strip()]


def add(
    archive: str, urls: Iterable[str], *, settings: Settings = Settings(), priority: int = 0, again: bool = False
) -> Added:
    """Queue harvests of blogs that are not yet queued, running or harvested.

    With `again`, harvested blogs are also queued, which updates them.
    """
    # Only the differences from the defaults, to keep a queue of millions small.
    default, chosen = msgspec.to_builtins(Settings()), msgspec.to_builtins(settings)
    parts = {
        part: {name: value for name, value in values.items() if value != default[part][name]}
        for part, values in chosen.items()
    }
    options = {part: values for part, values in parts.items() if values}
    queued = known = harvested = 0
    app = make_app(archive)
    with app.open():
        rest = iter(urls)
        while batch := list(islice(rest, _BATCH)):
            wanted = {_blog_lock(url): url for url in batch}
            done = {} if again else _harvested_blogs(archive, wanted)
            waiting = _queued_locks(archive, wanted)
            new = [url for lock, url in wanted.items() if lock not in waiting and lock not in done]
            stored = _defer(app, [_task("harvest", url, priority, {"url": url, "settings": options}) for url in new])
            queued, harvested = queued + stored, harvested + len(done)
            known += len(batch) - len(done) - stored
    return Added(queued=queued, already_queued=known, already_harvested=harvested)


def add_updates(archive: str, app: App, blogs: Iterable[tuple[str, str]]) -> int:
    """Queue updates of blogs (id, URL) that are not yet queued or running; return the number queued."""
    queued = 0
    rest = iter(blogs)
    while batch := list(islice(rest, _BATCH)):
        waiting = _queued_locks(archive, [f"blog:{name}" for name, _ in batch])
        new = [(name, url) for name, url in batch if f"blog:{name}" not in waiting]
        tasks = [_task("update", url, UPDATE_PRIORITY, {"blog": name, "url": url}) for name, url in new]
        for task, (name, _) in zip(tasks, new, strict=True):
            task["queueing_lock"] = f"blog:{name}"
        queued += _defer(app, tasks)
    return queued


def _task(name: str, url: str, priority: int, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "task_name": name, "queue": BLOGS, "priority": priority, "lock": f"host:{urlsplit(url).netloc.lower()}",
        "queueing_lock": _blog_lock(url), "task_kwargs": arguments, "id": None,
    }  # fmt: skip


def _defer(app: App, tasks: Sequence[dict[str, Any]]) -> int:
    """Queue the tasks and return how many were queued; those that another process has just queued are left out."""
    from procrastinate.exceptions import AlreadyEnqueued
    from procrastinate.jobs import Job

    jobs = [Job(**task) for task in tasks]
    if not jobs:
        return 0
    try:
        return len(app.job_manager.batch_defer_jobs(jobs))
    except AlreadyEnqueued:
        if len(jobs) == 1:
            return 0
        half = len(tasks) // 2
        return _defer(app, tasks[:half]) + _defer(app, tasks[half:])


def _blog_lock(url: str) -> str:
    return f"blog:{blog_id(canonical_url(url))}"


def _queued_locks(archive: str, locks: Iterable[str]) -> set[str]:
    with connected(archive) as connection:
        query = (
            "SELECT queueing_lock FROM procrastinate_jobs WHERE queueing_lock = ANY(%s) AND status IN ('todo', 'doing')"
        )
        return {row[0] for row in connection.execute(query, (list(locks),))}


def _harvested_blogs(archive: str, locks: Iterable[str]) -> dict[str, str]:
    """Return the blogs that have a report in the archive, as a mapping of locks to ids."""
    names = [lock.partition(":")[2] for lock in locks]
    with connected(archive) as connection:
        rows = connection.execute("SELECT DISTINCT blog_id FROM posterity.reports WHERE blog_id = ANY(%s)", (names,))
        return {f"blog:{name}": name for (name,) in rows}


def set_state(archive: str, state: State) -> None:
    """Let workers take tasks (running), take no more (paused), or finish their tasks and exit (draining)."""
    with connected(archive) as connection:
        connection.execute("UPDATE control SET value = %s WHERE name = 'state'", (state,))


def retry(archive: str, urls: Sequence[str] = ()) -> int:
    """Queue failed tasks again, all or those of the given blogs, and return their number."""
    with connected(archive) as connection:
        rows = connection.execute(
            "UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL WHERE status = 'failed' "
            "AND (%(every)s OR args->>'url' = ANY(%(urls)s)) AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs other "
            "WHERE other.queueing_lock = procrastinate_jobs.queueing_lock AND other.status IN ('todo', 'doing')) "
            "RETURNING id",
            {"every": not urls, "urls": list(urls)},
        )
        return len(rows.fetchall())
