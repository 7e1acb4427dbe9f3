"""`verify` finds every kind of damage, and repairs what can be repaired."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from posterity.archive.captures import cdxj_path
from posterity.archive.verify import repair_archive, verify_archive
from posterity.errors import ArchiveError
from posterity.model import Post, Provenance, WarcPointer

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive import Archive

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)


def harvest(archive: Archive, pages: int = 4) -> tuple[Path, list[WarcPointer]]:
    with archive.warc_writer("b1") as writer:
        pointers = [
            writer.write_exchange(
                url=f"https://x.example/{number}",
                status=200,
                response_headers=[("Content-Type", "text/html")],
                body=b"page %d " % number * 50,
                fetched_at=NOON,
            )
            for number in range(pages)
        ]
    for number, pointer in enumerate(pointers):
        origin = {"text": Provenance(method="feed", confidence=1, warc=str(pointer))}
        archive.put_post(
            Post(id=f"p{number}", url=f"https://x.example/{number}", text=f"page {number}", provenance=origin)
        )
    return archive.folder.warc / pointers[0].file, pointers


def kinds(archive: Archive) -> list[str]:
    return sorted(problem.kind for problem in verify_archive(archive).problems)


def repair(archive: Archive) -> None:
    repair_archive(archive, verify_archive(archive))


def test_a_whole_archive_has_no_problems(archive: Archive) -> None:
    harvest(archive)
    archive.put_media(b"x", "image/png", "https://x.example/a.png")
    found = verify_archive(archive)
    assert (found.files, found.records, found.problems) == (1, 9, [])


@pytest.mark.parametrize("lost", [1, 30, 100, 400])
def test_a_file_cut_anywhere_is_found_repaired_and_readable_again(archive: Archive, lost: int) -> None:
    path, pointers = harvest(archive)
    whole = path.read_bytes()
    path.write_bytes(whole[:-lost])
    assert "cut" in kinds(archive)
    repair(archive)
    assert set(kinds(archive)) <= {"pointer"}  # a post whose page is lost says so
    assert archive.read_page(pointers[0]).body == b"page 0 " * 50
    kept = next(iter(path.parent.glob("*.cut-*")))
    assert path.read_bytes() + kept.read_bytes() == whole[:-lost]


def test_records_that_a_crash_kept_out_of_the_database_are_indexed(archive: Archive) -> None:
    path, pointers = harvest(archive)
    with archive.database.writing() as connection:
        connection.execute(text("DELETE FROM captures"))
    cdxj_path(path).unlink()
    assert kinds(archive) == ["cdxj", *["unindexed"] * 4]
    repair(archive)
    assert kinds(archive) == []
    (capture,) = archive.captures("https://x.example/2")
    assert (capture.offset, capture.mime, capture.status, capture.blog_id) == (
        pointers[2].offset,
        "text/html",
        200,
        "b1",
    )
    assert cdxj_path(path).exists()


def test_a_turned_bit_is_found_and_the_records_behind_it_are_still_read(archive: Archive) -> None:
    path, pointers = harvest(archive)
    content = bytearray(path.read_bytes())
    content[pointers[1].offset + 200] ^= 0x55
    path.write_bytes(content)
    found = verify_archive(archive)
    assert "damaged" in {problem.kind for problem in found.problems}
    assert found.records >= 7
    assert archive.read_page(pointers[3]).body == b"page 3 " * 50
    repair(archive)
    assert "damaged" in kinds(archive)  # only a backup can help


def test_a_lost_warc_file_is_found(archive: Archive) -> None:
    path, pointers = harvest(archive)
    path.unlink()
    assert kinds(archive) == ["dangling", *["pointer"] * 4]
    with pytest.raises(ArchiveError, match="missing"):
        archive.read_page(pointers[0])


def test_lost_changed_and_unknown_media_are_found(archive: Archive) -> None:
    lost, changed = (archive.put_media(content, "image/png", "https://x.example/a.png") for content in (b"1", b"2"))
    archive.media_path(lost.file or "").unlink()
    archive.media_path(changed.file or "").write_bytes(b"3")
    (archive.folder.media / "zz").mkdir()
    (archive.folder.media / "zz" / "unknown.png").write_bytes(b"4")
    assert kinds(archive) == ["media", "media", "orphan"]


def test_a_search_index_that_lost_entries_is_made_anew(archive: Archive) -> None:
    harvest(archive)
    with archive.database.writing() as connection:
        connection.execute(text("DELETE FROM search_entries WHERE post_id = 'p2'"))
    assert kinds(archive) == ["search"]
    repair(archive)
    assert kinds(archive) == []
    assert [hit.post_id for hit in archive.search('"page 2"')] == ["p2"]


def test_a_file_that_is_being_written_is_left_alone(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        pointer = writer.write_exchange(
            url="https://x.example/", status=200, response_headers=[], body=b"x", fetched_at=NOON
        )
        found = verify_archive(archive)
        assert found.being_written == [pointer.file]
        assert found.problems == []
