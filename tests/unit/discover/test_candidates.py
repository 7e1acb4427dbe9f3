"""Candidate sites, their home pages and their order."""

from __future__ import annotations

import pytest

from posterity.discover.candidates import Mention, blog_home, ranked_candidates


@pytest.mark.parametrize(
    ("url", "home"),
    [
        ("https://rye.example/2021/03/bread/", "https://rye.example/"),
        ("https://rye.example/blog/2021/bread/", "https://rye.example/blog/"),
        ("http://uni.example/~anna/notes.html", "http://uni.example/~anna/"),
        ("https://many.example/@anna/a-post", "https://many.example/@anna/"),
        ("https://many.example/blogs/anna/a-post", "https://many.example/blogs/anna/"),
        ("https://twitter.com/anna", None),
        ("https://en.wikipedia.org/wiki/Rye", None),
        ("mailto:anna@rye.example", None),
        ("http://intranet/page", None),
    ],
)
def test_home_of_a_linked_page(url: str, home: str | None) -> None:
    assert blog_home(url) == home


def test_blogroll_counts_more_than_a_post_and_a_post_more_than_a_comment() -> None:
    found = ranked_candidates(
        [
            Mention("a", "comment", "https://comment.example/"),
            Mention("a", "post", "https://post.example/x"),
            Mention("a", "blogroll", "https://roll.example/"),
        ]
    )
    assert [one.home for one in found] == [f"https://{name}.example/" for name in ("roll", "post", "comment")]


def test_two_blogs_that_link_once_count_more_than_one_that_links_twice() -> None:
    found = ranked_candidates(
        [
            Mention("a", "post", "https://often.example/1"),
            Mention("a", "post", "https://often.example/2"),
            Mention("a", "post", "https://known.example/1"),
            Mention("b", "post", "https://known.example/1"),
        ]
    )
    assert [(one.home, one.sources, one.mentions) for one in found] == [
        ("https://known.example/", 2, {"post": 2}),
        ("https://often.example/", 1, {"post": 2}),
    ]


def test_spellings_of_one_site_are_one_candidate() -> None:
    (found,) = ranked_candidates(
        [
            Mention("a", "post", "http://www.rye.example/1"),
            Mention("a", "post", "https://rye.example/2"),
            Mention("b", "post", "https://rye.example/3"),
        ]
    )
    assert found.home == "https://rye.example/"
    assert found.mentions == {"post": 3}


def test_known_blogs_and_the_sites_they_are_part_of_are_left_out() -> None:
    mentions = [
        Mention("a", "post", f"https://{place}") for place in ("rye.example/x", "firm.example/", "new.example/")
    ]
    found = ranked_candidates(mentions, ["http://rye.example/", "https://firm.example/blog/"])
    assert [one.home for one in found] == ["https://new.example/"]


def test_hit_of_many_queries_comes_before_the_best_hit_of_one() -> None:
    found = ranked_candidates(
        [
            Mention("q1", "search", "https://once.example/a", 1),
            Mention("q1", "search", "https://once.example/b", 2),
            Mention("q1", "search", "https://twice.example/a", 3),
            Mention("q2", "search", "https://twice.example/b", 3),
        ]
    )
    assert [one.home for one in found] == ["https://twice.example/", "https://once.example/"]
