"""A host that refuses connections or never responds is reported soon."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import Posterity, Response, Web

from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.errors import NoBlog, Unreachable


def test_refused_port_is_told_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    began = time.monotonic()
    with pytest.raises(Unreachable, match="refuse"):
        harvest(f"http://127.0.0.1:{port}/", tmp_path / "archive", settings=Settings(crawl=CrawlSettings(delay_s=1)))
    assert time.monotonic() - began < 30  # 80 s with the wait for robots.txt


def test_host_that_never_responds_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(Unreachable):
            harvest(f"http://127.0.0.1:{silent.getsockname()[1]}/", tmp_path / "archive")
        assert time.monotonic() - began < 60  # 20 s for robots.txt with its retry, and the start of the worker


_WORDS = "Some words about salt and bread, and then some more of them, so that there is a post to read. " * 5
_LIMIT_S = 4.0
# Far below the time for all pages, but enough for the worker to start and finish on a slow machine. The product's
# limit is 5 s after the time limit.
_ENDS_WITHIN_S = 60.0


def _blog(web: Web, count: int, article: str) -> None:
    posts = [f"/{2001 + n // 336}/{n // 28 % 12 + 1:02}/{n % 28 + 1:02}/post/" for n in range(count)]
    items = "".join(f"<item><title>Post</title><link>{web.base_url}{path}</link></item>" for path in posts)
    feed = f"<rss version='2.0'><channel><title>Blog</title><link>{web.base_url}/</link>{items}</channel></rss>"
    head = "<link rel=alternate type='application/rss+xml' href='/feed.xml'>"
    page = f"<html><head>{head}<title>Post</title></head><body><article><h1>Post</h1>{article}</article></body></html>"
    web.responses |= {"/robots.txt": Response("", "text/plain"), "/": Response(page)}
    web.responses |= {"/feed.xml": Response(feed, "application/rss+xml"), **{path: Response(page) for path in posts}}


def _ending(url: str, archive: Path, settings: Settings) -> str:
    """Why the harvest ended, from its report, or from its error if nothing was learned in time."""
    try:
        return harvest(url, archive, settings=settings).ended_because
    except NoBlog as problem:
        return str(problem)


_DISQUS = (
    "<div id='disqus_thread'></div><script>var disqus_shortname = 'blog'</script><script src='/never.js'></script>"
)


def _holding(web: Web, held_by: str, silent_url: str) -> None:  # noqa: C901 - a list of cases
    """Make the blog endless in one of many ways."""
    article = f"<p>{_WORDS}</p>"
    extra = {
        "host": f'<img src="{silent_url}never.png">',
        "page": "".join(f"<p>{n} {_WORDS}</p>" for n in range(12_000)),
        "comments": "".join(f"<li class=comment id=c{n}><cite>A</cite><p>{_WORDS}</p></li>" for n in range(6_000)),
        "cells": "<table><tr>" + "<td rowspan=9 colspan=9>Words of a cell." * 12_000 + "</table>",
        "media": "".join(f"<img src='/{n}.png'>" for n in range(4)),
        "script": "<script>while (true) {}</script>",
        "widget": _DISQUS,
        "wordpress": f"<link rel='https://api.w.org/' href='{web.base_url}/api/'><h2 id=comments>5 comments</h2>",
    }
    # Too many posts to read within the limit on any machine; fewer if each takes long.
    count = {"page": 12, "comments": 12, "cells": 12, "pages": 5_000, "wordpress": 5_000}.get(held_by, 300)
    _blog(web, count, article + extra.get(held_by, ""))
    posts = [path for path in web.responses if path.endswith("/post/")]
    match held_by:
        case "body" | "head":
            web.responses |= {path: Response("<html>", drips=held_by) for path in posts}
        case "redirects":
            for path in posts:
                chain = [path, *(f"{path}?{n}" for n in range(100))]
                web.responses |= {one: Response(status=302, location=then) for one, then in itertools.pairwise(chain)}
        case "home":
            web.responses["/"] = Response("<html>", drips="body")
        case "robots":
            web.responses["/robots.txt"] = Response("User-agent: *\n", "text/plain", drips="body")
        case "feed":
            web.responses["/feed.xml"] = Response("<rss version='2.0'><channel>", "application/rss+xml", drips="body")
        case "sitemap":
            web.responses["/robots.txt"] = Response(f"Sitemap: {web.base_url}/map.xml\n", "text/plain")
            web.responses["/map.xml"] = Response("<urlset>", "text/xml", drips="body")
        case "sitemaps":
            names = "".join(f"<sitemap><loc>{web.base_url}/map{n}.xml</loc></sitemap>" for n in range(2_000))
            web.responses["/robots.txt"] = Response(f"Sitemap: {web.base_url}/maps.xml\n", "text/plain")
            web.responses["/maps.xml"] = Response(f"<sitemapindex>{names}</sitemapindex>", "text/xml")
            web.responses |= {f"/map{n}.xml": Response("<urlset>", "text/xml", drips="body") for n in range(2_000)}
        case "media":
            web.responses |= {f"/{n}.png": Response("GIF", "image/png", drips="body") for n in range(4)}
        case "widget":
            web.responses["/never.js"] = Response("//", "text/javascript", drips="head")
        case "wordpress":
            web.responses |= {
                f"/api/{path}": Response("[", "application/json", drips="body") for path in ("", "wp/v2/comments")
            }


_RENDERED = ("script", "widget")


@pytest.mark.parametrize(
    "held_by",
    [
        "pages", "page", "host", "comments", "cells", "script", "widget", "wordpress", "body", "head", "redirects",
        "home", "robots", "feed", "sitemap", "sitemaps", "media",
    ],
)  # fmt: skip
def test_time_limit_ends_the_harvest_whatever_holds_it(
    tmp_path: Path, serve: Callable[[dict[str, Response]], Web], held_by: str
) -> None:
    web = serve({})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        _holding(web, held_by, f"http://127.0.0.1:{silent.getsockname()[1]}/")
        render: Literal["always", "never"] = "always" if held_by in _RENDERED else "never"
        settings = Settings(crawl=CrawlSettings(delay_s=0, retries=0, time_limit_s=_LIMIT_S, render=render))
        began = time.monotonic()
        ended_because = _ending(f"{web.base_url}/", tmp_path / "archive", settings)
        # Redirects end at their maximum number.
        assert "the time limit was reached (--time-limit)" in ended_because or held_by == "redirects"
        assert time.monotonic() - began < _ENDS_WITHIN_S


@pytest.mark.parametrize("held_by", ["body", "robots", "feed", "sitemaps", "comments"])
def test_time_limit_ends_an_update_and_a_list_of_blogs(
    tmp_path: Path, serve: Callable[[dict[str, Response]], Web], posterity: Posterity, held_by: str
) -> None:
    good, bad = serve({}), serve({})
    _blog(good, 6, f"<p>{_WORDS}</p>")
    _blog(bad, 6, f"<p>{_WORDS}</p>")
    options = ("--delay", "0", "-q", "--render", "never", "--archive", tmp_path / "archive")
    first = posterity("harvest", f"{good.base_url}/", f"{bad.base_url}/", *options)
    assert (first.returncode, first.stderr) == (0, "")
    _holding(bad, held_by, "http://127.0.0.1:1/")
    for command in (["update", "--all", "--revisit", "300"], ["harvest", f"{bad.base_url}/", f"{good.base_url}/"]):
        began = time.monotonic()
        ended = posterity(*command, "--time-limit", "4", *options)
        assert time.monotonic() - began < _ENDS_WITHIN_S, command
        assert "Traceback" not in ended.stderr, ended.stderr
