"""The HTTP client on real sockets: one deadline for a whole fetch, redirects, robots.txt, proxies, private hosts."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from posterity.errors import PageTooLarge, RefusedByRobots, Unreachable, UsageError
from posterity.http_client import HttpClient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Response, Web

AGENT = "Posterity/test"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@contextmanager
def dripping(start: bytes, drip: bytes) -> Iterator[str]:
    """Serve `start` at once and then `drip` again and again, a byte at a time, until the client goes away."""
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def send(connection: socket.socket) -> None:
            with connection:
                try:
                    connection.recv(65536)
                    connection.sendall(start)
                    while not stop.wait(0.02):
                        connection.sendall(drip)
                except OSError:
                    return

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=send, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            stop.set()


@pytest.mark.parametrize(
    ("start", "drip"),
    [
        (b"", b""),  # accepts and is silent
        (b"", b"X"),  # a status line without end
        (HEAD, b"a"),  # headers without end
        (HEAD + b"Content-Length: 100000000\r\n\r\n", b"x"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (HEAD + b"Connection: close\r\n\r\n", b"x"),
    ],
    ids=["silent", "status", "headers", "body", "chunked", "until-close"],
)
def test_dripping_server_cannot_hold_a_fetch_past_its_deadline(start: bytes, drip: bytes) -> None:
    with dripping(start, drip) as url:
        began = time.monotonic()
        with pytest.raises(Unreachable, match="does not respond in time"):
            HttpClient(AGENT, fetch_s=0.5).fetch(url, robots=False)
        # The server would send for ever; generous, because the machine may be busy.
        assert time.monotonic() - began < 60


def test_robots_txt_and_redirects_share_the_deadline_of_the_fetch() -> None:
    with dripping(HEAD, b"a") as url, pytest.raises(Unreachable, match="does not respond in time"):
        HttpClient(AGENT, fetch_s=0.5).fetch(url)


def test_client_gives_up_when_the_time_of_all_fetches_is_over(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("<p>hello</p>")})
    with pytest.raises(Unreachable, match="does not respond in time"):
        HttpClient(AGENT, total_s=0.0).fetch(f"{web.base_url}/")


def test_page_is_returned_with_its_final_url(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/old/": response(status=301, location="/new/"), "/new/": response("<p>moved here</p>")})
    page = HttpClient(AGENT).fetch(f"{web.base_url}/old/")
    assert (page.url, page.requested_url, page.status) == (f"{web.base_url}/new/", f"{web.base_url}/old/", 200)
    assert page.body == b"<p>moved here</p>"
    assert {asked.user_agent for asked in web.asked} == {AGENT}
    assert web.paths == ["/robots.txt", "/old/", "/new/"]


def test_redirect_into_a_forbidden_place_is_not_followed(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    rules = response("User-agent: *\nDisallow: /new/", "text/plain")
    web = serve({"/robots.txt": rules, "/old/": response(status=301, location="/new/"), "/new/": response("secret")})
    with pytest.raises(RefusedByRobots):
        HttpClient(AGENT).fetch(f"{web.base_url}/old/")
    assert "/new/" not in web.paths


def test_robots_txt_that_cannot_be_read_forbids_everything(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/robots.txt": response(status=503), "/": response("<p>hello</p>")})
    with pytest.raises(RefusedByRobots, match="forbid everything"):
        HttpClient(AGENT).fetch(f"{web.base_url}/")
    assert HttpClient(AGENT).fetch(f"{web.base_url}/", robots=False).body == b"<p>hello</p>"


def test_endless_redirects_and_redirects_off_the_web_are_refused(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve(
        {"/loop/": response(status=302, location="/loop/"), "/f/": response(status=302, location="file:///etc")}
    )
    with pytest.raises(Unreachable, match="more than 5 times"):
        HttpClient(AGENT).fetch(f"{web.base_url}/loop/")
    with pytest.raises(Unreachable, match="cannot be fetched"):
        HttpClient(AGENT).fetch(f"{web.base_url}/f/")


def test_private_addresses_are_refused_also_through_a_redirect(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    inside = serve({"/": response("secret")})
    target = inside.base_url.replace("127.0.0.1", "localhost") + "/"
    outside = serve({"/": response(status=302, location=target)})
    client = HttpClient(AGENT, public_only=True, allowed_hosts=("127.0.0.1",))  # stands for a host on the open web
    with pytest.raises(Unreachable, match="not on the public web"):
        client.fetch(f"{outside.base_url}/")
    with pytest.raises(Unreachable, match="not on the public web"):
        HttpClient(AGENT, public_only=True).fetch(f"{inside.base_url}/", robots=False)
    assert inside.paths == []


def test_size_is_limited_before_and_after_unpacking() -> None:
    bomb = gzip.compress(bytes(5_000_000))
    packed = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb) + bomb
    for start in (packed, HEAD + b"\r\n" + b"x" * 200_000):
        with dripping(start, b"") as url, pytest.raises(PageTooLarge):
            HttpClient(AGENT, max_bytes=100_000).fetch(url, robots=False)


def test_proxy_of_the_environment_is_used_except_for_public_only(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "http://blog.invalid/post/"
    proxy = serve({url: response("<p>through the proxy</p>")})
    monkeypatch.setenv("http_proxy", proxy.base_url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert HttpClient(AGENT).fetch(url).body == b"<p>through the proxy</p>"
    with pytest.raises(Unreachable):
        HttpClient(AGENT, public_only=True).fetch(url)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://", "http://u@h/", "http://[::1", "http://h:99999/"])
def test_only_web_urls_are_fetched(url: str) -> None:
    with pytest.raises(UsageError):
        HttpClient(AGENT).fetch(url)
