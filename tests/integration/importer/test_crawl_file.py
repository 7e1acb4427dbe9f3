"""The answers in somebody else's crawl files."""

from __future__ import annotations

import gzip
import zipfile
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from posterity.errors import ArchiveError, InputError
from posterity.importer.crawl_file import CrawledExchange, Damage, crawl_file_exchanges

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.model import Page

ARC_ABOUT = b"1 0 Somebody\nURL IP-address Archive-date Content-type Archive-length\n\n"


def pages_in(path: Path) -> list[Page]:
    return [found.page for found in crawl_file_exchanges(path) if isinstance(found, CrawledExchange)]


def warc(*urls: str, compressed: bool = True) -> bytes:
    """A file as warcio's own writer makes it, version 1.0."""
    out = BytesIO()
    writer = WARCWriter(out, gzip=compressed)
    writer.write_record(writer.create_warcinfo_record("x", {"software": "somebody"}))
    for url in urls:
        headers = StatusAndHeaders(
            "200 OK", [("Content-Type", "text/html"), ("Content-Encoding", "gzip")], protocol="HTTP/1.1"
        )
        body = gzip.compress(f"page {url}".encode())
        writer.write_record(
            writer.create_warc_record(url, "response", payload=BytesIO(body), length=len(body), http_headers=headers)
        )
    return out.getvalue()


def arc(url: str) -> list[bytes]:
    """The two records of an ARC file, the first about the file itself."""
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>old"
    records = ((b"filedesc://x.arc", b"text/plain", ARC_ABOUT), (url.encode(), b"text/html", response))
    return [
        b"%s 127.0.0.1 20100102030405 %s %d\n%s\n" % (name, mime, len(block), block) for name, mime, block in records
    ]


@pytest.mark.parametrize("compressed", [True, False])
def test_a_warc_file_gives_its_answers(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / ("x.warc.gz" if compressed else "x.warc")
    path.write_bytes(warc("https://x.example/1", "https://x.example/2", compressed=compressed))
    pages = pages_in(path)
    assert [(page.url, page.status, page.content_type) for page in pages] == [
        (f"https://x.example/{number}", 200, "text/html") for number in (1, 2)
    ]
    assert pages[0].body == b"page https://x.example/1"
    assert pages[0].warc is not None
    assert pages[0].warc.offset < pages[1].warc.offset if pages[1].warc else False


@pytest.mark.parametrize("compressed", [True, False])
def test_an_arc_file_gives_its_answers(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / ("x.arc.gz" if compressed else "x.arc")
    records = arc("http://x.example/")
    path.write_bytes(b"".join(gzip.compress(record) if compressed else record for record in records))
    (page,) = pages_in(path)
    assert (page.url, page.status, page.body) == ("http://x.example/", 200, b"<p>old")
    assert page.fetched_at == datetime(2010, 1, 2, 3, 4, 5, tzinfo=UTC)


def plain_arc(*names: str, version: int = 1) -> bytes:
    """An ARC file as Heritrix writes it: the HTTP headers of each response have its length, too."""
    first, *_ = arc("http://x.example/")
    records = []
    for name in names:
        body = f"<p>page {name}".encode()
        response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        extra = b"" if version == 1 else b" 200 - - 77 x.arc"
        line = b"http://%s 127.0.0.1 20100102030405 text/html%s %d\n" % (name.encode(), extra, len(response))
        records.append(line + response + b"\n")
    return first + b"".join(records)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_plain_arc_file_is_read_to_its_last_record(tmp_path: Path, version: int, end: bytes) -> None:
    path = tmp_path / "x.arc"
    path.write_bytes(plain_arc("x.example/1", "y.example/2", version=version).removesuffix(b"\n") + end)
    found = list(crawl_file_exchanges(path))
    assert [one for one in found if isinstance(one, Damage)] == []
    assert [page.body for page in pages_in(path)] == [b"<p>page x.example/1", b"<p>page y.example/2"]


def test_plain_warc_file_without_empty_lines_at_its_end_is_read_to_its_last_record(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(warc("https://x.example/1", "https://x.example/2", compressed=False).removesuffix(b"\r\n\r\n"))
    assert not [one for one in crawl_file_exchanges(path) if isinstance(one, Damage)]
    assert len(pages_in(path)) == 2


def test_cut_plain_arc_file_names_its_last_record(tmp_path: Path) -> None:
    path = tmp_path / "x.arc"
    path.write_bytes(plain_arc("x.example/1", "y.example/2")[:-5])
    first, second = crawl_file_exchanges(path)
    assert isinstance(first, CrawledExchange)
    assert isinstance(second, Damage)


def test_plain_arc_file_is_read_on_behind_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.arc"
    whole = plain_arc("x.example/1", "y.example/2", "z.example/3")
    path.write_bytes(whole.replace(b"http://y.example/2 127.0.0.1 20100102030405", b"http://y.example/2 damage"))
    found = list(crawl_file_exchanges(path))
    assert any(isinstance(one, Damage) for one in found)
    assert [one.url for one in found if isinstance(one, CrawledExchange)] == [
        "http://x.example/1",
        "http://z.example/3",
    ]


def test_a_wacz_file_gives_its_answers(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b.wacz", "w") as package:
        package.writestr("archive/data.warc.gz", warc("https://x.example/wacz"))
        package.writestr("pages/pages.jsonl", "{}")
    (page,) = pages_in(tmp_path / "b.wacz")
    assert page.url == "https://x.example/wacz"


def test_a_cut_file_gives_the_pages_before_the_cut_and_names_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(warc("https://x.example/1", "https://x.example/2")[:-60])
    first, second = crawl_file_exchanges(path)
    assert isinstance(first, CrawledExchange)
    assert first.url == "https://x.example/1"
    assert isinstance(second, Damage)
    assert str(second) == f"x.warc.gz#{second.offset}: the file ends in the middle of it"


@pytest.mark.parametrize("spoilt", [0, 1])
def test_reading_goes_on_behind_a_damaged_record_also_behind_the_first(tmp_path: Path, spoilt: int) -> None:
    path = tmp_path / "x.warc"
    records = warc("https://x.example/1", "https://x.example/2", compressed=False).split(b"WARC/1.0\r\n")[1:]
    records = [b"WARC/1.0\r\n" + record for record in records]
    records[spoilt] = b"spoilt!!" + records[spoilt][8:]
    path.write_bytes(b"".join(records))
    found = list(crawl_file_exchanges(path))
    (damage,) = (one for one in found if isinstance(one, Damage))
    assert damage.offset == sum(map(len, records[:spoilt]))
    assert [one.url for one in found if isinstance(one, CrawledExchange)] == [
        f"https://x.example/{number}" for number in (1, 2)[spoilt:]
    ]


@pytest.mark.parametrize("garbage", [gzip.compress(b""), b"\x1f\x8b\x08", b"these bytes are no record"])
def test_bytes_between_records_are_named_and_reading_goes_on_behind_them(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "x.warc.gz"
    before, after = warc("https://x.example/1"), warc("https://x.example/2")
    path.write_bytes(before + garbage + after + garbage)
    found = list(crawl_file_exchanges(path))
    urls = [one.url for one in found if isinstance(one, CrawledExchange)]
    assert urls == ["https://x.example/1", "https://x.example/2"]
    damages = [one.offset for one in found if isinstance(one, Damage)]
    assert damages == [len(before), len(before + garbage + after)]


@pytest.mark.parametrize("name", ["x.warc.gz", "x.wacz", "x.arc.gz"])
def test_a_file_that_is_something_else_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x1f\x8b\x08 this is something else entirely, and long enough to be looked at")
    with pytest.raises(InputError, match=name):
        pages_in(tmp_path / name)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError):
        pages_in(tmp_path / "none.warc.gz")
