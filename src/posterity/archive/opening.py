"""Opens an archive, or creates one: a folder with SQLite in it, or a PostgreSQL database with a folder of files.

Archives of older versions are migrated. The statements of a migration are written out and never changed after release:
they describe former tables, `schema` describes the current ones. A test compares a migrated archive with a new one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, and_, insert, inspect, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from posterity.archive.archive import Archive
from posterity.archive.database import (
    POSTGRES_SCHEMA,
    Database,
    add_rows,
    document_digest,
    postgres_database,
    sqlite_database,
    translated,
    without_password,
)
from posterity.archive.folder import Folder, check_folder, make_folder
from posterity.archive.forget import finish_takedowns
from posterity.archive.history import fingerprint
from posterity.archive.posts import index_all_posts, media_rows, posts_in_batches, stored_posts
from posterity.archive.schema import HASHED_ON_POSTGRES, VERSION, facts, metadata, post_media, posts, rule_sets
from posterity.archive.search_index import create_index
from posterity.archive.shared_files import CACHE_VARIABLE, SPOOL_VARIABLE, SharedFiles
from posterity.errors import ArchiveError, ArchiveTooNew, NotAnArchive
from posterity.model import RuleSet, from_json, to_json


class Migration(NamedTuple):
    """A step to `version`: `apply` changes the tables, `fill` fills additions once all tables are up to date."""

    version: int
    about: str
    apply: Callable[[Connection], None] = lambda _: None
    fill: Callable[[Connection], None] = lambda _: None


def create_tables(connection: Connection) -> None:
    """Create the tables of a new archive, unless they exist."""
    if connection.dialect.name == "postgresql":
        # An arbitrary number, used by nothing else, so that only one process at a time creates tables.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": 1_347_375_956})
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {POSTGRES_SCHEMA}"))
    if stored_version(connection) is None:
        if connection.dialect.name == "postgresql":
            for table in metadata.tables.values():
                for index in table.indexes:
                    if index.name in HASHED_ON_POSTGRES:
                        index.dialect_options["postgresql"]["using"] = "hash"
        metadata.create_all(connection, checkfirst=False)
        create_index(connection)
        connection.execute(insert(facts), {"name": "version", "value": str(VERSION)})


def stored_version(connection: Connection) -> int | None:
    """Return the version of the tables, or None if there are none."""
    schema = POSTGRES_SCHEMA if connection.dialect.name == "postgresql" else None
    if not inspect(connection).has_table(facts.name, schema=schema):
        return None
    return int(connection.scalar(select(facts.c.value).where(facts.c.name == "version")) or 0)


def migrate_tables(connection: Connection) -> list[Migration]:
    """Apply every missing step and return them."""
    version = stored_version(connection) or 0
    steps = [step for step in MIGRATIONS if step.version > version]
    for step in steps:
        step.apply(connection)
        connection.execute(update(facts).where(facts.c.name == "version"), {"value": str(step.version)})
    for step in steps:
        step.fill(connection)
    return steps


def _to_2(connection: Connection) -> None:
    _execute(connection, 2)
    create_index(connection)


def _fill_2(connection: Connection) -> None:
    """Add the rows of the media of posts that version 1 stored."""
    for batch in posts_in_batches(connection):
        if rows := [row for post in batch for row in media_rows(post)]:
            connection.execute(insert(post_media), rows)


def _execute(connection: Connection, version: int) -> None:
    """Execute the statements of `migrations/<version>.sql`."""
    statements = files("posterity.archive").joinpath("migrations", f"{version}.sql").read_text("utf-8")
    is_postgres = connection.dialect.name == "postgresql"
    serial, hashed = ("BIGSERIAL NOT NULL", "USING hash") if is_postgres else ("INTEGER NOT NULL", "")
    for statement in statements.strip().removesuffix(";").split(";\n"):
        connection.execute(text(statement.format(key=_key_type(connection), serial=serial, hashed=hashed)))


def _key_type(connection: Connection) -> str:
    return 'VARCHAR COLLATE "C"' if connection.dialect.name == "postgresql" else "VARCHAR"


def _to_4(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(text("DROP TABLE search_index"))
        create_index(connection)


def _add_column(connection: Connection, table: str, name: str, kind: str) -> None:
    schema = POSTGRES_SCHEMA if connection.dialect.name == "postgresql" else None
    if all(column["name"] != name for column in inspect(connection).get_columns(table, schema)):
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN {name} {kind}"))


_TABLES_8 = ("blogs", "rule_sets", "reports", "revisions")


def _to_8(connection: Connection) -> None:
    for table in _TABLES_8:
        _add_column(connection, table, "digest", _key_type(connection))


def _fill_8(connection: Connection) -> None:
    """Compute the digests of all documents."""
    for name in _TABLES_8:
        table = metadata.tables[name]
        for row in connection.execute(select(*table.primary_key.columns, table.c.document)).mappings().all():
            same = and_(*(column == row[column.name] for column in table.primary_key.columns))
            connection.execute(update(table).where(same).values(digest=document_digest(row["document"])))


def _fill_6(connection: Connection) -> None:
    """Compute the digest of every post again: records of earlier versions had other fields."""
    for (post_id,) in connection.execute(select(posts.c.id).order_by(posts.c.id)).all():
        (post,) = stored_posts(connection, posts.c.id == post_id)
        connection.execute(update(posts).where(posts.c.id == post_id), {"fingerprint": fingerprint(post)})


def _fill_5(connection: Connection) -> None:
    """Store all rules again: earlier versions called the fields article, author and date."""
    for row in connection.execute(select(rule_sets)).all():
        document = to_json(from_json(row.document, RuleSet)).decode()
        same = (rule_sets.c.blog_id == row.blog_id) & (rule_sets.c.version == row.version)
        connection.execute(update(rule_sets).where(same).values(document=document))


MIGRATIONS: tuple[Migration, ...] = (
    Migration(2, "history, tombstones, search and takedown", _to_2, _fill_2),
    Migration(3, "when the archive last had news of every post", lambda given: _execute(given, 3)),
    # Earlier versions split text that is not ASCII into other words.
    Migration(4, "search in every language", _to_4, index_all_posts),
    Migration(5, "rules with the field names of records", fill=_fill_5),
    Migration(6, "digests that verify compares posts with", fill=_fill_6),
    Migration(7, "trackbacks separate from comments", lambda given: _add_column(given, "comments", "type", "TEXT")),
    Migration(8, "digests that verify compares blogs, rules, reports and revisions with", _to_8, _fill_8),
)


def open_archive(location: str | Path, *, create: bool = False, rebuilding: bool = False) -> Archive:
    """Return the archive at a folder or a `postgresql://` URL.

    With `create`, a missing archive is created; a folder with other contents is left unchanged and raises
    `NotAnArchive`. The WARC files and media of a PostgreSQL archive are in a folder that is set with `?files=FOLDER` or
    $POSTERITY_FILES when it is created, by default `./posterity-files`; a URL such as s3://bucket is shared by several
    machines. Installed packages can add stores through entry points in the group `posterity.stores`, named after the
    scheme of their URLs. `rebuilding` is only for `posterity archive rebuild`.
    """
    if isinstance(location, str) and (store := _store_of(location)) is not None:
        return store(location, create=create)
    if _is_database(location):
        parts = split_location(str(location))
        database = postgres_database(parts.database_url)
        with _closed_on_error(database):
            if create and database.read(stored_version) is None:
                database.write(create_tables)
            _check_version(database)
            archive = Archive(database, _files_folder(database, parts))
            finish_takedowns(archive)
            return archive
    folder = Folder(Path(location).expanduser())
    if not rebuilding and folder.unfinished_rebuild.exists():
        raise ArchiveError(
            f"The archive {folder.root} is incomplete: its rebuild did not finish. Run `posterity archive rebuild "
            f"--archive {folder.root}` again; all raw pages are kept."
        )
    return _open_folder(folder, create=create)


def is_postgres(location: str) -> bool:
    """Return whether an archive is in PostgreSQL."""
    return location.startswith(("postgresql://", "postgres://"))


def _store_of(location: str) -> Callable[..., Archive] | None:
    scheme, separator, _ = location.partition("://")
    if not separator or is_postgres(location):
        return None
    return next((point.load() for point in entry_points(group="posterity.stores", name=scheme)), None)


def archive_parts(location: str | Path) -> tuple[Database, Folder]:
    """Return database and folder of an archive of any version."""
    if _is_database(location):
        parts = split_location(str(location))
        database = postgres_database(parts.database_url)
        with _closed_on_error(database):
            _stored_version(database)
            return database, _files_folder(database, parts)
    folder = Folder(Path(location).expanduser())
    check_folder(folder)
    return sqlite_database(folder.database, str(folder.root), read_only=not folder.is_writable), folder


def _is_database(location: str | Path) -> bool:
    """Return whether this is the URL of a database; raise for other URLs, which would be taken for a folder."""
    if not isinstance(location, str) or "://" not in location:
        return False
    if not is_postgres(location):
        raise ArchiveError(
            f"{without_password(location)} is not an archive: use the name of a folder, or postgresql://user@host/name."
        )
    return True


def check_not_too_new(database: Database) -> int:
    """Return the version of the archive; raise `ArchiveTooNew` if it is newer than this software."""
    version = _stored_version(database)
    if version > VERSION:
        raise ArchiveTooNew(
            f"The archive {database.location} has version {version}, this Posterity knows {VERSION}. "
            "Install a newer one to use it."
        )
    return version


def _open_folder(folder: Folder, *, create: bool) -> Archive:
    if create:
        make_folder(folder)
    check_folder(folder)
    # WARC files without their database: a new database would hide them.
    if not folder.database.exists() and any(folder.warc.glob("*.warc*")):
        raise ArchiveError(
            f"The archive {folder.root} has WARC files, but its database posterity.db is missing. Put it back from a "
            f"backup, or make it again from the WARC files: `posterity archive rebuild --archive {folder.root}`."
        )
    read_only = not folder.is_writable
    if read_only and not folder.database.exists():
        raise NotAnArchive(f"{folder.root} has no posterity.db and is read-only. Check its permissions.")
    database = sqlite_database(folder.database, str(folder.root), read_only=read_only)
    with _closed_on_error(database):
        if not read_only:
            with folder.hold_lock():
                if database.read(stored_version) is None:
                    database.write(create_tables)
        _check_version(database)
        archive = Archive(database, folder)
        if not read_only:
            finish_takedowns(archive)
        return archive


@contextmanager
def _closed_on_error(database: Database) -> Iterator[None]:
    try:
        yield
    except BaseException:
        database.close()
        raise


def _stored_version(database: Database) -> int:
    if (version := database.read(stored_version)) is None:
        raise NotAnArchive(
            f"{database.location} contains no archive yet. Create one with `posterity harvest URL --archive ...`."
        )
    return version


def _check_version(database: Database) -> None:
    version = check_not_too_new(database)
    if version < VERSION:
        raise ArchiveError(
            f"The archive {database.location} has version {version}. "
            "Run `posterity archive migrate` once; it makes a backup first."
        )


def _files_folder(database: Database, parts: Location) -> Folder:
    """Return the folder of the files: as the URL names it, or as the database has it from its creation."""
    with database.reading() as connection:
        known = connection.scalar(select(facts.c.value).where(facts.c.name == "files"))
    place = parts.files or known or os.environ.get("POSTERITY_FILES") or "posterity-files"
    if "://" not in place:
        place = str(Path(place).expanduser().absolute()) if place != known else place
    if known is None:
        if "://" in place:
            SharedFiles(database, place, Path()).create_table()
        else:
            with translated(place):
                Path(place).mkdir(parents=True, exist_ok=True)
        with database.writing() as connection:  # if several processes create an archive at once, the first wins
            add_rows(connection, facts, [{"name": "files", "value": place}])
    if "://" not in place:
        return Folder(Path(place))
    spool = Path(parts.spool or os.environ.get(SPOOL_VARIABLE) or "posterity-spool").expanduser().absolute()
    with translated(str(spool)):
        spool.mkdir(parents=True, exist_ok=True)
    cache = Path(os.environ.get(CACHE_VARIABLE) or spool / "cache").absolute()
    return Folder(spool, SharedFiles(database, place, cache))


class Location(NamedTuple):
    """The parts of the URL of a PostgreSQL archive: that of the database, and our own parameters."""

    database_url: str
    files: str | None = None
    spool: str | None = None


def split_location(location: str) -> Location:
    """Split our own parameters from the URL of a PostgreSQL database."""
    try:
        database_url = make_url(location)
    except (ValueError, ArgumentError) as problem:
        shown = without_password(location)
        raise ArchiveError(f"{shown} is not the URL of a database. Write postgresql://user@host/name.") from problem
    ours = {name: _last(database_url.query.get(name)) for name in ("files", "spool")}
    return Location(database_url.difference_update_query(list(ours)).render_as_string(hide_password=False), **ours)


def _last(value: str | tuple[str, ...] | None) -> str | None:
    return value if value is None or isinstance(value, str) else value[-1]


class Migrated(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a migration: `backup` is a file, a schema of the database, or None if nothing was done."""

    from_version: int
    to_version: int
    steps: tuple[str, ...]
    backup: str | None


def migrate_archive(location: str | Path) -> Migrated:
    """Migrate the archive to the current version; an up-to-date one is left unchanged."""
    database, folder = archive_parts(location)
    try:
        with folder.hold_lock() if database.is_sqlite else nullcontext():
            version = check_not_too_new(database)
            if version == VERSION:
                return Migrated(from_version=version, to_version=VERSION, steps=(), backup=None)
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
            if database.is_sqlite:
                backup = _back_up_file(database, folder, version, stamp)
            else:
                backup = _back_up_schema(database, version, stamp)
            steps = tuple(step.about for step in database.write(migrate_tables))
            return Migrated(from_version=version, to_version=VERSION, steps=steps, backup=backup)
    finally:
        database.close()


def _back_up_file(database: Database, folder: Folder, version: int, stamp: str) -> str:
    path = folder.root / "backups" / f"posterity-v{version}-{stamp}.db"
    with translated(str(path), database.engine):
        path.parent.mkdir(exist_ok=True)
        bare = database.engine.raw_connection()  # VACUUM does not run inside a transaction
        try:
            bare.cursor().execute("VACUUM INTO ?", (str(path),))
        except BaseException:
            path.unlink(missing_ok=True)
            raise
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
