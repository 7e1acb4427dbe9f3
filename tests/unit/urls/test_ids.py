"""Ids depend only on the URL, and are unchanged by moves within the same place."""

from __future__ import annotations

import pytest

from posterity.urls import blog_id, post_id

SPELLINGS = [
    "http://blog.example/a/",
    "https://blog.example/a/",
    "http://www.blog.example/a/",
    "https://www.blog.example/a/",
]


@pytest.mark.parametrize("url", SPELLINGS)
def test_scheme_and_www_do_not_change_an_id(url: str) -> None:
    assert post_id(url) == post_id(SPELLINGS[0])
    assert blog_id(url) == blog_id(SPELLINGS[0])


def test_ids_are_the_same_in_every_year() -> None:
    # Takedown lists and citations contain ids; a change here breaks them.
    assert post_id("https://blog.example/2021/03/12/tides/") == "p47b2e7d0808ce7d8"
    assert blog_id("https://blog.example/") == "bf7ec28303db49395"


@pytest.mark.parametrize("other", ["http://blog.example/a", "http://blog.example/b/", "http://other.example/a/"])
def test_other_places_have_other_ids(other: str) -> None:
    assert post_id(other) != post_id(SPELLINGS[0])


def test_blog_and_post_at_one_address_differ() -> None:
    assert blog_id("http://blog.example/") != post_id("http://blog.example/")


def test_address_with_a_lone_surrogate_has_an_id() -> None:
    assert post_id("http://blog.example/\udcff").startswith("p")
