"""Responses that violate the protocol, and decompression bombs, make only their own page fail."""

from __future__ import annotations

import gzip
import socket
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.conftest import environment

from posterity.archive import open_archive

_WORDS = "Some words about salt and bread, and then some more of them, so that there is a post to read. " * 6
_POSTS = [f"/2024/0{n}/1{n}/about-{word}/" for n, word in enumerate(("salt", "bread", "tides", "boats"), 1)]
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_PAGE = f"<html><title>Nothing</title><article><h1>Nothing</h1><p>{_WORDS}</p></article></html>".encode()


def _png(width: int, height: int) -> bytes:
    """A picture of few bytes that declares this size."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(10**8)))]
    packed = (struct.pack(">I", len(data)) + kind + data + bytes(4) for kind, data in (*chunks, (b"IEND", b"")))
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def _with_length(head: bytes, body: bytes) -> bytes:
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


_BOMB = gzip.compress(bytes(10**8))
_RESPONSES = {
    "200 cookies": _with_length(_OK + b"".join(b"Set-Cookie: a%d=%s\r\n" % (n, b"b" * 500) for n in range(200)), _PAGE),
    "header of 1 MB": _with_length(_OK + b"X-Long: " + b"a" * 10**6 + b"\r\n", _PAGE),
    "50,000 headers": _with_length(_OK + b"".join(b"X-%d: 1\r\n" % n for n in range(50_000)), _PAGE),
    "NUL in a header": _with_length(_OK + b"X-A: \x00\x01\r\nX B: 2\r\n: 3\r\n", _PAGE),
    "no header ends": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"a" * 10_000,
    "invalid chunks": _OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + _PAGE,
    "negative chunk": _OK + b"Transfer-Encoding: chunked\r\n\r\n-5\r\n" + _PAGE,
    "huge chunk": _OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + _PAGE,
    "chunk size of 1 MB": _OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 10**6 + b"5\r\nhello\r\n0\r\n\r\n",
    "both lengths": _OK + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": _OK + b"Content-Length: 5\r\nContent-Length: 500\r\n\r\n" + _PAGE,
    "length of words": _OK + b"Content-Length: many\r\n\r\n" + _PAGE,
    "negative length": _OK + b"Content-Length: -1\r\n\r\n" + _PAGE,
    "early close": _OK + b"Content-Length: 100000\r\n\r\n" + _PAGE,
    "no status": b"\x00\x01\x02 garbage\r\n\r\n",
    "odd status": _with_length(b"HTTP/1.1 999999 Fine\r\nContent-Type: text/html\r\n", _PAGE),
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "100 for ever": b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000,
    "damaged gzip": _with_length(_OK + b"Content-Encoding: gzip\r\n", gzip.compress(_PAGE)[:-20] + b"\xff" * 30),
    "unknown encoding": _with_length(_OK + b"Content-Encoding: rot13, gzip, gzip, br, zstd, x\r\n", _PAGE),
    "nested gzip": _with_length(_OK + b"Content-Encoding: gzip, gzip\r\n", gzip.compress(_BOMB)),
    "zstd that is none": _with_length(_OK + b"Content-Encoding: zstd\r\n", b"\x28\xb5\x2f\xfd" + b"\xff" * 1000),
    "charset": _with_length(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=rot13\r\n", _PAGE),
    "charset of the page": _with_length(_OK, b"<meta charset=zip>" + _PAGE),
    "picture as page": _with_length(_OK, _png(60_000, 60_000)),
    "page as picture": _with_length(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n", _PAGE),
    "location": _with_length(b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n", b""),
    "location with lines": _with_length(b"HTTP/1.1 302 Found\r\nLocation: /a%0d%0aX: 1\x00\xff\r\n", b""),
    "refresh": _with_length(_OK + b"Refresh: 0; url=javascript:alert(1)\r\nLink: <" + b"a" * 90_000 + b">\r\n", _PAGE),
}


_HOSTILE = {f"/2024/05/1{n % 10}/about-nothing-{n}/": response for n, response in enumerate(_RESPONSES.values())}


def _normal(path: str, base_url: str) -> bytes:
    posts = [*_POSTS, *_HOSTILE]
    if path == "/feed.xml":
        items = "".join(f"<item><title>About {url[19:-1]}</title><link>{base_url}{url}</link>"
                        f"<description>{url} {_WORDS}</description></item>" for url in posts)  # fmt: skip
        feed = f"<rss version='2.0'><channel><title>B</title><link>{base_url}/</link>{items}</channel></rss>"
        return _with_length(b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n", feed.encode())
    if path == "/bomb.png":
        return _with_length(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n", _png(60_000, 60_000))
    if path == "/evil.svg":
        svg = b"<!DOCTYPE svg [<!ENTITY a 'x'>]><svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script>&a;</svg>"
        return _with_length(b"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\n", svg)
    if path != "/" and path not in _POSTS:
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    head = "<link rel=alternate type=application/rss+xml href=/feed.xml><link rel=icon href=/evil.svg>"
    links = (
        "".join(f"<a href={url}>Post</a>" for url in posts) if path == "/" else "<img src=/bomb.png><img src=/evil.svg>"
    )
    page = f"<html><head>{head}<title>About {path[19:-1]}</title></head><body><article><h1>About {path[19:-1]}</h1>"
    return _with_length(_OK, f"{page}<p>{path} {_WORDS}</p>{links}</article></body></html>".encode())


@contextmanager
def _blog() -> Iterator[str]:
    """Serve a blog of four good posts and others with hostile responses."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"

        def respond(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                connection.settimeout(30)
                path = connection.recv(65536).decode("latin-1").split(" ")[1:2]
                if path:
                    connection.sendall(_HOSTILE.get(path[0]) or _normal(path[0], base_url))

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=respond, args=(listener.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield base_url
        listener.shutdown(socket.SHUT_RDWR)


_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
import os
os.execv(sys.executable, [sys.executable, "-m", "posterity", *sys.argv[1:]])
"""


def test_hostile_responses_cost_no_other_post(tmp_path: Path) -> None:
    with _blog() as base_url:
        options = ["--delay", "0", "--render", "never", "--time-limit", "120", "-q"]
        command = [sys.executable, "-c", _LIMITED, "harvest", f"{base_url}/", *options, "--archive"]
        done = subprocess.run(
            [*command, str(tmp_path / "archive")], env=environment(), capture_output=True, check=False, text=True
        )
    assert "Traceback" not in done.stderr, done.stderr[:2000]
    with open_archive(tmp_path / "archive") as archive:
        stored = {post.url.removeprefix(base_url) for post in archive.posts()}
        report = archive.report(archive.blogs()[0].id)
    assert stored >= set(_POSTS), done.stderr
    assert report is not None
    assert "time limit" not in report.ended_because
