"""What a disk or a database can refuse, as errors that say what to do next."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from posterity.errors import ArchiveError, ArchiveNotWritable

if TYPE_CHECKING:
    from collections.abc import Iterator

_FULL = "The disk is full: {place}. Free some space and run the same command again; what was stored before is kept."
_READ_ONLY = (
    "The archive {place} cannot be written: {problem}. Check its permissions, or choose another with --archive."
)
_BUSY = "Another process has kept the archive {place} locked for too long. Wait until it ends, then run this again."
_DAMAGED = "The database of the archive {place} is damaged: {problem}. Run `posterity archive verify`."
_NO_SERVER = (
    "The database {place} does not answer: {problem}. Check that the server runs and that the address is right."
)
_OTHER = "The archive {place} cannot be used: {problem}."

# Words that SQLite and PostgreSQL use, each with the sentence that helps. The first that fits counts.
_DATABASE_WORDS: tuple[tuple[str, type[ArchiveError], str], ...] = (
    ("disk is full", ArchiveNotWritable, _FULL),
    ("no space left", ArchiveNotWritable, _FULL),
    ("disk i/o error", ArchiveNotWritable, _READ_ONLY),
    ("readonly database", ArchiveNotWritable, _READ_ONLY),
    ("read-only transaction", ArchiveNotWritable, _READ_ONLY),
    ("permission denied", ArchiveNotWritable, _READ_ONLY),
    ("unable to open database file", ArchiveNotWritable, _READ_ONLY),
    ("database is locked", ArchiveNotWritable, _BUSY),
    ("not a database", ArchiveError, _DAMAGED),
    ("malformed", ArchiveError, _DAMAGED),
    ("connection", ArchiveError, _NO_SERVER),
    ("authentication failed", ArchiveError, _NO_SERVER),
)
_FULL_ERRNOS = (errno.ENOSPC, errno.EDQUOT)
_READ_ONLY_ERRNOS = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what the database or the disk raises inside into our own errors about this place."""
    try:
        yield
    except DBAPIError as problem:
        raise _database_error(problem, place) from problem
    except SQLAlchemyError as problem:
        raise ArchiveError(_OTHER.format(place=place, problem=_first_line(problem))) from problem
    except OSError as problem:
        raise disk_error(problem, place) from problem


def disk_error(problem: OSError, place: str) -> ArchiveError:
    """Return the error to raise for what the disk refused."""
    if problem.errno in _FULL_ERRNOS:
        return ArchiveNotWritable(_FULL.format(place=place))
    if problem.errno in _READ_ONLY_ERRNOS:
        return ArchiveNotWritable(_READ_ONLY.format(place=place, problem=problem.strerror))
    return ArchiveError(_OTHER.format(place=place, problem=problem))


def _database_error(problem: DBAPIError, place: str) -> ArchiveError:
    word = _first_line(problem.orig or problem)
    for part, kind, sentence in _DATABASE_WORDS:
        if part in word.lower():
            return kind(sentence.format(place=place, problem=word))
    return ArchiveError(_OTHER.format(place=place, problem=word))


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
