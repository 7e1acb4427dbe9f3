"""Media files among the responses of an import; known facts about a medium are kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from posterity.blog.changes import with_stored_media
from posterity.blog.page_source import StoredResponse
from posterity.model import Media, Page, Post

if TYPE_CHECKING:
    from posterity.archive import Archive

AT = datetime(2024, 5, 6, tzinfo=UTC)
FILM = Media(url="https://b.example/film.mp4", kind="video", title="Ebb", poster="https://b.example/still.jpg")
PLAYER = Media(url="https://vimeo.com/12345", kind="video", provider="Vimeo", title="Flow")


class EveryResponse:
    def response(self, url: str) -> StoredResponse | None:
        return StoredResponse(url=url, status=200, content_type="video/mp4", fetched_at=AT, where=("f", 0, 1))

    def find(self, url: str) -> Page | None:
        return Page(url=url, requested_url=url, status=200, content_type="video/mp4", body=b"x", fetched_at=AT)


class MediaStore:
    def put_media(self, content: bytes, mime: str | None, url: str) -> Media:
        return Media(url=url, file="ab/c.mp4", digest="sha256:abc", mime=mime)


def test_medium_with_its_file_keeps_kind_title_and_poster() -> None:
    post = Post(id="p", url="https://b.example/p", media=(FILM,))
    (film,) = with_stored_media(post, EveryResponse(), cast("Archive", MediaStore())).media
    assert (film.file, film.kind, film.title, film.poster) == ("ab/c.mp4", "video", "Ebb", FILM.poster)


def test_embed_gets_no_file() -> None:
    post = Post(id="p", url="https://b.example/p", media=(PLAYER,))
    assert with_stored_media(post, EveryResponse(), cast("Archive", MediaStore())) == post
