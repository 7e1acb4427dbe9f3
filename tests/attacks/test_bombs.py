"""Decompression bombs take a bounded amount of memory; hostile files are refused."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import tostring

import brotli
import pytest
from click.testing import CliRunner
from tests.conftest import Response, Web, environment

from posterity import extract
from posterity.archive import open_archive
from posterity.archive.warc_reader import MAX_DECODED_BYTES, decoded_body
from posterity.cli.import_ import command as import_command
from posterity.discover.feed import read_feed
from posterity.discover.sitemap import read_sitemap
from posterity.dom.document import parse
from posterity.errors import BrokenFeed, PosterityError
from posterity.fleet.queue import blogs_in
from posterity.importer.records.found import elements_below
from posterity.importer.records.storing import import_records

_MEGABYTE = 1024 * 1024
# Measured in a separate process, because the peak of this one includes all earlier tests.
_PEAK = """
import resource, sys
from posterity.discover.sitemap import read_sitemap
read_sitemap(b"<urlset></urlset>")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read_sitemap(sys.stdin.buffer.read())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def _packed(text: bytes, megabytes: int) -> bytes:
    pack = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    head = b"<?xml version='1.0'?><urlset>"
    block = text * (_MEGABYTE // len(text))
    return b"".join([pack.compress(head), *(pack.compress(block) for _ in range(megabytes)), pack.flush()])


@pytest.mark.parametrize("text", [b"<a/>", b"<url><a/>", b"<url></url>", b"<url><loc>x</loc></url>", b" "])
def test_memory_for_a_sitemap_does_not_follow_what_it_unpacks_to(text: bytes) -> None:
    bomb = _packed(text, 80)
    assert len(bomb) < 2 * _MEGABYTE
    done = subprocess.run([sys.executable, "-c", _PEAK], input=bomb, capture_output=True, check=True)
    assert int(done.stdout) < 250 * 1024  # kilobytes: a little more than twice the limit of 60 MB unpacked


@pytest.mark.parametrize("line", [b"\n", b"https://blog.example/\n", b"https://blog.example/\n \n"])
def test_memory_for_a_sitemap_of_text_does_not_follow_its_lines(line: bytes) -> None:
    bomb = gzip.compress(b"https://blog.example/\n" + line * (50 * _MEGABYTE // len(line)))
    assert len(bomb) < _MEGABYTE
    done = subprocess.run([sys.executable, "-c", _PEAK], input=bomb, capture_output=True, check=True)
    assert int(done.stdout) < 150 * 1024


def test_sitemap_of_text_has_as_many_urls_as_one_of_xml() -> None:
    lines = "".join(f"https://blog.example/{n} \r\n\n" for n in range(200_010))
    found = read_sitemap(lines.encode())
    assert found is not None
    assert list(found.pages) == [f"https://blog.example/{n}" for n in range(200_000)]


def test_sitemap_gives_its_urls_in_order() -> None:
    urls = [f"https://blog.example/{number}" for number in range(3000)]
    entries = "".join(f"<url><loc> {url} </loc><x/><lastmod>2024-01-01</lastmod></url>" for url in urls)
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    found = read_sitemap(gzip.compress(body))
    assert found is not None
    assert list(found.pages.items()) == [(url, "2024-01-01") for url in urls]


def test_body_that_is_packed_again_and_again_is_unpacked_within_the_limit() -> None:
    body = b" " * (4 * _MEGABYTE)
    for _ in range(3):
        body = gzip.compress(body)
    assert len(decoded_body(body, ", ".join(["gzip"] * 1000))) <= MAX_DECODED_BYTES


# Without limits: 672 MB, 2 GB, 1.2 GB. A page is refused with a reason, or takes a fixed amount and 12 times its size.
_PAGE_PEAK = """
import resource, sys
from posterity import extract
from posterity.errors import UnreadablePage
extract("<article><h1>Title</h1><p>" + "Some words to read. " * 50 + "</p></article>", url="https://blog.example/1/")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    extract(sys.stdin.buffer.read(), url="https://blog.example/2/")
except UnreadablePage as problem:
    print(problem, file=sys.stderr)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
_COMMENT = '<li class="comment" id="c{n}"><cite>Ann</cite><time>2024-01-01</time><p>Words.</p></li>'


@pytest.mark.parametrize(
    "page",
    [
        b"line<br>" * 190_000,
        b"<p>word" * 600_000,
        "".join(_COMMENT.format(n=n) for n in range(100_000)).encode(),
        b"<p>" + b"word " * 600_000,
        b"<table>" + b"<tr><td>x" * 200_000,
    ],
    ids=["lines", "paragraphs", "comments", "one paragraph", "cells"],
)
def test_memory_for_a_page_is_bounded(page: bytes) -> None:
    page = b"<article><h1>Title</h1>" + page + b"</article>"
    done = subprocess.run([sys.executable, "-c", _PAGE_PEAK], input=page, capture_output=True, check=True)
    assert int(done.stdout) * 1024 < 12 * len(page) or b"elements; the limit is" in done.stderr


_LONG = b"x" * 100_000
_REPEATING = {
    "open link": b'<p><a href="/%b">' % _LONG + b"word</p><p>" * 10_000,
    "open link in capitals": b'<p><A HREF="/>%b">' % _LONG + b"word</p><p>" * 10_000,
    "open bold": b'<p><b title="%b">' % _LONG + b"word</p><p>" * 10_000,
    "link closed in a cell": b'<p><a href="/%b"><table><td></a></table>' % _LONG + b"word</p><p>" * 10_000,
    "bold closed inside": b'<p><b title="%b"><b></b>' % _LONG + b"word</p><p>" * 10_000,
    "many open": b"".join(b'<b title="%d%b">' % (number, _LONG[:4000]) for number in range(50)) + b"<p>x</p>" * 10_000,
    "base": b'<base href="https://blog.example/%b/">' % _LONG + b'<p><a href="z">word</a>' * 10_000,
    "base of pictures": b'<base href="https://blog.example/%b/">' % _LONG + b'<p>word<img src="z.png">' * 10_000,
}


@pytest.mark.parametrize("page", _REPEATING.values(), ids=_REPEATING)
def test_attribute_that_markup_repeats_costs_little_memory(page: bytes) -> None:
    page = b"<h1>Title</h1><p>Some words to read in this post.</p>" + page
    done = subprocess.run([sys.executable, "-c", _PAGE_PEAK], input=page, capture_output=True, check=True)
    assert int(done.stdout) < 150 * 1024  # kilobytes; expanded, the attribute alone takes a gigabyte


@pytest.mark.parametrize("link", ['<a href="z">word</a> ', '<img src="z.png">'])
def test_base_of_some_kilobytes_makes_no_record_of_many_megabytes(link: str) -> None:
    base, article = f"https://blog.example/{'y' * 7_000}/", "<article><h1>Title</h1><p>Some words to read.</p>{}"
    page = f'<base href="{base}">' + article.format(link * 10_000)
    post = extract(page, url="https://blog.example/p")
    assert post is not None
    assert len(post.to_json()) < 20 * len(page)
    few = extract(
        f'<base href="{base}">' + article.format(f"<p>Take {link} and read it with the words around it.</p>" * 3),
        url="https://blog.example/p",
    )
    assert few is not None
    assert f"{base}z" in (few.html or "")


def test_long_link_that_is_closed_is_kept() -> None:
    link = "data:text/plain;base64," + "QUJD" * 10_000
    page = f'<h1>Title</h1><p>Take <a href="{link}"><b>the file</b></a>, or not.</p>' + "<p>Some words.</p>" * 2_000
    tree = parse(page).tree
    assert [tree.attrs[node]["href"] for node in tree.nodes_by_tag["a"]] == [link]


_TITLE = "about salt and bread " * 8
_FEED_PEAK = """
import resource, sys
from posterity.discover.feed import read_feed
body = sys.stdin.buffer.read()
read_feed(body[:2000] + b"</channel></rss>", "https://blog.example/feed")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(len(read_feed(body, "https://blog.example/feed").entries))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_for_a_feed_of_very_many_entries_is_bounded() -> None:
    count = 40_000
    items = "".join(
        f"<item><title>Post {n} {_TITLE}</title><link>https://blog.example/{n}/</link></item>" for n in range(count)
    )
    body = f"<rss version='2.0'><channel><title>Blog</title>{items}</channel></rss>".encode()
    done = subprocess.run([sys.executable, "-c", _FEED_PEAK], input=body, capture_output=True, check=True)
    entries, kilobytes = map(int, done.stdout.split())
    assert entries == count
    assert kilobytes * 1024 < 12 * len(body)


@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_feed_with_a_long_base_is_refused(quote: str) -> None:
    base = f"xml:base={quote}https://blog.example/{'x' * 100_000}/{quote}"
    links = "&lt;a href='z'>x&lt;/a>" * 5_000
    feed = (
        f"<feed xmlns='http://www.w3.org/2005/Atom'><entry {base}><content type='html'>{links}</content></entry></feed>"
    )
    with pytest.raises(BrokenFeed, match="xml:base has more than 4,000"):
        read_feed(feed.encode(), "https://blog.example/feed")


def test_long_feed_is_read_like_a_short_one() -> None:
    items = "".join(
        f"<entry><title>{n}</title><link href='/{n}/'/><content type='html'>&lt;p&gt;{n}&lt;/entry></content></entry>"
        for n in range(4500)
    )
    body = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>Blog</title>{items}</feed>".encode()
    feed = read_feed(body, "https://blog.example/feed")
    assert [entry.link for entry in feed.entries] == [f"https://blog.example/{n}/" for n in range(4500)]
    assert (feed.title, feed.format, feed.problem) == ("Blog", "atom10", None)


# Each unpacks to 600 MB, most of it one record.
_FILLER = 600


def _write_bomb(path: Path, begin: bytes, end: bytes) -> None:
    """Write a bomb: a gzip file, or a WACZ with the record inside."""
    chunk = b"a" * _MEGABYTE
    if path.suffix == ".gz":
        with gzip.open(path, "wb", compresslevel=1) as out:
            for part in (begin, *[chunk] * _FILLER, end):
                out.write(part)
        return
    inside = "posts/posts.jsonl" if begin.startswith(b"{") else "archive/data.warc"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package,
        package.open(inside, "w", force_zip64=True) as out,
    ):
        for part in (begin, *[chunk] * _FILLER, end):
            out.write(part)


_WXR = b"<rss xmlns:wp='http://wordpress.org/export/1.2/' x='wordpress.org/export/'><channel><item><title>"
_WARC = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 629145600\r\n\r\n"


@pytest.mark.parametrize(
    ("name", "begin", "end"),
    [
        ("posts.jsonl.gz", b'{"id": "', b'"}\n'),
        ("posts.wacz", b'{"id": "', b'"}\n'),
        ("blog.xml.gz", _WXR, b"</title></item></channel></rss>"),
        ("pages.wacz", _WARC, b"\r\n\r\n"),
    ],
)
def test_import_of_a_file_that_unpacks_to_far_more_is_refused(
    tmp_path: Path, name: str, begin: bytes, end: bytes
) -> None:
    _write_bomb(tmp_path / name, begin, end)
    assert (tmp_path / name).stat().st_size < 4 * _MEGABYTE
    command = [sys.executable, "-m", "posterity", "import", str(tmp_path / name), "--archive", str(tmp_path / "a")]
    # A limit of the address space instead of a measurement: a process that needs more fails.
    limited = ["prlimit", f"--as={2048 * _MEGABYTE}", *command]
    ended = subprocess.run(limited, capture_output=True, text=True, check=False, env=environment())
    assert ended.returncode in (3, 4, 5), ended.stderr
    assert "Traceback" not in ended.stderr
    assert "times its size" in ended.stderr or "more than" in ended.stderr


def _package(path: Path, *, flags: int = 0, method: int | None = None, damage: bool = False) -> Path:
    """Write a WACZ whose only WARC file is marked as encrypted, compressed by an unknown method, or damaged."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("archive/../../../evil.warc", b"WARC/1.1\r\n" + random.Random(1).randbytes(5_000))
    content = bytearray(path.read_bytes())
    for start, flag_at, method_at in ((content.find(b"PK\x01\x02"), 8, 10), (content.find(b"PK\x03\x04"), 6, 8)):
        content[start + flag_at] |= flags
        content[start + method_at] = method if method is not None else content[start + method_at]
    if damage:
        content[100:200] = bytes(100)
    path.write_bytes(content)
    return path


def _response(url: str, length: int) -> str:
    return (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\nContent-Type: application/http\r\n"
        f"Content-Length: {length}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Words.\r\n\r\n"
    )


_HOSTILE_FILES: dict[str, Callable[[Path], Path]] = {
    "encrypted": lambda folder: _package(folder / "a.wacz", flags=1),
    "unknown packing": lambda folder: _package(folder / "a.wacz", method=77),
    "damaged packing": lambda folder: _package(folder / "a.wacz", damage=True),
    "URL that cannot be read": lambda folder: _written(folder / "a.warc", _response("http://[::1", 54)),
    "length of a petabyte": lambda folder: _written(folder / "a.warc", _response("http://a.example/", 10**15)),
    "negative length": lambda folder: _written(folder / "a.warc", _response("http://a.example/", -1)),
    "script as URL": lambda folder: _written(folder / "a.jsonl", '{"id": "a", "url": "javascript:x", "text": "x"}'),
    "media outside": lambda folder: _written(
        folder / "a.jsonl",
        '{"id": "a", "url": "http://a.example/", "text": "x", "media": [{"url": "http://a.example/", "file": "../x"}]}',
    ),
}


def _written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", _HOSTILE_FILES)
def test_import_of_a_hostile_file_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    path = _HOSTILE_FILES[name](tmp_path / "a" / "b")
    done = CliRunner().invoke(import_command, [str(path), "--archive", str(tmp_path / "a" / "b" / "archive")])
    assert isinstance(done.exception, PosterityError), (done.output, done.exception)
    assert [one.name for one in tmp_path.iterdir()] == ["a"]
    assert [one.name for one in (tmp_path / "a").iterdir()] == ["b"]


def test_record_keeps_no_link_that_is_a_script(tmp_path: Path) -> None:
    post = {"id": "a", "url": "https://a.example/1/", "canonical_url": "javascript:alert(1)", "text": "Words.",
            "comments": [{"id": "1", "author": "Ann", "author_url": "javascript:alert(1)", "text": "Y"}]}  # fmt: skip
    bad = {"id": "b", "url": "data:text/html,x", "text": "Words."}
    _written(tmp_path / "a.jsonl", f"{json.dumps(post)}\n{json.dumps(bad)}\n")
    with open_archive(tmp_path / "archive", create=True) as archive:
        (event,) = import_records(archive, tmp_path / "a.jsonl")
        (stored,) = archive.posts()
    assert (stored.canonical_url, stored.comments[0].author_url) == (None, None)
    assert [(one.url, one.reason) for one in event.report.missing] == [("data:text/html,x", "unreadable")]


def _bomb(begin: str, encoding: str, megabytes: int = 400) -> bytes:
    """Return a small body that decompresses to many megabytes, encoded in several steps."""
    chunks = [begin.encode(), *[b" " * _MEGABYTE] * megabytes]
    for name in encoding.split(", "):
        if name == "br":
            squeeze = brotli.Compressor(quality=3)
            packed = [*map(squeeze.process, chunks), squeeze.finish()]
        else:
            pack = zlib.compressobj(9, wbits={"gzip": 31, "deflate": 15, "raw deflate": -15}[name])
            packed = [*map(pack.compress, chunks), pack.flush()]
        chunks = [b"".join(packed)]
    return chunks[0]


_POST = "<html><head><title>Post</title></head><body><article><h1>Post</h1><p>" + "Words about salt. " * 40
_ENCODINGS = ("gzip", "deflate", "br", "gzip, gzip", "br, gzip", "gzip, br, deflate")


def test_packed_responses_of_a_blog_cost_no_memory(tmp_path: Path, serve: Callable[[dict[str, Response]], Web]) -> None:
    web = serve({})
    good, bad = (
        [f"/2024/01/0{n}/good/" for n in range(1, 6)],
        [f"/2024/02/0{n}/bad/" for n, _ in enumerate(_ENCODINGS, 1)],
    )
    items = "".join(f"<item><title>Post</title><link>{web.base_url}{path}</link></item>" for path in [*good, *bad])
    images = "".join(f"<img src='/{number}.png'>" for number, _ in enumerate(_ENCODINGS))
    kinds = {"/feed.xml": "rss", "/atom.xml": "atom"}
    head = "".join(f"<link rel=alternate type='application/{kind}+xml' href='{at}'>" for at, kind in kinds.items())
    maps = "".join(f"Sitemap: {web.base_url}/{number}.xml\n" for number, _ in enumerate(_ENCODINGS))
    web.responses |= {
        "/robots.txt": Response(maps, "text/plain"),
        "/": Response(head + _POST + "".join(f"<a href='{path}'>Post</a>" for path in good)),
        "/feed.xml": Response(f"<rss version='2.0'><channel><title>Blog</title>{items}</channel></rss>", "text/xml"),
        "/atom.xml": Response(_bomb("<feed xmlns='http://www.w3.org/2005/Atom'>", "gzip"), "text/xml", encoding="gzip"),
        **{path: Response(f"{_POST} {path} {images}") for path in good},
    }
    for number, (path, encoding) in enumerate(zip(bad, _ENCODINGS, strict=True)):
        web.responses[path] = Response(_bomb(_POST, encoding), encoding=encoding)
        web.responses[f"/{number}.png"] = Response(_bomb("\x89PNG", encoding), "image/png", encoding=encoding)
        web.responses[f"/{number}.xml"] = Response(_bomb("<urlset>", encoding), "text/xml", encoding=encoding)
    command = [sys.executable, "-m", "posterity", "harvest", f"{web.base_url}/", "--archive", str(tmp_path / "a")]
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *command, "--delay", "0", "--render", "never", "--json"],
        capture_output=True, check=False, env=environment(), text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (
        int(done.stderr.split()[-1]) < 450 * 1024
    )  # kilobytes; each has 400 MB decompressed and was buffered up to 32 MB
    with open_archive(tmp_path / "a") as archive:
        stored = {post.url for post in archive.posts()}
    assert {f"{web.base_url}{path}" for path in good} <= stored


# Started from a small process, because the parent is measured too.
_RUN = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""
_FETCH = """
import sys
from posterity.errors import PosterityError
from posterity.http_client import HttpClient
try:
    HttpClient("test").fetch(sys.argv[1])
except PosterityError as problem:
    print(problem)
"""


@pytest.mark.parametrize("encoding", _ENCODINGS)
@pytest.mark.parametrize("path", ["/robots.txt", "/"])
def test_packed_response_to_a_single_fetch_costs_no_memory(
    serve: Callable[[dict[str, Response]], Web], path: str, encoding: str
) -> None:
    web = serve({"/robots.txt": Response("", "text/plain"), "/": Response("<p>Words</p>")})
    web.responses[path] = Response(_bomb("# <p>Words</p>", encoding), encoding=encoding)
    fetch = [sys.executable, "-c", _FETCH, f"{web.base_url}/"]
    done = subprocess.run([sys.executable, "-c", _RUN, *fetch], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stderr.split()[-1]) < 300 * 1024


_BILLION = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "salt bread ">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in itertools.pairwise("abcdefghij"))
    + '<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % more SYSTEM "{url}/x.dtd">%more;'
    + '<!ENTITY web SYSTEM "{url}/inside">]>'
)
_DOCUMENTS = {
    "rss": "<rss version='2.0'><channel><title>T &file; &web; &j;</title><item><title>A &file;&web;&j;</title>"
    "<link>http://h.example/1</link><description>&j;&file;</description></item></channel></rss>",
    "atom": "<feed xmlns='http://www.w3.org/2005/Atom'><title>&file;&j;</title><entry><title>&web;&file;&j;</title>"
    "<link href='http://h.example/1'/><content>&j;</content></entry></feed>",
    "sitemap": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://h.example/&file;&j;&web;"
    "</loc></url></urlset>",
    "xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><body><article><h1>&file;</h1><p>&j;&web;</p></article></body></html>",
    "opml": "<opml version='2.0'><body><outline text='&file;&j;' xmlUrl='http://h.example/&web;'/></body></opml>",
}
_READ = """
import sys
from posterity import extract
from posterity.discover.feed import read_feed
from posterity.discover.sitemap import read_sitemap
from posterity.dom.document import parse
from posterity.errors import PosterityError
body = sys.stdin.buffer.read()
for read in (lambda: read_feed(body, "http://h.example/feed"), lambda: read_sitemap(body),
             lambda: extract(body, url="http://h.example/1")):
    try:
        print(read())
    except PosterityError as problem:
        print(problem)
# Not ru_maxrss, which a process inherits from the one that started it.
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.mark.parametrize("kind", _DOCUMENTS)
def test_entities_of_xml_are_not_expanded(serve: Callable[[dict[str, Response]], Web], kind: str) -> None:
    web = serve({})
    document = _BILLION.replace("{url}", web.base_url) + _DOCUMENTS[kind]
    done = subprocess.run([sys.executable, "-c", _READ], input=document.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stderr.split()[-1]) < 300 * 1024
    assert b"root:" not in done.stdout
    assert len(done.stdout) < 100_000
    assert web.paths == []


_HIDING = ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp037", "iso-8859-1", "shift_jis"]


def _encoded(document: str, encoding: str) -> bytes:
    name = "utf-16" if encoding.startswith("utf-16-") else encoding
    return document.replace('version="1.0"', f'version="1.0" encoding="{name}"').encode(encoding)


@pytest.mark.parametrize("encoding", _HIDING)
def test_no_encoding_hides_entities_from_the_readers_of_xml(tmp_path: Path, encoding: str) -> None:
    head = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY j "saltbread and butter">]>'
    path = tmp_path / "list"
    for kind, document in _DOCUMENTS.items():
        body = _encoded(head + document.replace("&file;", "").replace("&web;", "&j;"), encoding)
        path.write_bytes(body)
        for read in (
            lambda: read_feed(body, "http://h.example/feed"),  # noqa: B023 - called at once
            lambda: read_sitemap(body),  # noqa: B023
            lambda: [tostring(found) for found in elements_below(BytesIO(body), ("rss", "channel"), "x")],  # noqa: B023
            lambda: blogs_in(str(path)),
        ):
            try:
                found = repr(read())
            except PosterityError as problem:
                found = str(problem)
            assert "saltbread" not in found, kind


@pytest.mark.parametrize("encoding", _HIDING)
def test_no_encoding_hides_attributes_that_take_long(encoding: str) -> None:
    attributes = " ".join(f'a{n}="1"' for n in range(300))
    body = _encoded(
        f'<?xml version="1.0"?><rss version="2.0"><channel><item {attributes}><title>A</title></item></channel></rss>',
        encoding,
    )
    with pytest.raises(BrokenFeed):
        read_feed(body, "http://h.example/feed")


def test_letters_that_a_feed_names_as_entities_are_read() -> None:
    head = '<?xml version="1.0"?>\n<!DOCTYPE rss [\n<!ENTITY schwa "&#601;">\n<!ENTITY done "(d)">\n]>'
    body = f"{head}<rss version='2.0'><channel><item><title>A &schwa; &done;</title></item></channel></rss>"
    assert read_feed(body.encode(), "http://h.example/feed").entries[0].title == "A \u0259 (d)"


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_import_expands_no_entities(tmp_path: Path, serve: Callable[[dict[str, Response]], Web], kind: str) -> None:
    web = serve({})
    document = _BILLION.replace("{url}", web.base_url) + _DOCUMENTS[kind].replace(
        "<rss ", "<rss xmlns:wp='http://wordpress.org/export/1.2/' "
    )
    (tmp_path / "blog.xml").write_text(document)
    command = [
        sys.executable,
        "-m",
        "posterity",
        "import",
        str(tmp_path / "blog.xml"),
        "--archive",
        str(tmp_path / "a"),
    ]
    done = subprocess.run([sys.executable, "-c", _RUN, *command], capture_output=True, check=False, text=True)
    assert "Traceback" not in done.stderr
    assert int(done.stderr.split()[-1]) < 400 * 1024
    assert not [file for file in (tmp_path / "a").rglob("*") if file.is_file() and b"root:" in file.read_bytes()]
    assert web.paths == []


_TOO_MUCH: dict[str, dict[str, object]] = {
    "URL": {"url": "https://h.example/" + "y" * 10_000},
    "comments": {"comments": [{"id": str(n), "text": "c"} for n in range(100_001)]},
    "tags": {"tags": [f"t{n}" for n in range(10_001)]},
    "its HTML": {"html": "<p>word " * 400_001},
    "of its comments": {"comments": [{"id": str(n), "html": "<p>" * 200_001} for n in range(2)]},
}


@pytest.mark.parametrize("kind", _TOO_MUCH)
def test_imported_record_that_nobody_could_open_is_refused_and_named(tmp_path: Path, kind: str) -> None:
    records = [{"id": "p1", "url": "https://x.example/1", "text": "a"}, {"id": "p2", "url": "https://x.example/2"}]
    records[1] |= _TOO_MUCH[kind]  # type: ignore[arg-type]
    (tmp_path / "blog.jsonl").write_text("\n".join(map(json.dumps, records)))
    with open_archive(tmp_path / "a", create=True) as archive:
        (done,) = import_records(archive, tmp_path / "blog.jsonl")
        assert [post.id for post in archive.posts()] == ["p1"]
    assert [missing.url for missing in done.report.missing] == [records[1]["url"]]
    assert "more than" in (done.report.missing[0].detail or "")


def test_earlier_state_that_nobody_could_open_is_refused_and_named(tmp_path: Path) -> None:
    record: dict[str, object] = {"id": "p1", "url": "https://x.example/1", "text": "a"}
    then, now = "2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z"
    states = [
        {"revision": 1, "seen_at": then, "changed": [], "post": record | {"text": "b"}},
        {"revision": 2, "seen_at": then, "changed": [], "post": record | _TOO_MUCH["tags"]},
    ]
    history = {"seen_at": now, "kind": "edited", "revisions": states}
    (tmp_path / "blog.jsonl").write_text(json.dumps(record | {"history": history}))
    with open_archive(tmp_path / "a", create=True) as archive:
        (done,) = import_records(archive, tmp_path / "blog.jsonl")
        assert [state.post.text for state in archive.history("p1").revisions] == ["b", "a"]
    assert [missing.url for missing in done.report.missing] == [record["url"]]
    assert "more than" in (done.report.missing[0].detail or "")


def test_record_of_40_megabytes_is_imported_exported_and_verified_within_the_limit(tmp_path: Path) -> None:
    record = {"id": "p1", "url": "https://x.example/1", "title": "T", "text": "word " * (8 * _MEGABYTE)}
    (tmp_path / "blog.jsonl").write_text(json.dumps(record))
    commands = ("import blog.jsonl", "export again.jsonl", "archive verify", "import again.jsonl --archive second")
    for words in commands:
        done = subprocess.run(
            [sys.executable, "-c", _RUN, sys.executable, "-m", "posterity", *words.split()],
            cwd=tmp_path,
            capture_output=True, check=False, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert int(done.stderr.split()[-1]) < 1024 * 1024
