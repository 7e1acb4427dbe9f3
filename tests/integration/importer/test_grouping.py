"""Crawl files of many sites in arbitrary order are read by several processes and come out site by site."""

from __future__ import annotations

import gzip
import random
from typing import TYPE_CHECKING

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from posterity.errors import InputError
from posterity.importer.crawl_file import CrawledExchange, crawl_file_exchanges
from posterity.importer.grouping import BUCKETS, Grouped, SpoolLookup, group_crawl, write_sorted
from posterity.urls.kinds import site_host

if TYPE_CHECKING:
    from pathlib import Path

# A page about WARC files: whoever begins to read in its middle must not take the quotation for a record.
QUOTED = (
    b"<html><pre>\nWARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://quoted.example/\r\n"
    b"Content-Length: 40\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n</pre>"
)


def record(url: str, body: bytes, kind: bytes = b"text/html", status: bytes = b"200 OK", more: bytes = b"") -> bytes:
    answer = b"HTTP/1.1 %s\r\nContent-Type: %s\r\n%s\r\n%s" % (status, kind, more, body)
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2021-04-05T06:07:08Z\r\nWARC-Record-ID: <urn:x:%s>\r\n"
        b"WARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
        b"%s\r\n\r\n"
    ) % (url.encode(), url.encode(), len(answer), answer)


def crawl(pages: int = 300, sites: int = 40) -> list[bytes]:
    rng = random.Random(3)
    hosts = [f"http://site{rng.randrange(sites)}.example" for _ in range(pages)]
    bodies = [rng.randbytes(rng.randrange(3000)).hex().encode() for _ in range(pages)]
    return [record(f"{host}/{number}", body) for number, (host, body) in enumerate(zip(hosts, bodies, strict=True))]


def packed(records: list[bytes]) -> bytes:
    return b"".join(gzip.compress(one, mtime=0) for one in records)


def addresses(grouped: Grouped) -> list[str]:
    """All addresses, bucket after bucket."""
    return [response.url for bucket in range(BUCKETS) for response in grouped.spool.responses(bucket)]


def group(folder: Path, files: list[Path], name: str = "spool", **options: object) -> Grouped:
    (folder / name).mkdir()
    return group_crawl(files, folder / name, **options)  # type: ignore[arg-type]


def test_answers_of_a_site_lie_together_in_the_order_of_the_files(tmp_path: Path) -> None:
    records = crawl()
    (tmp_path / "a.warc.gz").write_bytes(packed(records[:150]))
    (tmp_path / "b.warc").write_bytes(b"".join(records[150:]))
    grouped = group(tmp_path, [tmp_path / "a.warc.gz", tmp_path / "b.warc"], workers=1)
    assert grouped.response_count == 300
    hosts: dict[str, list[int]] = {}
    for bucket in range(BUCKETS):
        for response in grouped.spool.responses(bucket):
            assert hosts.setdefault(site_host(response.url), []) is hosts[site_host(response.url)]
            hosts[site_host(response.url)].append(int(response.url.rpartition("/")[2]))
            assert grouped.spool.page(response).url == response.url
    assert len(hosts) == 40
    assert all(numbers == sorted(numbers) for numbers in hosts.values())
    grouped.spool.close()


@pytest.mark.parametrize("compressed", [True, False])
def test_several_processes_find_what_one_finds(tmp_path: Path, compressed: bool) -> None:
    records = crawl()
    file = tmp_path / ("x.warc.gz" if compressed else "x.warc")
    file.write_bytes(packed(records) if compressed else b"".join(records))
    alone = group(tmp_path, [file], "alone", workers=1)
    together = group(tmp_path, [file], "together", workers=2, range_bytes=file.stat().st_size // 40)
    assert {len(list((tmp_path / name).glob("000-*.data"))) for name in ("alone", "together")} == {1, 2}
    assert addresses(together) == addresses(alone)
    assert together.damaged == ()


@pytest.mark.parametrize("range_bytes", [50, 257, 1000, 4096])
def test_quoted_record_is_no_record(tmp_path: Path, range_bytes: int) -> None:
    records = [record(f"http://x.example/{number}", QUOTED * 3) for number in range(4)]
    (tmp_path / "x.warc").write_bytes(b"".join(records))
    grouped = group(tmp_path, [tmp_path / "x.warc"], workers=1, range_bytes=range_bytes)
    assert addresses(grouped) == [f"http://x.example/{number}" for number in range(4)]
    assert grouped.response_count == 4
    assert grouped.damaged == ()


@pytest.mark.parametrize("range_bytes", [700, 5_000, 1_000_000])
@pytest.mark.parametrize("compressed", [True, False])
def test_damaged_record_is_left_out_counted_and_named_once(tmp_path: Path, range_bytes: int, compressed: bool) -> None:
    parts = [gzip.compress(one, mtime=0) if compressed else one for one in crawl(30, 3)]
    parts[11] = b"spoilt!!" + parts[11][8:]
    file = tmp_path / ("x.warc.gz" if compressed else "x.warc")
    file.write_bytes(b"".join(parts))
    grouped = group(tmp_path, [file], workers=1, range_bytes=range_bytes)
    assert [(damage.file, damage.offset) for damage in grouped.damaged] == [(file.name, sum(map(len, parts[:11])))]
    assert sorted(int(url.rpartition("/")[2]) for url in addresses(grouped)) == [n for n in range(30) if n != 11]


def test_file_that_is_no_crawl_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "bad.warc").write_bytes(b"this is no WARC file")
    (tmp_path / "good.warc").write_bytes(record("http://x.example/", b"salt"))
    grouped = group(tmp_path, [tmp_path / "bad.warc", tmp_path / "good.warc"], workers=1)
    ((name, problem),) = grouped.failures
    assert name == str(tmp_path / "bad.warc")
    assert isinstance(problem, InputError)
    assert addresses(grouped) == ["http://x.example/"]


def test_pictures_are_left_out_where_only_text_is_wanted(tmp_path: Path) -> None:
    records = [
        record("http://x.example/", b"<html>"),
        record("http://x.example/a.png", b"\x89PNG", b"image/png"),
        record("http://x.example/feed", b"<rss>", b"application/rss+xml"),
    ]
    (tmp_path / "x.warc").write_bytes(b"".join(records))
    grouped = group(tmp_path, [tmp_path / "x.warc"], text_only=True)
    assert addresses(grouped) == ["http://x.example/", "http://x.example/feed"]


def test_disk_that_cannot_be_written_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(record("http://x.example/", b"salt"))
    with pytest.raises(InputError, match=r"cannot be grouped.*TMPDIR"):
        group_crawl([tmp_path / "x.warc"], tmp_path / "missing")


def test_progress_is_told_all_bytes(tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(b"".join(crawl(20)))
    told: list[tuple[int, int]] = []
    group(tmp_path, [tmp_path / "x.warc"], workers=1, range_bytes=9_000, progress=lambda *step: told.append(step))
    size = (tmp_path / "x.warc").stat().st_size
    assert len(told) > 1
    assert told[-1] == (size, size)


def test_picture_on_another_host_is_found_behind_a_redirect(tmp_path: Path) -> None:
    records = [
        record("http://x.example/a.png", b"", b"text/plain", b"301 Moved", b"Location: http://cdn.example/b.png\r\n"),
        record("http://cdn.example/b.png", b"\x89PNG", b"image/png"),
    ]
    (tmp_path / "x.warc").write_bytes(b"".join(records))
    grouped = group(tmp_path, [tmp_path / "x.warc"])
    lookup = SpoolLookup(grouped.spool)
    page = lookup.find("http://x.example/a.png")
    assert page is not None
    assert page.body == b"\x89PNG"
    assert lookup.response("http://y.example/") is None
    grouped.spool.close()


def arc_crawl(pages: int = 60) -> list[bytes]:
    """An ARC file, pages of three sites in turn."""
    about = b"1 0 Somebody\nURL IP-address Archive-date Content-type Archive-length\n\n"
    records = [b"filedesc://x.arc 127.0.0.1 20100102030405 text/plain %d\n%s\n" % (len(about), about)]
    for number in range(pages):
        url = f"http://www.site{number % 3}.example/{number}"
        body = f"<p>{url} {'x' * number * 7}".encode()
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        records.append(b"%s 127.0.0.1 20100102030405 text/html %d\n%s\n" % (url.encode(), len(answer), answer))
    return records


@pytest.mark.parametrize("compressed", [True, False])
def test_arc_file_is_read_in_ranges(tmp_path: Path, compressed: bool) -> None:
    file = tmp_path / ("x.arc.gz" if compressed else "x.arc")
    file.write_bytes(packed(arc_crawl()) if compressed else b"".join(arc_crawl()))
    grouped = group(tmp_path, [file], workers=1, range_bytes=1000)
    assert (grouped.response_count, grouped.damaged) == (60, ())
    assert len(set(addresses(grouped))) == 60


def test_sorted_archive_has_every_response_site_after_site(tmp_path: Path) -> None:
    file, out = tmp_path / "x.arc.gz", tmp_path / "sorted.warc.gz"
    file.write_bytes(packed(arc_crawl()))
    grouped = group(tmp_path, [file], workers=1)
    assert write_sorted(grouped.spool, out) == 60
    with out.open("rb") as stream:
        urls = [record.headers["WARC-Target-URI"] for record in ArchiveIterator(stream, WarcRecordType.response)]
    assert urls == [f"http://www.site{site}.example/{number}" for site in range(3) for number in range(site, 60, 3)]
    first = out.read_bytes()
    write_sorted(grouped.spool, out)
    assert out.read_bytes() == first
    again = [one for one in crawl_file_exchanges(out) if isinstance(one, CrawledExchange)]
    assert again[1].body.startswith(b"<p>http://www.site0.example/3 ")
    grouped.spool.close()


def test_sorted_archive_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "x.arc.gz"
    file.write_bytes(packed(arc_crawl(3)))
    with pytest.raises(InputError, match="cannot be written"):
        write_sorted(group(tmp_path, [file], workers=1).spool, tmp_path / "missing" / "sorted.warc.gz")
