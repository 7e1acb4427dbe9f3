"""Harvests of blogs that need a browser, or could do without."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.e2e.render import js_blog

from posterity.archive import open_archive
from posterity.archive.captures import captures_of_blog
from posterity.blog.reextract import reextract
from posterity.config import CrawlSettings, RenderSettings, Settings
from posterity.crawl.run import harvest, update
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving
from posterity.errors import BrowserMissing, NoBlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web

    from posterity.model import Post

    Serve = Callable[[dict[str, Response]], Web]

QUICK = Settings(crawl=CrawlSettings(delay_s=0))
THREAD = {
    "comment-10": None, "comment-11": "comment-10", "comment-12": "comment-10", "comment-20": None, "comment-30": None,
    "comment-40": None, "comment-50": None, "comment-60": None,
}  # fmt: skip


def stored(archive: Path) -> dict[str, Post]:
    with open_archive(archive) as store:
        return {post.title or post.url: post for post in store.posts()}


@pytest.fixture
def no_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser that does not start, and leaves a mark when somebody tries."""
    mark, program = tmp_path / "started", tmp_path / "browser"
    program.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("POSTERITY_BROWSER", str(program))
    return mark


@pytest.fixture(scope="module")
def rendered(serve: Serve, response: type[Response], tmp_path_factory: pytest.TempPathFactory) -> tuple[Web, Path]:
    """The blog with routes after a #, harvested with pictures of its posts."""
    web = serve(js_blog.drawn_blog(response))
    archive = tmp_path_factory.mktemp("drawn") / "archive"
    settings = Settings(crawl=QUICK.crawl, render=RenderSettings(screenshot=True))
    harvest(f"{web.base_url}/", archive, settings=settings)
    return web, archive


def test_blog_drawn_by_scripts_is_harvested_whole(rendered: tuple[Web, Path]) -> None:
    web, archive = rendered
    posts = stored(archive)
    assert sorted(posts) == sorted(js_blog.title(number) for number in range(js_blog.POSTS))
    for number in range(js_blog.POSTS):
        post = posts[js_blog.title(number)]
        assert post.url == f"{web.base_url}/#!/post/{number}"
        assert post.text.split() == js_blog.text(number).replace("<p>", " ").replace("</p>", " ").split()
        assert post.authors == ("Ada Brandt",)
        assert post.published is not None
        assert post.published.day == 10 + number
        assert [comment.text for comment in post.comments] == [
            f"Comment {k} on {post.title}" for k in range(js_blog.COMMENTS)
        ]


def test_record_tells_what_was_done_in_the_browser(rendered: tuple[Web, Path]) -> None:
    origin = stored(rendered[1])[js_blog.title(1)].provenance["rendering"]
    assert (origin.method, origin.rule) == ("chromium", "show more 1 (Show more comments)")


def test_what_the_browser_received_and_drew_is_in_the_archive(rendered: tuple[Web, Path]) -> None:
    web, archive = rendered
    with open_archive(archive) as store:
        (blog,) = store.blogs()
        with store.database.reading() as connection:
            kinds = {(one.kind, one.url.removeprefix(web.base_url)) for one in captures_of_blog(connection, blog.id)}
        page = store.read_page(store.post(f"{web.base_url}/#!/post/3").provenance["text"].warc or "")
    assert {
        ("response", "/app.js"),
        ("response", "/data/post-3.json"),
        ("conversion", "/#!/post/3"),
        ("resource", f"urn:screenshot:{web.base_url}/#!/post/3"),
    } <= kinds
    assert b"<h2>The harbour of day 3</h2>" in page.body


def test_picture_of_every_post_is_kept(rendered: tuple[Web, Path]) -> None:
    with open_archive(rendered[1]) as store:
        pictures = [store.read_page(post.provenance["screenshot"].warc or "").body for post in store.posts()]
    assert len(pictures) == js_blog.POSTS
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


def test_drawn_blog_is_rebuilt_from_what_was_drawn(rendered: tuple[Web, Path]) -> None:
    before = stored(rendered[1])
    with open_archive(rendered[1]) as store:
        (blog,) = store.blogs()
        result = reextract(store, blog.id)
    after = stored(rendered[1])
    assert result.left == 0
    assert {title: (post.text, len(post.comments)) for title, post in after.items()} == {
        title: (post.text, len(post.comments)) for title, post in before.items()
    }


def test_update_of_a_drawn_blog_finds_what_is_new(rendered: tuple[Web, Path], response: type[Response]) -> None:
    web, archive = rendered
    new = js_blog.POSTS
    entries = [js_blog.entry(number) for number in range(new + 1)]
    web.responses["/data/posts.json"] = response(json.dumps({"items": entries}), "application/json")
    web.responses[f"/data/post-{new}.json"] = response(json.dumps(js_blog.entry(new)), "application/json")
    web.responses[f"/data/comments-{new}.json"] = response("[]", "application/json")
    with open_archive(archive) as store:
        (blog,) = store.blogs()
    report = update(blog.id, archive, settings=QUICK)
    assert report.new == 1
    assert f"{web.base_url}/#!/post/{new}" in {post.url for post in stored(archive).values()}


def test_blog_with_routes_in_its_paths_and_a_feed_is_harvested_whole(
    serve: Serve, response: type[Response], tmp_path: Path
) -> None:
    web = serve({})
    web.responses |= js_blog.drawn_blog(response, history=True, base_url=web.base_url)
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)
    posts = stored(tmp_path / "archive")
    assert len(posts) == js_blog.POSTS
    assert {len(post.comments) for post in posts.values()} == {js_blog.COMMENTS}
    assert posts[js_blog.title(2)].url == f"{web.base_url}/post/2"


@pytest.mark.parametrize("feed", [0, 3, js_blog.POSTS])
def test_blog_whose_posts_scripts_fill_into_one_page_is_harvested_whole(
    serve: Serve, response: type[Response], tmp_path: Path, feed: int
) -> None:
    web = serve({})
    web.responses |= js_blog.filled_blog(response, feed=feed, base_url=web.base_url)
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)
    posts = stored(tmp_path / "archive")
    assert sorted(posts) == sorted(js_blog.title(number) for number in range(js_blog.POSTS))
    for number in range(js_blog.POSTS):
        post = posts[js_blog.title(number)]
        assert post.url == f"{web.base_url}/journal.html?post={number}"
        assert post.text.split() == js_blog.text(number).replace("<p>", " ").replace("</p>", " ").split()
        assert post.published is not None
        assert post.published.day == 10 + number


def test_no_posts_without_a_browser_is_told_with_what_is_missing(
    serve: Serve, response: type[Response], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = serve(js_blog.filled_blog(response))
    monkeypatch.setenv("POSTERITY_BROWSER", "/no/such/browser")
    with pytest.raises(NoBlog, match=r"Its scripts may show some\. .*no such file"):
        harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)


def test_comments_of_a_service_that_tells_them_need_no_browser(
    serve: Serve, response: type[Response], tmp_path: Path, no_browser: Path
) -> None:
    web = serve(js_blog.commented_blog(response, tells=True))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)
    posts = stored(tmp_path / "archive")
    assert len(posts) == 3
    for post in posts.values():
        assert {comment.id: comment.parent for comment in post.comments} == THREAD
        assert post.provenance["comments"].method == "isso"
    assert not no_browser.exists()
    with open_archive(tmp_path / "archive") as store:
        reextract(store, store.blogs()[0].id)
    assert {len(post.comments) for post in stored(tmp_path / "archive").values()} == {len(THREAD)}


def test_comments_of_a_service_that_does_not_tell_them_are_clicked_for(
    serve: Serve, response: type[Response], tmp_path: Path
) -> None:
    web = serve(js_blog.commented_blog(response, tells=False))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)
    posts = stored(tmp_path / "archive")
    assert len(posts) == 3
    for post in posts.values():
        assert {comment.id: comment.parent for comment in post.comments} == THREAD
        assert "Hidden" in (post.provenance["rendering"].rule or "")


def test_comments_are_left_where_they_are_without_a_browser(
    serve: Serve, response: type[Response], tmp_path: Path, no_browser: Path
) -> None:
    web = serve(js_blog.commented_blog(response, tells=False))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)
    assert [len(post.comments) for post in stored(tmp_path / "archive").values()] == [0, 0, 0]


def test_widget_whose_home_does_not_answer_costs_no_browser(
    serve: Serve, response: type[Response], tmp_path: Path, no_browser: Path
) -> None:
    web = serve(js_blog.commented_blog(response, tells=True))
    for path, page in web.responses.items():
        lost = str(page.body).replace('<section id="isso-thread">', '<script src="//127.0.0.1:1/giscus.app/client.js">')
        web.responses[path] = page._replace(body=lost)
    report = harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)
    assert report.posts == 3
    assert not no_browser.exists()


def test_static_blog_starts_no_browser(tmp_path: Path, no_browser: Path) -> None:
    with serving(SiteOptions(posts_limit=12)) as blog:
        report = harvest(f"{blog.base_url}/", tmp_path / "archive", settings=QUICK)
    assert report.posts == 12
    assert not no_browser.exists()


def test_drawn_blog_without_a_browser_is_one_sentence_with_what_to_do(
    serve: Serve, response: type[Response], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = serve(js_blog.drawn_blog(response))
    monkeypatch.setenv("POSTERITY_BROWSER", "/no/such/browser")
    with pytest.raises(BrowserMissing, match="no such file"):
        harvest(f"{web.base_url}/", tmp_path / "archive", settings=QUICK)


def test_nothing_is_drawn_when_that_is_forbidden(
    serve: Serve, response: type[Response], tmp_path: Path, no_browser: Path
) -> None:
    web = serve(js_blog.commented_blog(response, tells=False))
    settings = Settings(crawl=CrawlSettings(delay_s=0, render="never"))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings)
    assert not no_browser.exists()


def test_static_blog_is_drawn_when_that_is_wanted(serve: Serve, response: type[Response], tmp_path: Path) -> None:
    web = serve(js_blog.commented_blog(response, tells=True))
    settings = Settings(crawl=CrawlSettings(delay_s=0, render="always"))
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings)
    posts = stored(tmp_path / "archive")
    assert all("rendering" in post.provenance for post in posts.values())
    assert {len(post.comments) for post in posts.values()} == {len(THREAD)}
