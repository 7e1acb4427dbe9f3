"""A blog on the public web cannot lead the crawler to internal addresses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Response, Web

from posterity.config import CrawlSettings, Settings
from posterity.crawl.middlewares import guarded_settings
from posterity.crawl.run import harvest
from posterity.errors import PosterityError, Unreachable
from posterity.http_client import HttpClient

_WORDS = "Some words about salt and bread, and then some more of them, so that there is a post to read. " * 5


@pytest.mark.parametrize(
    ("url", "is_guarded"),
    [
        ("http://93.184.216.34/", True),
        ("http://127.0.0.1:4000/", False),
        ("http://192.168.1.4/", False),
        ("http://[::1]:4000/", False),
        ("http://no-such-host.invalid/", True),
    ],
)
def test_guard_follows_from_the_start_url(url: str, is_guarded: bool) -> None:
    assert guarded_settings(CrawlSettings(), url).public_only is is_guarded
    assert not guarded_settings(CrawlSettings(allow_private=True), url).public_only


def test_nothing_inside_is_requested(tmp_path: Path, serve: Callable[[dict[str, Response]], Web]) -> None:
    inside = serve({"/robots.txt": Response("", "text/plain"), "/": Response("<p>secret</p>")})
    port = inside.base_url.rpartition(":")[2]
    hosts = ["localhost", "127.1", "2130706433", "[::1]", "127.0.0.2"]
    web = serve({})
    images = "".join(f'<img src="http://{host}:{port}/image.png">' for host in hosts)
    links = "".join(f'<a href="http://{host}:{port}/2024/01/0{n}/secret/">more</a>' for n, host in enumerate(hosts, 1))
    items = "".join(
        f"<item><title>Post {n}</title><link>{web.base_url}/2024/0{n}/post/</link></item>" for n in (1, 2, 3)
    )
    feed = f"<rss version='2.0'><channel><title>Blog</title><link>{web.base_url}/</link>{items}</channel></rss>"
    home = f"<link rel=alternate type='application/rss+xml' href='/feed.xml'><link rel=icon href='http://localhost:{port}/i.ico'>"
    page = (
        f"<html><head>{home}</head><body><article><h1>Post</h1><p>{_WORDS}</p>{images}{links}</article></body></html>"
    )
    robots = "".join(f"Sitemap: http://{host}:{port}/sitemap.xml\n" for host in hosts)
    web.responses |= {
        "/robots.txt": Response(robots, "text/plain"),
        "/": Response(page),
        "/feed.xml": Response(feed, "application/rss+xml"),
        "/2024/01/post/": Response(page),
        "/2024/02/post/": Response("", status=302, location=f"http://localhost:{port}/"),
        "/2024/03/post/": Response("", status=302, location=f"http://127.0.0.2:{port}/"),
    }
    crawl = CrawlSettings(delay_s=0, retries=0, public_only=True, allowed_hosts=("127.0.0.1",), render="never")
    report = harvest(f"{web.base_url}/", tmp_path / "archive", settings=Settings(crawl=crawl))
    assert inside.paths == []
    assert [note for note in report.notes if note.startswith("localhost is not on the public web")]
    assert [note for note in report.notes if note.startswith("127.0.0.2 is not on the public web")]
    assert report.posts >= 1


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://2130706433:{port}/",
        "http://localhost.:{port}/",
        "http://LOCALHOST:{port}/",
        "http://127.0.0.1.:{port}/",
        "http://0x7f.1:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://0:{port}/",
        "http://loc%61lhost:{port}/",
        "http://a.localhost.:{port}/",
    ],
)
def test_redirect_from_the_public_web_leads_to_nothing_inside(
    serve: Callable[[dict[str, Response]], Web], monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    inside = serve({"/": Response("<p>secret</p>"), "/robots.txt": Response("", "text/plain")})
    place = target.format(port=inside.base_url.rpartition(":")[2])
    # A proxy simulates the public web: it gets absolute URLs, which the server has as paths.
    start = "http://93.184.216.34/"
    proxy = serve({f"{start}robots.txt": Response("", "text/plain"), start: Response("", status=302, location=place)})
    monkeypatch.setenv("http_proxy", proxy.base_url)
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(Unreachable, match=r"not on the public web|cannot be fetched"):
        HttpClient("test").fetch(start)
    assert proxy.paths == [f"{start}robots.txt", start]
    assert inside.paths == []


def test_redirect_of_a_private_host_stays_possible(serve: Callable[[dict[str, Response]], Web]) -> None:
    web = serve({"/robots.txt": Response("", "text/plain"), "/b": Response("<p>b</p>")})
    web.responses["/a"] = Response("", status=302, location=f"{web.base_url}/b")
    assert HttpClient("test").fetch(f"{web.base_url}/a").body == b"<p>b</p>"


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "gopher://127.0.0.1:70/_x", "ftp://h.example/", "data:,x", "http://[::1"]
)
def test_redirect_to_another_scheme_is_told(serve: Callable[[dict[str, Response]], Web], target: str) -> None:
    web = serve({"/robots.txt": Response("", "text/plain"), "/": Response("", status=302, location=target)})
    with pytest.raises(PosterityError) as raised:
        HttpClient("test").fetch(f"{web.base_url}/")
    assert "root:" not in str(raised.value)
    assert web.paths == ["/robots.txt", "/"]
