"""Clients that wait, or make the server wait, do not take threads, connections or memory from others."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from tests.integration.serve.running import Served, served

from posterity.archive import open_archive
from posterity.model import Blog, Comment, Post
from posterity.serve.settings import VisitorLimits
from posterity.urls import blog_id, post_id

_PAGE = "<article><h1>Hello</h1><p>Some words to read, and then some more of them.</p></article>"


@contextmanager
def _requests(site: Served, path: str, count: int, window: int = 4096) -> Iterator[list[socket.socket]]:
    """Send the same request on `count` connections without reading the responses."""
    with ExitStack() as open_sockets:
        held = []
        for _ in range(count):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            one.connect(("127.0.0.1", int(site.netloc.rpartition(":")[2])))
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: {site.netloc}\r\n\r\n".encode())
            held.append(open_sockets.enter_context(one))
        yield held


def test_frames_that_take_long_leave_threads_for_readers(blog_archive: Path) -> None:
    slow = "".join(f"<p class=a{n} style='color: red'>{n} <b>words</b> of a page.</p>" for n in range(10_000))
    with served(blog_archive, limits=VisitorLimits(extract_s=60.0)) as site:
        made = site.ask.post("/demo", json={"html": f"<article>{slow}</article>", "methods": ["bte"]}).json()
        with _requests(site, f"{made['href']}/page?method=bte", 20) as frames:
            assert site.ask.get("/health").status_code == 200
            assert site.ask.post("/api/v1/extract", json={"html": _PAGE, "method": "bte"}).status_code == 200
            assert select.select(frames, [], [], 0)[0] == []  # all of them are still waiting


def test_visitors_who_do_not_read_are_let_go(tmp_path: Path) -> None:
    url = "https://blog.example/long/"
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(Blog(id=blog_id(url), url=url))
        archive.put_post(Post(id=post_id(url), url=url, blog=blog_id(url), text="Words. " * 2_000_000))
    with served(tmp_path / "archive", limits=VisitorLimits(request_s=0.5)) as site:
        with _requests(site, f"/api/v1/posts/{post_id(url)}", 6) as held:
            _wait_until(lambda: all(_is_reset(one) for one in held))
        assert len(site.ask.get(f"/api/v1/posts/{post_id(url)}").content) > 10_000_000


def test_visitor_who_reads_slowly_gets_the_whole_response(tmp_path: Path) -> None:
    url = "https://blog.example/long/"
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(Blog(id=blog_id(url), url=url))
        archive.put_post(Post(id=post_id(url), url=url, blog=blog_id(url), text="Words. " * 1_000_000))
    read = 0
    with (
        served(tmp_path / "archive", limits=VisitorLimits(request_s=0.5)) as site,
        _requests(site, f"/api/v1/posts/{post_id(url)}", 1, 256 * 1024) as held,
    ):
        while read < 7_000_000 and (got := held[0].recv(65_536)):
            read += len(got)
            time.sleep(0.02)
    assert read >= 7_000_000


def _is_reset(one: socket.socket) -> bool:
    """Return whether the server has reset the connection, without reading from it."""
    return bool(one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)) or _is_hung_up(one)


def _is_hung_up(one: socket.socket) -> bool:
    poll = select.poll()
    poll.register(one, select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))


def _wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("the condition was never met")


@pytest.mark.parametrize("path", ["/posts/{id}", "/api/v1/posts/{id}", "/feed.atom", "/blogs/{blog}", "/search?q=word"])
def test_replies_inside_each_other_are_shown(tmp_path: Path, path: str) -> None:
    url = "https://blog.example/replies/"
    replies = tuple(
        Comment(id=str(n), parent=str(n - 1) if n else None, author="A", text=f"Reply {n} in words.")
        for n in range(5_000)
    )
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(Blog(id=blog_id(url), url=url))
        published = datetime(2024, 1, 2, tzinfo=UTC)
        archive.put_post(
            Post(id=post_id(url), url=url, blog=blog_id(url), text="Some words.", published=published, comments=replies)
        )
    with served(tmp_path / "archive") as site:
        found = site.ask.get(path.format(id=post_id(url), blog=blog_id(url)))
        assert found.status_code == 200
        if path.startswith(("/posts", "/api/v1/posts")):
            assert "Reply 4999 in words." in found.text


def test_followers_of_a_job_that_do_not_read_keep_nobody_waiting(blog_archive: Path) -> None:
    with served(blog_archive) as site:
        job = site.ask.post("/api/v1/jobs", json={"kind": "export", "format": "jsonl"}).json()["id"]
        with _requests(site, f"/api/v1/jobs/{job}/events", 60):
            assert site.ask.get("/api/v1/posts").status_code == 200
            assert httpx.get(f"{site.base_url}/health", timeout=60).status_code == 200
