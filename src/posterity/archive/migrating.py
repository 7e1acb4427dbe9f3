"""Brings an archive of an older version up to this one, after a backup."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import text

from posterity.archive.engine import POSTGRES_SCHEMA
from posterity.archive.failures import translated
from posterity.archive.migrations import migrate_tables, stored_version
from posterity.archive.opening import archive_parts, check_not_too_new
from posterity.archive.schema import VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive.engine import Database
    from posterity.archive.folder import Folder


class Migrated(msgspec.Struct, frozen=True, kw_only=True):
    """What was done: `backup` is a file, a schema of the database, or None when there was nothing to do."""

    from_version: int
    to_version: int
    steps: tuple[str, ...]
    backup: str | None


def migrate_archive(location: str | Path) -> Migrated:
    """Bring the archive up to this version; one that has it already stays as it is."""
    database, folder = archive_parts(location)
    try:
        with folder.locked() if database.is_sqlite else nullcontext():
            check_not_too_new(database)
            return _migrate(database, folder)
    finally:
        database.close()


def _migrate(database: Database, folder: Folder) -> Migrated:
    with database.reading() as connection:
        version = stored_version(connection) or 0
    if version == VERSION:
        return Migrated(from_version=version, to_version=VERSION, steps=(), backup=None)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    backup = (
        _back_up_file(database, folder, version, stamp)
        if database.is_sqlite
        else _back_up_schema(database, version, stamp)
    )
    with database.writing() as connection:
        steps = migrate_tables(connection)
    return Migrated(from_version=version, to_version=VERSION, steps=tuple(step.about for step in steps), backup=backup)


def _back_up_file(database: Database, folder: Folder, version: int, stamp: str) -> str:
    path = folder.root / "backups" / f"posterity-v{version}-{stamp}.db"
    with translated(str(path)):
        path.parent.mkdir(exist_ok=True)
        bare = database.engine.raw_connection()  # VACUUM does not run inside a transaction
        try:
            bare.cursor().execute("VACUUM INTO ?", (str(path),))
        finally:
            bare.close()
    return str(path)


def _back_up_schema(database: Database, version: int, stamp: str) -> str:
    schema = f"{POSTGRES_SCHEMA}_backup_v{version}_{stamp.lower()}"
    with database.writing() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
        query = text("SELECT tablename FROM pg_tables WHERE schemaname = :schema ORDER BY tablename")
        for (table,) in connection.execute(query, {"schema": POSTGRES_SCHEMA}).all():
            connection.execute(text(f'CREATE TABLE {schema}."{table}" AS TABLE {POSTGRES_SCHEMA}."{table}"'))
    return schema
