"""Records are made again from stored pages when the blog is long gone."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.archive import open_archive
from posterity.archive.captures import captures_of_blog, remove_captures
from posterity.archive.forget import forget_post
from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest, update
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build, serving
from posterity.errors import NotInArchive
from posterity.model import Blog, Comment, FieldRule, Media, Post, Rule, RuleSet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.importer.conftest import PostsIn, Run

# feedparser's word about a change to come, said of every feed without dates of change.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A harvest of the bundled blog, whose server is gone."""
    archive = tmp_path_factory.mktemp("harvested") / "archive"
    with serving(SiteOptions(posts_limit=14)) as blog:
        harvest(f"{blog.base_url}/", archive, settings=Settings(crawl=CrawlSettings(delay_s=0)))
    return archive


@pytest.fixture
def archive(harvested: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return shutil.copytree(harvested, tmp_path / "archive")


@pytest.fixture
def blog(archive: Path) -> Blog:
    with open_archive(archive) as store:
        return store.blogs()[0]


def spoil(archive: Path, blog: Blog) -> Post:
    """Store wrong rules and a record that was made with them; return it."""
    rule = FieldRule(rule=Rule("tag", "footer"), confidence=0.9, pages=3, of_pages=3)
    with open_archive(archive) as store:
        store.put_rules(blog.id, RuleSet(fields={"text": (rule,)}))
        post = next(store.posts(blog.id))
        wrong = msgspec.structs.replace(post, text="Proudly printed on paper.", title="Footer")
        store.put_post(wrong)
    return wrong


def test_same_rules_and_pages_give_the_same_records(
    archive: Path, blog: Blog, reextract: Run, posts_in: PostsIn
) -> None:
    before = posts_in(archive)
    ended = reextract(blog.url, "--archive", archive)
    assert ended.exception is None, ended.output
    assert "14 same" in ended.output
    assert "version 1, the same as before" in ended.output
    assert posts_in(archive) == before


def test_wrong_records_are_put_right_and_their_revisions_kept(archive: Path, blog: Blog, reextract: Run) -> None:
    wrong = spoil(archive, blog)
    ended = reextract(blog.id, "--archive", archive)
    assert "13 same" in ended.output
    assert "1 changed" in ended.output
    assert "version 3, before 2" in ended.output
    assert f"{wrong.url}  title, text" in ended.output
    with open_archive(archive) as store:
        post = store.post(wrong.id)
        states = store.history(wrong.id).revisions
    assert post.text != wrong.text
    assert [state.revision for state in states] == [1, 2, 3]
    assert (states[0].post.text, states[1].post.text) == (post.text, wrong.text)


def test_dry_run_says_it_and_writes_nothing(archive: Path, blog: Blog, reextract: Run, posts_in: PostsIn) -> None:
    wrong = spoil(archive, blog)
    before = posts_in(archive)
    ended = reextract(blog.url, "--dry-run", "--json", "--archive", archive)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    (line,) = (line for line in lines[:-1] if line["state"] != "same")
    changes = line.pop("changes")
    assert line == {"url": wrong.url, "state": "changed", "fields": ["title", "text"]}
    assert (changes["title"]["before"], changes["text"]["before"]) == (wrong.title, wrong.text)
    assert changes["title"]["after"] != wrong.title
    assert changes["text"]["why"].startswith("rule ")
    assert (lines[-1]["rules_before"], lines[-1]["rules_after"], lines[-1]["fields"]) == (2, 3, {"title": 1, "text": 1})
    assert posts_in(archive) == before
    with open_archive(archive) as store:
        rules = store.rules(blog.id)
    assert rules is not None
    assert rules.version == 2


def test_comments_and_files_that_only_the_old_record_has_are_kept(archive: Path, blog: Blog, reextract: Run) -> None:
    with open_archive(archive) as store:
        post = next(post for post in store.posts(blog.id) if post.media)
        medium = store.put_media(b"picture", "image/png", post.media[0].url)
        comments = (*post.comments, Comment(id="late", text="Only in the comment feed."))
        media = (Media(url=medium.url, file=medium.file, digest=medium.digest, mime="image/png"), *post.media[1:])
        store.put_post(msgspec.structs.replace(post, comments=comments, media=media, title="Wrong"))
        with store.database.writing() as connection:  # the picture came from elsewhere than the stored pages
            stored = captures_of_blog(connection, blog.id)
            remove_captures(connection, [capture.record_id for capture in stored if capture.url == medium.url])
    reextract(blog.url, "--archive", archive)
    with open_archive(archive) as store:
        again = store.post(post.id)
    assert again.title == post.title
    assert again.comments == comments
    assert again.media[0].file == medium.file


def test_post_that_the_blog_took_away_stays_marked(archive: Path, blog: Blog, reextract: Run) -> None:
    wrong = spoil(archive, blog)
    with open_archive(archive) as store:
        store.mark_gone(wrong.id, 410, datetime(2024, 1, 1, tzinfo=UTC))
    reextract(blog.url, "--archive", archive)
    with open_archive(archive) as store:
        assert [stone.id for stone in store.tombstones(blog.id)] == [wrong.id]
        assert store.post(wrong.id).text != wrong.text
        assert [event.kind for event in store.history(wrong.id).events] == ["gone"]


def test_post_that_moved_is_not_brought_back_to_its_old_address(archive: Path, blog: Blog, reextract: Run) -> None:
    with open_archive(archive) as store:
        old = next(store.posts(blog.id))
        new = msgspec.structs.replace(old, id="p-moved", url=f"{blog.url}moved/", canonical_url=f"{blog.url}moved/")
        store.put_post(new)
        store.mark_moved(old.id, new.id)
    reextract(blog.url, "--archive", archive)
    with open_archive(archive) as store:
        assert store.post(old.url).id == "p-moved"
        assert len(list(store.posts(blog.id))) == 14


def test_post_that_was_taken_down_stays_away(archive: Path, blog: Blog, reextract: Run) -> None:
    with open_archive(archive) as store:
        post = next(store.posts(blog.id))
        forget_post(store, post.id, "asked to")
    ended = reextract(blog.url, "--archive", archive)
    assert ended.exception is None, ended.output
    with open_archive(archive) as store:
        assert post.id not in {one.id for one in store.posts(blog.id)}
        assert len(list(store.posts(blog.id))) == 13


def test_damaged_page_is_named_and_its_record_left(archive: Path, blog: Blog, reextract: Run) -> None:
    with open_archive(archive) as store:
        post = next(store.posts(blog.id))
        file, _, offset = (post.provenance["text"].warc or "").rpartition("#")
    with (archive / "warc" / file).open("r+b") as stream:
        stream.seek(int(offset) + 30)
        stream.write(bytes(200))
    ended = reextract(blog.url, "--json", "--archive", archive)
    assert ended.exception is None
    done = json.loads(ended.stdout.splitlines()[-1])
    assert list(done["damaged"]) == [post.url]
    assert (done["left"], done["posts"]) == (1, {"same": 13})


def test_rules_of_before_serve_where_nothing_can_be_learned(archive: Path, blog: Blog, reextract: Run) -> None:
    """Only one page is left: no feed, no group of pages."""
    with open_archive(archive) as store:
        post = next(store.posts(blog.id))
        with store.database.writing() as connection:
            some = captures_of_blog(connection, blog.id)
            remove_captures(connection, [capture.record_id for capture in some if capture.url != post.url])
    ended = reextract(blog.url, "--archive", archive)
    assert ended.exception is None, ended.output
    assert "version 1 applied, because nothing could be learned" in ended.output
    assert "1 same" in ended.output
    assert "13 stored posts were found on no stored page" in ended.output


def test_blog_without_pages_cannot_be_rebuilt(tmp_path: Path, reextract: Run) -> None:
    with open_archive(tmp_path / "archive", create=True) as store:
        store.put_blog(Blog(id="b1", url="https://x.example/"))
    ended = reextract("x.example", "--archive", tmp_path / "archive")
    assert isinstance(ended.exception, NotInArchive)
    assert "no pages" in str(ended.exception)


def test_each_changed_field_is_printed_with_the_rule_that_gives_it(archive: Path, blog: Blog, reextract: Run) -> None:
    spoil(archive, blog)
    ended = reextract(blog.url, "--dry-run", "--archive", archive)
    assert "  title: Footer -> " in ended.output
    assert "(rule " in ended.output


def store_page(archive: Path, blog: Blog, post: Post, body: bytes) -> None:
    with open_archive(archive) as store, store.warc_writer(blog.id) as writer:
        writer.write_exchange(
            url=post.url,
            status=200,
            response_headers=[("Content-Type", "text/html")],
            body=body,
            fetched_at=datetime.now(UTC),
        )


def test_post_whose_latest_page_is_something_else_is_read_from_its_last_good_page(
    archive: Path, blog: Blog, reextract: Run, posts_in: PostsIn
) -> None:
    before = posts_in(archive)
    with open_archive(archive) as store:
        post = next(store.posts(blog.id))
    store_page(archive, blog, post, b"<html><body><h1>This domain is for sale</h1><p>Make an offer.</p></body></html>")
    ended = reextract(blog.url, "--archive", archive)
    assert "14 same" in ended.output, ended.output
    assert "left" not in ended.output
    assert posts_in(archive) == before


def test_layout_of_an_earlier_theme_is_kept_although_the_feed_no_longer_shows_it(
    tmp_path: Path, reextract: Run, posts_in: PostsIn
) -> None:
    archive = tmp_path / "archive"
    with serving(SiteOptions(posts_limit=14)) as blog:
        harvest(f"{blog.base_url}/", archive, settings=Settings(crawl=CrawlSettings(delay_s=0)))
        blog.site = build(replace(blog.site.options, posts_limit=30, theme="attic"))
        report = update(f"{blog.base_url}/", archive, revisits=0)
    assert (report.new, report.relearned) == (16, True)
    before = posts_in(archive)
    ended = reextract(report.url, "--archive", archive)
    assert "30 same" in ended.output, ended.output
    assert posts_in(archive) == before
