"""Endless URL spaces: a harvest ends by itself, with all posts and a bounded number of requests."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Response, Web

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest

_WORDS = "Some words about salt and bread, and then some more of them, so that there is a post to read. " * 6
_POSTS = [f"/2024/0{n}/1{n}/about-{word}/" for n, word in enumerate(("salt", "bread", "tides", "boats"), 1)]
_FEED_TYPE = "application/rss+xml"
_MOST_REQUESTS = 250
_COPY = re.compile(r"/2024/01/11/about-salt-\w+/")


class _Trap(dict[str, Response]):
    """A blog of four posts that also responds to any other URL, with links to more of them."""

    def __init__(self, base_url: str, kind: str, other_url: str) -> None:
        super().__init__()
        self._base_url, self._kind, self._other_url = base_url, kind, other_url
        self._numbers = itertools.count(1)

    def get(self, path: str, default: Response | None = None) -> Response:  # type: ignore[override]
        """Return the response for this path."""
        place = path.partition("?")[0]
        if place == "/robots.txt":
            return Response(f"Sitemap: {self._base_url}/map-1.xml" if self._kind == "sitemaps" else "", "text/plain")
        if place.startswith("/map-") and self._kind == "sitemaps":
            return Response(self._sitemap(int(place[5:-4])), "text/xml")
        if place == "/feed.xml":
            return Response(self._feed(), _FEED_TYPE)
        if place in _POSTS or (self._kind == "copies" and _COPY.fullmatch(place)):
            place = place if place in _POSTS else _POSTS[0]
            return Response(self._page(place, f"<h1>About {place.split('-')[-1][:-1]}</h1><p>{place} {_WORDS}</p>"))
        if self._kind == "redirects" and place != "/":
            return Response(status=302, location=f"{self._other_url}{path}")
        if place == "/" or self._links(place):
            return Response(self._page(place, "<h1>Blog</h1>" + "".join(f"<a href={url}>Post</a> " for url in _POSTS)))
        return default or Response("Not found", status=404)

    def _page(self, place: str, article: str) -> str:
        head = "<link rel=alternate type='application/rss+xml' href=/feed.xml>"
        links = " ".join(f"<a href='{url}'>link {n}</a>" for n, url in enumerate(self._links(place)))
        return f"<html><head>{head}<title>Blog</title></head><body><article>{article}</article>{links}</body></html>"

    def _links(self, place: str) -> list[str]:
        number = next(self._numbers)
        names = [f"{number}{letter}" for letter in "abc"]
        links = {
            "calendar": [f"/calendar/{1900 + number}/{month:02}/" for month in (1, 2, 3)],
            "sessions": [f"{url}?sid={number}{n}" for n, url in enumerate(_POSTS)],
            "growing path": [f"{place}{name}/" for name in names],
            "query": [f"/?sort={name}&filter={number}&view=list" for name in names],
            "tags": [f"/tag/word{name}/" for name in names],
            "older": [f"/page/{number + 1}/", f"/?paged={number + 1}"],
            "redirects": [f"/go/{name}" for name in names],
            "copies": [f"/2024/01/11/about-salt-{name}/" for name in names],
        }
        return links.get(self._kind, [])

    def _sitemap(self, number: int) -> str:
        maps = "".join(f"<sitemap><loc>{self._base_url}/map-{n}.xml</loc></sitemap>" for n in (1, number, number + 1))
        return f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{maps}</sitemapindex>"

    def _feed(self) -> str:
        items = "".join(
            f"<item><title>About {url.split('-')[-1][:-1]}</title><link>{self._base_url}{url}</link>"
            f"<description>{url} {_WORDS}</description></item>"
            for url in _POSTS
        )
        pages = {"next is itself": "/feed.xml", "next without end": f"/feed.xml?page={next(self._numbers)}"}
        following = f"<atom:link rel='next' href='{pages[self._kind]}'/>" if self._kind in pages else ""
        return (
            "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Blog</title>"
            f"<link>{self._base_url}/</link>{following}{items}</channel></rss>"
        )


@pytest.mark.parametrize(
    "kind",
    [
        "calendar", "sessions", "growing path", "query", "tags", "older", "redirects", "copies", "sitemaps",
        "next is itself", "next without end",
    ],
)  # fmt: skip
def test_harvest_leaves_endless_spaces(tmp_path: Path, serve: Callable[[dict[str, Response]], Web], kind: str) -> None:
    web, other = serve({}), serve({})
    web.responses = _Trap(web.base_url, kind, other.base_url)
    other.responses = _Trap(other.base_url, kind, web.base_url)
    settings = Settings(crawl=CrawlSettings(delay_s=0, retries=0, time_limit_s=120, render="never"))
    report = harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings)
    assert "time limit" not in report.ended_because
    assert len(web.paths) + len(other.paths) < _MOST_REQUESTS
    with open_archive(tmp_path / "archive") as archive:
        assert sorted(post.url for post in archive.posts()) == sorted(web.base_url + path for path in _POSTS)


def test_copy_is_none_although_its_original_waits_for_other_requests(
    tmp_path: Path, serve: Callable[[dict[str, Response]], Web]
) -> None:
    web = serve({})
    trap = _Trap(web.base_url, "copies", "")
    web.responses = trap
    copied = threading.Event()

    def slow_icon(path: str, default: Response | None = None) -> Response:
        if path == "/favicon.ico":  # the first post waits for it
            copied.wait(60)
        if sum(_COPY.fullmatch(each) is not None for each in web.paths) > 3:
            copied.set()
        return _Trap.get(trap, path, default)

    trap.get = slow_icon  # type: ignore[method-assign]
    settings = Settings(crawl=CrawlSettings(delay_s=0, retries=0, time_limit_s=120, render="never"))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings)
    with open_archive(tmp_path / "archive") as archive:
        assert sorted(post.url for post in archive.posts()) == sorted(web.base_url + path for path in _POSTS)
