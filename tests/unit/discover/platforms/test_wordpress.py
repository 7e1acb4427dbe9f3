"""Lists of posts from the REST APIs of WordPress and WordPress.com."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.unit.discover.platforms.walk import urls, walk

from posterity.discover.platforms import ListedPost, platforms_of, wordpress, wordpress_com
from posterity.dom import parse

HOME = "https://blog.example/"
API = "<link rel='https://api.w.org/' href='/wp-json/'>"
OEMBED = "<link rel=alternate type='application/json+oembed' href='https://public-api.wordpress.com/oembed/?x'>"
FIELDS = "_fields=link%2Cdate_gmt%2Cmodified_gmt%2Ctitle"
EMBEDDING = f"{FIELDS}%2C_links.author%2C_links.wp%3Aterm&_embed=author%2Cwp%3Aterm"


def page_url(page: int, root: str = f"{HOME}wp-json/wp/v2/posts?", fields: str = EMBEDDING) -> str:
    return f"{root}per_page=100&page={page}&{fields}"


def posts(numbers: range) -> list[Any]:
    return [{"link": f"{HOME}{number}/", "title": {"rendered": "A"}} for number in numbers]


@pytest.mark.parametrize(
    ("url", "markup", "names"),
    [
        (HOME, API, ["wordpress"]),
        (HOME, "<meta name='Generator' content='WordPress 6.4'>", ["wordpress"]),
        (HOME, "<link rel=stylesheet href='/wp-content/themes/x/style.css'>", ["wordpress"]),
        ("https://name.wordpress.com/", "<script src='/wp-content/x.js'></script>", ["wordpress.com"]),
        (HOME, OEMBED + "<meta name=generator content='WordPress.com'>", ["wordpress.com"]),
        (HOME, OEMBED + API, ["wordpress.com", "wordpress"]),
        (HOME, "<link rel=dns-prefetch href='//public-api.wordpress.com'>", []),
        ("https://wordpress.com/", "", []),
    ],
)
def test_a_blog_is_recognised_by_what_its_page_declares(url: str, markup: str, names: list[str]) -> None:
    assert [platform.name for platform in platforms_of(parse(markup, url))] == names


def test_a_post_is_read_with_its_dates_and_a_plain_title() -> None:
    item = {
        "link": f"{HOME}a/",
        "date_gmt": "2024-02-03T04:05:06",
        "modified_gmt": "2024-03-04T05:06:07",
        "title": {"rendered": "Cats &amp; <em>dogs</em>"},
    }
    result, asked = walk(wordpress, HOME, {page_url(1): [item]}, API)
    assert asked == [page_url(1)]
    assert result.posts == (
        ListedPost(
            url=f"{HOME}a/",
            title="Cats & dogs",
            published=datetime(2024, 2, 3, 4, 5, 6, tzinfo=UTC),
            updated=datetime(2024, 3, 4, 5, 6, 7, tzinfo=UTC),
        ),
    )


def test_a_post_is_read_with_its_authors_and_terms() -> None:
    terms = [[{"name": "Salt &amp; sea"}], [{"name": "Tides"}, {"code": "rest_forbidden"}], "x"]
    item = {"link": f"{HOME}a/", "_embedded": {"author": [{"name": "Ada"}], "wp:term": terms}}
    refused = {"link": f"{HOME}b/", "_embedded": {"author": [{"code": "rest_user_invalid_id"}], "wp:term": None}}
    result, _ = walk(wordpress, HOME, {page_url(1): [item, refused]}, API)
    assert [(post.authors, post.tags) for post in result.posts] == [(("Ada",), ("Salt & sea", "Tides")), ((), ())]


def test_where_authors_and_terms_are_refused_posts_are_listed_without() -> None:
    plain = page_url(1, fields=FIELDS)
    result, asked = walk(wordpress, HOME, {plain: posts(range(3))}, API)
    assert len(result.posts) == 3
    assert asked == [page_url(1), plain]


def test_pages_are_walked_to_the_short_one() -> None:
    pages = {page_url(1): posts(range(100)), page_url(2): posts(range(100, 130))}
    result, asked = walk(wordpress, HOME, pages, API)
    assert len(result.posts) == 130
    assert asked == [page_url(1), page_url(2)]


def test_a_host_that_lowers_the_page_size_is_walked_to_its_end() -> None:
    pages = {page_url(number + 1): posts(range(20 * number, 20 * number + 20)) for number in range(3)}
    result, asked = walk(wordpress, HOME, pages, API)
    assert len(result.posts) == 60
    assert len(asked) == 4
    assert result.failed_pages == ()


def test_a_page_that_fails_in_the_middle_is_named_and_the_rest_goes_on() -> None:
    pages = {page_url(1): posts(range(100)), page_url(3): posts(range(200, 230))}
    result, _ = walk(wordpress, HOME, pages, API)
    assert len(result.posts) == 130
    assert result.failed_pages == (page_url(2),)


def test_the_documented_error_beyond_the_last_page_is_no_failure() -> None:
    pages = {page_url(1): posts(range(100)), page_url(2): {"code": "rest_post_invalid_page_number", "data": {}}}
    result, asked = walk(wordpress, HOME, pages, API)
    assert len(asked) == 2
    assert result.failed_pages == ()


def test_without_pretty_permalinks_the_route_is_in_the_query() -> None:
    first = page_url(1, f"{HOME}index.php?rest_route=/wp/v2/posts&")
    result, _ = walk(
        wordpress, HOME, {first: posts(range(3))}, "<link rel='https://api.w.org/' href='/index.php?rest_route=/'>"
    )
    assert len(result.posts) == 3


def test_an_interface_that_is_not_declared_is_tried_at_both_of_its_places() -> None:
    second = page_url(1, "https://blog.example/sub/?rest_route=/wp/v2/posts&")
    result, asked = walk(wordpress, "https://blog.example/sub/", {second: posts(range(3))})
    assert asked == [page_url(1, "https://blog.example/sub/wp-json/wp/v2/posts?"), second]
    assert len(result.posts) == 3


COM = "https://public-api.wordpress.com/rest/v1.1/sites/name.wordpress.com/posts/?number=100&"
COM_FIELDS = "fields=URL%2Ctitle%2Cdate%2Cmodified%2Cdiscussion%2Cauthor%2Ccategories%2Ctags"


def test_wordpress_com_is_walked_by_handle_to_its_total() -> None:
    one = {
        "URL": "https://name.wordpress.com/2024/02/03/a/",
        "title": "A",
        "date": "2024-02-03T04:05:06+02:00",
        "modified": "2024-02-03T04:05:06+02:00",
        "discussion": {"comment_count": 7},
        "author": {"ID": 3, "name": "Ann Tern", "email": False},
        "categories": {"Sea &amp; shore": {"name": "Sea &amp; shore"}},
        "tags": {"tides": {"ID": 9, "name": "tides"}},
    }
    two = {"URL": "https://name.wordpress.com/b/", "title": "B"}
    pages = {
        f"{COM}{COM_FIELDS}": {"found": 2, "posts": [one], "meta": {"next_page": "value=2024&id=5"}},
        f"{COM}{COM_FIELDS}&page_handle=value%3D2024%26id%3D5": {"found": 2, "posts": [two]},
    }
    result, asked = walk(wordpress_com, "https://name.wordpress.com/", pages)
    assert len(asked) == 2
    assert result.total == 2
    assert urls(result) == [one["URL"], two["URL"]]
    assert result.posts[0].comment_count == 7
    assert (result.posts[0].authors, result.posts[0].tags) == (("Ann Tern",), ("Sea & shore", "tides"))
    assert (result.posts[1].authors, result.posts[1].tags) == ((), ())
    assert result.posts[0].published == datetime(2024, 2, 3, 2, 5, 6, tzinfo=UTC)


def test_an_empty_blog_on_wordpress_com_is_no_failure() -> None:
    result, _ = walk(wordpress_com, "https://name.wordpress.com/", {f"{COM}{COM_FIELDS}": {"found": 0, "posts": []}})
    assert (result.posts, result.total, result.failed_pages) == ((), 0, ())


def test_wordpress_com_without_a_handle_is_walked_by_offset() -> None:
    page = {"found": 3, "posts": [{"URL": "https://a.example/1"}, {"URL": 5}]}
    last = {"found": 3, "posts": [{"URL": "https://a.example/3"}]}
    pages = {f"{COM}{COM_FIELDS}": page, f"{COM}{COM_FIELDS}&offset=2": last}
    result, _ = walk(wordpress_com, "https://name.wordpress.com/", pages)
    assert urls(result) == ["https://a.example/1", "https://a.example/3"]
