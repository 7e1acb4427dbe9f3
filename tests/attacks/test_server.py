"""One visitor must not make the server unavailable to others."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from tests.conftest import Response, Web
from tests.integration.serve.running import Served, served

from posterity.serve.app import create_app
from posterity.serve.settings import ServeSettings, VisitorLimits

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


def _routes(routes: Sequence[Any]) -> list[tuple[str, str]]:
    """Every method and path of these routes, with their parameters filled in."""
    found: list[tuple[str, str]] = []
    for route in routes:
        if included := getattr(route, "original_router", None):
            assert not route.include_context.prefix
            found += _routes(included.routes)
        else:
            path = re.sub(r"\{[^}]*\}", "x", route.path)
            found += [(method, path) for method in getattr(route, "methods", None) or ()]
    return found


_OTHER_SITES = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://[::1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Origin": "http://127.0.0.1:1"},
    {"Referer": "https://evil.example/form"},
    {"Referer": "http://[::1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "odd"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "SELF", "Referer": "SELF"},
    {"Origin": "https://evil.example", "Referer": "SELF"},
]


@pytest.mark.parametrize("token", [None, "correct-horse-battery"])
def test_no_page_of_another_site_can_use_any_writing_route(blog_archive: Path, token: str | None) -> None:
    routes = _routes(create_app(ServeSettings(archive=str(blog_archive), token=token)).routes)
    writing = [(method, path) for method, path in routes if method not in ("GET", "HEAD", "OPTIONS")]
    assert {("POST", "/api/v1/jobs"), ("PUT", "/api/v1/blogs/x/rules"), ("POST", "/login")} <= set(writing)
    with served(blog_archive, token=token) as running:
        if token:
            running.ask.post("/login", data={"token": token})  # the cookie of a visitor who has logged in
        for method, path in writing:
            for header in _OTHER_SITES:
                headers = {name: running.base_url if value == "SELF" else value for name, value in header.items()}
                for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
                    told = running.ask.request(method, path, content=b"{}", headers={**headers, "Content-Type": kind})
                    assert told.status_code == 403, (method, path, header)
        assert running.ask.get("/api/v1/jobs").json()["items"] == []


def test_no_route_is_served_under_the_name_of_another_site(blog_archive: Path) -> None:
    routes = _routes(create_app(ServeSettings(archive=str(blog_archive))).routes)
    with served(blog_archive) as running:
        for method, path in routes:
            for host in (
                "evil.example",
                "127.0.0.1.evil.example:80",
                "localhost.",
                "127.1",
                "2130706433",
                "[::ffff:7f00:1]",
            ):
                told = running.ask.request(method, path, headers={"Host": host, "Sec-Fetch-Site": "same-origin"})
                assert told.status_code == 421, (method, path, host)


def test_without_the_token_no_route_writes(blog_archive: Path) -> None:
    routes = _routes(create_app(ServeSettings(archive=str(blog_archive), token="correct-horse-battery")).routes)
    # These store nothing in the archive; a new route must be added here or require the token.
    open_to_all = {("POST", path) for path in (
        "/login", "/logout", "/demo", "/demo/x/rules", "/api/v1/extract", "/api/v1/blogs/x/rules/try", "/oai",
    )}  # fmt: skip
    with served(blog_archive, token="correct-horse-battery") as running:
        for method, path in routes:
            if method not in ("GET", "HEAD") and (method, path) not in open_to_all:
                assert running.ask.request(method, path, json={}).status_code == 401, (method, path)


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
                continue  # closed in favour of a later one
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


def _port(site: Served) -> int:
    return int(site.netloc.rpartition(":")[2])


_HEAD = "POST /api/v1/extract HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
_ENDLESS = {
    "expect": _HEAD + "Expect: 100-continue\r\nContent-Length: 100\r\n\r\n",
    "chunks": _HEAD + "Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n",
    "chunk": _HEAD + "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n{{",
    "chunk extension": _HEAD + "Transfer-Encoding: chunked\r\n\r\n1;" + "a" * 5_000,
    "websocket": "GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    "h2c": "GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
    "preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "both lengths": _HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n1\r\n",
    "negative length": _HEAD + "Content-Length: -1\r\n\r\n",
    "huge length": _HEAD + "Content-Length: 99999999999999999999999\r\n\r\n{{",
    "two lengths": _HEAD + "Content-Length: 5\r\nContent-Length: 500\r\n\r\n{{",
    "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "empty lines": "\r\n" * 2_000,
}


@pytest.mark.parametrize("request_text", _ENDLESS.values(), ids=_ENDLESS)
def test_connections_that_never_end_hold_no_slot_and_no_reader(blog_archive: Path, request_text: str) -> None:
    with served(blog_archive, limits=VisitorLimits(costly_at_once=1, request_s=2.0, connections=80)) as site:
        held = [socket.create_connection(("127.0.0.1", _port(site))) for _ in range(12)]
        try:
            for one in held:
                one.sendall(request_text.format(host=site.netloc).encode("latin-1"))
            page = "<article><h1>Hello</h1><p>Some words to read, and then some more of them.</p></article>"
            found = site.ask.post("/api/v1/extract", json={"html": page, "method": "bte"})
            assert found.status_code == 200
            assert site.ask.get("/health").status_code == 200
            _wait_until(lambda: all(_has_ended(one) for one in held))
        finally:
            for one in held:
                one.close()


def _has_ended(one: socket.socket) -> bool:
    """Return whether the server has closed the connection, with or without a response."""
    one.setblocking(False)
    try:
        while one.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def test_pipelined_requests_of_one_visitor_keep_nobody_waiting(site: Served) -> None:
    request = f"GET /api/v1/search?q=salt HTTP/1.1\r\nHost: {site.netloc}\r\n\r\n".encode()
    held = [socket.create_connection(("127.0.0.1", _port(site))) for _ in range(10)]
    try:
        for one in held:
            one.setblocking(False)
            with suppress(BlockingIOError):  # the server stops reading
                one.send(request * 5_000)
        assert site.ask.get("/health").status_code == 200
        assert site.ask.get("/api/v1/search?q=bread").status_code == 200
    finally:
        for one in held:
            one.close()


@pytest.mark.parametrize("path", ["/api/v1/extract", "/api/v1/jobs", "/demo"])
@pytest.mark.parametrize(
    "body",
    [
        b'{"html": ' + b"1" * 100_000 + b"}",
        b'{"html": 1e999999999}',
        b'{"html": NaN}',
        b'{"html": -Infinity}',
        b'{"html": "<p>a</p>", "html": ["b"], "method": "bte", "method": {}}',
        b'{"html": "\\udc00\\ud800 <p>words</p>", "url": "http://a.example/\\udfff"}',
        b'{"html": "<p>\\u0000</p>", "url": "http://a.example/\\u0000"}',
        b'{"url": "http://a.example/\\r\\nX: 1"}',
        b'{"url": "http://user:pa ss@a.example:1/"}',
        b'{"html": "<p>a</p>", "url": "' + b"http://a.example/" + b"x" * 200_000 + b'"}',
        b'{"methods": [' + b'"bte",' * 50_000 + b'"bte"], "html": "<p>a</p>"}',
        b'{"' + b"k" * 100_000 + b'": 1}',
        b"{" + b",".join(b'"k%d": 1' % n for n in range(50_000)) + b"}",
        b'\xef\xbb\xbf{"html": "<p>a</p>"}',
        '{"html": "<p>a</p>"}'.encode("utf-16"),
        b"null",
        b"",
    ],
    ids=lambda body: body[:24].decode("latin-1"),
)
def test_no_odd_json_is_an_error_of_the_server(site: Served, path: str, body: bytes) -> None:
    found = site.ask.post(path, content=body, headers={"Content-Type": "application/json"})
    assert found.status_code < 500, found.text
    if found.status_code >= 400:
        assert found.json()["status"] == found.status_code
        assert len(found.content) < 20_000  # an error does not echo the body


_INSIDE = [
    "http://0x7f.1:{port}/", "http://127.1:{port}/", "http://0177.0.0.1:{port}/", "http://2130706433:{port}/",
    "http://[::1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "http://[::127.0.0.1]:{port}/",
    "http://[0:0:0:0:0:ffff:7f00:1]:{port}/", "http://[64:ff9b::7f00:1]:{port}/", "http://[2002:7f00:1::]:{port}/",
    "http://localhost:{port}/", "http://localhost.:{port}/", "http://LOCALHOST:{port}/", "http://0:{port}/",
    "http://0.0.0.0:{port}/", "http://[::]:{port}/", "http://127.0.0.1.:{port}/", "http://a.localhost:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/", "http://１２７.０.０.１:{port}/", "http://127。0。0。1:{port}/",
    "http://loc%61lhost:{port}/", "http://public.example@127.0.0.1:{port}/", "http://127.0.0.1:{port}\\@public.example/",
    "http://[fe80::1%25lo]:{port}/", "http://[::1:{port}/", "http://169.254.169.254/latest/", "http://100.100.100.200/",
    "http://metadata.google.internal/", "file:///etc/passwd", "gopher://127.0.0.1:{port}/_GET", "ftp://127.0.0.1/",
    "data:text/html,<p>a</p>", "javascript:alert(1)", "//127.0.0.1:{port}/", "http:127.0.0.1:{port}/",
    "http:///127.0.0.1:{port}/", "http://xn--/", "http://xn--a.example./", "http://a\u200d.example/", "http://.../",
]  # fmt: skip


@pytest.mark.parametrize("url", _INSIDE)
@pytest.mark.parametrize("path", ["/api/v1/extract", "/demo"])
def test_no_spelling_of_an_address_leads_inside(
    site: Served, serve: Callable[[dict[str, Response]], Web], url: str, path: str
) -> None:
    inside = serve({"/robots.txt": Response("", "text/plain"), "/": Response("<p>A secret of this machine.</p>")})
    place = url.format(port=inside.base_url.rpartition(":")[2])
    found = site.ask.post(path, json={"url": place}, timeout=120)
    assert inside.paths == []
    assert 400 <= found.status_code < 600
    assert found.status_code != 500
    assert found.json()["status"] == found.status_code
    assert "root:" not in found.text
