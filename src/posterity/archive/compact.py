"""Gives space back that deleted and changed rows left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from posterity.archive.engine import POSTGRES_SCHEMA
from posterity.archive.failures import translated
from posterity.archive.schema import metadata
from posterity.archive.search_index import settle_index
from posterity.archive.stats import database_bytes

if TYPE_CHECKING:
    from posterity.archive.archive import Archive


def compact_archive(archive: Archive) -> tuple[int, int]:
    """Merge the search index and rewrite the database without gaps; return its bytes before and after."""
    before = _bytes(archive)
    with archive.database.writing() as connection:
        settle_index(connection)
    statements = _STATEMENTS if archive.database.is_sqlite else _POSTGRES_STATEMENTS
    with translated(archive.location):
        # Neither database vacuums inside a transaction, and the engine would begin one.
        bare = archive.database.engine.raw_connection()
        try:
            if not archive.database.is_sqlite:
                bare.driver_connection.autocommit = True  # type: ignore[union-attr]
            for statement in statements:
                cursor = bare.cursor()
                cursor.execute(statement)
                cursor.close()
        finally:
            bare.invalidate()
    return before, _bytes(archive)


_STATEMENTS = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE")
_POSTGRES_STATEMENTS = tuple(f"VACUUM (FULL, ANALYZE) {POSTGRES_SCHEMA}.{table}" for table in metadata.tables)


def _bytes(archive: Archive) -> int:
    with archive.database.reading() as connection:
        if not archive.database.is_sqlite:
            connection.execute(text("SELECT 1"))
        return database_bytes(archive, connection)
