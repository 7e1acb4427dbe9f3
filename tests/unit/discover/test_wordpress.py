"""WordPress's REST API as a source of comments."""

from __future__ import annotations

import pytest

from posterity.discover.comments import comments_url, read_comments
from posterity.dom import parse

POST = "http://blog.example/tides/"


def page(root: str) -> str:
    head = f"<head><link rel='https://api.w.org/' href='{root}'></head>"
    return f"<html>{head}<body class='single postid-7'></body></html>"


@pytest.mark.parametrize(
    ("root", "start"),
    [
        ("/wp-json/", "http://blog.example/wp-json/wp/v2/comments?post=7&per_page=100&page=2"),
        (
            "/index.php?rest_route=/",
            "http://blog.example/index.php?rest_route=/wp/v2/comments&post=7&per_page=100&page=2",
        ),
    ],
)
def test_comments_are_listed_where_the_page_says(root: str, start: str) -> None:
    url = comments_url(parse(page(root), POST), 2)
    assert url is not None
    assert url.startswith(start)


def test_blog_without_the_interface_has_no_list() -> None:
    assert comments_url(parse("<html><body class='postid-7'></body></html>", POST)) is None


def test_comments_are_read_and_anything_else_is_none() -> None:
    assert [comment.id for comment in read_comments(b'[{"id":3,"parent":0}]')] == [3]
    for body in (b"", b"<html>", b'{"code":"rest_forbidden"}', b"[1]"):
        assert read_comments(body) == []
