"""An older archive is migrated after a backup; a newer one is left unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect, text

from posterity.archive import open_archive
from posterity.archive.database import POSTGRES_SCHEMA, Database, postgres_database, sqlite_database
from posterity.archive.folder import Folder, make_folder
from posterity.archive.opening import migrate_archive
from posterity.archive.overview import line_of
from posterity.archive.schema import VERSION
from posterity.archive.verify import verify_archive
from posterity.errors import ArchiveError, ArchiveTooNew
from posterity.model import FieldRule, Rule, RuleSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.archive import Archive

VERSION_1 = (Path(__file__).parent / "version_1.sql").read_text()


def make_version_1(location: str) -> None:
    """An archive as written by version 1."""
    if location.startswith("postgresql"):
        database, key = postgres_database(location.partition("?")[0]), 'VARCHAR COLLATE "C"'
    else:
        folder = Folder(Path(location))
        make_folder(folder)
        database, key = sqlite_database(folder.database, location), "VARCHAR"
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(text(f"CREATE SCHEMA {POSTGRES_SCHEMA}"))
        for statement in VERSION_1.format(key=key).splitlines():
            connection.exec_driver_sql(statement)
    database.close()


def tables(archive: Archive) -> dict[str, object]:
    """Every table with its columns, keys and indexes, as described by the database."""
    schema = None if archive.database.is_sqlite else POSTGRES_SCHEMA
    with archive.database.reading() as connection:
        look = inspect(connection)
        return {
            name: (
                {c["name"]: (str(c["type"]), c["nullable"]) for c in look.get_columns(name, schema)},
                look.get_pk_constraint(name, schema)["constrained_columns"],
                [
                    (k["constrained_columns"], k["referred_table"], k["options"])
                    for k in look.get_foreign_keys(name, schema)
                ],
                sorted((str(i["name"]), i["column_names"]) for i in look.get_indexes(name, schema)),
            )
            for name in sorted(look.get_table_names(schema))
        }


def test_an_older_archive_asks_for_migration_and_is_not_touched(location: str) -> None:
    make_version_1(location)
    with pytest.raises(ArchiveError, match="posterity archive migrate"):
        open_archive(location, create=True)


def test_a_migrated_archive_is_like_a_new_one(new_location: Callable[[str], str], location: str) -> None:
    make_version_1(location)
    done = migrate_archive(location)
    assert (done.from_version, done.to_version) == (1, VERSION)
    kind = "postgresql" if location.startswith("postgresql") else "sqlite"
    with open_archive(location) as old, open_archive(new_location(kind), create=True) as new:
        assert tables(old) == tables(new)


def test_a_migrated_archive_has_everything_and_finds_it(location: str) -> None:
    make_version_1(location)
    done = migrate_archive(location)
    assert done.backup
    with open_archive(location) as archive:
        post = archive.post("p1")
        assert (post.title, post.text, post.revision, post.comments[0].text) == (
            "Tides",
            "High water at noon",
            3,
            "Splendid",
        )
        assert [hit.comment_id for hit in archive.search("splendid")] == ["c1"]
        assert archive.missing_media() == [("https://x.example/1", "https://x.example/a.png")]
        assert verify_archive(archive).problems == []
        assert line_of(archive, "p1").stamp == "2021-03-13T12:00:00.000000Z"  # type: ignore[union-attr]
    assert migrate_archive(location).backup is None


def test_migrated_rules_have_the_names_of_the_record(location: str) -> None:
    make_version_1(location)
    migrate_archive(location)
    rule = FieldRule(rule=Rule("id", "entry"), confidence=1, pages=1, of_pages=1)
    with open_archive(location) as archive:
        archive.put_rules("b1", RuleSet(fields={"text": (rule,), "published": (rule,)}))
        with archive.database.writing() as connection:
            connection.execute(
                text("UPDATE rule_sets SET document = replace(replace(document, :new_text, :text), :new_date, :date)"),
                {"new_text": '"text":[', "text": '"article":[', "new_date": '"published":[', "date": '"date":['},
            )
            connection.execute(text("UPDATE facts SET value = '4' WHERE name = 'version'"))
    migrate_archive(location)
    with open_archive(location) as archive, archive.database.reading() as connection:
        document = connection.scalar(text("SELECT document FROM rule_sets"))
        assert json.loads(document)["fields"].keys() == {"text", "published"}


def test_the_backup_holds_the_old_state(location: str) -> None:
    make_version_1(location)
    backup = migrate_archive(location).backup or ""
    if location.startswith("postgresql"):
        database: Database = postgres_database(location.partition("?")[0])
        table = f"{backup}.posts"
    else:
        database, table = sqlite_database(Path(backup), backup, read_only=True), "posts"
    with database.reading() as connection:
        assert connection.execute(text(f"SELECT id, revision FROM {table}")).all() == [("p1", 3)]
    database.close()


def test_a_newer_archive_is_refused(location: str) -> None:
    with open_archive(location, create=True) as archive, archive.database.writing() as connection:
        connection.execute(text("UPDATE facts SET value = '99' WHERE name = 'version'"))
    for refused in (open_archive, migrate_archive):
        with pytest.raises(ArchiveTooNew, match="newer"):
            refused(location)
