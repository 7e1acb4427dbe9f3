"""Data that does not fit into memory during an export: maps, tables and posts in temporary files."""

from __future__ import annotations

import sqlite3
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import IO, Self

import msgspec

from posterity.model import Post, to_json


class DiskMap:
    """A map from text to text in a temporary file that goes away with it. What is set first stays."""

    def __init__(self) -> None:
        self._rows = sqlite3.connect("")  # an empty name is a file of SQLite's own, deleted when it is closed
        self._rows.execute("CREATE TABLE map (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()

    def add(self, name: str, value: str) -> bool:
        """Set a value unless there is one, and return whether it was set."""
        return self._rows.execute("INSERT OR IGNORE INTO map VALUES (?, ?)", (name, value)).rowcount == 1

    def __getitem__(self, name: str) -> str | None:
        row = self._rows.execute("SELECT value FROM map WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None


_CACHE_KB = 16_000  # of 100,000 posts' near-duplicates it holds a third, and the system's own cache the rest


@contextmanager
def disk_table(*statements: str) -> Iterator[sqlite3.Connection]:
    """Give a database with the tables that the statements make, in a temporary file that goes away with it."""
    # An empty name is a file of SQLite's own, deleted when it is closed.
    with closing(sqlite3.connect("", isolation_level=None)) as rows:
        rows.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        # Nobody else reads it, and what is lost with the process is not missed.
        rows.execute("PRAGMA journal_mode = OFF")
        for statement in statements:
            rows.execute(statement)
        yield rows


def newest_first(written: Iterable[tuple[Post, bytes]]) -> Iterator[bytes]:
    """Yield what was written of posts, which come oldest first, in reverse; that of posts without a date comes last."""
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
    """Posts that can be read again and again, one reader at a time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decoder = msgspec.json.Decoder(Post)  # MessagePack would forget the zones of times

    def __iter__(self) -> Iterator[Post]:
        self._file.seek(0)
        yield from map(self._decoder.decode, self._file)


@contextmanager
def spool_posts(posts: Iterable[Post]) -> Iterator[PostSpool]:
    """Read the posts once and give them as often as needed."""
    with tempfile.TemporaryFile() as file:
        file.writelines(to_json(post) + b"\n" for post in posts)
        yield PostSpool(file)
