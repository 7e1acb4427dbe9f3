"""The zoo itself: what a situation claims is served, and can be found from its start."""

from __future__ import annotations

import re
from collections import deque
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, urldefrag, urljoin, urlsplit
from urllib.request import urlopen

import pytest
from tests.zoo.blog import HOST, ORIGIN, Site
from tests.zoo.measure import path_key
from tests.zoo.registry import Situation, all_situations
from tests.zoo.server import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

_HERE = "http://here.example"
_LINK = re.compile(
    r"""(?:href|src|url)\s*=\s*["']?([^"'\s>]+)  # elements and meta refresh
    |<(?:loc|link|guid)>([^<]+)<
    |"(?:url|next_url|link|canonical_url)":\ "([^"]+)  # lists of platforms
    |"(/[^"]+)":\ {""",
    re.IGNORECASE | re.VERBOSE,
)
_SESSION = re.compile(r"[?&;](?:PHPSESSID|jsessionid|sid)=\w+", re.IGNORECASE)
_PLAIN = re.compile(r"^(?:Sitemap:\s*)?(http://here\.example\S*)", re.IGNORECASE | re.MULTILINE)
_BASE = re.compile(r'<base href="([^"]+)"')
_USUAL = ("/robots.txt", "/sitemap.xml", "/feed/", "/feed.xml", "/index.xml", "/rss.xml", "/atom.xml", "/feed")
_LISTS = (
    "/wp-json/wp/v2/posts?per_page=100",
    "/feeds/posts/default?max-results=500",
    "/api/v1/archive?limit=50",
    "/api/read/json?num=50",
    *(f"/feed/?paged={page}" for page in (2, 3)),
    *(f"/api/posts?page={page}" for page in range(1, 6)),
    "/app.js",
)
_MOST = 1500  # requests: some situations have pages without end

by_name = pytest.mark.parametrize(
    "situation", [each for each in all_situations() if not each.beyond_links], ids=lambda each: each.name
)


@by_name
def test_every_post_is_served_with_its_text(situation: Situation) -> None:
    site, truth = situation.build()
    assert len({path_key(path) for path in truth.posts}) == len(truth.posts)
    for path in truth.posts:
        response = site.respond(quote(path.partition("#")[0], safe="/?=&;"), earlier=1)
        assert response.status == 200
        assert response.body
        if response.headers.get("Content-Type", "").endswith("utf-8") and not situation.needs_browser:
            assert not truth.texts or truth.texts.get(path, [""])[0] in response.body.decode()


@by_name
def test_every_post_can_be_found_from_the_start(situation: Situation) -> None:
    site, truth = situation.build()
    found = set(_reachable(site))
    assert {path_key(path) for path in truth.posts} <= found


def test_server_puts_its_own_origin_into_pages() -> None:
    site, _ = next(each for each in all_situations() if each.name == "ordinary-blog").build()
    with serve(site) as served, urlopen(f"{served.origin}/feed.xml", timeout=30) as response:
        body = response.read().decode()
    assert served.origin in body
    assert ORIGIN not in body
    assert served.requests == ["/feed.xml"]


def _reachable(site: Site) -> Iterator[str]:
    """Keys of all URLs of this host that links, feeds, sitemaps and platforms' lists lead to."""
    waiting = deque([site.start, *_USUAL, *_LISTS])
    seen = set(waiting)
    for _ in range(_MOST):
        if not waiting:
            return
        target = waiting.popleft()
        response = site.respond(target, earlier=1)
        for link in _links(target, response.headers.get("Location", ""), response.body.decode("utf-8", "replace")):
            yield path_key(link)
            bare = urldefrag(link).url
            if bare not in seen:
                seen.add(bare)
                waiting.append(bare)


def _links(target: str, location: str, body: str) -> Iterator[str]:
    body = body.replace("\x00", "").replace(ORIGIN, _HERE).replace(HOST, "//here.example")
    base = _BASE.search(body)
    start = urljoin(_HERE + target, base[1] if base else "")
    hrefs = [location.replace(ORIGIN, _HERE), *("".join(each) for each in _LINK.findall(body)), *_PLAIN.findall(body)]
    for href in hrefs:
        url = _SESSION.sub("", unescape(href).replace("old-kite.example", "here.example"))
        if not url:
            continue
        try:
            parts = urlsplit(urljoin(start, url))
        except ValueError:
            continue
        if parts.netloc == "here.example":
            query = f"?{parts.query}" if parts.query else ""
            yield (parts.path or "/") + query + (f"#{parts.fragment}" if parts.fragment else "")
