"""One visitor of the server must not take it away from the others."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from tests.integration.serve.running import Served, served

from posterity.serve.settings import VisitorLimits

_CSS = "<style>" + "/* " * 20_000 + "</style>"
_SRCSET = f'<img srcset="{"a" * 12_000} {"1" * 12_000}">'
_SPACES = f"<script type='application/ld+json'>{' ' * 60_000}x</script>"
_NESTED = "<div>" * 60_000


def _wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("the condition was never met")


@pytest.fixture(scope="module")
def site(blog_archive: Path) -> Iterator[Served]:
    with served(blog_archive, limits=VisitorLimits(costly_a_minute=1000)) as running:
        yield running


@pytest.mark.parametrize("html", [_CSS, _SRCSET, _SPACES, _NESTED], ids=["style", "srcset", "json-ld", "nested"])
def test_readers_are_served_while_a_page_of_a_visitor_is_cleaned(site: Served, html: str) -> None:
    made = site.ask.post("/demo", json={"html": f"<article><p>Words.</p>{html}</article>", "methods": ["bte"]})
    with ThreadPoolExecutor(1) as other:
        framed = other.submit(httpx.get, f"{site.base_url}{made.json()['href']}/page?method=bte", timeout=60)
        assert site.ask.get("/health").status_code == 200
        assert framed.result().status_code in (200, 422)


@pytest.mark.parametrize("path", ["/api/v1/extract", "/api/v1/jobs", "/demo"])
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"url":' * 100_000,
        b'{"url": "http://[::1"}',
        b'{"url": "http://[::1]/"}',
        b'{"url": "http://\\u2024\\u2024/"}',
        b'{"url": "http://xn--\\u00e4/"}',
        b'{"url": "http://' + b"a" * 70 + b'.example/"}',
        b'{"url": "http://a:99999/"}',
        b'{"url": "http://a..b/"}',
        b'{"html": "\\ud800"}',
        b"\xff\xfe",
    ],
)
def test_no_body_is_an_error_of_the_server(site: Served, path: str, body: bytes) -> None:
    found = site.ask.post(path, content=body, headers={"Content-Type": "application/json"})
    assert found.status_code < 500
    if found.status_code >= 400:
        assert found.json()["status"] == found.status_code


def test_oversized_body_is_told_and_not_reset(site: Served) -> None:
    found = site.ask.post("/api/v1/extract", content=b"x" * (20 * 1024 * 1024), headers={"Content-Type": "text/html"})
    assert found.status_code == 413
    assert found.json()["status"] == 413


def test_half_a_body_holds_no_slot(blog_archive: Path) -> None:
    limits = VisitorLimits(costly_at_once=1, request_s=30.0)
    with served(blog_archive, limits=limits) as site:
        port = int(site.base_url.rpartition(":")[2])
        held = []
        for _ in range(8):
            half = socket.create_connection(("127.0.0.1", port))
            half.sendall(b"POST /api/v1/extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n<p>")
            held.append(half)
        page = "<article><h1>Hello</h1><p>Some words to read, and then some more of them.</p></article>"
        assert site.ask.post("/api/v1/extract", json={"html": page, "method": "bte"}).status_code == 200
        for half in held:
            half.close()


def test_body_that_does_not_arrive_is_given_up(blog_archive: Path) -> None:
    with (
        served(blog_archive, limits=VisitorLimits(request_s=0.3)) as site,
        socket.create_connection(("127.0.0.1", int(site.base_url.rpartition(":")[2]))) as half,
    ):
        half.sendall(b"POST /api/v1/extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n<p>")
        with half.makefile("rb") as response:
            assert response.readline().startswith(b"HTTP/1.1 408")


def test_slow_headers_end_and_readers_are_served(blog_archive: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served(blog_archive, limits=VisitorLimits(request_s=0.5, connections=40)) as site:
        port = int(site.base_url.rpartition(":")[2])
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
        for one in slow:
            try:
                one.sendall(b"GET / HTTP/1.1\r\nX-A: ")
            except OSError:
                continue  # made way for a later one
        assert httpx.get(f"{site.base_url}/health").status_code == 200
        _wait_until(lambda: all(_is_closed(one) for one in slow))
        assert len(caplog.records) < 10
        for one in slow:
            one.close()


def _is_closed(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize(
    "query",
    [
        " OR ".join(f"{letter}*" for letter in "abcdefghijklmnopqrstuvwxyz"),
        " OR ".join(f"{first}a*" for first in "bcdfghjk"),
        " ".join(["the"] * 200),
        '"' + "a " * 240 + '"',
        "a*",
    ],
)
def test_costly_searches_are_refused_with_the_reason(site: Served, query: str) -> None:
    found = site.ask.get(f"/api/v1/search?q={quote(query[:490])}")
    assert found.status_code == 422
    assert "search" in found.json()["detail"] or "letters" in found.json()["detail"]
    assert site.ask.get(f"/search?q={quote(query[:490])}").status_code == 200


_NUMBERS = ["99999999999999999999", "-99999999999999999999", "1e999", "0x10", "NaN", "\x00", "٣", "1" * 5_000]


@pytest.mark.parametrize("path", ["/api/v1/posts", "/api/v1/blogs", "/api/v1/search", "/", "/search"])
@pytest.mark.parametrize("name", ["page", "limit", "offset", "after", "cursor", "since", "q", "blog"])
def test_no_parameter_is_an_error_of_the_server(site: Served, path: str, name: str) -> None:
    for value in [*_NUMBERS, "'; DROP TABLE posts; --", '"' * 300, "%" * 300, "NEAR(", "title:", "{{7*7}}", "\ud7ff"]:
        found = site.ask.get(path, params={"q": "salt", name: value})
        assert found.status_code < 500, (name, value[:40])


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "CONNECT"])
def test_no_method_is_an_error_of_the_server(site: Served, method: str) -> None:
    for path in ("/", "/api/v1/posts", "/health", "/static/../../../etc/passwd", "/..%2f..%2fetc/passwd"):
        found = site.ask.request(method, path)
        assert found.status_code < 500
        assert b"root:" not in found.content


@pytest.mark.parametrize(
    "header",
    [
        {"Host": 'evil.example"><script>'},
        {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "javascript"},
        {"Range": "bytes=" + ",".join(f"{n}-" for n in range(1_300))},
        {"Range": "bytes=99999999999999999999-0"},
        {"If-None-Match": '"' * 8_000},
        {"If-Modified-Since": "Thu, 99 Foo 99999999999 99:99:99 GMT"},
        {"Accept-Language": ",".join(["de;q=0.1"] * 900)},
        {"Cookie": "; ".join(f"a{n}={n}" for n in range(900))},
        {"Accept-Datetime": "Thu, 31 May 99999 20:35:00 GMT"},
    ],
    ids=lambda header: next(iter(header)),
)
def test_no_header_is_an_error_of_the_server_or_comes_back_as_markup(site: Served, header: dict[str, str]) -> None:
    for path in ("/", "/api/v1/posts?limit=3", "/feed.xml", "/static/style.css"):
        found = site.ask.get(path, headers=header)
        assert found.status_code < 500, path
        assert "<script>evil" not in found.text
        assert 'evil.example"><script>' not in found.text


def test_line_breaks_in_a_query_add_no_header(site: Served) -> None:
    for path in (
        "/search",
        "/posts/x%0d%0aSet-Cookie:%20a=b",
        "/api/v1/posts/x%0d%0aX-Evil:%201",
        "//evil.example/%2e%2e",
    ):
        found = site.ask.get(f"{path}?q=salt%0d%0aX-Evil:%201&next=//evil.example", follow_redirects=False)
        assert "x-evil" not in found.headers
        assert "set-cookie" not in found.headers
        assert not found.headers.get("location", "/").startswith("//")


def test_readers_that_read_nothing_keep_nobody_waiting(site: Served) -> None:
    host, port = site.netloc.split(":")
    slow = [socket.create_connection((host, int(port))) for _ in range(60)]
    try:
        for connection in slow:
            request = f"GET /api/v1/posts?limit=100 HTTP/1.1\r\nHost: {site.netloc}\r\n\r\n"
            connection.sendall(request.encode() * 20)
        assert site.ask.get("/health").status_code == 200
        assert site.ask.get("/api/v1/posts").status_code == 200
    finally:
        for connection in slow:
            connection.close()
