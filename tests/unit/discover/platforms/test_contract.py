"""On undocumented responses, every platform's listing ends without an exception."""

from __future__ import annotations

from copy import deepcopy
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.unit.discover.platforms.walk import sitemap_index, walk

from posterity.discover.platforms import MAX_PAGES, PLATFORMS, Listing, platforms_of
from posterity.dom import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BY_NAME = {platform.name: platform for platform in PLATFORMS}
HOMES = {
    "wordpress.com": "https://name.wordpress.com/",
    "wordpress": "https://blog.example/",
    "blogger": "https://name.blogspot.com/",
    "substack": "https://name.substack.com/",
    "tumblr": "https://name.tumblr.com/",
    "medium": "https://medium.com/name",
    "ghost": "https://blog.example/",
    "micro.blog": "https://name.micro.blog/",
    "writefreely": "https://write.as/name/",
    "hashnode": "https://name.hashnode.dev/",
    "livejournal": "https://name.livejournal.com/",
    "squarespace": "https://name.squarespace.com/blog",
}


def wordpress(n: int) -> Any:
    post = {"link": f"https://blog.example/{n}/", "date_gmt": "2024-01-02T03:04:05", "title": {"rendered": "A"}}
    return [post, *({**post, "link": f"https://blog.example/{n}-{i}/"} for i in range(99))]


def wordpress_com(n: int) -> Any:
    post = {"URL": f"https://a.example/{n}/", "title": "A", "date": "2024-01-02T03:04:05+00:00", "discussion": {}}
    return {"found": 10**9, "posts": [post], "meta": {"next_page": f"value={n}"}}


def blogger(n: int) -> Any:
    links = [{"rel": "replies", "href": "x"}, {"rel": "alternate", "href": f"http://a.example/{n}.html"}]
    entry = {"title": {"$t": "A"}, "link": links, "published": {"$t": "2024-01-02T03:04:05.000-08:00"}}
    return {"feed": {"openSearch$totalResults": {"$t": "999999999"}, "entry": [entry]}}


def substack(n: int) -> Any:
    return [{"canonical_url": f"https://a.example/p/{n}", "slug": f"s{n}", "title": "A", "post_date": "2024-01-02"}]


def tumblr(n: int) -> Any:
    post = {"url": f"https://a.example/post/{n}", "unix-timestamp": 1700000000, "regular-title": "A", "date-gmt": ""}
    return {"posts-total": 10**9, "posts": [post]}


def microblog(n: int) -> Any:
    item = {"id": f"https://a.example/{n}", "url": f"https://a.example/{n}", "date_published": "2024-01-02T03:04:05Z"}
    return {"version": "https://jsonfeed.org/version/1", "items": [item], "next_url": f"https://a.example/p{n}.json"}


def writefreely(n: int) -> Any:
    post = {"slug": f"s{n}", "title": "A", "created": "2024-01-02T03:04:05Z", "updated": "2024-01-02T03:04:05Z"}
    return {"code": 200, "data": {"url": "https://write.as/name/", "total_posts": 10**9, "posts": [post]}}


def squarespace(n: int) -> Any:
    item = {"fullUrl": f"/blog/{n}", "title": "A", "publishOn": 1700000000000, "commentCount": 1}
    page = {"nextPage": True, "nextPageOffset": 1700000000000 + n}
    return {"collection": {"typeName": "blog", "itemCount": 10**9}, "items": [item], "pagination": page}


JSON_PAGES: dict[str, Callable[[int], Any]] = {
    "wordpress.com": wordpress_com,
    "wordpress": wordpress,
    "blogger": blogger,
    "substack": substack,
    "tumblr": tumblr,
    "micro.blog": microblog,
    "writefreely": writefreely,
    "squarespace": squarespace,
}
OTHER_PAGES: dict[str, Callable[[int], Any]] = {
    "ghost": lambda n: sitemap_index(f"https://blog.example/sitemap-posts-{n}.xml"),
    "hashnode": lambda n: sitemap_index(f"https://name.hashnode.dev/{n}.xml"),
    "livejournal": lambda n: f"<a href='/{n}.html'>A</a><a href='/{1900 + n % 200}/{n % 12 + 1:02}/'>m</a>".encode(),
    "medium": lambda n: (
        f"<a href='/name/archive/{1000 + n}'>a</a><a href='/name/archive/{2000 + n}/01'>b</a>"
        f"<a href='/name/a-post-{n:012x}'>A</a>"
    ).encode(),
}
# Wrong types, impossible or overflowing dates, invalid hosts and ports.
BAD_VALUES: list[Any] = [
    None, True, -1, 10**30, 1.5, "", "\x00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "0000-00-00T00:00:00",
    "http://[::1/", "http://a.example:99999/", "http://a.example:port/", "https://", "//", "javascript:x", "²",
    [], {}, [[]], [None, 1, "x"], {"$t": {}}, "<" * 3000,
]  # fmt: skip


def positions(value: Any) -> Iterator[tuple[Any, ...]]:
    """The paths to all values in a sample, for long arrays only to the first items."""
    yield ()
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, each in inner:
        yield from ((key, *path) for path in positions(each))


def with_value(sample: Any, path: tuple[Any, ...], bad: Any) -> Any:
    if not path:
        return bad
    changed = deepcopy(sample)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = bad
    return changed


def test_every_platform_has_its_own_name_and_a_sample() -> None:
    assert len(BY_NAME) == len(PLATFORMS)
    assert set(HOMES) == set(BY_NAME) == set(JSON_PAGES) | set(OTHER_PAGES)


@pytest.mark.parametrize("name", JSON_PAGES)
def test_a_bad_value_in_any_place_costs_at_most_what_it_stands_for(name: str) -> None:
    good = JSON_PAGES[name](1)
    for path in positions(good):
        for bad in BAD_VALUES:
            pages = iter([with_value(good, path, bad)])
            result, _ = walk(BY_NAME[name], HOMES[name], lambda _, pages=pages: next(pages, None))  # type: ignore[misc]
            assert all(post.published is None or post.published.year > 1 for post in result.posts)
            assert all(post.url.startswith(("http://", "https://")) for post in result.posts)


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize(
    "body",
    [b"", b"\xff\xfe\x00", b"<html><body>Not found</body></html>", b"[", b"{}", b"[]", b"null", b'"x"', b"[" * 100_000,
     b"<urlset><url><loc>", b"<loc>x</loc><url></url>", b"<?xml", b"var tumblr_api_read = {"],
)  # fmt: skip
def test_anything_else_than_a_list_is_no_posts(name: str, body: bytes) -> None:
    result, asked = walk(BY_NAME[name], HOMES[name], lambda _: body)
    assert result.posts == ()
    assert 1 <= len(asked) <= 4


@pytest.mark.parametrize("name", JSON_PAGES)
def test_truncated_json_is_no_posts_and_is_named(name: str) -> None:
    whole = msgspec.json.encode(JSON_PAGES[name](1))
    result, asked = walk(BY_NAME[name], HOMES[name], lambda _: whole[: len(whole) // 2])
    assert result.posts == ()
    assert set(result.failed_pages) <= set(asked)
    assert result.failed_pages


@pytest.mark.parametrize("name", BY_NAME)
def test_a_closed_list_is_no_posts(name: str) -> None:
    result, asked = walk(BY_NAME[name], HOMES[name], {})
    assert result == Listing(failed_pages=result.failed_pages)
    assert result.failed_pages
    assert len(asked) <= 3


@pytest.mark.parametrize("name", BY_NAME)
def test_a_list_without_end_is_left_after_a_bounded_number_of_pages(name: str) -> None:
    numbers = count(1)
    result, asked = walk(BY_NAME[name], HOMES[name], lambda _: (JSON_PAGES | OTHER_PAGES)[name](next(numbers)))
    assert len(asked) == len(set(asked)) or name == "ghost"  # requests the index after the posts
    assert len(asked) <= MAX_PAGES + 1
    assert result.posts or name in ("ghost", "hashnode")


@pytest.mark.parametrize("name", BY_NAME)
def test_a_server_that_repeats_its_page_is_asked_a_few_times(name: str) -> None:
    page = (JSON_PAGES | OTHER_PAGES)[name](1)
    _, asked = walk(BY_NAME[name], HOMES[name], lambda _: page)
    assert len(asked) <= 4


def test_a_page_of_no_platform_has_none() -> None:
    page = "<html><head><meta name=generator content='Hugo 0.120'></head><body><a href='/a/'>A</a></body></html>"
    for url in ("https://blog.example/", "", "http://[::1/", "https://blog.example:99999/"):
        assert platforms_of(parse(page, url)) == []


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("url", ["", "http://[::1/", "https://blog.example:99999/"])
def test_a_home_page_with_an_impossible_url_is_asked_for_nothing_on_it(name: str, url: str) -> None:
    result, asked = walk(BY_NAME[name], url, {})
    assert result.posts == ()
    assert all(each.startswith("https://public-api.wordpress.com/") for each in asked)
