"""Records exported as wxr, atom, jsonl or wacz and imported again are unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.archive import Archive, open_archive
from posterity.archive.verify import verify_archive
from posterity.export.export import export
from posterity.importer.records.files import record_files
from posterity.importer.records.storing import import_records
from posterity.model import Post, to_json

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = ("jsonl", "wxr", "atom", "wacz")


def without_places(post: Post) -> Post:
    """The record without the locations of its raw page and media, which differ between archives."""
    return msgspec.structs.replace(
        post,
        media=tuple(msgspec.structs.replace(medium, file=None, digest=None) for medium in post.media),
        provenance={field: msgspec.structs.replace(origin, warc=None) for field, origin in post.provenance.items()},
    )


def lines(archive: Archive) -> list[bytes]:
    return [to_json(without_places(post)) for post in archive.posts()]


@pytest.fixture
def file(demo_archive: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The archive in one format."""
    out = tmp_path / f"out.{request.param}"
    with open_archive(demo_archive) as archive:
        export(archive, str(out), request.param)
    return out


@pytest.mark.parametrize("file", FORMATS, indirect=True)
@pytest.mark.parametrize("with_manifest", [True, False])
def test_records_and_blogs_come_back_the_same(
    demo_archive: Path, file: Path, tmp_path: Path, *, with_manifest: bool
) -> None:
    if not with_manifest:
        file.with_name(f"{file.name}.manifest.json").unlink()
    with open_archive(tmp_path / "again", create=True) as again, open_archive(demo_archive) as archive:
        (event,) = import_records(again, file)
        assert event.posts == {"new": len(lines(archive))}
        assert lines(again) == lines(archive)
        assert [(blog.id, blog.url, blog.title) for blog in again.blogs()] == [
            (blog.id, blog.url, blog.title if with_manifest or file.suffix != ".jsonl" else None)
            for blog in archive.blogs()
        ]
        assert not verify_archive(again).problems


def test_wxr_in_parts_comes_back_the_same_from_the_folder(demo_archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    with open_archive(tmp_path / "again", create=True) as again, open_archive(demo_archive) as archive:
        export(archive, str(out), "wxr", split=30_000)
        parts = record_files(out)
        assert len(parts) > 2
        counts = [event.posts["new"] for part in reversed(parts) for event in import_records(again, part)]
        assert sum(counts) == len(lines(archive))
        assert lines(again) == lines(archive)
        assert [(blog.id, blog.title, blog.feed_url) for blog in again.blogs()] == [
            (blog.id, blog.title, blog.feed_url) for blog in archive.blogs()
        ]


@pytest.mark.parametrize("file", FORMATS, indirect=True)
def test_importing_twice_changes_nothing(file: Path, tmp_path: Path) -> None:
    with open_archive(tmp_path / "again", create=True) as again:
        (first,) = import_records(again, file)
        before = [to_json(post) for post in again.posts()]
        (second,) = import_records(again, file)
        assert set(second.posts) == {"same"}
        assert [to_json(post) for post in again.posts()] == before
        assert first.report.posts == second.report.posts


@pytest.mark.parametrize("file", ["wacz"], indirect=True)
def test_raw_pages_and_pictures_come_along_in_wacz(demo_archive: Path, file: Path, tmp_path: Path) -> None:
    with open_archive(tmp_path / "again", create=True) as again, open_archive(demo_archive) as archive:
        list(import_records(again, file))
        old = {post.id: post for post in archive.posts()}
        for post in again.posts():
            here, there = post.provenance["text"].warc, old[post.id].provenance["text"].warc
            assert here is not None
            assert there is not None
            assert again.read_page(here).body == archive.read_page(there).body
            assert post.media == old[post.id].media
        assert any(medium.file for post in again.posts() for medium in post.media)
