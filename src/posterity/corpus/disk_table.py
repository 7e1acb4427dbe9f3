"""A table on the disk for what must be remembered of every post: memory does not grow with their number."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
