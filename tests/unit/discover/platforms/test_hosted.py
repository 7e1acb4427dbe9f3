"""Blogger, Substack, Tumblr, Micro.blog, WriteFreely and Squarespace: lists of posts as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from tests.unit.discover.platforms.walk import sitemap, urls, walk

from posterity.discover.platforms import (
    ListedPost,
    blogger,
    microblog,
    platforms_of,
    squarespace,
    substack,
    tumblr,
    writefreely,
)
from posterity.dom import parse

HOME = "https://blog.example/"


@pytest.mark.parametrize(
    ("url", "markup", "name"),
    [
        ("https://name.blogspot.com/", "", "blogger"),
        ("http://name.blogspot.co.uk/", "", "blogger"),
        (HOME, "<meta content='blogger' name='generator'>", "blogger"),
        (HOME, "<link rel=service.post href='https://www.blogger.com/feeds/1/posts/default'>", "blogger"),
        ("https://name.substack.com/", "", "substack"),
        (HOME, "<link rel=preconnect href='https://substackcdn.com'>", "substack"),
        ("https://name.tumblr.com/", "", "tumblr"),
        ("https://www.tumblr.com/name", "", "tumblr"),
        (HOME, "<meta property='al:android:package' content='com.tumblr'>", "tumblr"),
        ("https://name.micro.blog/", "", "micro.blog"),
        (HOME, "<link rel=micropub href='https://micro.blog/micropub'>", "micro.blog"),
        ("https://write.as/name/", "", "writefreely"),
        ("https://name.writeas.com/", "", "writefreely"),
        (HOME, "<meta name=generator content=WriteFreely>", "writefreely"),
        ("https://name.squarespace.com/", "", "squarespace"),
        (HOME, "<script src='//assets.squarespace.com/universal/x.js'></script>", "squarespace"),
    ],
)
def test_a_blog_is_recognised_by_its_host_or_its_page(url: str, markup: str, name: str) -> None:
    assert [platform.name for platform in platforms_of(parse(markup, url))] == [name]


@pytest.mark.parametrize(
    ("url", "markup"),
    [
        ("https://substack.com/@name", "<link rel=preconnect href='https://substackcdn.com'>"),
        ("https://www.tumblr.com/", ""),
        (HOME, "<img src='https://substackcdn.com/x.png'><a href='https://name.tumblr.com/'>Me</a>"),
        (HOME, "<link rel=me href='https://micro.blog/name'>"),
    ],
)
def test_a_page_that_only_links_to_a_platform_is_not_of_it(url: str, markup: str) -> None:
    assert platforms_of(parse(markup, url)) == []


def blogger_url(start: int) -> str:
    query = f"alt=json&orderby=published&redirect=false&max-results=150&start-index={start}"
    return f"{HOME}feeds/posts/summary?{query}"


def blogger_page(*paths: str, total: str = "3") -> Any:
    entries = [
        {
            "title": {"type": "text", "$t": "Tom &amp; Jerry"},
            "link": [
                {"rel": "replies", "href": f"{HOME}feeds/1/comments/default"},
                {"rel": "alternate", "type": "text/html", "href": f"{HOME}{path}"},
            ],
            "published": {"$t": "2008-07-06T10:00:00.001-07:00"},
            "updated": {"$t": "2008-07-07T10:00:00.000-07:00"},
            "thr$total": {"$t": "4"},
        }
        for path in paths
    ]
    return {"version": "1.0", "feed": {"openSearch$totalResults": {"$t": total}, "entry": entries}}


def test_blogger_is_walked_by_index_to_its_total() -> None:
    pages = {blogger_url(1): blogger_page("a.html", "b.html"), blogger_url(3): blogger_page("c.html")}
    result, asked = walk(blogger, f"{HOME}?m=1", pages)
    assert asked == [blogger_url(1), blogger_url(3)]
    assert result.total == 3
    assert urls(result) == [f"{HOME}a.html", f"{HOME}b.html", f"{HOME}c.html"]
    assert result.posts[0] == ListedPost(
        url=f"{HOME}a.html",
        title="Tom & Jerry",
        published=datetime(2008, 7, 6, 17, 0, 0, 1000, tzinfo=UTC),
        updated=datetime(2008, 7, 7, 17, tzinfo=UTC),
        comment_count=4,
    )


def test_blogger_goes_on_behind_a_page_that_fails() -> None:
    pages = {blogger_url(1): blogger_page("a", total="200"), blogger_url(152): blogger_page("z", total="200")}
    result, _ = walk(blogger, HOME, pages)
    assert urls(result) == [f"{HOME}a", f"{HOME}z"]
    assert result.failed_pages == (blogger_url(2), blogger_url(153))


def test_an_empty_blogger_blog_has_a_total_and_no_failure() -> None:
    result, asked = walk(blogger, HOME, {blogger_url(1): {"feed": {"openSearch$totalResults": {"$t": "0"}}}})
    assert (result.posts, result.total, result.failed_pages, len(asked)) == ((), 0, (), 1)


def test_substack_advances_by_what_came_and_ends_with_a_page_of_nothing_new() -> None:
    post = {
        "canonical_url": f"{HOME}p/a",
        "title": "A",
        "post_date": "2024-05-06T07:08:09.123Z",
        "comment_count": 12,
        "type": "newsletter",
    }
    place = f"{HOME}api/v1/archive?sort=new&search=&offset="
    pages: dict[str, Any] = {
        f"{place}0&limit=50": [post, {"slug": "b c", "title": None}, 5],
        f"{place}3&limit=50": [{"canonical_url": f"{HOME}p/a"}, {"slug": "d"}],
        f"{place}5&limit=50": [],
    }
    result, asked = walk(substack, HOME, pages)
    assert asked == list(pages)
    assert urls(result) == [f"{HOME}p/a", f"{HOME}p/b%20c", f"{HOME}p/d"]
    assert result.posts[0].comment_count == 12
    assert result.posts[0].published == datetime(2024, 5, 6, 7, 8, 9, 123000, tzinfo=UTC)
    assert result.total is None


def tumblr_page(total: int, *posts: Any) -> bytes:
    return b"var tumblr_api_read = " + msgspec.json.encode({"posts-total": total, "posts": posts}) + b";\n"


def test_tumblr_is_unwrapped_and_walked_to_its_total() -> None:
    regular = {
        "id": "1",
        "url": "https://name.tumblr.com/post/1",
        "url-with-slug": "https://name.tumblr.com/post/1/a",
        "type": "regular",
        "regular-title": "A {brace};",
        "unix-timestamp": 1700000000,
    }
    photo = {"url": "https://name.tumblr.com/post/2", "type": "photo", "date-gmt": "2026-08-03 04:01:45 GMT"}
    place = "https://name.tumblr.com/api/read/json?num=50&start="
    pages = {f"{place}0": tumblr_page(2, regular), f"{place}1": tumblr_page(2, photo)}
    result, asked = walk(tumblr, "https://www.tumblr.com/name", pages)
    assert asked == list(pages)
    assert result.total == 2
    assert result.posts[0].title == "A {brace};"
    assert [post.published for post in result.posts] == [
        datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        datetime(2026, 8, 3, 4, 1, 45, tzinfo=UTC),
    ]
    assert urls(result) == ["https://name.tumblr.com/post/1/a", "https://name.tumblr.com/post/2"]


def test_micro_blog_has_all_posts_in_its_archive() -> None:
    item = {"id": f"{HOME}2024/a.html", "title": "", "url": f"{HOME}2024/a.html", "content_text": "Hello"}
    feed = {
        "version": "https://jsonfeed.org/version/1",
        "items": [{**item, "date_published": "2024-01-02T03:04:05-05:00"}],
    }
    result, asked = walk(microblog, HOME, {f"{HOME}archive/index.json": feed})
    assert asked == [f"{HOME}archive/index.json"]
    assert result.posts == (ListedPost(url=f"{HOME}2024/a.html", published=datetime(2024, 1, 2, 8, 4, 5, tzinfo=UTC)),)


def test_micro_blog_without_an_archive_is_read_by_its_feed_and_its_pages() -> None:
    pages = {
        f"{HOME}feed.json": {"items": [{"url": "/a"}], "next_url": "/feed2.json"},
        f"{HOME}feed2.json": {"items": [{"id": f"{HOME}b"}], "next_url": "/feed.json"},
    }
    result, asked = walk(microblog, HOME, pages)
    assert urls(result) == [f"{HOME}a", f"{HOME}b"]
    assert len(asked) == 3


def collection(total: int, *slugs: str) -> Any:
    posts = [{"id": "x", "slug": slug, "title": slug, "created": "2020-01-02T03:04:05Z"} for slug in slugs]
    return {
        "code": 200,
        "data": {"alias": "name", "url": "https://write.as/name/", "total_posts": total, "posts": posts},
    }


@pytest.mark.parametrize(
    ("home", "markup"),
    [
        ("https://write.as/name/", ""),
        ("https://write.as/@name/", ""),
        ("https://name.writeas.com/", ""),
        ("https://write.as/", "<form action='/api/collections/name/email/subscribe'></form>"),
        ("https://write.as/", "<script>var url = '/api/collections/name/pin';</script>"),
    ],
)
def test_a_collection_is_found_by_its_alias_and_walked_to_its_total(home: str, markup: str) -> None:
    place = "https://write.as/api/collections/name/posts?page="
    pages = {f"{place}1": collection(3, "a", "b"), f"{place}2": collection(3, "c")}
    result, asked = walk(writefreely, home, pages, markup)
    assert asked == list(pages)
    assert result.total == 3
    assert urls(result) == ["https://write.as/name/a", "https://write.as/name/b", "https://write.as/name/c"]


def test_a_writefreely_blog_without_an_alias_is_read_by_its_sitemap() -> None:
    result, asked = walk(writefreely, HOME, {f"{HOME}sitemap.xml": sitemap(f"{HOME}a", f"{HOME}b", HOME)})
    assert asked == [f"{HOME}sitemap.xml"]
    assert urls(result) == [f"{HOME}a", f"{HOME}b"]


def squarespace_page(*items: Any, kind: str = "blog-basic-grid", following: int | None = None) -> Any:
    pagination = {"nextPage": following is not None, "nextPageOffset": following, "pageSize": 20}
    return {"collection": {"typeName": kind, "itemCount": 2}, "items": items, "pagination": pagination}


def test_squarespace_is_walked_by_the_offset_that_each_page_names() -> None:
    item = {"fullUrl": "/blog/a", "title": "A", "publishOn": 1700000000000, "commentCount": 3}
    place = f"{HOME}blog?format=json"
    pages = {
        place: squarespace_page(item, following=1439838000000),
        f"{place}&offset=1439838000000": squarespace_page({"fullUrl": "/blog/b"}),
    }
    result, asked = walk(squarespace, f"{HOME}blog?tag=x", pages)
    assert asked == list(pages)
    assert result.total == 2
    assert urls(result) == [f"{HOME}blog/a", f"{HOME}blog/b"]
    assert result.posts[0].published == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert result.posts[0].comment_count == 3


def test_squarespace_home_without_posts_leads_to_the_blog_that_it_links_to() -> None:
    markup = (
        "<a href='/shop'>Shop</a><a href='/news'>News</a><a href='/my-blog?x=1'>Blog</a><a href='//b.example/blog'>"
    )
    pages = {
        f"{HOME}?format=json": {"collection": {"typeName": "page"}},
        f"{HOME}news?format=json": squarespace_page({"fullUrl": "/news/x"}, kind="events-stacked"),
        f"{HOME}my-blog?format=json": squarespace_page({"fullUrl": "/my-blog/a"}),
    }
    result, asked = walk(squarespace, HOME, pages, markup)
    assert asked == list(pages)
    assert urls(result) == [f"{HOME}my-blog/a"]
