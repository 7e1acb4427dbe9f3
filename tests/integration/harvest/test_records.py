"""What one harvest leaves: records with their origin, raw pages that other tools can read, and a report."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from fastwarc.warc import ArchiveIterator, WarcRecordType

from posterity.archive import open_archive
from posterity.crawl.jobs import Ended, Event, FeedRead, Fetched, Learned, Started, Stored
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity
    from tests.integration.harvest.conftest import Harvested


def warc_files(archive: Path) -> list[Path]:
    return sorted(archive.rglob("*.warc.gz"))


def responses(archive: Path) -> dict[str, tuple[int | None, bytes]]:
    """Status and body of every response, by address, as fastwarc reads them."""
    found = {}
    for file in warc_files(archive):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                found[record.headers["WARC-Target-URI"]] = (record.http_headers.status_code, record.reader.read())
    return found


def test_harvest_ends_well(harvested: Harvested) -> None:
    assert (harvested.ended.returncode, harvested.ended.stderr) == (0, "")


def test_every_line_of_json_is_an_event(harvested: Harvested) -> None:
    events = [msgspec.json.decode(line, type=Event) for line in harvested.ended.stdout.splitlines()]
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Ended)
    assert {type(event) for event in events} == {Started, FeedRead, Learned, Fetched, Stored, Ended}


def test_events_and_report_count_the_same(harvested: Harvested) -> None:
    events = [json.loads(line) for line in harvested.ended.stdout.splitlines()]
    report = events[-1]["report"]
    stored = [event for event in events if event["event"] == "stored"]
    assert report["posts"] == report["new_posts"] == len(stored) == len(harvested.site.truth)
    assert report["missing"] == []
    assert sum(source["new"] for source in report["sources"]) == sum(report["outcomes"].values())
    # The sitemap names the home page, and a page about the blog that is not worth a visit.
    assert report["outcomes"] == {"stored": len(harvested.site.truth), "notPost": 1, "notFetched": 1}


def test_every_response_is_in_the_warc_as_it_was_sent(harvested: Harvested) -> None:
    kept = responses(harvested.archive)
    asked = {harvested.base_url + request.path for request in harvested.requests if request.status == 200}
    assert set(kept) >= asked
    for post in harvested.site.truth:
        assert kept[post.url] == (200, harvested.site[post.path].body)


def test_warcio_finds_no_fault(harvested: Harvested) -> None:
    files = [str(file) for file in warc_files(harvested.archive)]
    assert files
    checked = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "warcio.cli", "check", "-v", *files],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
    assert "digest pass" in checked.stdout
    assert "fail" not in checked.stdout.lower()


def test_records_point_at_their_raw_page(harvested: Harvested) -> None:
    with open_archive(harvested.archive) as store:
        for post in store.posts():
            pointer = post.provenance["text"].warc
            assert pointer is not None
            page = store.read_page(pointer)
            assert page.url == post.url
            assert page.body == harvested.site[post.url.removeprefix(harvested.base_url)].body


def test_ids_follow_from_the_addresses(harvested: Harvested) -> None:
    posts = harvested.posts
    assert {post.id for post in posts.values()} == {post_id(url) for url in posts}
    assert {post.blog for post in posts.values()} == {blog_id(f"{harvested.base_url}/")}


def test_every_field_has_its_provenance(harvested: Harvested) -> None:
    for post in harvested.posts.values():
        for field in ("text", "title"):
            assert 0 < post.provenance[field].confidence <= 1
            assert post.provenance[field].at is not None


def test_robots_txt_was_asked_for_first_and_no_page_twice(harvested: Harvested) -> None:
    paths = [request.path for request in harvested.requests]
    assert paths[0] == "/robots.txt"
    assert [path for path in set(paths) if paths.count(path) > 1] == []


def test_rules_are_in_the_archive(harvested: Harvested) -> None:
    with open_archive(harvested.archive) as store:
        rules = store.rules(store.blogs()[0].id)
    assert rules is not None
    assert rules.rules_for("text")
    assert rules.rules_for("title")


def test_list_and_show_tell_what_is_there(harvested: Harvested, posterity: Posterity) -> None:
    listed = posterity("list", "--archive", harvested.archive)
    assert listed.returncode == 0
    assert listed.stdout.splitlines()[1].split()[1] == str(len(harvested.site.truth))
    post = harvested.site.truth[0]
    shown = posterity("show", post.url, "--archive", harvested.archive)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert post.title in shown.stdout
    blog = posterity("show", urlsplit(harvested.base_url).netloc, "--json", "--archive", harvested.archive)
    assert set(json.loads(blog.stdout)) == {"blog", "rules", "report", "cost"}


def test_rules_of_the_archive_work_on_a_saved_page(harvested: Harvested, posterity: Posterity, tmp_path: Path) -> None:
    rules = posterity("show", f"{harvested.base_url}/", "--rules", "--archive", harvested.archive)
    (tmp_path / "rules.json").write_text(rules.stdout)
    post = harvested.site.truth[-1]
    (tmp_path / "page.html").write_bytes(harvested.site[post.path].body)
    ended = posterity("extract", tmp_path / "page.html", "--rules", tmp_path / "rules.json", "--url", post.url)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["text"] == harvested.posts[post.url].text


def test_export_to_standard_output_and_to_a_folder(harvested: Harvested, posterity: Posterity, tmp_path: Path) -> None:
    streamed = posterity("export", "-", "--archive", harvested.archive)
    assert streamed.stderr == ""
    assert {json.loads(line)["url"] for line in streamed.stdout.splitlines()} == set(harvested.posts)
    written = posterity("export", tmp_path / "md", "--format", "markdown", "--archive", harvested.archive)
    assert written.returncode == 0
    assert len(list((tmp_path / "md").rglob("*.md"))) == len(harvested.posts)
    again = posterity("export", tmp_path / "md", "--format", "markdown", "--archive", harvested.archive)
    assert again.returncode == 4
    assert "--force" in again.stderr
