"""The versions of the tables, and how an archive of an older version becomes one of this version.

Statements are written out and never changed once they were released: they describe what was, while `schema`
describes what is. A test compares a migrated archive with a new one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, insert, inspect, select, text, update

from posterity.archive.database import POSTGRES_SCHEMA
from posterity.archive.schema import VERSION, facts, metadata
from posterity.archive.search_index import create_index

# Any number will do as long as it is ours; it serialises the making of the tables on PostgreSQL.
_MAKING = 1_347_375_956


class Migration(NamedTuple):
    """A step to `version`: it changes the tables, and fills what it added when all tables are as they are now."""

    version: int
    about: str
    apply: Callable[[Connection], None]
    fill: Callable[[Connection], None]


def create_tables(connection: Connection) -> None:
    """Make the tables of a new archive, unless there are some."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MAKING})
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {POSTGRES_SCHEMA}"))
    if stored_version(connection) is None:
        metadata.create_all(connection, checkfirst=False)
        create_index(connection)
        connection.execute(insert(facts), {"name": "version", "value": str(VERSION)})


def stored_version(connection: Connection) -> int | None:
    """Return the version of the tables, or None where there are none."""
    schema = POSTGRES_SCHEMA if connection.dialect.name == "postgresql" else None
    if not inspect(connection).has_table(facts.name, schema=schema):
        return None
    return int(connection.scalar(select(facts.c.value).where(facts.c.name == "version")) or 0)


def migrate_tables(connection: Connection) -> list[Migration]:
    """Take every step that is missing and return them."""
    version = stored_version(connection) or 0
    steps = [step for step in MIGRATIONS if step.version > version]
    for step in steps:
        step.apply(connection)
        connection.execute(update(facts).where(facts.c.name == "version"), {"value": str(step.version)})
    for step in steps:
        step.fill(connection)
    return steps


def _to_2(connection: Connection) -> None:
    key, serial, hashed = "VARCHAR", "INTEGER NOT NULL", ""
    if connection.dialect.name == "postgresql":
        key, serial, hashed = 'VARCHAR COLLATE "C"', "BIGSERIAL NOT NULL", "USING hash"
    for statement in _STATEMENTS_2:
        connection.execute(text(statement.format(key=key, serial=serial, hashed=hashed)))
    create_index(connection)


def _fill_2(connection: Connection) -> None:
    """Index what version 1 stored."""
    from posterity.archive.posts import media_rows, posts_after
    from posterity.archive.schema import post_media
    from posterity.archive.search_index import add_to_index

    after = None
    while batch := posts_after(connection, None, after):
        some = [post for _, post in batch]
        rows = [row for post in some for row in media_rows(post)]
        if rows:
            connection.execute(insert(post_media), rows)
        add_to_index(connection, some)
        after = batch[-1][0]


def _to_3(connection: Connection) -> None:
    key = 'VARCHAR COLLATE "C"' if connection.dialect.name == "postgresql" else "VARCHAR"
    for statement in _STATEMENTS_3:
        connection.execute(text(statement.format(key=key)))


_STATEMENTS_2 = (
    "ALTER TABLE posts ADD COLUMN gone_at {key}",
    "ALTER TABLE posts ADD COLUMN gone_status INTEGER",
    "ALTER TABLE posts ADD COLUMN moved_to {key}",
    "DROP INDEX posts_by_url",
    "DROP INDEX posts_by_canonical_url",
    "DROP INDEX captures_of_url",
    "CREATE INDEX posts_by_url ON posts {hashed} (url)",
    "CREATE INDEX posts_by_canonical_url ON posts {hashed} (canonical_url)",
    "CREATE INDEX captures_of_url ON captures {hashed} (url)",
    """CREATE TABLE post_media (
        post_id {key} NOT NULL, position INTEGER NOT NULL,
        url TEXT NOT NULL, digest {key}, PRIMARY KEY (post_id, position),
        FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE)""",
    "CREATE INDEX post_media_by_digest ON post_media (digest)",
    """CREATE TABLE revisions (
        post_id {key} NOT NULL, revision INTEGER NOT NULL,
        seen_at {key} NOT NULL, document TEXT NOT NULL, PRIMARY KEY (post_id, revision),
        FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE)""",
    """CREATE TABLE events (
        post_id {key} NOT NULL, at {key} NOT NULL, kind {key} NOT NULL,
        detail TEXT NOT NULL, PRIMARY KEY (post_id, at, kind),
        FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE)""",
    """CREATE TABLE forgotten (
        kind {key} NOT NULL, name {key} NOT NULL, at {key} NOT NULL, reason TEXT NOT NULL, removed TEXT NOT NULL,
        PRIMARY KEY (kind, name))""",
    """CREATE TABLE search_entries (
        id {serial}, post_id {key} NOT NULL, position INTEGER NOT NULL,
        blog_id {key}, language {key}, published {key} NOT NULL, authors TEXT NOT NULL, tags TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE)""",
    "CREATE INDEX search_entries_of_post ON search_entries (post_id)",
)

_STATEMENTS_3 = (
    "DROP INDEX IF EXISTS posts_by_stamp",  # servers of version 2 made one of this name
    "ALTER TABLE posts ADD COLUMN stamp {key} NOT NULL DEFAULT ''",
    """UPDATE posts SET stamp = (SELECT max(news.at) FROM (
        SELECT posts.seen_at AS at UNION ALL SELECT posts.gone_at UNION ALL
        SELECT events.at FROM events WHERE events.post_id = posts.id) news)""",
    "CREATE INDEX posts_by_stamp ON posts (stamp, id)",
)

MIGRATIONS: tuple[Migration, ...] = (
    Migration(2, "history, tombstones, search and takedown", _to_2, _fill_2),
    Migration(3, "when the archive last had news of every post", _to_3, lambda _: None),
)
