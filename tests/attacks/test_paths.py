"""A foreign archive gives no access to files outside its folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.integration.serve.running import served

from posterity.archive import open_archive
from posterity.archive.forget import forget_post
from posterity.archive.verify import verify_archive
from posterity.errors import NotInArchive
from posterity.export.export import export
from posterity.model import Blog, Post
from posterity.urls import blog_id, post_id

URL = "https://blog.example/1/"
PICTURE = "https://blog.example/a.png"
SECRET = b"a secret of this machine"


@pytest.fixture(params=["dots", "absolute", "link", "linked folder", "dots behind a folder"])
def hostile(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """An archive whose database puts a picture and a page in a file outside its folder."""
    root = tmp_path / "archive"
    (tmp_path / "secret.png").write_bytes(SECRET)
    with open_archive(root, create=True) as archive:
        archive.put_blog(Blog(id=blog_id(URL), url="https://blog.example/"))
        medium = archive.put_media(b"\x89PNG picture", "image/png", PICTURE)
        with archive.warc_writer(blog_id(URL)) as writer:
            page = b"<article><p>Some words.</p></article>"
            at = datetime(2024, 1, 2, tzinfo=UTC)
            html = [("Content-Type", "text/html")]
            writer.write_exchange(url=URL, status=200, response_headers=html, body=page, fetched_at=at)
        archive.put_post(
            Post(
                id=post_id(URL),
                url=URL,
                blog=blog_id(URL),
                text="Some words.",
                html="<p>Some words.</p>",
                media=(medium,),
            )
        )
    name = {
        "dots": "../../secret.png",
        "absolute": str(tmp_path / "secret.png"),
        "link": "ab/link.png",
        "linked folder": "out/secret.png",
        "dots behind a folder": "ab/../../../secret.png",
    }[request.param]
    for folder in ("media", "warc"):
        (root / folder / "ab").mkdir(exist_ok=True)
        (root / folder / "ab" / "link.png").symlink_to(tmp_path / "secret.png")
        (root / folder / "out").symlink_to(tmp_path)
    with sqlite3.connect(root / "posterity.db") as database:
        database.execute("UPDATE media SET file = ?", (name,))
        database.execute("UPDATE captures SET file = ?", (name,))
        database.execute("UPDATE posts SET document = replace(document, ?, ?)", (str(medium.file), name))
    database.close()
    yield root
    assert (tmp_path / "secret.png").read_bytes() == SECRET


def test_server_sends_no_file_outside(hostile: Path) -> None:
    with sqlite3.connect(hostile / "posterity.db") as database:
        (name,) = database.execute("SELECT file FROM media").fetchone()
    database.close()
    with served(hostile) as site:
        media = (f"/media/{name}", f"/media/{name.replace('/', '%2f')}", "/blogs/blog.example/icon")
        pages = (f"/posts/{post_id(URL)}", f"/posts/{post_id(URL)}/page", f"/memento/20240102000000/{URL}")
        for path in (*media, *pages):
            found = site.ask.get(path)
            assert SECRET not in found.content
            assert found.status_code < 500


@pytest.mark.parametrize("format_name", ["markdown", "epub", "warc", "wacz", "jsonl"])
def test_export_has_no_file_outside(hostile: Path, tmp_path: Path, format_name: str) -> None:
    out = tmp_path / "out"
    with open_archive(hostile) as archive, suppress(NotInArchive):  # or the file is left out
        export(archive, str(out), format_name)
    files = [out] if out.is_file() else list(out.rglob("*"))
    assert not [file for file in files if file.is_file() and SECRET in file.read_bytes()]


def test_verify_names_it_and_forget_changes_nothing_outside(hostile: Path) -> None:
    with open_archive(hostile) as archive:
        assert [problem for problem in verify_archive(archive).problems if "points outside" in problem.detail]
        with pytest.raises(NotInArchive, match="points outside"):
            forget_post(archive, URL, "a reason")


def test_folders_of_an_archive_may_be_links(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        medium = archive.put_media(b"\x89PNG picture", "image/png", PICTURE)
    (tmp_path / "archive" / "media").rename(tmp_path / "large-disk")
    (tmp_path / "archive" / "media").symlink_to(tmp_path / "large-disk")
    with open_archive(tmp_path / "archive") as archive:
        assert archive.media_path(medium.file or "").read_bytes() == b"\x89PNG picture"
