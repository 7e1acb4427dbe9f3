"""What a blog is dressed in is kept: its icon as a file, its stylesheets in WARC, each asked for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.integration.harvest.test_media import harvest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

ICON = b"\x00\x00\x01\x00 a buoy"
HEAD = b'<link rel="stylesheet" href="/main.css"><link rel="stylesheet" href="/lost.css"></head>'
DRESS = ("/favicon.ico", "/main.css", "/base.css", "/deep.css", "/sea.png", "/font.woff2", "/lost.css", "/lost.png")


@pytest.fixture
def blog(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    """A blog whose stylesheet imports another, and names a picture, a font, and a file that is not there."""
    web = serve({})
    for path, resource in build(SiteOptions(base_url=web.base_url, posts_limit=4)).items():
        body = resource.body.replace(b"</head>", HEAD)
        web.responses[path] = response(body, resource.content_type, resource.status)
    web.responses |= {
        "/favicon.ico": response(ICON, "image/x-icon"),
        "/main.css": response(
            '@import "base.css"; a { background: url(sea.png) } b { background: url(lost.png) }', "text/css"
        ),
        "/base.css": response('@import "deep.css"; @font-face { src: url(font.woff2) }', "text/css; charset=utf-8"),
        "/sea.png": response(b"\x89PNG sea", "image/png"),
        "/font.woff2": response(b"wOF2", "font/woff2"),
    }
    return web


def test_icon_and_stylesheets_are_kept_and_asked_for_once(blog: Web, posterity: Posterity, tmp_path: Path) -> None:
    report = harvest(posterity, blog, tmp_path / "archive")
    assert {path: blog.paths.count(path) for path in DRESS} == dict.fromkeys(DRESS, 1) | {"/deep.css": 0}
    assert report["media_requests"] >= 7
    assert report["requests"] + report["media_requests"] <= len(blog.paths)
    with open_archive(tmp_path / "archive") as store:
        (known,) = store.blogs()
        assert known.icon is not None
        assert (known.icon.url, known.icon.mime) == (f"{blog.base_url}/favicon.ico", "image/x-icon")
        assert store.media_path(known.icon.file or "").read_bytes() == ICON
        for path in ("/main.css", "/base.css", "/sea.png", "/font.woff2"):
            assert [capture.status for capture in store.captures(blog.base_url + path)] == [200]
    blog.asked.clear()
    harvest(posterity, blog, tmp_path / "archive")
    assert set(DRESS) & set(blog.paths) == set()


def test_no_media_leaves_icon_and_stylesheets_and_what_was_known_of_them_stays(
    blog: Web, posterity: Posterity, tmp_path: Path
) -> None:
    harvest(posterity, blog, tmp_path / "archive", "--no-media")
    assert set(DRESS) & set(blog.paths) == set()
    harvest(posterity, blog, tmp_path / "archive")
    harvest(posterity, blog, tmp_path / "archive", "--no-media")
    with open_archive(tmp_path / "archive") as store:
        assert store.blogs()[0].icon is not None
