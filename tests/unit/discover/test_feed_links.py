"""Links to a page's feeds."""

from __future__ import annotations

import pytest

from posterity.discover.feed import declared_feeds, usual_feeds
from posterity.dom import parse

HOME = "http://blog.example/anna/"


def declared(markup: str) -> list[str]:
    return declared_feeds(parse(markup, HOME))


@pytest.mark.parametrize(
    "kind",
    [
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/rdf+xml",
        "text/xml",
        "Application/RSS+XML; charset=utf-8",
    ],
)
def test_declared_feeds_of_every_type(kind: str) -> None:
    assert declared(f'<link rel="alternate" type="{kind}" href="feed.xml">') == ["http://blog.example/anna/feed.xml"]


@pytest.mark.parametrize(
    "markup",
    [
        '<link rel="alternate" hreflang="de" href="/de/">',
        '<link rel="stylesheet" type="text/css" href="x.css">',
        '<link rel="alternate" type="application/rss+xml">',
        '<a href="/feeding-birds/">birds</a>',
        '<a href="/about">about my feed</a>',
    ],
)
def test_what_is_no_feed_is_not_named(markup: str) -> None:
    assert declared(markup) == []


@pytest.mark.parametrize(
    "href",
    [
        "/feed/",
        "/feed",
        "/rss",
        "/atom.xml",
        "/index.xml",
        "/feeds/posts/default",
        "/blog.rss",
        "/feed.json",
        "/feed/?x=1",
    ],
)
def test_feeds_that_are_only_linked_are_found(href: str) -> None:
    assert declared(f'<a href="{href}">subscribe</a>') == [f"http://blog.example{href}"]


def test_declared_feeds_come_before_linked_ones_and_each_once() -> None:
    markup = (
        '<a href="/rss">r</a><link rel=alternate type="application/atom+xml" href="/atom.xml"><a href="/atom.xml">a</a>'
    )
    assert declared(markup) == ["http://blog.example/atom.xml", "http://blog.example/rss"]


@pytest.mark.parametrize("comments", ['href="/comments/feed/"', 'title="Almanac » Comments Feed" href="/feed/2/"'])
def test_comment_feeds_count_only_where_there_is_no_other(comments: str) -> None:
    link = '<link rel=alternate type="application/rss+xml" {}>'
    markup = link.format(comments) + link.format('href="/feed/"')
    assert declared(markup) == ["http://blog.example/feed/"]
    assert len(declared(link.format(comments))) == 1


def test_usual_places_are_beside_the_page_then_at_the_root() -> None:
    places = usual_feeds("http://blog.example/anna/index.html")
    beside = [place for place in places if place.startswith("http://blog.example/anna/")]
    assert {"http://blog.example/anna/feed/", "http://blog.example/anna/atom.xml"} <= set(beside)
    assert "http://blog.example/feed/" in places[len(beside) :]
    assert places[: len(beside)] == beside


def test_usual_places_of_a_blog_at_the_root_come_once() -> None:
    places = usual_feeds("http://blog.example/")
    assert len(places) == len(set(places))
    assert all(place.startswith("http://blog.example/") for place in places)


def test_any_xml_file_that_is_linked_may_be_a_feed_but_sitemaps_are_none() -> None:
    markup = '<a href="posts.xml"><i class="bi bi-rss"></i></a><a href="/sitemap-posts.xml">map</a>'
    assert declared(markup) == ["http://blog.example/anna/posts.xml"]
