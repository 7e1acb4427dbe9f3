"""How much an archive holds, as a whole and blog by blog."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Table, func, select, text

from posterity.archive import schema
from posterity.archive.columns import ABSENT_DATE

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from posterity.archive.archive import Archive


class BlogStats(msgspec.Struct, frozen=True, kw_only=True):
    """What one blog has; dates are those of its first and its latest post."""

    id: str
    url: str
    posts: int
    comments: int
    gone: int
    first: str | None
    latest: str | None


class ArchiveStats(msgspec.Struct, frozen=True, kw_only=True):
    """What the archive has."""

    location: str
    version: int
    blogs: int
    posts: int
    comments: int
    revisions: int
    gone: int
    captures: int
    warc_files: int
    warc_bytes: int
    media_files: int
    media_bytes: int
    media_missing: int
    database_bytes: int
    by_blog: tuple[BlogStats, ...]


def archive_stats(archive: Archive) -> ArchiveStats:
    """Count everything."""
    folder = archive.folder
    with archive.database.reading() as connection:
        missing = select(func.count()).select_from(schema.post_media).where(schema.post_media.c.digest.is_(None))
        return ArchiveStats(
            location=archive.location,
            version=schema.VERSION,
            blogs=row_count(connection, schema.blogs),
            posts=row_count(connection, schema.posts),
            comments=row_count(connection, schema.comments),
            revisions=row_count(connection, schema.revisions),
            gone=connection.scalar(select(func.count(schema.posts.c.gone_at))) or 0,
            captures=row_count(connection, schema.captures),
            warc_files=sum(1 for _ in folder.warc.glob("*.warc.gz")),
            warc_bytes=folder_bytes(folder.warc),
            media_files=row_count(connection, schema.media),
            media_bytes=int(connection.scalar(select(func.sum(schema.media.c.bytes))) or 0),
            media_missing=connection.scalar(missing) or 0,
            database_bytes=database_bytes(archive, connection),
            by_blog=tuple(_blog_stats(connection)),
        )


def row_count(connection: Connection, table: Table) -> int:
    """The number of rows of a table."""
    return connection.scalar(select(func.count()).select_from(table)) or 0


def folder_bytes(folder: Path) -> int:
    """The size of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def database_bytes(archive: Archive, connection: Connection) -> int:
    """The size of the database on its disk."""
    if archive.database.is_sqlite:
        return sum(path.stat().st_size for path in archive.folder.root.glob("posterity.db*"))
    return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _blog_stats(connection: Connection) -> list[BlogStats]:
    posts, comments = schema.posts.c, schema.comments.c
    dated = func.nullif(posts.published, ABSENT_DATE)
    columns = (posts.blog_id, func.count(), func.count(posts.gone_at), func.min(dated), func.max(dated))
    counted = {row[0]: row for row in connection.execute(select(*columns).group_by(posts.blog_id))}
    talk = select(posts.blog_id, func.count()).join_from(schema.comments, schema.posts, comments.post_id == posts.id)
    comments_of = {row[0]: row[1] for row in connection.execute(talk.group_by(posts.blog_id))}
    found = []
    for blog in connection.execute(select(schema.blogs).order_by(schema.blogs.c.url)):
        _, total, gone, first, latest = counted.get(blog.id, (None, 0, 0, None, None))
        found.append(
            BlogStats(
                id=blog.id, url=blog.url, posts=total, comments=comments_of.get(blog.id, 0), gone=gone, first=first,
                latest=latest,
            )
        )  # fmt: skip
    return found
