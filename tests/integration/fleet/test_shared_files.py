"""Files go whole to a shared place and come back from there: a folder on NFS, or S3."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from posterity.archive import Archive, open_archive
from posterity.archive.forget import forget_post
from posterity.archive.verify import verify_archive
from posterity.errors import ArchiveError, PackageMissing
from posterity.model import Post

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.fleet.conftest import S3

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture(params=["file", "s3"])
def places(request: pytest.FixtureRequest, dsn: str, tmp_path: Path) -> Callable[[str], str]:
    """The URL of one archive for machines by name, each with its own spool."""
    if request.param == "s3":
        request.getfixturevalue("s3")
    shared = f"s3://blogs/{tmp_path.name}" if request.param == "s3" else f"file://{tmp_path}/nfs"
    return lambda machine: f"{dsn}?files={shared}&spool={tmp_path / machine}"


def _write_page(archive: Archive, url: str, body: bytes, blog: str = "b1") -> str:
    with archive.warc_writer(blog) as writer:
        pointer = writer.write_exchange(
            url=url, status=200, response_headers=[("Content-Type", "text/html")], body=body, fetched_at=NOW
        )
    return str(pointer)


def test_pages_and_media_are_read_on_another_machine(places: Callable[[str], str], tmp_path: Path) -> None:
    with open_archive(places("one"), create=True) as archive:
        pointer = _write_page(archive, "https://a.example/1", b"<p>Tides</p>")
        medium = archive.put_media(b"picture", "image/png", "https://a.example/1.png")
        assert archive.read_page(pointer).body == b"<p>Tides</p>"
    assert not list((tmp_path / "one" / "warc").glob("*"))
    assert not list((tmp_path / "one" / "media").glob("*/*"))

    with open_archive(places("two")) as archive:
        assert archive.read_page(pointer).body == b"<p>Tides</p>"
        assert archive.media_path(medium.file or "").read_bytes() == b"picture"
        assert verify_archive(archive).problems == []


def test_takedown_reaches_the_shared_place(places: Callable[[str], str]) -> None:
    with open_archive(places("one"), create=True) as archive:
        pointer = _write_page(archive, "https://a.example/1", b"<p>A secret that must go</p>")
        other = _write_page(archive, "https://a.example/2", b"<p>Tides</p>")
        medium = archive.put_media(b"picture", "image/png", "https://a.example/1.png")
        archive.put_post(
            Post(id="p1", url="https://a.example/1", blog="b1", text="A secret that must go", media=(medium,))
        )

    with open_archive(places("two")) as archive:
        forget_post(archive, "p1", "the author asks")

    with open_archive(places("three")) as archive:
        assert archive.read_page(other).body == b"<p>Tides</p>"
        with pytest.raises(ArchiveError):
            archive.read_page(pointer)
        assert not archive.media_path(medium.file or "").exists()


def test_cache_is_bounded(places: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTERITY_CACHE_MB", "1")
    monkeypatch.setattr("posterity.archive.shared_files._IN_USE_S", 0.0)
    media = [bytes([number]) * 400_000 for number in range(6)]
    with open_archive(places("one"), create=True) as archive:
        files = [archive.put_media(content, "image/png", f"https://a.example/{content[0]}").file for content in media]

    with open_archive(places("two")) as archive:
        for file, content in zip(files, media, strict=True):
            assert archive.media_path(file or "").read_bytes() == content
            kept = sum(path.stat().st_size for path in (tmp_path / "two" / "cache").rglob("*") if path.is_file())
            assert kept <= 2**20


def test_file_that_was_damaged_is_not_used(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posterity.archive.shared_files._MAX_OUTAGE_S", 0.0)
    location = f"{dsn}?files=file://{tmp_path}/nfs&spool={tmp_path}"
    with open_archive(f"{location}/one", create=True) as archive:
        medium = archive.put_media(b"picture", "image/png", "https://a.example/1.png")
    (stored,) = (path for path in (tmp_path / "nfs").rglob("*") if path.is_file())
    stored.write_bytes(b"other bytes")

    with (
        open_archive(f"{location}/two") as archive,
        pytest.raises(ArchiveError, match="match its digest"),
    ):
        archive.media_path(medium.file or "")


def test_outage_of_the_shared_place_is_waited_for(dsn: str, tmp_path: Path, s3: S3) -> None:
    location = f"{dsn}?files=s3://blogs/{tmp_path.name}&spool={tmp_path}"
    s3.is_down = True
    recover = threading.Timer(2.0, lambda: setattr(s3, "is_down", False))
    with open_archive(f"{location}/one", create=True) as archive:
        medium = archive.put_media(b"picture", "image/png", "https://a.example/1.png")
        recover.start()
    recover.join()

    assert s3.refused
    with open_archive(f"{location}/two") as archive:
        assert archive.media_path(medium.file or "").read_bytes() == b"picture"


def test_pages_of_a_dead_machine_are_requested_again(places: Callable[[str], str]) -> None:
    dead = open_archive(places("dead"), create=True)
    _write_page(dead, "https://a.example/1", b"<p>Tides</p>")  # and it never comes to bring the file away
    with open_archive(places("two")) as archive:
        assert archive.folder.shared is not None
        assert archive.folder.shared.forget_unreachable(archive.folder.root, "b1") == 1
        pointer = _write_page(archive, "https://a.example/1", b"<p>Tides</p>")
    with open_archive(places("three")) as archive:
        assert archive.read_page(pointer).body == b"<p>Tides</p>"
    dead.close()


def test_missing_package_is_named(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with open_archive(f"{dsn}?files=file://{tmp_path}/nfs&spool={tmp_path}/one", create=True) as archive:
        assert archive.folder.shared is not None
        with pytest.raises(PackageMissing, match=r"posterity\[fleet\]"):
            archive.folder.shared.store(Path(__file__), "warc/x.warc.gz")
