"""Pictures and documents of posts become files of the archive, each once; what cannot be had is listed."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

PDF = b"%PDF-1.4 the tide table"
PICTURE = b"\x89PNG\r\n\x1a\n a boat"


@pytest.fixture
def blog(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    """A blog in which every article shows one picture, links to a document, and to things that are not to be had.

    The links have no words: such as stand in all articles and not in the feed are not of the article.
    """
    web = serve({})
    site = build(SiteOptions(base_url=web.base_url, posts_limit=8))
    shown = (
        '<a href="/tides.pdf"><img src="/boat.png" alt="A boat"></a><img src="/gone.png">'
        '<img src="/page.png"><img src="data:image/gif;base64,R0lGOD"><img src="/huge.png">'
    )
    for path, resource in site.items():
        body = resource.body
        if path in {post.path for post in site.truth}:
            body = body.replace(b'<div class="entry-content">', b'<div class="entry-content">' + shown.encode())
            assert shown.encode() in body
        web.responses[path] = response(body, resource.content_type, resource.status)
    web.responses |= {
        "/boat.png": response(PICTURE, "image/png"),
        "/tides.pdf": response(PDF, "application/pdf"),
        "/page.png": response("<h1>No hotlinks</h1>", "text/html"),
        "/huge.png": response(PICTURE + bytes(65 * 1024 * 1024), "image/png"),
    }
    return web


def harvest(posterity: Posterity, blog: Web, archive: Path, *options: str) -> dict[str, Any]:
    ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "--json", "--archive", archive, *options)
    assert (ended.returncode, ended.stderr) == (0, "")
    report: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])["report"]
    return report


def test_media_are_files_under_their_digest_and_failures_are_listed(
    blog: Web, posterity: Posterity, tmp_path: Path
) -> None:
    report = harvest(posterity, blog, tmp_path / "archive")
    with open_archive(tmp_path / "archive") as store:
        posts = list(store.posts())
        assert len(posts) == 8
        for post in posts:
            media = {medium.url.removeprefix(blog.base_url): medium for medium in post.media}
            boat, tides = media["/boat.png"], media["/tides.pdf"]
            assert (boat.mime, boat.alt, tides.mime) == ("image/png", "A boat", "application/pdf")
            assert boat.digest == f"sha256:{hashlib.sha256(PICTURE).hexdigest()}"
            assert store.media_path(boat.file or "").read_bytes() == PICTURE
            assert store.media_path(tides.file or "").read_bytes() == PDF
            assert media["/gone.png"].file is None
            assert media["/huge.png"].file is None
    for path in ("/boat.png", "/tides.pdf", "/page.png"):
        assert blog.paths.count(path) == 1
    why = {medium["url"].removeprefix(blog.base_url): medium["reason"] for medium in report["missing_media"]}
    assert why["/gone.png"] == "status 404"
    assert why["/page.png"] == "its type is text/html"
    assert "/huge.png" in why
    assert report["media_requests"] >= 4
    pages = [
        path for path in blog.paths if path not in ("/boat.png", "/tides.pdf", "/gone.png", "/page.png", "/huge.png")
    ]
    assert report["requests"] <= len(pages)


def test_media_that_the_archive_has_are_not_asked_for_again(blog: Web, posterity: Posterity, tmp_path: Path) -> None:
    harvest(posterity, blog, tmp_path / "archive")
    blog.asked.clear()
    report = harvest(posterity, blog, tmp_path / "archive")
    assert {"/boat.png", "/tides.pdf"} & set(blog.paths) == set()
    assert report["media"] >= 16
    with open_archive(tmp_path / "archive") as store:
        assert {post.revision for post in store.posts()} == {1}


def test_no_media_and_no_comments_leave_them_where_they_are(blog: Web, posterity: Posterity, tmp_path: Path) -> None:
    report = harvest(posterity, blog, tmp_path / "archive", "--no-media", "--no-comments")
    assert {"/boat.png", "/tides.pdf", "/gone.png"} & set(blog.paths) == set()
    assert (report["media"], report["media_requests"], report["comments"]) == (0, 0, 0)
    with open_archive(tmp_path / "archive") as store:
        assert {medium.url for post in store.posts() for medium in post.media} >= {f"{blog.base_url}/boat.png"}
        assert [comment for post in store.posts() for comment in post.comments] == []


def test_picture_in_the_page_itself_and_poster_of_a_film_are_files(
    blog: Web, response: type[Response], posterity: Posterity, tmp_path: Path
) -> None:
    drawing = PICTURE + bytes(range(256)) * 20
    data = f"data:image/png;base64,{base64.b64encode(drawing).decode()}"
    shown = f'<img src="{data}" alt="A drawing"><video poster="/still.png"><source src="/film.mp4"></video>'
    for path, page in blog.responses.items():
        if isinstance(page.body, bytes) and b"/boat.png" in page.body:
            body = page.body.replace(b'<img src="/gone.png">', shown.encode())
            blog.responses[path] = response(body, page.content_type, page.status)
    blog.responses |= {"/still.png": response(PICTURE, "image/png"), "/film.mp4": response(b"a film", "video/mp4")}
    harvest(posterity, blog, tmp_path / "archive", "--limit", "12")
    with open_archive(tmp_path / "archive") as store:
        post = next(iter(store.posts()))
        media = {medium.url.removeprefix(blog.base_url): medium for medium in post.media}
        (name,) = (url for url in media if "#image-" in url)
        assert media[name].url == f"{post.url}#image-{hashlib.sha256(drawing).hexdigest()[:16]}.png"
        assert store.media_path(media[name].file or "").read_bytes() == drawing
        assert (media[name].alt, media["/still.png"].mime, media["/film.mp4"].mime) == (
            "A drawing",
            "image/png",
            "video/mp4",
        )
        assert f"![A drawing]({media[name].url})" in (post.markdown or "")
        assert "data:image" not in f"{post.html}{post.markdown}"
