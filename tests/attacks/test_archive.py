"""Taken-down posts do not come back, and no archive is hidden by an empty one."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from posterity.archive import Filters, open_archive
from posterity.archive.blogs import harvest_options, write_harvest_options
from posterity.archive.forget import forget_post
from posterity.archive.maintenance import copy_archive
from posterity.archive.overview import newest_posts
from posterity.archive.verify import repair_archive, verify_archive
from posterity.cli.archive import command
from posterity.config import CrawlSettings, Settings
from posterity.crawl.jobs import Event, Stored
from posterity.crawl.run import harvest, put_schedule
from posterity.demo.server import SiteOptions, serving
from posterity.errors import ArchiveError
from posterity.importer import import_crawls
from posterity.model import Post, Schedule


@pytest.fixture
def own_archive(blog_archive: Path, tmp_path: Path) -> Path:
    shutil.copytree(blog_archive, tmp_path / "archive")
    return tmp_path / "archive"


def _content(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def _piece(post: Post) -> bytes:
    return post.text[50:120].encode()


def _files_with(archive: Path, piece: bytes) -> list[Path]:
    return [file for file in archive.rglob("*") if file.is_file() and piece in _content(file)]


def _sizes(archive: Path) -> dict[str, int]:
    return {file.name: file.stat().st_size for file in (archive / "warc").glob("*.warc.gz")}


def _has_row(archive: Path, query: str, *values: str) -> bool:
    with closing(sqlite3.connect(f"file:{archive}/posterity.db?mode=ro", uri=True)) as database:
        return database.execute(query, values).fetchone() is not None


@pytest.mark.parametrize("moment", ["noted", "wiped", "rows", "media"])
def test_takedown_that_was_killed_is_finished_at_the_next_start(own_archive: Path, moment: str) -> None:
    with open_archive(own_archive) as archive:
        post = next(one for one in archive.posts() if one.media and len(one.text) > 200)
        medium = next(archive.media_path(one.file) for one in post.media if one.file)
    before = _sizes(own_archive)
    conditions: dict[str, Callable[[], bool]] = {
        "noted": lambda: _has_row(own_archive, "SELECT 1 FROM forgotten WHERE name = ?", post.id),
        "wiped": lambda: _sizes(own_archive) != before,
        "rows": lambda: not _has_row(own_archive, "SELECT 1 FROM posts WHERE id = ?", post.id),
        "media": lambda: not medium.exists(),
    }
    reached = conditions[moment]
    command = [sys.executable, "-m", "posterity", "forget", post.id, "--yes", "--reason", "asked for"]
    with subprocess.Popen([*command, "--archive", str(own_archive)], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not reached():
            pass
        process.kill()
    with open_archive(own_archive) as archive:
        assert post.id not in {one.id for one in archive.posts()}
        assert post.id in {entry.name for entry in archive.takedowns()}
    assert _files_with(own_archive, _piece(post)) == []


def test_takedown_reaches_backups_and_survives_a_rebuild(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        post = next(one for one in archive.posts() if len(one.text) > 200)
    backups = own_archive / "backups"
    backups.mkdir()
    shutil.copy(own_archive / "posterity.db", backups / "posterity-v4-20240101T000000Z.db")
    whole = shutil.copytree(own_archive / "warc", own_archive.parent / "whole")
    with open_archive(own_archive) as archive:
        forget_post(archive, post.id, "asked for")
    assert _files_with(own_archive, _piece(post)) == []
    _without_database(own_archive)
    for file in whole.glob("*.warc.gz"):  # as if the WARC files came from an older copy
        shutil.copy(file, own_archive / "warc" / file.name)
    done = CliRunner().invoke(command, ["rebuild", "--archive", str(own_archive)])
    assert done.exit_code == 0, done.output
    with open_archive(own_archive) as archive:
        urls = {one.url for one in archive.posts()}
        assert urls
        assert post.url not in urls
        assert post.id in {entry.name for entry in archive.takedowns()}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE posts SET text = text || ' and more'",
        "UPDATE posts SET title = 'Another'",
        "UPDATE posts SET published = '1999-01-01T00:00:00.000000Z'",
        'UPDATE posts SET document = replace(document, \'"title":"\', \'"title":"New \')',
        "UPDATE comments SET text = 'Something else'",
        "DELETE FROM comments",
        'UPDATE blogs SET document = replace(document, \'"title":"\', \'"title":"New \')',
        "UPDATE blogs SET url = 'https://other.example/'",
        "UPDATE rule_sets SET document = replace(document, 'div', 'p')",
        "UPDATE reports SET document = replace(document, '\"posts\":', '\"posts\":1')",
    ],
)
def test_altered_row_is_found(own_archive: Path, change: str) -> None:
    with open_archive(own_archive) as archive:
        assert verify_archive(archive).problems == []
    with closing(sqlite3.connect(own_archive / "posterity.db")) as database:
        assert database.execute(change).rowcount
        database.commit()
    with open_archive(own_archive) as archive:
        assert "row" in {problem.kind for problem in verify_archive(archive).problems}


def test_altered_revision_is_found(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        post = next(one for one in archive.posts() if len(one.text) > 200)
        archive.put_post(msgspec.structs.replace(post, text=f"{post.text} And one more sentence."))
        assert verify_archive(archive).problems == []
    with closing(sqlite3.connect(own_archive / "posterity.db")) as database:
        assert database.execute("UPDATE revisions SET document = replace(document, 'e', 'o')").rowcount == 1
        database.commit()
    with open_archive(own_archive) as archive:
        (problem,) = verify_archive(archive).problems
    assert (problem.kind, problem.where) == ("row", f"revisions {post.id} 1")


@pytest.mark.parametrize("damage", [b"", b"nonsense\n", None], ids=["empty", "other text", "one line less"])
def test_damaged_cdxj_is_found_and_repaired(own_archive: Path, damage: bytes | None) -> None:
    index = next(iter((own_archive / "warc").glob("*.cdxj")))
    intact = index.read_bytes()
    index.write_bytes(b"".join(intact.splitlines(keepends=True)[1:]) if damage is None else damage)
    with open_archive(own_archive) as archive:
        found = verify_archive(archive)
        assert [problem.kind for problem in found.problems] == ["cdxj"]
        repair_archive(archive, found)
    assert index.read_bytes() == intact


def _without_database(archive: Path) -> Path:
    for file in archive.glob("posterity.db*"):
        file.unlink()
    return archive


def test_lost_database_is_an_error_and_can_be_made_again(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        posts = {one.url for one in archive.posts()}
        (blog,) = archive.blogs()
        put_schedule(archive, blog.id, Schedule(mode="every", hours=12))
        edited, gone, moved, target = sorted(archive.posts(), key=lambda post: post.id)[:4]
        archive.put_post(msgspec.structs.replace(edited, text=f"{edited.text} And one more sentence."))
        archive.mark_gone(gone.id, 410)
        archive.mark_moved(moved.id, target.id)
        rules = archive.rules(blog.id)
        assert rules is not None
        method = "blogbuster" if rules.method != "blogbuster" else "feed"
        archive.put_rules(blog.id, msgspec.structs.replace(rules, method=method))
        with archive.database.writing() as connection:
            write_harvest_options(connection, blog.id, Settings(crawl=CrawlSettings(delay_s=7)))
        report = archive.report(blog.id)
        assert report is not None
        archive.put_report(report)  # as at the end of every update
        histories = [archive.history(post.id) for post in (edited, gone)]
    _without_database(own_archive)
    for create in (True, False):
        with pytest.raises(ArchiveError, match="archive rebuild"):
            open_archive(own_archive, create=create)
    assert not (own_archive / "posterity.db").exists()
    done = CliRunner().invoke(command, ["rebuild", "--archive", str(own_archive)])
    assert done.exit_code == 0, done.output
    with open_archive(own_archive) as archive:
        assert {one.url for one in archive.posts()} >= posts - {moved.url}
        assert archive.blog(blog.id) == msgspec.structs.replace(blog, schedule=Schedule(mode="every", hours=12),
                                                                due_at=archive.blog(blog.id).due_at)  # fmt: skip
        assert archive.rules(blog.id, 1) == rules
        again = [archive.history(post.id) for post in (edited, gone)]
        assert [one.revisions[:-1] for one in again] == [one.revisions[:-1] for one in histories]
        assert [one.events for one in again] == [one.events for one in histories]
        assert [one.id for one in archive.tombstones(blog.id)] == [gone.id]
        assert archive.post(moved.url).id == target.id
        with archive.database.reading() as connection:
            options = harvest_options(connection, blog.id)
        assert options is not None
        assert options.crawl.delay_s == 7
        assert archive.report(blog.id) is not None


def test_taken_down_text_does_not_come_back_by_harvest_copy_import_or_rebuild(tmp_path: Path) -> None:
    saved = tmp_path / "archive"
    harvested = partial(harvest, archive=saved, settings=Settings(crawl=CrawlSettings(delay_s=0)))
    with serving(SiteOptions(posts_limit=6)) as blog:
        harvested(f"{blog.base_url}/")
        whole = shutil.copytree(saved / "warc", tmp_path / "whole")
        with open_archive(saved) as archive:
            dated = (one for one in archive.posts() if len(one.text) > 200 and one.published)
            post = max(dated, key=lambda one: str(one.published))  # feed and front page show it
            old = msgspec.structs.replace(post, text="An older state of this post. " + post.text)
            archive.put_post(old)
            forget_post(archive, post.id, "asked for")
        harvested(f"{blog.base_url}/")
    assert _files_with(saved, _piece(post)) == []
    with open_archive(saved) as archive, open_archive(tmp_path / "copy", create=True) as copied:
        copy_archive(archive, copied)
    copy_with_id = msgspec.structs.replace(post, id="another", url=f"{post.url}amp/", canonical_url=None)
    for place in (saved, tmp_path / "copy"):
        with open_archive(place) as archive:
            assert archive.put_post(copy_with_id) == "forgotten"
            list(import_crawls(archive, [whole]))
        _without_database(place)
        done = CliRunner().invoke(command, ["rebuild", "--archive", str(place)])
        assert done.exit_code == 0, done.output
        with open_archive(place) as archive:
            list(import_crawls(archive, [whole]))
            assert post.url not in {one.url for one in archive.posts()}
        assert _files_with(place, _piece(post)) == []


def test_text_taken_down_while_a_harvest_runs_is_not_in_what_it_fetches_afterwards(tmp_path: Path) -> None:
    archive, pieces = tmp_path / "archive", list[bytes]()

    def forget_one(event: Event) -> None:
        if isinstance(event, Stored) and event.posts == 12:
            with open_archive(archive) as store:
                post = max(store.posts(), key=lambda one: str(one.published))
                forget_post(store, post.id, "asked")
            pieces.append(post.text[:60].encode())  # lists of posts show it

    settings = Settings(crawl=CrawlSettings(delay_s=0.1))
    with serving() as blog:
        harvest(f"{blog.base_url}/", archive, settings=settings, on_event=forget_one)
    assert len(pieces) == 1
    assert _files_with(archive, pieces[0]) == []
    with open_archive(archive) as store:
        assert verify_archive(store).problems == []


def test_response_that_was_written_when_a_takedown_began_is_wiped(own_archive: Path) -> None:
    with open_archive(own_archive) as store:
        post = next(store.posts())
        with store.warc_writer(post.blog or "") as writer:
            writer.syncs_each = False
            body = f"<html><body><p>{post.text}</p></body></html>".encode()
            url, headers = f"{post.url}?print", [("Content-Type", "text/html")]
            writer.write_exchange(
                method="GET", url=url, request_headers=[], request_body=b"", status=200, reason="OK",
                http_version="HTTP/1.1", response_headers=headers, body=body, ip=None, fetched_at=datetime.now(UTC),
            )  # fmt: skip
            with open_archive(own_archive) as other:
                forget_post(other, post.id, "asked")
        assert store.captures(url) == []
        assert verify_archive(store).problems == []
    assert _files_with(own_archive, _piece(post)) == []


@pytest.mark.parametrize("filters", [Filters(author="Nobody"), Filters(tag="nothing"), Filters(author="Ann Rare")])
def test_posts_of_a_rare_label_are_not_looked_for_in_all_posts(tmp_path: Path, filters: Filters) -> None:
    with open_archive(tmp_path, create=True) as archive:
        archive.put_posts(_labelled_post(number) for number in range(200))
        with archive.database.snapshot(), archive.database.reading() as connection:
            bare: Any = connection.connection.driver_connection
            statements: list[str] = []
            bare.set_trace_callback(statements.append)
            found, _ = newest_posts(archive, filters, 20)
            bare.set_trace_callback(None)
            plans = [bare.execute(f"EXPLAIN QUERY PLAN {one}").fetchall() for one in statements if "posts" in one]
    assert [line.id for line in found] == (["p3"] if filters.author == "Ann Rare" else [])
    assert plans
    assert not [step for plan in plans for *_, step in plan if "posts_in_order" in step or step == "SCAN posts"]


def _labelled_post(number: int) -> Post:
    return Post(
        id=f"p{number}", url=f"https://a.example/{number}/", canonical_url=None, blog="b", text="Words.",
        authors=("Ann Rare" if number == 3 else "Ben Usual",), tags=("usual",),
        published=datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=number),
    )  # fmt: skip
