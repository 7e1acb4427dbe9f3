"""A harvest waits as long as the host asks: Crawl-delay, Retry-After in both forms, a robots.txt that comes late.

The host notes when it was asked. Only the least time between two requests is asserted, never the greatest.
"""

from __future__ import annotations

import itertools
import json
import socketserver
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tests.conftest import Posterity

    from posterity.demo.server import DemoSite

# An arrival may be noted a little late, and the next one not: a tenth of a second is allowed for that.
SLACK_S = 0.1
LATE_S = 0.6  # by which a busy machine may handle a request later than it came, which shortens the gap behind it


class Said(NamedTuple):
    """What the host says in place of its page."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


class Host:
    """A blog with a will of its own: `says` may answer in place of a page, by its path and how often it was asked."""

    def __init__(self, base_url: str, says: Callable[[str, int], Said | None]) -> None:
        self.base_url, self.says = base_url, says
        self.site: DemoSite = build(SiteOptions(base_url=base_url, posts_limit=6, feed_entries=4))
        self.asked: list[tuple[float, str]] = []

    @property
    def gaps(self) -> list[float]:
        """The seconds between requests."""
        times = sorted(moment for moment, _ in self.asked)
        return [later - earlier for earlier, later in pairwise(times)]

    @property
    def oldest(self) -> list[str]:
        """The paths of two posts that are no longer in the feed."""
        return sorted(post.path for post in self.site.truth)[:2]

    def paths(self) -> list[str]:
        return [path for _, path in self.asked]


class _Handler(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        host: Host = self.server.host
        host.asked.append((time.monotonic(), self.path))
        said = host.says(self.path, host.paths().count(self.path))
        page = host.site.get(self.path, host.site.missing)
        said = said or Said(page.status, {"Content-Type": page.content_type}, page.body)
        self.send_response(said.status)
        for name, value in {**said.headers, "Content-Length": str(len(said.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(said.body)

    def log_message(self, *_: object) -> None:
        """The host keeps its own notes."""


class _Server(ThreadingHTTPServer):
    host: Host

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]


@contextmanager
def hosting(says: Callable[[str, int], Said | None]) -> Iterator[Host]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.host = Host(f"http://127.0.0.1:{server.server_port}", says)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.host
        finally:
            server.shutdown()
            thread.join()


def harvest(posterity: Posterity, host: Host, folder: Path, *options: str) -> dict[str, Any]:
    ended = posterity("harvest", f"{host.base_url}/", "--json", "--archive", folder / "archive", *options)
    assert (ended.returncode, ended.stderr) == (0, "")
    report: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])["report"]
    return report


def robots(text: str) -> Said:
    return Said(200, {"Content-Type": "text/plain"}, text.encode())


def test_delay_is_kept_between_all_requests_to_a_host(posterity: Posterity, tmp_path: Path) -> None:
    with hosting(lambda _path, _count: None) as host:
        report = harvest(posterity, host, tmp_path, "--delay", "1", "--no-media", "--limit", "8")
    assert len(host.asked) > 8
    assert min(host.gaps) >= 1 - LATE_S
    assert host.asked[-1][0] - host.asked[0][0] >= len(host.gaps) - LATE_S
    assert report["delay_s"] >= 1


def test_crawl_delay_counts_when_it_is_longer_than_ours(posterity: Posterity, tmp_path: Path) -> None:
    said = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 1.2\n")}
    with hosting(lambda path, _count: said.get(path)) as host:
        report = harvest(posterity, host, tmp_path, "--delay", "0.1", "--no-media", "--limit", "5")
    # The first page follows robots.txt at our own delay: nobody knew better.
    assert min(host.gaps[1:]) >= 1.2 - LATE_S
    assert report["delay_s"] >= 1.2


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_is_honoured_in_both_forms(
    status: int, as_date: bool, posterity: Posterity, tmp_path: Path
) -> None:
    refused: list[float] = []

    def says(path: str, count: int) -> Said | None:
        if path != "/feed/" or count > 1:
            return None
        refused.append(time.monotonic())
        # A date has whole seconds: two of them are at least one.
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
        return Said(status, {"Retry-After": date if as_date else "1"})

    with hosting(says) as host:
        report = harvest(posterity, host, tmp_path, "--delay", "0", "--no-media")
    again = [moment for moment, path in host.asked if path == "/feed/"][1]
    assert again - refused[0] >= 1 - SLACK_S
    assert report["posts"] == len(host.site.truth)


def test_requests_that_wait_their_turn_are_held_back_too(posterity: Posterity, tmp_path: Path) -> None:
    refused: list[float] = []

    def says(path: str, _count: int) -> Said | None:
        if refused or not path.endswith("/") or path.count("/") < 3:
            return None
        refused.append(time.monotonic())  # the first post: others are in the queue of the host by now
        return Said(429, {"Retry-After": "6"})

    with hosting(says) as host:
        harvest(posterity, host, tmp_path, "--delay", "1", "--no-media", "--limit", "6")
    early = [moment for moment, _ in host.asked if refused[0] < moment < refused[0] + 6 - LATE_S]
    assert len(early) <= 1  # one may have been under way


def test_host_that_limits_its_visitors_gives_everything_in_the_end(posterity: Posterity, tmp_path: Path) -> None:
    allowed = [0.0]

    def says(_path: str, _count: int) -> Said | None:
        now = time.monotonic()
        if now < allowed[0]:
            return Said(429, {"Retry-After": "1"})
        allowed[0] = now + 0.2
        return None

    with hosting(says) as host:
        report = harvest(posterity, host, tmp_path, "--delay", "0", "--no-media", "--concurrency", "2")
    assert report["posts"] == len(host.site.truth)
    assert report["missing"] == []


def test_host_that_wants_an_hour_is_left_alone_and_the_post_is_missing(posterity: Posterity, tmp_path: Path) -> None:
    with hosting(lambda _path, _count: None) as host:
        host.says = lambda path, _count: Said(503, {"Retry-After": "3600"}) if path in host.oldest else None
        report = harvest(posterity, host, tmp_path, "--delay", "0", "--no-media")
        assert [host.paths().count(path) for path in host.oldest] == [1, 1]
    assert {(post["reason"], post["detail"]) for post in report["missing"]} == {("httpError", "503")}
    assert report["posts"] == len(host.site.truth) - 2


def test_robots_txt_that_comes_late_is_waited_for(posterity: Posterity, tmp_path: Path) -> None:
    with hosting(lambda path, count: Said(500, {}) if path == "/robots.txt" and count < 3 else None) as host:
        report = harvest(posterity, host, tmp_path, "--delay", "0.01", "--no-media")
    assert host.paths()[:5] == ["/robots.txt"] * 3 + ["/.well-known/tdmrep.json", "/"]
    assert report["posts"] == len(host.site.truth)


@pytest.mark.parametrize(
    ("header", "word"),
    [
        ({"X-Robots-Tag": "noindex, noarchive"}, "noarchive"),
        ({"X-Robots-Tag": "noai"}, "noai"),
        ({"tdm-reservation": "1"}, "tdm-reservation"),
    ],
)
def test_optout_is_recorded_and_honoured_when_asked(
    header: dict[str, str], word: str, posterity: Posterity, tmp_path: Path
) -> None:
    with hosting(lambda _path, _count: None) as host:
        pages = {path: Said(200, {"Content-Type": "text/html", **header}, host.site[path].body) for path in host.oldest}
        host.says = lambda path, _count: pages.get(path)
        asking = {f"{host.base_url}{path}" for path in pages}
        report = harvest(posterity, host, tmp_path, "--delay", "0", "--no-media")
        with open_archive(tmp_path / "archive") as store:
            posts = list(store.posts())
        honoured = harvest(posterity, host, tmp_path / "2", "--delay", "0", "--no-media", "--respect-optout")
        with open_archive(tmp_path / "2" / "archive") as store:
            kept = {post.url for post in store.posts()}
            raw = {page.url for page in store.pages(store.blogs()[0].id)}
    assert report["optouts"] == {word: len(asking)}
    assert {post.url for post in posts if "optout" in post.provenance} == asking
    assert {post.provenance["optout"].rule for post in posts if post.url in asking} == {word}
    assert kept == {post.url for post in host.site.truth} - asking
    assert raw & asking == set()
    assert {post["reason"] for post in honoured["missing"]} == {"optOut"}


def test_page_that_asks_not_to_be_kept_is_not_whatever_its_type(posterity: Posterity, tmp_path: Path) -> None:
    head = b'<head><meta name="robots" content="noarchive">'
    with hosting(lambda _path, _count: None) as host:
        kinds = itertools.cycle([{"Content-Type": "application/octet-stream"}, {}])
        bodies = {path: host.site[path].body.replace(b"<head>", head) for path in host.oldest}
        pages = {path: Said(200, next(kinds), body) for path, body in bodies.items()}
        host.says = lambda path, _count: pages.get(path)
        harvest(posterity, host, tmp_path, "--delay", "0", "--no-media", "--respect-optout")
        with open_archive(tmp_path / "archive") as store:
            raw = {page.url for page in store.pages(store.blogs()[0].id)}
    assert raw
    assert raw & {f"{host.base_url}{path}" for path in pages} == set()


def test_reservation_by_the_file_of_the_host_counts_unless_the_page_says_otherwise(
    posterity: Posterity, tmp_path: Path
) -> None:
    with hosting(lambda _path, _count: None) as host:
        first, *others = host.oldest
        free = Said(200, {"Content-Type": "text/html", "tdm-reservation": "0"}, host.site[first].body)
        rules = [{"location": path, "tdm-reservation": 1} for path in host.oldest]
        file = Said(200, {"Content-Type": "application/json"}, json.dumps(rules).encode())
        host.says = lambda path, _count: {"/.well-known/tdmrep.json": file, first: free}.get(path)
        asking = {f"{host.base_url}{path}" for path in others}
        report = harvest(posterity, host, tmp_path, "--delay", "0", "--no-media")
        assert host.paths().count("/.well-known/tdmrep.json") == 1
        with open_archive(tmp_path / "archive") as store:
            posts = list(store.posts())
        harvest(posterity, host, tmp_path / "2", "--delay", "0", "--no-media", "--respect-optout")
        with open_archive(tmp_path / "2" / "archive") as store:
            kept = {post.url for post in store.posts()}
    assert report["optouts"] == {"tdm-reservation": len(asking)}
    assert {post.url for post in posts if "optout" in post.provenance} == asking
    assert kept == {post.url for post in host.site.truth} - asking
