"""Blogs that are hard to enter: no feed, a broken one, one elsewhere, a redirect, one page alone; and a very long one.

All are harvested by one command, as a list of blogs is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

    from posterity.demo.server import DemoSite

MANY, PER_PAGE = 2000, 50
FEED = "/feed/"
CATS = ("tides", "bread", "lamps")


class Hosts:
    """Web sites, each with the address to harvest and the posts that must come of it."""

    def __init__(self, serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> None:
        self._serve, self._response = serve, response
        self.cases: dict[str, tuple[str, set[str]]] = {}

    def add(self, name: str, entrance: str, posts: set[str]) -> None:
        self.cases[name] = entrance, posts

    def bundled(self, options: SiteOptions) -> tuple[Web, DemoSite]:
        web = self._serve({})
        site = build(replace(options, base_url=web.base_url))
        web.responses |= {
            path: self._response(page.body, page.content_type, page.status) for path, page in site.items()
        }
        return web, site

    def bundled_at(self, name: str, options: SiteOptions) -> None:
        web, site = self.bundled(options)
        self.add(name, f"{web.base_url}/", {post.url for post in site.truth})

    def feed_elsewhere(self) -> None:
        web, site = self.bundled(SiteOptions(posts_limit=12, sitemap=False))
        other = self._serve({})
        other.responses["/the-blog.xml"] = web.responses.pop(FEED)
        here, there = f"{web.base_url}{FEED}".encode(), f"{other.base_url}/the-blog.xml".encode()
        for path, said in web.responses.items():
            assert isinstance(said.body, bytes)
            web.responses[path] = said._replace(body=said.body.replace(here, there).replace(FEED.encode(), there))
        self.add("feed on another host", f"{web.base_url}/", {post.url for post in site.truth})

    def redirected(self) -> None:
        web, site = self.bundled(SiteOptions(posts_limit=12, prefix="/almanac"))
        old = self._serve({})
        old.responses["/"] = self._response(status=301, location=f"{web.base_url}/almanac/")
        self.add("behind a redirect", f"{old.base_url}/", {post.url for post in site.truth})

    def one_page(self) -> None:
        web, site = self.bundled(SiteOptions(posts_limit=12))
        post = max(site.truth, key=lambda post: len(post.text))
        web.responses = {post.path: web.responses[post.path]}
        self.add("one page of a blog that is gone", post.url, {post.url})

    def folders_of_categories(self) -> None:
        web = self._serve({})
        paths = [
            f"/{folder}/{a}-and-{b}/" for folder in ("life", "work", "play") for a in "salt rope".split() for b in CATS
        ]
        links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in paths)
        web.responses["/"] = self._response(f"<h1>The Shelf</h1><ul>{links}</ul><a href='/about/'>About</a>")
        for number, path in enumerate([*paths, "/about/"], 1):
            web.responses[path] = self._response(
                f"<title>{path} | The Shelf</title><h1>The Shelf</h1><article><h2>{path}</h2>"
                f"<time datetime='2021-03-{number:02}'>a day</time><div class=text><p>{_words(f'/{number}')}</p></div>"
                "</article>"
            )
        self.add("no feed, a folder for every category", f"{web.base_url}/", {web.base_url + path for path in paths})

    def many_posts(self) -> None:
        web = self._serve({})
        paths = [f"/{2000 + number // 100}/{1 + number % 12:02}/post-{number}/" for number in range(MANY)][::-1]
        pages = [paths[start : start + PER_PAGE] for start in range(0, MANY, PER_PAGE)]
        for number, listed in enumerate(pages, 1):
            links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in listed)
            older = f'<a href="/page/{number + 1}/">Older</a>' if number < len(pages) else ""
            web.responses["/" if number == 1 else f"/page/{number}/"] = self._response(f"<ul>{links}</ul>{older}")
        for path in paths:
            web.responses[path] = self._response(
                f"<title>{path}</title><article><h1>{path}</h1><div class=text><p>{_words(path)}</p></div></article>"
            )
        items = "".join(
            f"<item><title>{path}</title><link>{web.base_url}{path}</link><description>&lt;p&gt;{_words(path)}&lt;/p&gt;"
            "</description></item>"
            for path in paths[:10]
        )
        web.responses[FEED] = self._response(
            f"<rss version='2.0'><channel>{items}</channel></rss>", "application/rss+xml"
        )
        self.add("2,000 posts", f"{web.base_url}/", {web.base_url + path for path in paths})


def _words(path: str) -> str:
    number = int("".join(filter(str.isdigit, path)))
    return " ".join(f"word{number * step % 9973}" for step in range(1, 60))


CASES = (
    "no feed",
    "no feed and no sitemap",
    "broken feed",
    "feed on another host",
    "behind a redirect",
    "one page of a blog that is gone",
    "no feed, a folder for every category",
    "2,000 posts",
)


@pytest.fixture(scope="module")
def harvested(
    serve: Callable[[dict[str, Response]], Web],
    response: type[Response],
    posterity: Posterity,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, tuple[set[str], set[str]]]:
    """What must come and what came, by case."""
    hosts = Hosts(serve, response)
    hosts.bundled_at("no feed", SiteOptions(posts_limit=12, feed="none"))
    hosts.bundled_at("no feed and no sitemap", SiteOptions(posts_limit=12, feed="none", sitemap=False))
    hosts.bundled_at("broken feed", SiteOptions(posts_limit=12, feed="broken"))
    hosts.feed_elsewhere()
    hosts.redirected()
    hosts.one_page()
    hosts.folders_of_categories()
    hosts.many_posts()
    folder: Path = tmp_path_factory.mktemp("entrances")
    listed = folder / "blogs.txt"
    listed.write_text("\n".join(entrance for entrance, _ in hosts.cases.values()), encoding="utf-8")
    options = ("--delay", "0", "--no-media", "--render", "never", "-q", "--archive", folder / "archive")
    ended = posterity("harvest", "-i", listed, *options)
    assert (ended.returncode, ended.stderr) == (0, "")
    with open_archive(folder / "archive") as store:
        found = {post.url for post in store.posts()}
    return {
        name: (posts, {url for url in found if _host(url) in set(map(_host, posts))})
        for name, (_, posts) in hosts.cases.items()
    }


def _host(url: str) -> str:
    return url.split("/")[2]


@pytest.mark.parametrize("case", CASES)
def test_every_post_comes_and_nothing_else(case: str, harvested: dict[str, tuple[set[str], set[str]]]) -> None:
    posts, found = harvested[case]
    assert found == posts
