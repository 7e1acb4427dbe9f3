"""URLs of single-page applications, which differ only in the route after the #."""

from __future__ import annotations

import pytest

from posterity.discover.links import page_links
from posterity.discover.without_feed import likely_posts
from posterity.dom import parse
from posterity.dom.document import declared_url
from posterity.urls import canonical_url, place_key, post_pattern

POSTS = [f"https://blog.example/#!/post/{number}" for number in range(1, 5)]


@pytest.mark.parametrize(
    "url", ["https://blog.example/#!/post/12", "https://blog.example/#/about", "https://b.example/#!p=1"]
)
def test_route_is_a_part_of_the_address(url: str) -> None:
    assert canonical_url(url) == url


@pytest.mark.parametrize(
    "url", ["https://blog.example/a#comments", "https://blog.example/a#c-7", "https://blog.example/a#"]
)
def test_place_on_a_page_is_none(url: str) -> None:
    assert canonical_url(url) == "https://blog.example/a"


@pytest.mark.parametrize("url", ["https://blog.example/a/#/portal/signup", "https://blog.example/a/#/search"])
def test_dialog_that_a_script_opens_on_any_page_is_none(url: str) -> None:
    assert canonical_url(url) == "https://blog.example/a/"


def test_pages_with_different_routes_are_different_places() -> None:
    assert len(set(map(place_key, POSTS))) == 4


def test_links_to_routes_are_followed_and_links_on_the_page_are_not() -> None:
    page = parse('<a href="#!/post/1">One</a><a href="#top">Top</a>', "https://blog.example/")
    assert page_links(page) == ["https://blog.example/#!/post/1"]


def test_posts_are_known_by_their_routes() -> None:
    assert likely_posts([*POSTS, "https://blog.example/#!/about"])[0] == POSTS
    pattern = post_pattern(POSTS)
    assert pattern.fits("https://blog.example/#!/post/77")
    assert not pattern.fits("https://blog.example/#!/about")
    assert not pattern.fits("https://blog.example/")


def test_address_that_all_routes_declare_is_no_posts_own() -> None:
    head = '<link rel="canonical" href="https://blog.example/">'
    assert declared_url(parse(head, "https://blog.example/#!/post/1")) is None
    assert declared_url(parse(head, "https://blog.example/?utm_source=x")) == "https://blog.example/"
