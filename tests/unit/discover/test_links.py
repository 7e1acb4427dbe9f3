"""The links of a page, for a crawler."""

from __future__ import annotations

from posterity.discover.links import page_links
from posterity.dom import parse

URL = "http://blog.example/2021/"


def test_links_are_canonical_and_come_once_in_order() -> None:
    page = b"<a href='../b/?utm_source=x#top'>1</a><a href=/A>2</a>"
    page += b"<a href='http://BLOG.example/b/'>3</a><a href='mailto:x@y.example'>4</a>"
    assert page_links(parse(page, URL)) == ["http://blog.example/b/", "http://blog.example/A"]


def test_next_and_previous_pages_and_image_maps_count() -> None:
    page = b"<link rel=next href=/page/3/><link rel=prev href=/page/1/>"
    page += b"<link rel=stylesheet href=x.css><map><area href=/map/></map>"
    assert page_links(parse(page, URL)) == [
        "http://blog.example/page/3/",
        "http://blog.example/page/1/",
        "http://blog.example/map/",
    ]


def test_base_of_the_page_counts() -> None:
    assert page_links(parse("<base href='http://other.example/x/'><a href=y>1</a>", URL)) == [
        "http://other.example/x/y"
    ]
