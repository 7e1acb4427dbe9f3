"""The next harvest of a blog puts in order what a killed one left, and leaves alone what is being written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.archive.captures import cdxj_path, remove_captures
from posterity.archive.verify import verify_archive

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive import Archive, WarcWriter
    from posterity.model import WarcPointer

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)


def write(writer: WarcWriter, number: int) -> WarcPointer:
    body = b"page %d " % number * 50
    return writer.write_exchange(
        url=f"https://x.example/{number}", status=200, response_headers=[], body=body, fetched_at=NOON
    )


def killed(archive: Archive, blog: str = "b1") -> Path:
    """A file as a killed harvest leaves it: its end cut off, its last answer in no index, and no CDXJ."""
    with archive.warc_writer(blog) as writer:
        pointers = [write(writer, number) for number in range(3)]
    path = archive.folder.warc / pointers[0].file
    cdxj_path(path).unlink()
    path.write_bytes(path.read_bytes()[:-20])
    with archive.database.writing() as connection:
        remove_captures(connection, [pointers[-1].record_id])
    return path


def kinds(archive: Archive) -> set[str]:
    return {problem.kind for problem in verify_archive(archive).problems}


def test_next_writer_of_the_blog_finishes_the_file(archive: Archive) -> None:
    path = killed(archive)
    assert kinds(archive) == {"cut", "unindexed", "cdxj"}
    archive.warc_writer("b1").close()
    assert kinds(archive) == set()
    assert cdxj_path(path).read_text().count("\n") == 3
    assert [capture.url for capture in archive.captures("https://x.example/2")] == ["https://x.example/2"]


def test_files_of_other_blogs_are_left_alone(archive: Archive) -> None:
    killed(archive, "b2")
    archive.warc_writer("b1").close()
    assert "cdxj" in kinds(archive)


def test_file_that_is_being_written_is_left_alone(archive: Archive) -> None:
    with archive.warc_writer("b1") as busy:
        pointer = write(busy, 1)
        archive.warc_writer("b1").close()
        assert not cdxj_path(archive.folder.warc / pointer.file).exists()
    assert kinds(archive) == set()
