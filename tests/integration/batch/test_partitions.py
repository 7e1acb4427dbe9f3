"""Crawl files to a partitioned corpus: the same bytes from one machine and from Dask, a killed worker included."""

from __future__ import annotations

import gzip
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pyarrow.parquet as pq
import pytest
from tests.conftest import environment
from tests.integration.fleet.conftest import wait_until

from posterity.batch.crawl_sites import HostPages
from posterity.blog.page_source import StoredResponse
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build
from posterity.importer.grouping import is_feed
from posterity.model import Page

if TYPE_CHECKING:
    from tests.conftest import Posterity
    from tests.integration.batch.conftest import Cluster

    from posterity.importer.grouping import Spool

BLOGS = ("http://harbour.example", "http://island.example", "http://lamps.example")
SHOP = (
    "<html><head><title>Shop</title></head><body><h1>Lamps</h1><ul><li><a href='/a'>A lamp</a> 12.00</ul></body></html>"
)


def _write_crawl(folder: Path, files: int) -> None:
    """Blogs and a shop, their pages dealt out to several files as in a large crawl."""
    folder.mkdir()
    pages = [
        ("http://shop.example/", "text/html", SHOP.encode()),
        ("http://shop.example/a", "text/html", SHOP.encode()),
        (f"{BLOGS[0]}/deep", "text/html", b"<html><body>" + b"<div>" * 60_000 + b"too deep"),
    ]
    for number, base_url in enumerate(BLOGS):
        site = build(SiteOptions(base_url=base_url, posts_limit=5 + number))
        pages += [
            (base_url + path, resource.content_type, resource.body)
            for path, resource in sorted(site.resources.items())
            if resource.content_type.startswith(("text/html", "application/rss"))
        ]
    for place, (url, kind, body) in enumerate(pages):
        with (folder / f"crawl-{place % files}.warc.gz").open("ab") as stream:
            stream.write(gzip.compress(_record(place, url, kind, body), mtime=0))


def _record(number: int, url: str, kind: str, body: bytes) -> bytes:
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{number:032}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl") / "warc"
    _write_crawl(folder, files=4)
    return folder


@pytest.fixture(scope="module")
def corpus(crawl: Path, posterity: Posterity, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus") / "local"
    ended = posterity("extract", f"{crawl}/*.warc.gz", "--blogs-only", "--format", "parquet", "--out", out)
    assert ended.returncode == 0, ended.stderr
    assert " posts of 3 blogs among 4 hosts" in ended.stderr
    assert "1 page could not be extracted" in ended.stderr
    return out


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_corpus_has_the_posts_of_the_blogs(corpus: Path) -> None:
    table = pq.read_table(corpus / "posts").to_pylist()
    expected = {
        post.url: post.title
        for number, base_url in enumerate(BLOGS)
        for post in build(SiteOptions(base_url=base_url, posts_limit=5 + number)).truth
    }
    assert {row["url"]: row["title"] for row in table if row["url"] in expected} == expected
    assert not [row["url"] for row in table if row["url"].startswith("http://shop.example")]
    assert len({row["blog"] for row in table}) == 3
    assert not (corpus / "_shuffle").exists()


def test_dask_with_a_killed_worker_gives_the_same_bytes(
    crawl: Path, corpus: Path, dask: Cluster, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [
        sys.executable, "-m", "posterity", "extract", f"{crawl}/*.warc.gz", "--blogs-only", "--format", "parquet",
        "--out", str(out), "--engine", "dask", "--scheduler", dask.scheduler,
    ]  # fmt: skip
    running = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE)
    wait_until(lambda: (out / "_shuffle").exists() or running.poll() is not None, "the first divided file")
    dask.first.kill()
    _, problems = running.communicate(timeout=300)

    assert running.returncode == 0, problems.decode()
    assert _bytes(out) == _bytes(corpus)


def test_wrong_options_are_named(posterity: Posterity, tmp_path: Path) -> None:
    without_out = posterity("extract", "x.warc.gz", "--format", "parquet")
    no_file = posterity("extract", tmp_path / "none-*.warc.gz", "--format", "parquet", "--out", tmp_path / "out")
    wrong_format = posterity("extract", "x.warc.gz", "--blogs-only")

    assert (without_out.returncode, no_file.returncode, wrong_format.returncode) == (2, 4, 2)
    assert "--out FOLDER" in without_out.stderr
    assert "No file matches" in no_file.stderr
    assert "are for --format parquet" in wrong_format.stderr


def _host(pages: dict[str, tuple[str, bytes]]) -> HostPages:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    stored = {
        url: Page(url=url, requested_url=url, body=body, content_type=kind, status=200, fetched_at=now)
        for url, (kind, body) in pages.items()
    }

    class _Spool:
        def page(self, response: StoredResponse) -> Page:
            return msgspec.structs.replace(stored[response.url])

    responses = [
        StoredResponse(
            url=url, status=200, content_type=page.content_type, fetched_at=now, where=("", 0, 0),
            is_feed=is_feed(page.body), size=len(page.body),
        )
        for url, page in stored.items()
    ]  # fmt: skip
    return HostPages(responses, cast("Spool", _Spool()))


def _demo_pages(*kinds: str) -> dict[str, tuple[str, bytes]]:
    site = build(SiteOptions(base_url=BLOGS[0], posts_limit=5))
    wanted = {post.url for post in site.truth}
    return {
        BLOGS[0] + path: (resource.content_type, resource.body)
        for path, resource in sorted(site.resources.items())
        if BLOGS[0] + path in wanted or resource.content_type.startswith(kinds)
    }


def test_nothing_is_learned_about_a_host_that_is_no_blog() -> None:
    shop = _host({f"http://shop.example/{number}": ("text/html", SHOP.encode()) for number in range(3)})

    assert not shop.is_blog
    assert "learned" not in vars(shop)


def test_stored_feed_makes_a_blog() -> None:
    assert _host(_demo_pages("application/rss")).is_blog


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_posts_that_declare_a_feed_make_a_blog(encoding: str) -> None:
    posts = {
        url: (f"text/html; charset={encoding}", body.decode().encode(encoding))
        for url, (_, body) in _demo_pages("no other type").items()
    }

    without_feed = {
        url: (kind, body.decode(encoding).replace("rss+xml", "").encode(encoding))
        for url, (kind, body) in posts.items()
    }

    assert _host(posts).is_blog
    assert not _host(without_feed).is_blog


def test_page_of_a_host_is_parsed_once() -> None:
    host = _host(_demo_pages("application/rss"))
    page = host.pages[0]

    before = host.document(page)
    assert host.is_blog
    assert host.document(page) is before
