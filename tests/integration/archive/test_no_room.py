"""A full disk and a read-only folder: one clear sentence, and an archive that is whole."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.archive import Archive, open_archive
from posterity.archive.verify import verify_archive
from posterity.errors import ArchiveNotWritable, InputError
from posterity.export.export import export
from posterity.model import Blog, Post

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Posterity

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of this size; only root can make one."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("only root can make a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)  # a server may still hold a file


def fill(archive: Archive, prefix: str) -> int:
    """Store pages and posts until there is no room, and return how many posts were stored."""
    stored = 0
    with archive.warc_writer("b1") as writer:
        while True:
            url = f"https://x.example/{prefix}{stored}"
            writer.write_exchange(url=url, status=200, response_headers=[], body=os.urandom(40_000), fetched_at=NOON)
            archive.put_post(Post(id=f"{prefix}{stored}", url=url, text="words " * 2000))
            stored += 1


@pytest.mark.parametrize("size", ["2m", "3m"])
def test_a_full_disk_ends_with_a_sentence_and_the_next_run_goes_on(tmp_path: Path, size: str) -> None:
    with small_disk(tmp_path / "disk", size) as disk:
        ballast = disk / "ballast"
        with open_archive(disk / "archive", create=True) as archive:
            ballast.write_bytes(bytes(600_000))
            with pytest.raises(ArchiveNotWritable, match=r"disk is full|cannot be written"):
                fill(archive, "a")
        ballast.unlink()
        with open_archive(disk / "archive") as archive:
            before = [post.id for post in archive.posts()]
            assert {problem.kind for problem in verify_archive(archive).problems} <= {"unindexed", "cdxj"}
            archive.put_post(Post(id="later", url="https://x.example/later"))
            assert sorted([*before, "later"]) == sorted(post.id for post in archive.posts())


@pytest.mark.parametrize("free_bytes", [0, 4096, 16384])
def test_a_disk_without_any_room_is_named_full(tmp_path: Path, posterity: Posterity, free_bytes: int) -> None:
    with small_disk(tmp_path / "disk", "4m") as disk:
        open_archive(disk / "archive", create=True).close()
        left = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        (disk / "ballast").write_bytes(bytes(left - free_bytes))
        for command in (["list"], ["archive", "compact"], ["harvest", "http://127.0.0.1:1/"]):
            ended = posterity(*command, "--archive", disk / "archive")
            assert (ended.returncode, ended.stdout) == (3, "")
            assert ended.stderr.startswith("posterity: The disk is full: ")
            assert ended.stderr.count("\n") == 1


def test_an_archive_on_a_read_only_disk_can_be_read_and_says_why_it_cannot_be_written(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "4m") as disk:
        with open_archive(disk / "archive", create=True) as archive:
            archive.put_blog(Blog(id="b1", url="https://x.example/"))
            archive.put_post(Post(id="p1", url="https://x.example/1", text="tide"))
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with open_archive(disk / "archive") as archive:
            assert [post.id for post in archive.posts()] == ["p1"]
            assert [hit.post_id for hit in archive.search("tide")] == ["p1"]
            with pytest.raises(ArchiveNotWritable, match="permissions"):
                archive.put_blog(Blog(id="b2", url="https://y.example/"))
            with pytest.raises(ArchiveNotWritable, match="permissions"):
                archive.put_media(b"x", None, "https://x.example/a.png")
            with pytest.raises(ArchiveNotWritable, match="permissions"), archive.warc_writer("b1") as writer:
                writer.write_exchange(
                    url="https://x.example/", status=200, response_headers=[], body=b"", fetched_at=NOON
                )
        with pytest.raises(ArchiveNotWritable, match="permissions"):
            open_archive(disk / "other", create=True)
        assert [path.name for path in disk.iterdir()] == ["archive"]


def test_a_harvest_into_a_read_only_archive_says_so(tmp_path: Path, posterity: Posterity) -> None:
    with small_disk(tmp_path / "disk", "4m") as disk:
        open_archive(disk / "archive", create=True).close()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        ended = posterity("harvest", "http://127.0.0.1:1/", "--archive", disk / "archive")
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "cannot be written" in ended.stderr


def test_an_export_of_many_files_to_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_post(Post(id="p1", url="https://x.example/1", text="tide"))
        with small_disk(tmp_path / "disk", "64k") as disk:
            (disk / "ballast").write_bytes(bytes(60_000))
            with pytest.raises(
                InputError, match=r"site cannot be written: No space left on device, there or in \S+\.$"
            ):
                export(archive, str(disk / "site"), "markdown")
            assert [path.name for path in disk.iterdir()] == ["ballast"]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ArchiveNotWritable, match="permissions"):
        open_archive(tmp_path / "archive", create=True)
    tmp_path.chmod(0o700)
