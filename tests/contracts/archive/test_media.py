"""Media are stored once, under a name derived from their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.archive.overview import archive_stats
from posterity.errors import NotInArchive
from posterity.model import Media, Post

if TYPE_CHECKING:
    from posterity.archive import Archive


def test_a_picture_is_stored_under_its_digest(archive: Archive) -> None:
    medium = archive.put_media(b"\x89PNG", "image/png; x=y", "https://x.example/a.PNG?size=1")
    assert medium.digest is not None
    assert medium.file is not None
    assert medium.digest.removeprefix("sha256:") == medium.file.replace("/", "").removesuffix(".png")
    assert medium.mime == "image/png"
    assert archive.media_path(medium.file).read_bytes() == b"\x89PNG"


def test_the_same_bytes_are_one_file_whatever_their_address_and_type(archive: Archive) -> None:
    first = archive.put_media(b"bytes", "image/jpeg", "https://a.example/1.jpg")
    second = archive.put_media(b"bytes", None, "https://b.example/other.jpeg")
    assert first.file == second.file
    assert second.url == "https://b.example/other.jpeg"
    assert len([path for path in archive.folder.media.rglob("*") if path.is_file()]) == 1


def test_a_file_that_was_lost_is_written_again(archive: Archive) -> None:
    medium = archive.put_media(b"bytes", "image/gif", "https://a.example/1.gif")
    path = archive.media_path(medium.file or "")
    path.unlink()
    archive.put_media(b"bytes", "image/gif", "https://a.example/1.gif")
    assert path.read_bytes() == b"bytes"


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../x", "ab/../../x"])
def test_no_name_leads_out_of_the_archive(archive: Archive, name: str) -> None:
    with pytest.raises(NotInArchive, match="not the name of a stored file"):
        archive.media_path(name)


def test_media_that_could_not_be_fetched_are_listed(archive: Archive) -> None:
    stored = archive.put_media(b"bytes", "image/gif", "https://a.example/1.gif")
    lost = Media(url="https://a.example/lost.gif")
    archive.put_post(Post(id="p1", url="https://a.example/p", blog="a", media=(stored, lost)))
    assert archive.missing_media() == archive.missing_media("a") == [("https://a.example/p", lost.url)]
    assert archive.missing_media("b") == []


def test_embeds_are_not_missing_media(archive: Archive) -> None:
    """A player of another site has no file by design."""
    video = Media(url="https://www.youtube.com/watch?v=abcdefghijk", kind="video", provider="YouTube")
    frame = Media(url="https://maps.example/harbour", kind="embed")
    film = Media(url="https://a.example/film.mp4", kind="video")
    post = Post(id="p1", url="https://a.example/p", blog="a", media=(video, frame, film))
    archive.put_post(post)
    assert archive.missing_media() == [("https://a.example/p", film.url)]
    assert archive_stats(archive).media_missing == 1
    assert archive.post("p1").media == post.media
