"""Addresses that visitors name lead nowhere inside: no loopback, no private network, no redirect, no trick of names."""

from __future__ import annotations

import gzip
import socket
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.serve.running import served

from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving
from posterity.errors import PosterityError, Unreachable, UsageError
from posterity.http_client import unpacked_body
from posterity.serve.settings import ServeSettings, VisitorLimits, visitor_client

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web

STRICT = ServeSettings(archive="unused")
FORBIDDEN = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://127.1:{port}/",
    "http://0.0.0.0:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://172.16.0.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
]


@pytest.fixture(scope="module")
def inside(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    """A server that nobody outside should reach."""
    return serve({"/": response("<p>secret of the house</p>"), "/robots.txt": response("", "text/plain")})


@pytest.mark.parametrize("url", FORBIDDEN)
def test_address_inside_is_never_asked(inside: Web, url: str) -> None:
    before = len(inside.asked)
    with pytest.raises(Unreachable, match=r"public web|does not exist|cannot be reached"):
        visitor_client(STRICT).fetch(url.format(port=inside.base_url.rpartition(":")[2]))
    assert len(inside.asked) == before


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://a.example/", "gopher://a.example/", "http://", "http://u@h/"]
)
def test_only_plain_web_addresses_are_fetched(url: str) -> None:
    with pytest.raises(UsageError):
        visitor_client(STRICT).fetch(url)


def test_redirect_to_the_inside_is_not_followed(
    inside: Web, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    target = inside.base_url.replace("127.0.0.1", "localhost") + "/"
    outside = serve({"/": response(status=302, location=target), "/robots.txt": response("", "text/plain")})
    settings = ServeSettings(archive="unused", allowed_hosts=("127.0.0.1",))  # stands for a host on the open web
    before = len(inside.asked)
    with pytest.raises(Unreachable, match="not on the public web"):
        visitor_client(settings).fetch(f"{outside.base_url}/")
    assert len(inside.asked) == before


def test_name_that_changes_its_mind_gains_nothing(inside: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the first look-up says a public address, every later one says this machine."""
    port = int(inside.base_url.rpartition(":")[2])
    responses = iter([("203.0.113.9", port)])
    connected: list[Any] = []

    def look_up(*_: object, **__: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", next(responses, ("127.0.0.1", port)))]

    def connect(address: Any, *_: object, **__: object) -> socket.socket:
        connected.append(address)
        raise OSError("nobody is there")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setattr("posterity.http_client.is_public_address", lambda address: address != "127.0.0.1")
    with pytest.raises(Unreachable):
        visitor_client(STRICT).fetch(f"http://rebinding.example:{port}/")
    assert connected == [("203.0.113.9", port)]


def test_page_larger_than_the_limit_is_given_up(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("x" * 5000)})
    settings = ServeSettings(archive="unused", allowed_hosts=("127.0.0.1",), limits=VisitorLimits(body_bytes=1000))
    with pytest.raises(PosterityError, match="more than 1,000 bytes"):
        visitor_client(settings).fetch(f"{web.base_url}/")


def test_small_body_that_unfolds_into_a_large_one_is_cut_at_the_limit() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(unpacked_body(bomb, "gzip", 1000)) == 1001
    assert unpacked_body(b"no gzip at all", "gzip", 1000) == b"no gzip at all"


def test_robots_are_obeyed(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> None:
    web = serve({"/": response("<p>hello</p>"), "/robots.txt": response("User-agent: *\nDisallow: /", "text/plain")})
    with pytest.raises(PosterityError, match=r"robots\.txt forbids"):
        visitor_client(ServeSettings(archive="unused", allowed_hosts=("127.0.0.1",))).fetch(f"{web.base_url}/")
    assert web.paths == ["/robots.txt"]


def test_allowed_host_is_fetched(inside: Web) -> None:
    page = visitor_client(ServeSettings(archive="unused", allowed_hosts=("127.0.0.1",))).fetch(f"{inside.base_url}/")
    assert b"secret of the house" in page.body


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_harvest_of_a_visitor_stays_outside(tmp_path: Path, name: str) -> None:
    with serving(SiteOptions(posts_limit=3)) as blog:
        url = blog.base_url.replace("127.0.0.1", name) + "/"
        crawl = CrawlSettings(delay_s=0, retries=0, public_only=True)
        with pytest.raises(Unreachable):
            harvest(url, tmp_path / "archive", settings=Settings(crawl=crawl))
        assert not blog.requests


def test_demo_and_extract_ask_through_the_guard(blog_archive: Path, inside: Web) -> None:
    before = len(inside.asked)
    with served(blog_archive) as site:
        for path, wish in (
            ("/api/v1/extract", {"url": f"{inside.base_url}/"}),
            ("/demo", {"url": f"{inside.base_url}/"}),
        ):
            response = site.ask.post(path, json=wish)
            assert response.status_code == 422
            assert "secret of the house" not in response.text
    assert len(inside.asked) == before
