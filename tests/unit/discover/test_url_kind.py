"""Kinds of URLs, by which the results of visits apply to similar URLs."""

from __future__ import annotations

import pytest

from posterity.crawl.url_queue import url_kind
from posterity.urls import post_pattern

HOME = "http://blog.example"
PATTERN = post_pattern([f"{HOME}/2021/03/on-tides/", f"{HOME}/2020/11/bread/"])


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("/2019/05/salt/", "post"),
        ("/2009/salt.html", "near"),
        ("/tags/salt/", "list"),
        ("/page/2/", "list"),
        ("/2019/05/", "list"),
        ("/archiv.html", "list"),
        ("/about/", "page"),
        ("/wiki/Salt", "page"),
    ],
)
def test_role_of_an_address(path: str, role: str) -> None:
    assert url_kind(HOME + path, PATTERN).role == role


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/page/2/", "/page/17/"),
        ("/tags/salt/", "/tags/bread/"),
        ("/tag/salt/page/2/", "/tag/bread/page/3/"),
        ("/2019/05/", "/2020/11/"),
        ("/wiki/Salt", "/wiki/Bread"),
        ("/about/", "/contact/"),
        ("/forum/viewtopic.php?t=1", "/forum/viewtopic.php?t=2"),
    ],
)
def test_addresses_of_one_kind_are_equal(one: str, other: str) -> None:
    assert url_kind(HOME + one, PATTERN) == url_kind(HOME + other, PATTERN)


@pytest.mark.parametrize(
    ("one", "other"), [("/tags/salt/", "/wiki/Salt"), ("/tags/", "/tags/salt/"), ("/a.php?t=1", "/a.php?u=1")]
)
def test_addresses_of_different_kinds_differ(one: str, other: str) -> None:
    assert url_kind(HOME + one, PATTERN) != url_kind(HOME + other, PATTERN)


def test_likeness_is_that_of_the_marks_and_none_between_posts_and_others() -> None:
    month, day = (url_kind(f"{HOME}{path}", PATTERN) for path in ("/2019/05/", "/2019/05/01/"))
    post = url_kind(f"{HOME}/2019/05/salt/", PATTERN)
    assert month.likeness(month) == 1.0
    assert 0.0 < month.likeness(day) < 1.0
    assert post.likeness(month) == 0.0
