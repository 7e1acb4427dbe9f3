"""Connections: SQLite in WAL mode with one writer at a time, or PostgreSQL in its own schema."""

from __future__ import annotations

import errno
import functools
import hashlib
import inspect
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import String, Table, Text, TypeDecorator, create_engine, event, func, select
from sqlalchemy.engine import URL, Connection, Dialect, Engine, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from posterity.errors import ArchiveError, ArchiveNotWritable, DatabaseLost

_FULL = "The disk is full: {place}. Free some space and run the same command again; what was stored before is kept."
_READONLY = "The archive {place} cannot be written: {problem}. Check its permissions, or choose another with --archive."
_BUSY = (
    "Another process has kept the archive {place} locked for too long. Wait until it ends, then run the command again."
)
_DAMAGED = "The database of the archive {place} is damaged: {problem}. Run `posterity archive verify`."
_NO_SERVER = (
    "The database {place} does not respond: {problem}. Check that the server is running and that the URL is correct."
)
_OTHER = "The archive {place} cannot be used: {problem}."

# Phrases in the errors of SQLite and PostgreSQL, each with our error and message. The first match counts.
_DATABASE_WORDS: tuple[tuple[str, type[ArchiveError], str], ...] = (
    ("disk is full", ArchiveNotWritable, _FULL),
    ("no space left", ArchiveNotWritable, _FULL),
    ("disk i/o error", ArchiveNotWritable, _READONLY),
    ("readonly database", ArchiveNotWritable, _READONLY),
    ("read-only transaction", ArchiveNotWritable, _READONLY),
    ("permission denied", ArchiveNotWritable, _READONLY),
    ("unable to open database file", ArchiveNotWritable, _READONLY),
    ("database is locked", ArchiveNotWritable, _BUSY),
    ("not a database", ArchiveError, _DAMAGED),
    ("malformed", ArchiveError, _DAMAGED),
    ("connection", ArchiveError, _NO_SERVER),
    ("authentication failed", ArchiveError, _NO_SERVER),
)
# SQLite reports "disk I/O error" if there is no space for the index of the write-ahead log.
_NO_ROOM_FOR_INDEX = "SQLITE_IOERR_SHMSIZE"
# From a server that is being stopped or started; errors caused by a wrong URL are worded differently.
_LOST_WORDS = (
    "connection refused", "server closed the connection", "the connection is lost", "connection is closed",
    "system is starting up", "system is shutting down", "in recovery mode", "terminating connection",
    "not yet accepting connections",
)  # fmt: skip


_WORD = re.compile(r"\S+")


def without_password(text: str) -> str:
    """Return the text with *** for the password of a database URL, because messages are logged and shared."""
    return _WORD.sub(lambda word: _without_password(word[0]), text)


def _without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    login, _, host = rest.rpartition("@")
    user, has_password, _ = login.partition(":")
    return f"{scheme}://{user}:***@{host}" if has_password and "/" not in user else url


@contextmanager
def translated(place: str, engine: Engine | None = None) -> Iterator[None]:
    """Translate errors of the database or the disk in the block into our own errors about this place.

    With `engine`, errors of the database driver are translated too, for code that bypasses SQLAlchemy.
    """
    bare = engine.dialect.loaded_dbapi.Error if engine else DBAPIError
    try:
        yield
    except DBAPIError as problem:
        raise _database_error(problem.orig or problem, place, lost=problem.connection_invalidated) from problem
    except bare as problem:
        raise _database_error(problem, place) from problem
    except SQLAlchemyError as problem:
        raise ArchiveError(_OTHER.format(place=place, problem=_first_line(problem))) from problem
    except OSError as problem:
        raise disk_error(problem, place) from problem


def replace_file(path: Path, content: bytes) -> None:
    """Replace the file atomically: a reader sees the old or the new content."""
    new = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    with translated(str(path)):
        new.write_bytes(content)
        new.replace(path)


def disk_error(problem: OSError, place: str) -> ArchiveError:
    """Return our error for an error of the disk."""
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return ArchiveNotWritable(_FULL.format(place=place))
    if problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ArchiveNotWritable(_READONLY.format(place=place, problem=problem.strerror))
    return ArchiveError(_OTHER.format(place=place, problem=problem))


def _database_error(problem: BaseException, place: str, *, lost: bool = False) -> ArchiveError:
    word = _first_line(problem)
    if getattr(problem, "sqlite_errorname", "") == _NO_ROOM_FOR_INDEX:
        return ArchiveNotWritable(_FULL.format(place=place))
    if lost or any(part in word.lower() for part in _LOST_WORDS):
        return DatabaseLost(_NO_SERVER.format(place=place, problem=word))
    for part, kind, sentence in _DATABASE_WORDS:
        if part in word.lower():
            return kind(sentence.format(place=place, problem=word))
    return ArchiveError(_OTHER.format(place=place, problem=word))


def _first_line(problem: BaseException) -> str:
    return without_password((str(problem).splitlines() or [type(problem).__name__])[0].rstrip("."))


# Writers wait for each other for milliseconds; a minute means that one of them hangs.
BUSY_TIMEOUT_MS = 60_000
POSTGRES_SCHEMA = "posterity"
_WRITING = "posterity_writing"
_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class Database:
    """A database engine, and its location for error messages."""

    def __init__(self, engine: Engine, location: str) -> None:
        self.engine = engine
        self.location = location
        # How long to wait for a server that has gone away: crawls wait, the web interface does not.
        self.reconnect_s = 0.0
        self._thread = threading.local()

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is SQLite."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let everything that this thread reads in the block see one state of the archive, over one connection."""
        with self.reading() as connection:
            self._thread.reader = connection
            try:
                yield
            finally:
                self._thread.reader = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one state of the archive from beginning to end."""
        if (open_one := getattr(self._thread, "reader", None)) is not None:
            yield open_one
            return
        with translated(self.location), self.engine.connect() as connection:
            # SQLite reads a snapshot anyway; PostgreSQL by default sees what others commit in the meantime.
            level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
            reader = connection.execution_options(**level)
            with reader.begin():
                yield reader

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that is committed when the block ends, and rolled back if it raises."""
        with translated(self.location), self.engine.connect() as connection:
            writer = connection.execution_options(**{_WRITING: True})
            with writer.begin():
                yield writer

    def read(
        self, query: Callable[Concatenate[Connection, _Given], _Found], *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Found:
        """Return the result of the query, run in a separate transaction."""
        with self.reading() as connection:
            return query(connection, *args, **kwargs)

    def write(
        self, change: Callable[Concatenate[Connection, _Given], _Found], *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Found:
        """Make the change in a separate transaction and return its result."""
        with self.writing() as connection:
            return change(connection, *args, **kwargs)

    def close(self) -> None:
        """Close every connection."""
        with translated(self.location):
            self.engine.dispose()


_Archive = TypeVar("_Archive")


def reconnecting(archive_class: type[_Archive]) -> type[_Archive]:
    """Make every public method of an archive run again if the database server goes away.

    Each method is one transaction, which the server has rolled back, and storing the same data again changes nothing.
    """
    for name, method in list(vars(archive_class).items()):
        if inspect.isfunction(method) and not name.startswith("_") and not inspect.isgeneratorfunction(method):
            setattr(archive_class, name, _run_again(method))
    return archive_class


def _run_again(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(archive: Any, *arguments: Any, **options: Any) -> Any:
        end = time.monotonic() + archive.database.reconnect_s
        while True:
            try:
                return method(archive, *arguments, **options)
            except DatabaseLost:
                if time.monotonic() >= end:
                    raise
                time.sleep(0.5)

    return run


def sqlite_database(path: Path, location: str, *, read_only: bool = False) -> Database:
    """Return the database in this file; if read-only, no files are created beside it."""
    database_url = path.absolute().as_uri()
    if read_only:
        # Without a write-ahead log there is no writer, and only then may SQLite skip its lock files.
        log = path.with_name(path.name + "-wal")
        database_url += "?mode=ro" if log.exists() and log.stat().st_size else "?mode=ro&immutable=1"
    engine = create_engine(URL.create("sqlite", database=database_url, query={"uri": "true"}))
    event.listen(engine, "connect", _set_up_sqlite if not read_only else _set_up_read_only)
    event.listen(engine, "begin", _begin_sqlite)
    return Database(engine, location)


def postgres_database(url: str) -> Database:
    """Return the archive's schema in this PostgreSQL database."""
    database_url = make_url(url).set(drivername="postgresql+psycopg")
    location = make_url(url).render_as_string(hide_password=True)
    arguments = {"options": f"-csearch_path={POSTGRES_SCHEMA}"}
    return Database(create_engine(database_url, connect_args=arguments, pool_pre_ping=True), location)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    _set_up_read_only(connection, _record)
    # An archive is opened under a lock on its marker, so only one process at a time changes the mode.
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # committed data survives a power failure


def _set_up_read_only(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin explicitly, see _begin_sqlite
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once if another has written in between;
    # one that is opened for writing waits its turn.
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


# PostgreSQL sorts by the rules of a language by default; ids and dates must sort as in SQLite.
Key = String().with_variant(String(collation="C"), "postgresql")

# The prefix of values stored as JSON. No text on the web starts with an escape character and a J.
_ESCAPED = "\x1bJ"
ABSENT_DATE = "z"  # sorts after every date


class AnyText(TypeDecorator[str]):
    """Text of any characters: PostgreSQL does not allow NUL, so a value that contains one is stored as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the value as stored in the database."""
        if value is None or ("\x00" not in value and not value.startswith(_ESCAPED)):
            return value
        return _ESCAPED + json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the original value."""
        if value is None or not value.startswith(_ESCAPED):
            return value
        text: str = json.loads(value[len(_ESCAPED) :])
        return text


def date_key(moment: datetime | None) -> str:
    """Return a time in UTC as text that sorts chronologically; None sorts last."""
    if moment is None:
        return ABSENT_DATE
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
    except OverflowError:  # the first and the last day that datetime can represent
        return aware.strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def document_digest(document: str) -> str:
    """Return the digest that is stored with a document to detect alterations."""
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def document_columns(value: object) -> dict[str, str]:
    """Return the columns of a stored value: its JSON and the digest of the JSON."""
    document = msgspec.json.encode(value).decode()
    return {"document": document, "digest": document_digest(document)}


def write_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows, replacing those with the same key."""
    if not rows:
        return
    statement = _insert(connection, table)
    keys = [column.name for column in table.primary_key]
    fresh = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=fresh), rows)


def add_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose keys do not exist yet."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def lock_blog(connection: Connection, blog_id: str) -> None:
    """Serialise transactions that decide about a blog; SQLite has only one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(blog_id))))


def _insert(connection: Connection, table: Table) -> Any:
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # a quarter of the time of importing SQLAlchemy

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)
