"""A reader that has enough is no failure, and names on a disk may be any bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import environment

from posterity.archive import open_archive
from posterity.importer.importing import mirror_pages
from posterity.model import Blog, Post

if TYPE_CHECKING:
    from tests.conftest import Posterity

PAGE = f"<article><h1>Tides</h1><p>{'The tide comes in and goes out. ' * 20}</p></article>"
LATIN = os.fsdecode(b"stra\xdfe.html")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipes") / "archive"
    with open_archive(folder, create=True) as store:
        store.put_blog(Blog(id="b1", url="https://salt.example/"))
        store.put_post(Post(id="p1", url="https://salt.example/1", blog="b1", text="tide"))
    return folder


@pytest.mark.parametrize("command", [["list"], ["show", "p1"], ["export", "-"], ["export", "-", "--format", "tei"]])
def test_reader_that_has_enough_ends_the_command_without_a_word(command: list[str], archive: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "posterity", *command, "--archive", archive],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_page_whose_name_is_no_utf8_is_extracted(posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / LATIN).write_text(PAGE)
    ended = posterity("extract", tmp_path, "--format", "jsonl")
    assert (ended.returncode, json.loads(ended.stdout)["title"]) == (0, "Tides")
    ended = posterity("extract", tmp_path, "--format", "jsonl", "--url", "https://salt.example/")
    assert json.loads(ended.stdout)["url"] == "https://salt.example/stra%DFe.html"


def test_mirror_with_such_names_keeps_the_addresses_of_the_blog(tmp_path: Path) -> None:
    (tmp_path / LATIN).write_text(PAGE)
    (page,) = mirror_pages(tmp_path, "https://salt.example/")
    assert page.url == "https://salt.example/stra%DFe.html"


def test_export_to_such_a_name_has_a_manifest(posterity: Posterity, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / os.fsdecode(b"stra\xdfe.jsonl")
    assert posterity("export", out, "--archive", archive).returncode == 0
    manifest = json.loads(Path(f"{out}.manifest.json").read_bytes())
    assert [file["path"] for file in manifest["files"]] == ["stra\ufffde.jsonl"]
