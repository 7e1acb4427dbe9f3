"""Names and what they stand for, kept on the disk: memory does not grow with their number."""

from __future__ import annotations

import sqlite3
from typing import Self


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
        """Set a value unless there is one, and tell whether it was set."""
        return self._rows.execute("INSERT OR IGNORE INTO map VALUES (?, ?)", (name, value)).rowcount == 1

    def __getitem__(self, name: str) -> str | None:
        row = self._rows.execute("SELECT value FROM map WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None
