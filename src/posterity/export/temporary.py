"""Temporary files for data of an export that may not fit into memory: maps, tables and posts."""

from __future__ import annotations

import sqlite3
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import IO, Self

import msgspec

from posterity.model import Post, to_json


class DiskTable:
    """A table in a temporary file, made by these statements."""

    def __init__(self, *statements: str) -> None:
        self._rows = sqlite3.connect("")  # SQLite makes a temporary file and deletes it on close
        for statement in statements:
            self._rows.execute(statement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()


class DiskMap(DiskTable):
    """A map from text to text in a temporary file. The first value of a name is kept."""

    def __init__(self) -> None:
        super().__init__("CREATE TABLE map (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")

    def add(self, name: str, value: str) -> bool:
        """Set a value unless there is one, and return whether it was set."""
        return self._rows.execute("INSERT OR IGNORE INTO map VALUES (?, ?)", (name, value)).rowcount == 1

    def __getitem__(self, name: str) -> str | None:
        row = self._rows.execute("SELECT value FROM map WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None


_CACHE_KB = 16_000  # a third of the near-duplicate index of 100,000 posts; the system caches the rest


@contextmanager
def temporary_database(*statements: str) -> Iterator[sqlite3.Connection]:
    """Yield a database in a temporary file, with the tables that the statements create."""
    with closing(sqlite3.connect("", isolation_level=None)) as rows:
        rows.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        # No other process reads it, and it need not survive a crash.
        rows.execute("PRAGMA journal_mode = OFF")
        for statement in statements:
            rows.execute(statement)
        yield rows


def newest_first(written: Iterable[tuple[Post, bytes]]) -> Iterator[bytes]:
    """Yield the output of posts, which arrive oldest first, in reverse; posts without a date come last."""
    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as undated:
        sizes = array("Q")
        for post, piece in written:
            if post.published is None:
                undated.write(piece)
            else:
                file.write(piece)
                sizes.append(len(piece))
        end = file.tell()
        for size in reversed(sizes):
            end -= size
            file.seek(end)
            yield file.read(size)
        undated.seek(0)
        yield from undated


class PostSpool:
    """Posts that can be iterated several times, but not concurrently."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decoder = msgspec.json.Decoder(Post)  # MessagePack would lose the time zones

    def __iter__(self) -> Iterator[Post]:
        self._file.seek(0)
        yield from map(self._decoder.decode, self._file)


@contextmanager
def spool_posts(posts: Iterable[Post]) -> Iterator[PostSpool]:
    """Store the posts in a temporary file, so that they can be iterated several times."""
    with tempfile.TemporaryFile() as file:
        file.writelines(to_json(post) + b"\n" for post in posts)
        yield PostSpool(file)
