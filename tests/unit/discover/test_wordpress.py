"""WordPress's REST interface as a source of addresses."""

from __future__ import annotations

import pytest

from posterity.discover.comments import posts_url, read_posts
from posterity.dom import parse

HOME = "http://blog.example/"


def home(root: str) -> str:
    return f"<html><head><link rel='https://api.w.org/' href='{root}'></head><body></body></html>"


@pytest.mark.parametrize(
    ("root", "start"),
    [
        ("/wp-json/", "http://blog.example/wp-json/wp/v2/posts?per_page=100&page=2"),
        ("/index.php?rest_route=/", "http://blog.example/index.php?rest_route=/wp/v2/posts&per_page=100&page=2"),
    ],
)
def test_posts_are_listed_where_the_home_page_says(root: str, start: str) -> None:
    url = posts_url(parse(home(root), HOME), 2)
    assert url is not None
    assert url.startswith(start)


def test_blog_without_the_interface_has_no_list() -> None:
    assert posts_url(parse("<html><body></body></html>", HOME)) is None


def test_links_of_posts_are_read_and_anything_else_is_none() -> None:
    assert [post.link for post in read_posts(b'[{"link":"http://blog.example/a/","id":3}]')] == [
        "http://blog.example/a/"
    ]
    for body in (b"", b"<html>", b'{"code":"rest_forbidden"}', b"[1]"):
        assert read_posts(body) == []
