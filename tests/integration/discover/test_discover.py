"""`posterity discover` against real servers on loopback: blogs, a site without a feed, and a search service."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build
from posterity.model import Blog, Comment, Post
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

NEWS = """<rss version="2.0"><channel><title>News</title>
<item><title>Storm over the harbour</title><description>Boats sank near the lighthouse, boats.</description></item>
<item><title>Bread prices rise</title><description>Flour is dear.</description></item></channel></rss>"""


@pytest.fixture(scope="module")
def blog(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    """The bundled blog."""
    web = serve({})
    site = build(SiteOptions(base_url=web.base_url, posts_limit=4))
    for path, resource in site.items():
        web.responses[path] = response(resource.body, content_type=resource.content_type)
    return web


@pytest.fixture(scope="module")
def no_blog(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    """A site without a feed, and a part of it that robots.txt forbids."""
    return serve(
        {
            "/": response("<html><p>A shop."),
            "/robots.txt": response("User-agent: *\nDisallow: /~anna/\n", content_type="text/plain"),
        }
    )


@pytest.fixture
def archive(tmp_path: Path, blog: Web, no_blog: Web) -> Path:
    """A harvested blog that links to the others."""
    home = "http://own.example/"
    roll = f'<html><body><a href="{blog.base_url}/">A friend</a><a href="http://own.example/x">x</a></body></html>'
    with open_archive(tmp_path / "archive", create=True) as store:
        store.put_blog(Blog(id=blog_id(home), url=home))
        for number in range(2):
            url = f"{home}{number}"
            links = (f"{no_blog.base_url}/buy", f"{no_blog.base_url}/~anna/x", f"{home}about")
            commenter = Comment(id=f"c{number}", author_url=f"{blog.base_url}/", text="Nice.")
            store.put_post(Post(id=post_id(url), url=url, blog=blog_id(home), links=links, comments=(commenter,)))
        with store.warc_writer(blog_id(home)) as writer:
            writer.write_exchange(
                url=home, status=200, reason="OK", response_headers=(("Content-Type", "text/html"),),
                body=roll.encode(), fetched_at=datetime(2024, 1, 1, tzinfo=UTC),
            )  # fmt: skip
    return tmp_path / "archive"


def test_linked_blogs_are_ranked_and_those_with_a_feed_listed(archive: Path, blog: Web, posterity: Posterity) -> None:
    ended = posterity("discover", "--archive", archive, "--delay", "0", "--allow-private")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert [line for line in lines if not line.startswith("#")] == [f"{blog.base_url}/"]
    assert "1 in blogrolls, 2 by commenters" in ended.stdout
    assert "entries in " in ended.stdout
    assert "1 blog, 2 candidates skipped" in ended.stderr


def test_what_is_left_out_is_said_with_the_reason(archive: Path, blog: Web, no_blog: Web, posterity: Posterity) -> None:
    ended = posterity("discover", "--archive", archive, "--delay", "0", "--json", "--allow-private")
    found = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [(one["event"], one["url"], one.get("reason")) for one in found] == [
        ("blog", f"{blog.base_url}/", None),
        ("no-blog", f"{no_blog.base_url}/", "noFeed"),
        ("no-blog", f"{no_blog.base_url}/~anna/", "robotsTxt"),
    ]
    assert not any(path.startswith("/~anna") for path in no_blog.paths)
    assert all(asked.user_agent.startswith("Posterity/") for asked in blog.asked)


def test_nobody_is_asked_without_check(archive: Path, no_blog: Web, posterity: Posterity) -> None:
    before = len(no_blog.asked)
    ended = posterity("discover", "--archive", archive, "--no-check")
    assert f"{no_blog.base_url}/" in ended.stdout.splitlines()
    assert len(no_blog.asked) == before


def searx_path(query: str, page: int) -> str:
    return "/search?" + urlencode({"q": query, "format": "json", "pageno": page, "categories": "general"})


def searx_response(*urls: str) -> str:
    """An answer in the shape of SearXNG."""
    results = [
        {"url": url, "title": "t", "content": "c", "engine": "x", "engines": ["x"], "positions": [1], "score": 1.0}
        for url in urls
    ]
    return json.dumps({"query": "q", "number_of_results": 0, "results": results, "answers": [], "suggestions": []})


def test_news_become_queries_and_hits_become_blogs(
    tmp_path: Path,
    blog: Web,
    no_blog: Web,
    serve: Callable[[dict[str, Response]], Web],
    response: type[Response],
    posterity: Posterity,
) -> None:
    news = tmp_path / "news.xml"
    news.write_text(NEWS)
    given = ("discover", "--allow-private", "--news", news, "--archive", tmp_path / "none", "--delay", "0")
    asked = posterity(*given, "--show-queries").stdout.splitlines()
    assert [query.split()[:3] for query in asked] == [["Storm", "harbour", "boats"], ["Bread", "prices", "rise"]]
    kind = "application/json"
    searx = serve(
        {
            searx_path(asked[0], 1): response(searx_response(f"{no_blog.base_url}/buy"), content_type=kind),
            searx_path(asked[0], 2): response(searx_response(f"{blog.base_url}/2024/x/"), content_type=kind),
            searx_path(asked[0], 3): response(searx_response(), content_type=kind),
            searx_path(asked[1], 1): response(searx_response(f"{blog.base_url}/2024/y/"), content_type=kind),
            searx_path(asked[1], 2): response("<html>broken", content_type=kind),
        }
    )
    ended = posterity(*given, "--search", searx.base_url)
    assert ended.returncode == 0, ended.stderr
    assert [line for line in ended.stdout.splitlines() if not line.startswith("#")] == [f"{blog.base_url}/"]
    assert "from 2 queries: 2 among hits" in ended.stdout
    assert "failed: " in ended.stderr  # the page that is no JSON
    assert "does not respond as SearXNG does" in ended.stderr
    archive = tmp_path / "corpus"
    harvested = posterity(*given[:-4], "--archive", archive, "--delay", "0", "--search", searx.base_url, "--harvest")
    assert harvested.returncode == 0, harvested.stderr
    with open_archive(archive) as store:
        assert sorted(post.url for post in store.posts())
        assert all(post.url.startswith(blog.base_url) for post in store.posts())


def test_words_of_the_archive_are_not_distinctive(tmp_path: Path, posterity: Posterity) -> None:
    home = "http://own.example/"
    with open_archive(tmp_path / "archive", create=True) as store:
        store.put_blog(Blog(id=blog_id(home), url=home))
        for number in range(30):
            url = f"{home}{number}"
            store.put_post(Post(id=post_id(url), url=url, blog=blog_id(home), text="The ferry was late again."))
    (tmp_path / "text.txt").write_text("Harbour\nferry ferry ferry, late, late, again, lighthouse")
    given = ("discover", "--news", tmp_path / "text.txt", "--also", "", "--show-queries", "--archive")
    assert posterity(*given, tmp_path / "none").stdout.split()[1] == "ferry"
    assert posterity(*given, tmp_path / "archive").stdout.split()[1] == "lighthouse"


@pytest.mark.parametrize(
    ("status", "code", "words"), [(403, 4, "does not return JSON"), (500, 6, "returned 500")], ids=["no JSON", "down"]
)
def test_search_service_that_does_not_answer_is_told(
    status: int, code: int, words: str, tmp_path: Path,
    serve: Callable[[dict[str, Response]], Web], response: type[Response], posterity: Posterity,
) -> None:  # fmt: skip
    (tmp_path / "text.txt").write_text("Storm\nBoats sank.")
    given = ("discover", "--news", tmp_path / "text.txt", "--archive", tmp_path / "none", "-q")
    (query,) = posterity(*given, "--show-queries").stdout.splitlines()
    searx = serve({searx_path(query, 1): response("no", status=status)})
    ended = posterity(*given, "--search", searx.base_url)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert words in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--news", "NEWS"], 2, "--search"),
        (["--news", "NEWS", "--search", "nobody"], 2, "no search service 'nobody'"),
        (["--news", "missing.txt"], 4, "missing.txt"),
        (["--news", "NEWS", "--harvest", "--no-check"], 2, "--harvest cannot be combined with --no-check"),
        ([], 3, "none"),
    ],
)
def test_bad_arguments_get_one_sentence(
    arguments: list[str], code: int, words: str, tmp_path: Path, posterity: Posterity
) -> None:
    (tmp_path / "news.xml").write_text(NEWS)
    given = [str(tmp_path / "news.xml") if one == "NEWS" else one for one in arguments]
    ended = posterity("discover", *given, "--archive", tmp_path / "none")
    assert (ended.returncode, ended.stdout) == (code, "")
    assert words in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_candidates_on_private_hosts_are_not_requested(archive: Path, blog: Web, posterity: Posterity) -> None:
    before = len(blog.paths)
    ended = posterity("discover", "--archive", archive, "--delay", "0", "--json")
    found = [json.loads(line) for line in ended.stdout.splitlines()]
    assert found
    assert all("not on the public web" in one["detail"] for one in found), found
    assert len(blog.paths) == before
