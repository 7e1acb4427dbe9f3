"""Media URLs of a post, and the responses that are kept."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.crawl.pipelines import media_of_post, unwanted
from posterity.model import Media, Page, Post

URL = "http://blog.example/"


def page(name: str, kind: str, body: bytes = b"bytes", status: int = 200) -> Page:
    at = datetime(2021, 3, 12, tzinfo=UTC)
    return Page(url=URL + name, requested_url=URL, status=status, content_type=kind, body=body, fetched_at=at)


def test_files_that_the_article_links_to_are_media_and_pages_are_not() -> None:
    links = tuple(URL + name for name in ("a.png", "tides.PDF?v=2", "next/", "page.html", "song.mp3", "a.b/c"))
    post = Post(id="p", url=URL, media=(Media(url=f"{URL}a.png", alt="A"),), links=links)
    assert media_of_post(post) == (
        Media(url=f"{URL}a.png", alt="A"),
        Media(url=f"{URL}tides.PDF?v=2"),
        Media(url=f"{URL}song.mp3"),
    )


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (page("a.png", "image/png"), None),
        (page("a", "image/webp; q=1"), None),
        (page("a.pdf", "application/pdf"), None),
        (page("a.pdf", "application/octet-stream"), None),
        (page("a", "application/octet-stream"), "its type is application/octet-stream"),
        (page("a.png", "text/html"), "its type is text/html"),
        (page("a.png", ""), None),
        (page("a.png", "image/png", b""), "empty"),
        (page("a.png", "image/png", status=404), "status 404"),
        (page("a.png", "image/png", bytes(101)), "101 bytes, more than 100"),
    ],
)
def test_answer_is_kept_by_its_type_and_size(response: Page, reason: str | None) -> None:
    assert unwanted(response, 100) == reason
