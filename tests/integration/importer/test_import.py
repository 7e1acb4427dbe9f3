"""A blog from somebody else's files is the blog that a harvest would have brought."""

from __future__ import annotations

import gzip
import json
import zipfile
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.archive.verify import verify_archive
from posterity.errors import InputError, NoBlog
from posterity.importer.importing import mirror_exchanges

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.importer.conftest import BuildSite, LayOut, PackSite, PostsIn, Run

    from posterity.demo.server import DemoSite
    from posterity.model import Post

# feedparser's word about a change to come, said of every feed without dates of change.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")


def assert_true(posts: dict[str, Post], site: DemoSite) -> None:
    """Every post of the blog is there, with what really stands in it."""
    truth = {post.path.lstrip("/"): post for post in site.truth}
    assert posts.keys() == truth.keys()
    assert {path: post.title for path, post in posts.items()} == {path: post.title for path, post in truth.items()}
    assert {path: post.text.split() for path, post in posts.items()} == {
        path: post.text.split() for path, post in truth.items()
    }
    assert {path: len(post.comments) for path, post in posts.items()} == {
        path: len(post.comments) for path, post in truth.items()
    }


@pytest.mark.parametrize("packing", [{}, {"chunked": True}, {"compressed": False}, {"rendered": True}], ids=str)
def test_warc_file_of_another_tool(
    tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run, posts_in: PostsIn, packing: dict[str, bool]
) -> None:
    file = tmp_path / ("x.warc.gz" if packing.get("compressed", True) else "x.warc")
    file.write_bytes(warc_of(site(), **packing))
    ended = import_(file, "--archive", tmp_path / "archive")
    assert ended.exception is None, ended.output
    assert "http://salt.example/" in ended.output
    assert_true(posts_in(tmp_path / "archive"), site())


def test_raw_pages_are_kept_as_they_came(tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run) -> None:
    (tmp_path / "x.warc.gz").write_bytes(warc_of(site()))
    import_(tmp_path / "x.warc.gz", "--archive", tmp_path / "archive")
    with open_archive(tmp_path / "archive") as store:
        post = next(store.posts())
        pointer = post.provenance["text"].warc
        assert pointer is not None
        page = store.read_page(pointer)
        assert page.body == site()["/" + post.url.partition("://")[2].partition("/")[2]].body
        assert page.fetched_at == datetime.fromisoformat("2021-04-05T06:07:08+00:00")
        assert verify_archive(store).problems == []
        assert store.report(post.blog or "") is not None
    (file,) = (tmp_path / "archive" / "warc").glob("*.warc.gz")
    assert b"X-Origin: yes" in gzip.decompress(file.read_bytes())


def test_pictures_are_kept_with_the_posts(tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run) -> None:
    (tmp_path / "x.warc.gz").write_bytes(warc_of(site()))
    import_(tmp_path / "x.warc.gz", "--archive", tmp_path / "archive")
    with open_archive(tmp_path / "archive") as store:
        media = [medium for post in store.posts() for medium in post.media]
        assert media
        assert store.missing_media() == []
        assert all(store.media_path(medium.file or "").is_file() for medium in media)


def test_wacz_file(tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run, posts_in: PostsIn) -> None:
    with zipfile.ZipFile(tmp_path / "x.wacz", "w") as package:
        package.writestr("archive/data.warc.gz", warc_of(site()))
        package.writestr("datapackage.json", "{}")
    assert import_(tmp_path / "x.wacz", "--archive", tmp_path / "archive").exception is None
    assert_true(posts_in(tmp_path / "archive"), site())


@pytest.mark.parametrize("compressed", [True, False])
def test_arc_file(tmp_path: Path, site: BuildSite, import_: Run, posts_in: PostsIn, compressed: bool) -> None:
    about = b"1 0 Somebody\nURL IP-address Archive-date Content-type Archive-length\n\n"
    records = [(b"filedesc://x.arc", b"text/plain", about)]
    for path, resource in site().items():
        kind = resource.content_type.encode()
        response = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (kind, resource.body)
        records.append((f"http://salt.example{path}".encode(), kind.partition(b";")[0], response))
    lines = [b"%s 127.0.0.1 20100102030405 %s %d\n%s\n" % (url, kind, len(body), body) for url, kind, body in records]
    file = tmp_path / ("x.arc.gz" if compressed else "x.arc")
    file.write_bytes(b"".join(gzip.compress(line) if compressed else line for line in lines))
    assert import_(file, "--archive", tmp_path / "archive").exception is None
    assert_true(posts_in(tmp_path / "archive"), site())


@pytest.mark.parametrize("options", [{}, {"feed": "none"}, {"permalink": "query"}, {"feed_format": "json"}], ids=str)
def test_mirror_as_wget_writes_it(
    tmp_path: Path, site: BuildSite, mirror_of: LayOut, import_: Run, posts_in: PostsIn, options: dict[str, str]
) -> None:
    mirror_of(site(**options), tmp_path / "mirror")
    ended = import_(tmp_path / "mirror", "--archive", tmp_path / "archive")
    assert ended.exception is None, ended.output
    assert_true(posts_in(tmp_path / "archive"), site(**options))


def test_files_of_a_mirror_have_the_type_of_their_content(tmp_path: Path) -> None:
    folder = tmp_path / "salt.example"
    folder.mkdir()
    (folder / "index.html").write_text("<h1>Salt</h1>")
    (folder / "tide.jpg").write_bytes(
        b'\xff\xd8\xff\xe1 http://ns.adobe.com/xap/1.0/ <rdf:RDF xmlns:rdf="x"></rdf:RDF>'
    )
    (folder / "publish").write_text("#!/bin/sh\n# <https://salt.example/> is copied\nrsync -a site salt.example:")
    (folder / "tides").write_text("<p>The tide came in.")
    kinds = {each.url: each.header("content-type") for each in mirror_exchanges([tmp_path], None)}
    assert kinds == {
        "http://salt.example/": "text/html",
        "http://salt.example/publish": "application/octet-stream",
        "http://salt.example/tide.jpg": "image/jpeg",
        "http://salt.example/tides": "text/html",
    }


def test_mirror_without_a_host_needs_an_address(
    tmp_path: Path, site: BuildSite, mirror_of: LayOut, import_: Run, posts_in: PostsIn
) -> None:
    folder = mirror_of(site(), tmp_path / "mirror").rename(tmp_path / "plain")
    refused = import_(folder, "--archive", tmp_path / "archive")
    assert isinstance(refused.exception, InputError)
    assert import_(folder, "--url", "http://salt.example/", "--archive", tmp_path / "archive").exception is None
    assert_true(posts_in(tmp_path / "archive"), site())


def test_post_that_the_feed_names_and_the_crawl_lacks_is_reported(
    tmp_path: Path, site: BuildSite, mirror_of: LayOut, import_: Run
) -> None:
    host = mirror_of(site(feed="summary"), tmp_path / "mirror")
    lost = site().truth[0]
    (host / lost.path.strip("/") / "index.html").unlink()
    ended = import_(tmp_path / "mirror", "--archive", tmp_path / "archive")
    assert "13 harvested" in ended.output
    assert f"{lost.url} (networkError its page is not in the imported files)" in ended.output


def test_post_that_the_crawl_lacks_is_taken_from_a_feed_with_its_text(
    tmp_path: Path, site: BuildSite, mirror_of: LayOut, import_: Run, posts_in: PostsIn
) -> None:
    host = mirror_of(site(), tmp_path / "mirror")
    lost, gone = site().truth[0], site().truth[1]
    for true in (lost, gone):
        (host / true.path.strip("/") / "index.html").unlink()
    ended = import_(tmp_path / "mirror", "--archive", tmp_path / "archive")
    assert "the pages of 2 posts are not in the imported files: taken from the feed" in ended.output
    posts = posts_in(tmp_path / "archive")
    assert len(posts) == 14
    found = posts[lost.path.lstrip("/")]
    assert (found.title, found.published) == (lost.title, lost.published)
    assert found.provenance["text"].method == "feed-entry"


def test_several_hosts_are_several_blogs(tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run) -> None:
    (tmp_path / "x.warc.gz").write_bytes(warc_of(site(), site("rye.example", theme="attic")))
    assert import_(tmp_path / "x.warc.gz", "--archive", tmp_path / "archive").exception is None
    with open_archive(tmp_path / "archive") as store:
        assert [blog.url for blog in store.blogs()] == ["http://rye.example/", "http://salt.example/"]
        assert [len(list(store.posts(blog.id))) for blog in store.blogs()] == [14, 14]


def test_only_the_blog_that_is_asked_for(tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run) -> None:
    (tmp_path / "x.warc.gz").write_bytes(warc_of(site(), site("rye.example")))
    import_(tmp_path / "x.warc.gz", "--url", "http://rye.example/", "--archive", tmp_path / "archive")
    with open_archive(tmp_path / "archive") as store:
        assert [blog.url for blog in store.blogs()] == ["http://rye.example/"]
        assert len(list(store.posts())) == 14


def test_importing_twice_changes_nothing(
    tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run, posts_in: PostsIn
) -> None:
    (tmp_path / "x.warc.gz").write_bytes(warc_of(site()))
    import_(tmp_path / "x.warc.gz", "--archive", tmp_path / "archive")
    before = posts_in(tmp_path / "archive")
    files = sorted((tmp_path / "archive" / "warc").iterdir())
    again = import_(tmp_path / "x.warc.gz", "--json", "--archive", tmp_path / "archive")
    assert json.loads(again.stdout.splitlines()[-1])["posts"] == {"same": 14}
    assert posts_in(tmp_path / "archive") == before
    assert sorted((tmp_path / "archive" / "warc").iterdir()) == files


@pytest.mark.parametrize("compressed", [True, False])
def test_damaged_records_are_left_out_counted_and_named(
    tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run, posts_in: PostsIn, compressed: bool
) -> None:
    packed = bytearray(warc_of(site(), compressed=compressed))
    mark = b"\x1f\x8b\x08" if compressed else b"WARC/1.0\r\n"
    starts = [place for place in range(len(packed)) if packed.startswith(mark, place)]
    # The headers of one record, the middle of another: not those of the home page and the feed.
    spoilt = [starts[len(starts) // 3], starts[len(starts) // 2]]
    packed[spoilt[0] : spoilt[0] + 8] = b"spoilt!!"
    packed[spoilt[1] + 40 : spoilt[1] + 60] = bytes(20) if compressed else b"\r\n\r\n" + b"x" * 16
    file = tmp_path / ("x.warc.gz" if compressed else "x.warc")
    file.write_bytes(packed)
    ended = import_(file, "--json", "--archive", tmp_path / "archive")
    assert ended.exception is None, ended.output
    damaged = json.loads(ended.stdout.splitlines()[0])["damaged"]
    assert [(one["file"], one["offset"]) for one in damaged][:1] == [(file.name, spoilt[0])]
    if compressed:
        assert [one["offset"] for one in damaged] == spoilt
    assert len(posts_in(tmp_path / "archive")) >= 12


def test_cut_file_gives_what_lies_before_the_cut(
    tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run
) -> None:
    (tmp_path / "x.warc.gz").write_bytes(warc_of(site())[:-60])
    ended = import_(tmp_path / "x.warc.gz", "--archive", tmp_path / "archive")
    assert ended.exception is None
    assert "1 damaged record" in ended.output


def test_older_crawl_does_not_replace_a_newer_record(
    tmp_path: Path, site: BuildSite, warc_of: PackSite, import_: Run, posts_in: PostsIn
) -> None:
    newer = warc_of(site(), compressed=False).replace(b"WARC-Date: 2021", b"WARC-Date: 2023")
    (tmp_path / "newer.warc").write_bytes(newer)
    (tmp_path / "older.warc.gz").write_bytes(warc_of(site(theme="attic")))
    import_(tmp_path / "newer.warc", "--archive", tmp_path / "archive")
    before = posts_in(tmp_path / "archive")
    import_(tmp_path / "older.warc.gz", "--archive", tmp_path / "archive")
    assert posts_in(tmp_path / "archive") == before


def test_files_without_a_blog_say_so(tmp_path: Path, import_: Run) -> None:
    (tmp_path / "shop.example").mkdir()
    (tmp_path / "shop.example" / "index.html").write_text("<h1>Shop</h1><p>Buy salt.")
    ended = import_(tmp_path, "--archive", tmp_path / "archive")
    assert isinstance(ended.exception, NoBlog)
    assert "shop.example" in ended.output


def test_what_is_no_crawl_is_refused(tmp_path: Path, import_: Run) -> None:
    (tmp_path / "notes.txt").write_text("no crawl")
    (tmp_path / "x.warc.gz").write_bytes(b"no crawl either, whatever its name says")
    for name in ("notes.txt", "x.warc.gz", "nothing.warc.gz"):
        ended = import_(tmp_path / name, "--archive", tmp_path / "archive")
        assert isinstance(ended.exception, InputError), name
        assert name in str(ended.exception)
