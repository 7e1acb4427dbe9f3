"""The links of a page, for a crawler."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    "markup",
    [
        "<option value='/2021/05/'>May</option>",
        "<option value='http://blog.example/2021/05/'>May</option>",
        "<div data-href='05/'></div><div data-href='./05/'>May</div>",
        """<div onclick="window.location.href = '/2021/05/'">May</div>""",
        """<div onclick='document.location="/2021/05/"; return false'>May</div>""",
        "<div onclick=\"window.open('/2021/05/', '_self')\">May</div>",
    ],
)
def test_places_that_a_choice_or_a_click_leads_to_count(markup: str) -> None:
    assert page_links(parse(markup, URL)) == ["http://blog.example/2021/05/"]


@pytest.mark.parametrize(
    "markup",
    [
        "<option value='de'>German</option><option value='12'>May</option><option value=''>Choose</option>",
        "<button onclick=\"share('/2021/05/')\">Share</button><a onclick='toggle(this)'>x</a>",
        "<iframe src='/embed/'></iframe>",
    ],
)
def test_other_values_and_scripts_do_not_count(markup: str) -> None:
    assert page_links(parse(markup, URL)) == []
