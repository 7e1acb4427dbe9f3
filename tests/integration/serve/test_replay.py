"""Archived pages are replayed in their own clothes: stylesheets, pictures and fonts of the archive, nothing live."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from tests.integration.serve.running import Served, served

from posterity.archive import open_archive
from posterity.model import Blog, Post, Provenance
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = "https://dressed.example/"
THEN = datetime(2020, 5, 1, 12, tzinfo=UTC)
PAGE = f"""<!doctype html><html class="themed"><head><title>Salt</title>
<link rel="stylesheet" href="/theme/main.css?v=2#x"><link rel="alternate stylesheet" href="/theme/loud.css">
<link rel="stylesheet" href="/theme/print.css" media="print"><link rel="stylesheet" href="/theme/lost.css">
<style>.inline {{ background: url(/theme/paper.png) }}</style></head>
<body><h1>Salt</h1><article class="inline"><p style="background: url('theme/paper.png')">Words about salt.</p>
<img src="tiny.png" srcset="small.png 1x, /theme/paper.png 2x"><img src="https://live.example/tracker.gif">
<a href="{HOME}other/">other</a> <a href="https://live.example/">live</a></article></body></html>"""
FILES = {
    "theme/main.css?v=2": ("text/css", ('@charset "utf-8"; @import "base.css"; @import url(lost.css);\n'
                           "h1 { color: rgb(1, 2, 3); background: url(paper.png) } /* </style> */\n"
                           "p::after { content: '</style><script>top.ran = 1</script>' }\n"
                           "@font-face { font-family: f; src: url(f.woff2#a) }\n"
                           "h2 { background: url(https://live.example/beacon.png) }\n"
                           "h3 { background: url(/memento/1/x) }")),
    "theme/base.css": ("text/css", "body { margin: 7px } @import 'base.css';"),
    "theme/loud.css": ("text/css", "body { color: red }"),
    "theme/print.css": ("text/css", "h1 { display: none }"),
    "theme/paper.png": ("image/png", "not really"),
    "theme/f.woff2": ("font/woff2", "not really"),
    "other/": ("text/html", "<p>Another page</p>"),
}  # fmt: skip


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with one post whose page and theme are in the archive; the theme has changed since."""
    folder = tmp_path_factory.mktemp("dressed") / "archive"
    with open_archive(folder, create=True) as archive:
        archive.put_blog(Blog(id=blog_id(HOME), url=HOME, harvested_at=THEN))
        with archive.warc_writer(blog_id(HOME)) as writer:

            def stored(path: str, mime: str, body: str, at: datetime) -> str:
                headers = [("Content-Type", mime)]
                pointer = writer.write_exchange(
                    url=HOME + path, status=200, response_headers=headers, body=body.encode(), fetched_at=at
                )
                return str(pointer)

            place = stored("p/", "text/html", PAGE, THEN)
            for path, (mime, body) in FILES.items():
                stored(path, mime, body, THEN + timedelta(seconds=30))
            stored("theme/main.css?v=2", "text/css", "h1 { color: rgb(9, 9, 9) }", THEN + timedelta(days=900))
        archive.put_post(
            Post(
                id=post_id(HOME + "p/"), url=HOME + "p/", blog=blog_id(HOME), title="Salt", text="Words about salt.",
                provenance={"text": Provenance(method="feed", rule="article", confidence=1.0, warc=place)},
            )
        )  # fmt: skip
    with served(folder) as site:
        yield site


@pytest.fixture(scope="module")
def page(replayed: Served) -> str:
    return replayed.ask.get(f"/posts/{post_id(HOME + 'p/')}/page").text


def test_stylesheet_of_the_time_of_the_page_is_applied(page: str) -> None:
    assert "rgb(1, 2, 3)" in page
    assert "rgb(9, 9, 9)" not in page
    assert "margin: 7px" in page, "what a stylesheet imports comes too"
    assert '<html lang="" class="themed"' in page


def test_stylesheet_for_others_is_not_applied(page: str) -> None:
    assert "color: red" not in page
    assert '<style media="print">h1 { display: none }' in page


def test_stylesheet_cannot_end_the_element_it_stands_in(page: str) -> None:
    assert page.count("</style>") == page.count("<style")
    assert "<script" not in page


def test_addresses_lead_to_the_archive_or_nowhere(page: str, replayed: Served) -> None:
    named = [
        *re.findall(r'url\("([^"]*)"\)', page.replace("&quot;", '"')),
        *re.findall(r'(?:src|href)="([^"]*)"', page),
    ]
    assert set(named) == {
        "data:,",
        f"/memento/20200501120000/{HOME}theme/paper.png",
        f"/memento/20200501120000/{HOME}theme/f.woff2#a",
        f"/memento/20200501120000/{HOME}other/",
    }
    assert "live.example" not in page
    for address in named:
        if address.startswith("/"):
            assert replayed.ask.get(address.partition("#")[0]).status_code == 200


def test_font_may_be_loaded_by_a_frame_without_an_origin(replayed: Served) -> None:
    font = replayed.ask.get(f"/memento/20200501120000/{HOME}theme/f.woff2")
    assert font.headers["access-control-allow-origin"] == "null"
    picture = replayed.ask.get(f"/memento/20200501120000/{HOME}theme/paper.png")
    assert "access-control-allow-origin" not in picture.headers
    assert (
        "font-src 'self'" in replayed.ask.get(f"/posts/{post_id(HOME + 'p/')}/page").headers["content-security-policy"]
    )


def test_page_without_stylesheets_gets_a_plain_one(replayed: Served) -> None:
    assert "max-width: 46rem" in replayed.ask.get(f"/memento/20200501120000/{HOME}other/").text
