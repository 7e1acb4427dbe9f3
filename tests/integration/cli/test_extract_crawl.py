"""`posterity extract` on crawl files of several sites: each site's pages see each other, and its own feed."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

import pytest

from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

    from posterity.demo.server import DemoSite


def record(url: str, kind: str, body: bytes) -> bytes:
    packed = gzip.compress(body, mtime=0)
    response = (
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"%x\r\n%s\r\n0\r\n\r\n"
    ) % (kind.encode(), len(packed), packed)
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2021-04-05T06:07:08Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(response)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + response + b"\r\n\r\n", mtime=0)


def sites(count: int) -> list[DemoSite]:
    themes = ("harbour", "attic")
    return [
        build(SiteOptions(base_url=f"http://salt{n}.example", posts_limit=12, theme=themes[n % 2]))  # type: ignore[arg-type]
        for n in range(count)
    ]


def mixed(some: list[DemoSite]) -> list[bytes]:
    """The records of several sites as a crawler leaves them: one of each in turn."""
    rows = zip_longest(*([(site, path, resource) for path, resource in site.items()] for site in some))
    return [
        record(f"{site.options.base_url}{path}", resource.content_type, resource.body)
        for row in rows
        for site, path, resource in filter(None, row)
    ]


def found(stdout: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in stdout.splitlines()]


@pytest.mark.parametrize("count", [2, 6], ids=["in one process", "in several"])
def test_every_site_learns_from_its_own_feed(count: int, tmp_path: Path, posterity: Posterity) -> None:
    some = sites(count)
    records = mixed(some)
    (tmp_path / "a.warc.gz").write_bytes(b"".join(records[::2]))
    (tmp_path / "b.warc.gz").write_bytes(b"".join(records[1::2]))
    ended = posterity(
        "extract", tmp_path / "a.warc.gz", tmp_path / "b.warc.gz", "--method", "feed", "--format", "jsonl"
    )
    assert ended.returncode == 0
    posts = found(ended.stdout)
    hosts = [post["url"].split("/")[2] for post in posts]
    assert len(set(hosts)) == count
    assert sum(one != other for one, other in pairwise(hosts)) == count - 1  # site after site
    texts = {post["url"]: post["text"].split() for post in posts}
    for site in some:
        assert all(texts[post.url] == post.text.split() for post in site.truth)


@pytest.mark.parametrize("method", ["wc-multi", "e-mcst"])
def test_pages_of_a_site_are_compared_with_each_other(method: str, tmp_path: Path, posterity: Posterity) -> None:
    some = sites(2)
    (tmp_path / "x.warc.gz").write_bytes(b"".join(mixed(some)))
    ended = posterity("extract", tmp_path / "x.warc.gz", "--method", method, "--format", "jsonl")
    assert ended.returncode == 0
    texts = {post["url"]: post["text"].split() for post in found(ended.stdout)}
    wanted = {post.url: post.text.split() for site in some for post in site.truth}
    shares = [len(set(texts[url]) & set(words)) / len(set(words)) for url, words in wanted.items()]
    assert sum(share > 0.8 for share in shares) / len(shares) > 0.7


def test_damaged_records_are_named_and_the_others_extracted(tmp_path: Path, posterity: Posterity) -> None:
    records = mixed(sites(2))
    spoilt = len(records) // 2
    place = sum(map(len, records[:spoilt]))
    records[spoilt] = b"spoilt!!" + records[spoilt][8:]
    (tmp_path / "x.warc.gz").write_bytes(b"".join(records))
    ended = posterity("extract", tmp_path / "x.warc.gz", "--method", "bte", "--format", "jsonl")
    assert ended.returncode == 0
    assert f"x.warc.gz#{place}" in ended.stderr
    assert "1 damaged records were skipped" in ended.stderr
    assert len(found(ended.stdout)) > 20


def test_crawl_without_pages_is_an_error(tmp_path: Path, posterity: Posterity) -> None:
    (tmp_path / "x.warc.gz").write_bytes(record("http://x.example/a.css", "text/css", b"p {}"))
    ended = posterity("extract", tmp_path / "x.warc.gz", "--method", "bte")
    assert ended.returncode == 4
    assert "no HTML page" in ended.stderr


def test_sorted_archive_is_written_and_gives_the_same_posts(tmp_path: Path, posterity: Posterity) -> None:
    crawl, out = tmp_path / "crawl.warc.gz", tmp_path / "sorted.warc.gz"
    crawl.write_bytes(b"".join(mixed(sites(2))))
    ended = posterity("extract", crawl, "--sorted", out, "--method", "wc-multi", "--format", "jsonl")
    assert ended.returncode == 0
    texts = [(post["url"], post["text"]) for post in found(ended.stdout)]
    again = posterity("extract", out, "--method", "wc-multi", "--format", "jsonl")
    assert sorted(texts) == sorted((post["url"], post["text"]) for post in found(again.stdout))


def test_sorted_without_a_crawl_file_is_a_wrong_call(tmp_path: Path, posterity: Posterity) -> None:
    (tmp_path / "page.html").write_text("<p>Salt</p>")
    ended = posterity("extract", tmp_path / "page.html", "--sorted", tmp_path / "out.warc.gz")
    assert ended.returncode == 2
    assert "none of these is given" in ended.stderr
