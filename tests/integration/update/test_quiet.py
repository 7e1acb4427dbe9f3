"""A blog without news costs two requests, robots.txt counted, and leaves revisit records in the WARC."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING

from posterity import clock
from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.update.conftest import Followed


def test_no_news_cost_two_requests_and_both_answers_are_304(followed: Followed) -> None:
    for _ in range(2):
        outcome = followed.update()
        assert [(request.path, int(request.status)) for request in outcome.requests] == [
            ("/feed/", 304),
            ("/sitemap.xml", 304),
        ]
        assert outcome.report.requests == 2
        assert not outcome.report.has_news


def test_unchanged_answers_become_revisit_records_that_lead_to_the_stored_page(followed: Followed) -> None:
    followed.update()
    with open_archive(followed.archive) as store:
        for path in ("feed/", "sitemap.xml"):
            *_, latest = store.captures(followed.url + path)
            assert (latest.kind, latest.status) == ("revisit", 304)
            page = store.read_page(f"{latest.file}#{latest.offset}")
            assert page.body == followed.blog.site[f"/{path}"].body


def test_blog_without_sitemap_costs_one_request(follow: Callable[[SiteOptions], Followed]) -> None:
    blog = follow(SiteOptions(posts_limit=8, sitemap=False))
    assert blog.update().paths == ["/feed/"]


def test_blog_without_feed_costs_its_home_page_and_the_sitemap(follow: Callable[[SiteOptions], Followed]) -> None:
    blog = follow(SiteOptions(posts_limit=12, feed="none"))
    assert blog.update().paths == ["/", "/sitemap.xml"]
    blog.grow(13)
    grown = blog.update(revisits=0)
    assert grown.report.new == 1
    assert set(blog.posts()) == {post.url for post in blog.blog.site.truth}


def test_feed_that_differs_in_its_date_alone_is_no_news(followed: Followed) -> None:
    followed.response("/feed/", rb"<lastBuildDate>[^<]*", b"<lastBuildDate>Sat, 01 Jan 2022 00:00:00 +0000")
    outcome = followed.update()
    assert [(request.path, int(request.status)) for request in outcome.requests] == [
        ("/feed/", 200),
        ("/sitemap.xml", 304),
    ]


def test_schedule_follows_the_posts_and_is_stored(followed: Followed) -> None:
    report = followed.update().report
    with open_archive(followed.archive) as store:
        (blog,) = store.blogs()
    assert blog.due_at == report.due_at
    assert blog.results == ("quiet",)
    assert blog.updated_at == report.ended_at
    assert report.due_at is not None
    # The last post is years old: the blog sleeps, and is looked at once a month.
    assert (report.due_at - report.ended_at).days in (29, 30)


def test_blog_that_was_quiet_is_asked_without_a_worker(followed: Followed) -> None:
    assert followed.ask_quietly() is None  # nothing is known yet but the harvest
    before = followed.update().report
    asked = len(followed.blog.requests)
    report = followed.ask_quietly()
    requests = followed.blog.requests[asked:]
    assert [(request.path, int(request.status)) for request in requests] == [("/feed/", 304), ("/sitemap.xml", 304)]
    assert report is not None
    assert (report.requests, report.has_news, report.rules) == (2, False, before.rules)
    with open_archive(followed.archive) as store:
        (blog,) = store.blogs()
        assert (blog.results, blog.updated_at, blog.due_at) == (("quiet", "quiet"), report.ended_at, report.due_at)
        *_, latest = store.captures(f"{followed.url}feed/")
        assert (latest.kind, latest.status) == ("revisit", 304)
        assert store.read_page(f"{latest.file}#{latest.offset}").body == followed.blog.site["/feed/"].body


def test_news_are_left_to_the_worker_which_does_not_ask_again(followed: Followed) -> None:
    followed.update()
    followed.grow(15)
    since, asked = clock.now(), len(followed.blog.requests)
    assert followed.ask_quietly() is None
    outcome = followed.update(revisits=0, asked_since=since)
    assert outcome.report.new == 1
    paths = [request.path for request in followed.blog.requests[asked:]]
    assert paths.count("/feed/") == 1


def test_edit_that_only_the_sitemap_tells_is_left_to_the_worker(followed: Followed) -> None:
    followed.update()
    followed.response("/sitemap.xml", rb"<lastmod>[^<]*", b"<lastmod>2031-01-01")
    assert followed.ask_quietly() is None


def test_post_that_could_not_be_fetched_is_no_quiet_end(followed: Followed) -> None:
    followed.update()
    followed.grow(15)
    new = next(post for post in followed.blog.site.truth if post.url not in followed.posts())
    resources = {path: each for path, each in followed.blog.site.resources.items() if path != new.path}
    broken = replace(followed.blog.site[new.path], status=HTTPStatus.SERVICE_UNAVAILABLE)
    followed.blog.site = replace(followed.blog.site, resources=MappingProxyType({**resources, new.path: broken}))
    followed.update()
    followed.update()
    assert followed.ask_quietly() is None
