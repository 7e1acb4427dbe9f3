"""`posterity import` on files of records, as a person calls it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from posterity.archive import open_archive
from posterity.cli.import_ import command as import_command
from posterity.export.export import export

if TYPE_CHECKING:
    from pathlib import Path


def test_several_files_of_records_in_one_command(demo_archive: Path, tmp_path: Path) -> None:
    with open_archive(demo_archive) as archive:
        export(archive, str(tmp_path / "blog.xml"), "wxr")
        export(archive, str(tmp_path / "blog.jsonl.gz"), "jsonl")
        count = sum(1 for _ in archive.posts())
    files = [str(tmp_path / "blog.xml"), str(tmp_path / "blog.jsonl.gz")]
    run = CliRunner().invoke(import_command, [*files, "--archive", str(tmp_path / "again"), "--json"])
    assert run.exit_code == 0, run.output
    first, second = map(json.loads, run.stdout.splitlines())
    assert (first["event"], first["posts"]) == ("records", {"new": count})
    assert second["posts"] == {"same": count}


def test_a_damaged_file_of_records_stores_nothing_of_the_damage_and_says_where(tmp_path: Path) -> None:
    file = tmp_path / "posts.jsonl"
    file.write_text('{"type":"post","id":"p","url":"https://blog.example/a/","text":"x"}\n{"type":"post"\n')
    run = CliRunner().invoke(import_command, [str(file), "--archive", str(tmp_path / "again")])
    assert "posts.jsonl, line 2" in str(run.exception)


def test_a_file_of_neither_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    run = CliRunner().invoke(import_command, [str(tmp_path / "notes.txt"), "--archive", str(tmp_path / "again")])
    assert "notes.txt is not a WARC, ARC or WACZ file" in str(run.exception)
