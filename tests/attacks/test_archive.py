"""Nothing that was taken down comes back, and no archive is hidden by an empty one."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from posterity.archive import open_archive
from posterity.archive.forget import forget_post
from posterity.cli.archive import command
from posterity.errors import ArchiveError


@pytest.fixture
def own_archive(blog_archive: Path, tmp_path: Path) -> Path:
    shutil.copytree(blog_archive, tmp_path / "archive")
    return tmp_path / "archive"


class PowerCut(BaseException):
    """The process ends here."""


def _content(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def _cut(*_: object) -> None:
    raise PowerCut


@pytest.mark.parametrize("step", ["_wipe", "remove_from_index", "_remove_media_files", "compact_archive"])
def test_interrupted_takedown_is_finished_at_the_next_start(
    own_archive: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with open_archive(own_archive) as archive:
        post = next(one for one in archive.posts() if one.media and len(one.text) > 200)
        with monkeypatch.context() as patch:
            patch.setattr(f"posterity.archive.forget.{step}", _cut)
            with pytest.raises(PowerCut):
                forget_post(archive, post.id, "asked for")
    with open_archive(own_archive) as archive:
        assert post.id not in {one.id for one in archive.posts()}
        assert post.id in {entry.name for entry in archive.takedowns()}
    piece = post.text[50:120].encode()
    stored = [file for file in own_archive.rglob("*") if file.is_file() and piece in _content(file)]
    assert stored == []


def test_lost_database_is_an_error_and_can_be_made_again(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        posts = {one.url for one in archive.posts()}
    for file in own_archive.glob("posterity.db*"):
        file.unlink()
    for create in (True, False):
        with pytest.raises(ArchiveError, match="archive rebuild"):
            open_archive(own_archive, create=create)
    assert not (own_archive / "posterity.db").exists()
    done = CliRunner().invoke(command, ["rebuild", "--archive", str(own_archive)])
    assert done.exit_code == 0, done.output
    with open_archive(own_archive) as archive:
        assert {one.url for one in archive.posts()} >= posts
