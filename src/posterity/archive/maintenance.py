"""Maintenance of a whole archive: compact it, copy it, rebuild a lost database."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TypeVar

import msgspec
from sqlalchemy import insert, select, text

from posterity.archive import schema
from posterity.archive.archive import Archive
from posterity.archive.blogs import KeptBlog, KeptPost, copy_harvest_options, restore_blog
from posterity.archive.database import POSTGRES_SCHEMA, replace_file, translated
from posterity.archive.folder import HISTORY, Folder, check_folder
from posterity.archive.overview import database_bytes, row_count
from posterity.archive.posts import index_all_posts
from posterity.archive.schema import metadata
from posterity.archive.search_index import merge_index
from posterity.archive.takedowns import Forgotten, write_forgotten
from posterity.errors import ArchiveError, NotInArchive, UsageError
from posterity.model import Schedule, from_json, to_json

TAKEDOWNS = "takedowns.jsonl"
SCHEDULES = "schedules.jsonl"
WARC_ASIDE = "warc-before-rebuild"
_Line = TypeVar("_Line")


def move_warc_aside(location: str) -> Path:
    """Move WARC files and histories of an archive without a database aside for a rebuild; return their new folder.

    Files of an interrupted rebuild are removed first. Nothing was added to them since, because the archive cannot be
    opened until `end_rebuild`.
    """
    if "://" in location:
        raise UsageError("A database on a server is restored from its own backup. Use the folder of an archive.")
    folder = Folder(Path(location).expanduser())
    check_folder(folder)
    is_second = folder.unfinished_rebuild.exists()
    if folder.database.exists() and not is_second:
        raise UsageError(
            f"{folder.database} exists. Check it with `posterity archive verify`; if it is damaged beyond repair, move "
            "it away and run this again."
        )
    aside = folder.root / WARC_ASIDE
    with translated(str(aside)):
        aside.mkdir(exist_ok=True)
        for file in [*folder.root.glob(f"{folder.database.name}*"), *folder.warc.glob("*")] if is_second else []:
            file.unlink()
        for file in sorted(folder.warc.glob("*.warc*")):
            file.replace(aside / file.name)
        # A rebuild writes new histories; those of an interrupted rebuild are incomplete.
        if (folder.root / HISTORY).is_dir() and not (aside / HISTORY).exists():
            (folder.root / HISTORY).replace(aside / HISTORY)
        folder.unfinished_rebuild.touch()  # last, when all files are aside
    return aside


def end_rebuild(archive: Archive) -> None:
    """Mark the rebuild as complete, so that the archive can be opened."""
    with translated(archive.location):
        archive.folder.unfinished_rebuild.unlink()


def rebuild_sources(aside: Path) -> list[tuple[str | None, list[Path]]]:
    """Return the WARC files by blog, with the blog's URL from its history file; files of other blogs come together."""
    files = sorted(aside.glob("*.warc*"))
    found: list[tuple[str | None, list[Path]]] = []
    folder = Folder(aside)
    for blog_id in folder.kept_blogs():
        own = [file for file in files if file.name.startswith(f"{blog_id}-")]
        first = next(iter(folder.history_lines(blog_id)), None)
        if own and first is not None:
            found.append((from_json(first, KeptBlog).blog.url, own))
            files = [file for file in files if file not in own]
    return [*found, (None, files)] if files or not found else found


def write_takedowns(archive: Archive) -> None:
    """Write the list of takedowns to a file beside the database."""
    replace_file(archive.folder.root / TAKEDOWNS, b"".join(to_json(one) + b"\n" for one in archive.takedowns()))


def _lines_of(path: Path, kind: type[_Line]) -> list[_Line]:
    with translated(str(path)):
        return [from_json(line, kind) for line in path.read_bytes().splitlines()] if path.exists() else []


def restore_takedowns(archive: Archive) -> int:
    """Read the list of takedowns from its file into the database, and return the number of entries."""
    entries = _lines_of(archive.folder.root / TAKEDOWNS, Forgotten)
    with archive.database.writing() as connection:
        for entry in entries:
            write_forgotten(connection, entry)
    return len(entries)


class BlogSchedule(msgspec.Struct, frozen=True, kw_only=True):
    """The schedule of a blog in the file beside the database."""

    id: str
    schedule: Schedule
    rotation: int | None = None


def write_schedules(archive: Archive) -> None:
    """Write the schedules that differ from the default to a file beside the database."""
    planned = (BlogSchedule(id=blog.id, schedule=blog.schedule, rotation=blog.rotation) for blog in archive.blogs())
    unusual = (one for one in planned if (one.schedule, one.rotation) != (Schedule(), None))
    replace_file(archive.folder.root / SCHEDULES, b"".join(to_json(one) + b"\n" for one in unusual))


def restore_schedules(archive: Archive) -> int:
    """Give the blogs of a rebuilt database the schedules from the file, and return the number of blogs changed."""
    planned = {one.id: one for one in _lines_of(archive.folder.root / SCHEDULES, BlogSchedule)}
    found = [blog for blog in archive.blogs() if blog.id in planned]
    for blog in found:
        plan = planned[blog.id]
        archive.put_blog(msgspec.structs.replace(blog, schedule=plan.schedule, rotation=plan.rotation))
    return len(found)


def restore_history(archive: Archive, aside: Path) -> int:
    """Read the history files into the database, and return the number of posts that are not in the archive.

    Posts that were taken down are not restored.
    """
    missing = 0
    folder = Folder(aside)
    for blog_id in folder.kept_blogs():
        for line in folder.history_lines(blog_id):
            if b'"blog":' in line[:8]:
                archive.database.write(restore_blog, from_json(line, KeptBlog))
                continue
            kept = from_json(line, KeptPost)
            try:
                if kept.moved_to is not None:
                    archive.mark_moved(kept.id, kept.moved_to)
                else:
                    archive.put_history(archive.post(kept.id).id, kept.told, kept.gone)
            except NotInArchive:
                missing += 1
        archive.keep_history(blog_id)
    return missing


def remove_backups(archive: Archive) -> None:
    """Remove the backups of migrations and the WARC files from before a rebuild: they contain what was taken down."""
    for name in ("backups", WARC_ASIDE):
        folder = archive.folder.root / name
        with translated(str(folder)):
            if folder.is_dir():
                shutil.rmtree(folder)
    if archive.database.is_sqlite:
        return
    query = text("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, :prefix)")
    with archive.database.writing() as connection:
        for (name,) in connection.execute(query, {"prefix": f"{POSTGRES_SCHEMA}_backup_v"}).all():
            connection.execute(text(f'DROP SCHEMA "{name}" CASCADE'))


def compact_archive(archive: Archive) -> tuple[int, int]:
    """Merge the search index and rewrite the database without gaps; return its size in bytes before and after."""
    before = _bytes(archive)
    archive.database.write(merge_index)
    statements = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE"]
    if not archive.database.is_sqlite:
        statements = [f"VACUUM (FULL, ANALYZE) {POSTGRES_SCHEMA}.{table}" for table in metadata.tables]
    with translated(archive.location, archive.database.engine):
        # VACUUM cannot run inside a transaction, and the engine would begin one.
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


def _bytes(archive: Archive) -> int:
    with archive.database.reading() as connection:
        if not archive.database.is_sqlite:
            connection.execute(text("SELECT 1"))
        return database_bytes(archive, connection)


def copy_archive(source: Archive, target: Archive) -> dict[str, int]:
    """Copy files and rows into an empty archive and return the number of rows of each table, equal in both.

    Files are copied first and rows in one transaction: an interrupted copy has no rows and can be started again.
    """
    with target.database.reading() as connection:
        if row_count(connection, schema.posts) or row_count(connection, schema.blogs):
            raise ArchiveError(f"{target.location} already contains blogs. Copy to an archive that does not exist yet.")
    for name in ("warc", "media"):
        own: Path = getattr(source.folder, name)
        copies: Path = getattr(target.folder, name)
        with translated(str(copies)):
            for path in sorted(filter(Path.is_file, own.rglob("*"))):
                _copy_file(path, copies / path.relative_to(own))
        for file in source.folder.shared.all(name) if source.folder.shared is not None else ():
            _copy_file(source.folder.readable(source.folder.root / file.name), target.folder.root / file.name)
    # Facts belong to one archive (its version, its folder), and the search index is rebuilt in the copy.
    tables = [table for table in schema.metadata.sorted_tables if table not in (schema.facts, schema.search_entries)]
    with source.database.reading() as old, target.database.writing() as new:
        for table in tables:
            for rows in old.execution_options(yield_per=1_000).execute(select(table)).mappings().partitions():
                new.execute(insert(table), [dict(row) for row in rows])
        copy_harvest_options(old, new)
        index_all_posts(new)
        counts = {table.name: (row_count(old, table), row_count(new, table)) for table in tables}
        wrong = [f"{name}: {left} and {right}" for name, (left, right) in counts.items() if left != right]
        if wrong:
            raise ArchiveError(f"The copy differs ({', '.join(wrong)}) and was undone. Run it again.")
    if target.database.is_sqlite:
        write_takedowns(target)
        write_schedules(target)
        for blog in target.blogs():
            target.keep_history(blog.id)
    return {name: count for name, (count, _) in counts.items()}


def _copy_file(path: Path, place: Path) -> None:
    if place.exists() and place.stat().st_size == path.stat().st_size:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_name(f".{place.name}.{os.getpid()}")
    shutil.copy2(path, new)
    new.replace(place)
