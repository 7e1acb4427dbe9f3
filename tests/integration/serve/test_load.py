"""Many readers: responses that are kept, and several processes that serve one archive."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest
from anyio import to_thread
from tests.conftest import environment
from tests.integration.serve.running import Served, job_over, served

from posterity.archive import open_archive
from posterity.demo.server import serving
from posterity.serve.cache import ResponseCache
from posterity.serve.processes import ForwardedFor
from posterity.serve.services import Services
from posterity.serve.settings import ServeSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Receive, Scope, Send

    from posterity.archive import Archive

_LISTENS = "0A"  # in /proc/net/tcp


@pytest.fixture
def many(own_archive: Path) -> Iterator[Served]:
    """A server of three processes."""
    command = [sys.executable, "-m", "posterity", "serve", "--archive", str(own_archive), "--port", "0"]
    command += ["--processes", "3", "--allow", "127.0.0.1", "--delay", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
        assert found is not None
        with httpx.Client(base_url=found.group(), timeout=60, transport=httpx.HTTPTransport(retries=5)) as client:
            _wait_for_processes(found.group(), 3)
            yield Served(found.group(), client)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert "Traceback" not in process.stderr.read()


def _wait_for_processes(base_url: str, count: int) -> None:
    """Wait until so many sockets listen on the port."""
    port = f":{int(base_url.rpartition(':')[2]):04X}"
    for _ in range(600):
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        if sum(row[1].endswith(port) and row[3] == _LISTENS for row in rows) == count:
            return
        time.sleep(0.1)
    raise AssertionError("the processes do not listen")


@pytest.mark.parametrize("path", ["/", "/search?q=the", "/blogs/{blog}", "/posts/{post}", "/api/v1/posts"])
def test_page_has_a_tag_and_is_not_sent_again(blog_archive: Path, path: str) -> None:
    with served(blog_archive) as site:
        blog = site.ask.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
        post = site.ask.get("/api/v1/posts").json()["items"][0]["id"]
        place = path.format(blog=blog, post=post)
        first = site.ask.get(place)
        again = site.ask.get(place, headers={"If-None-Match": first.headers["etag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
        assert site.ask.head(place).headers["etag"] == first.headers["etag"]


def test_kept_page_shows_what_was_written_since(own_archive: Path) -> None:
    with served(own_archive) as site, open_archive(own_archive) as archive:
        post = next(iter(archive.posts()))
        for title in ("The first title", "The second title"):
            assert title not in site.ask.get(f"/posts/{post.id}").text
            archive.put_post(msgspec.structs.replace(post, title=title))
            assert title in site.ask.get(f"/posts/{post.id}").text


def test_response_for_one_visitor_is_not_kept_for_others(blog_archive: Path) -> None:
    token = {"Authorization": "Bearer secret-secret"}
    with served(blog_archive, token="secret-secret") as site:
        mine = site.ask.get("/", headers=token)
        other = site.ask.get("/")
        assert mine.text != other.text  # those who may write get a field to add a blog
        assert site.ask.get("/", headers=token).text == mine.text
        assert site.ask.get("/").text == other.text


def test_many_requests_for_one_page_get_the_same_response(blog_archive: Path) -> None:
    with served(blog_archive) as site, ThreadPoolExecutor(24) as readers:
        pages = list(readers.map(lambda _: httpx.get(f"{site.base_url}/api/v1/posts", timeout=60).text, range(96)))
    assert len(set(pages)) == 1


def test_known_page_is_sent_at_once_and_computed_anew_for_the_next_visitor(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        asyncio.run(_read_while_busy(archive))


async def _read_while_busy(archive: Archive) -> None:
    versions, slow = [b"old", b"new"], asyncio.Event()

    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        if scope["path"] != "/search":
            await slow.wait()
        body = versions.pop(0) if scope["path"] == "/search" else b""
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def nothing() -> Any:
        raise AssertionError

    async def read(path: str) -> bytes:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        services = SimpleNamespace(archive=archive)
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [], "scheme": "http",
                 "app": SimpleNamespace(state=SimpleNamespace(services=services))}  # fmt: skip
        await cache(scope, nothing, send)
        return b"".join(message.get("body", b"") for message in sent)

    cache = ResponseCache(app, fresh_s=0.0)
    assert await read("/search") == b"old"
    others = [asyncio.ensure_future(read(f"/posts/{number}")) for number in range(12)]
    await asyncio.sleep(0)
    archive.put_post(msgspec.structs.replace(next(iter(archive.posts())), title="Another title"))
    assert await read("/search") == b"old"
    while versions:
        await asyncio.sleep(0)
    assert await read("/search") == b"new"
    slow.set()
    await asyncio.gather(*others)


def test_searches_that_wait_take_no_thread_of_those_who_read(own_archive: Path) -> None:
    services = Services(ServeSettings(archive=str(own_archive), updates=False, warm_up=False))

    async def run() -> None:
        end = threading.Event()
        searches = [asyncio.ensure_future(services.search(end.wait)) for _ in range(60)]
        await asyncio.sleep(0)
        assert await to_thread.run_sync(lambda: "read") == "read"
        end.set()
        assert all(await asyncio.gather(*searches))

    try:
        asyncio.run(run())
    finally:
        services.close()


def test_every_process_serves_jobs_and_writes(many: Served) -> None:
    with serving() as blog:
        job = many.ask.post("/api/v1/jobs", json={"kind": "harvest", "url": f"{blog.base_url}/"}).json()["id"]
        asked = [httpx.get(f"{many.base_url}/api/v1/jobs/{job}", timeout=60).status_code for _ in range(12)]
        assert asked == [200] * 12
        over = job_over(many, job)
    assert over["state"] == "done", over
    with httpx.stream("GET", f"{many.base_url}/api/v1/jobs/{job}/events", timeout=60) as stream:
        assert any("over" in line for line in stream.iter_lines())
    pages = [httpx.get(f"{many.base_url}/api/v1/posts?limit=200", timeout=60).json() for _ in range(12)]
    assert all(page == pages[0] for page in pages)


def test_refusals_of_the_main_process_come_through(many: Served) -> None:
    for _ in range(12):  # by another process each
        found = httpx.post(f"{many.base_url}/api/v1/extract", content=b"[" * 1000, timeout=60,
                           headers={"Content-Type": "application/json"})  # fmt: skip
        assert (found.status_code, found.json()["status"]) == (422, 422)
        found = httpx.post(f"{many.base_url}/logout", headers={"Origin": "http://evil.example"}, timeout=60)
        assert found.status_code == 403


@pytest.mark.parametrize(("secret", "expected"), [("right", "203.0.113.9"), ("wrong", "127.0.0.1"), ("", "127.0.0.1")])
def test_visitor_cannot_claim_another_address(secret: str, expected: str) -> None:
    seen: list[object] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append((scope["client"][0], scope["headers"]))

    async def unused(*_: object) -> Any:
        raise AssertionError

    scope = {"type": "http", "client": ("127.0.0.1", 4000), "headers": [
        (b"host", b"a.example"), (b"x-posterity-visitor", f"{secret} 203.0.113.9".encode())]}  # fmt: skip
    asyncio.run(ForwardedFor(app, "right")(scope, unused, unused))
    assert seen == [(expected, [(b"host", b"a.example")])]


def test_process_that_dies_is_reported_and_started_again(own_archive: Path) -> None:
    command = [sys.executable, "-m", "posterity", "serve", "--archive", str(own_archive), "--port", "0"]
    with subprocess.Popen(
        [*command, "--processes", "2"], stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()
        reader = _child_of(process.pid)
        os.kill(reader, signal.SIGKILL)
        assert "ended with code -9; it is started again" in process.stderr.readline()
        assert _child_of(process.pid, not_this=reader) != reader
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def _child_of(pid: int, not_this: int = 0) -> int:
    for _ in range(600):
        for child in Path(f"/proc/{pid}/task").glob("*/children"):
            for number in map(int, child.read_text().split()):
                if number != not_this and b"posterity.serve.app" in Path(f"/proc/{number}/cmdline").read_bytes():
                    return number
        time.sleep(0.1)
    raise AssertionError("there is no such process")
