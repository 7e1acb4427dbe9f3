"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from posterity.discover.feed import read_feed
from posterity.errors import BrokenFeed

if TYPE_CHECKING:
    from posterity.model import FeedEntry

URL = "http://blog.example/feed.json"


def body_of(*items: dict[str, Any], **head: Any) -> bytes:
    return json.dumps(
        {"version": "https://jsonfeed.org/version/1.1", "title": "The Salt Almanac", **head, "items": list(items)}
    ).encode()


def only(item: dict[str, Any], **head: Any) -> FeedEntry:
    (entry,) = read_feed(body_of(item, **head), URL).entries
    return entry


def test_json_feed() -> None:
    feed = read_feed(
        body_of(
            {
                "id": "1",
                "url": "/tides/",
                "title": "On tides",
                "content_html": "<p>Long.</p>",
                "summary": "Short.",
                "date_published": "2021-03-12T08:30:00+01:00",
                "date_modified": "2021-03-13T00:00:00Z",
                "tags": ["sea", 3],
                "authors": [{"name": "Maren"}, {"url": "x"}],
                "language": "en",
            },
            home_page_url="/",
            language="en-GB",
            next_url="http://blog.example/feed.json?page=2",
            authors=[{"name": "Ole"}],
        ),
        URL,
    )
    assert (feed.format, feed.title, feed.home, feed.language) == (
        "json",
        "The Salt Almanac",
        "http://blog.example/",
        "en-GB",
    )
    assert (feed.next_url, feed.authors) == ("http://blog.example/feed.json?page=2", ("Ole",))
    (entry,) = feed.entries
    assert (entry.link, entry.guid, entry.title, entry.language) == (
        "http://blog.example/tides/",
        "1",
        "On tides",
        "en",
    )
    assert entry.published == datetime(2021, 3, 12, 7, 30, tzinfo=UTC)
    assert entry.updated == datetime(2021, 3, 13, tzinfo=UTC)
    assert (entry.content, entry.summary, entry.tags, entry.authors) == ("<p>Long.</p>", "Short.", ("sea",), ("Maren",))


def test_author_of_version_1_is_read() -> None:
    assert only({"id": "1", "author": {"name": "Maren"}}).authors == ("Maren",)


def test_plain_content_is_escaped() -> None:
    assert only({"id": "1", "content_text": "a < b"}).content == "<p>a &lt; b</p>"


@pytest.mark.parametrize(
    ("item", "link"),
    [
        ({"id": "1", "url": "http://blog.example/a/"}, "http://blog.example/a/"),
        ({"id": "1", "external_url": "http://other.example/"}, "http://other.example/"),
        ({"id": "http://blog.example/a/"}, "http://blog.example/a/"),
    ],
)
def test_link_is_the_url_else_the_external_one_else_the_id(item: dict[str, Any], link: str) -> None:
    assert only(item).link == link


@pytest.mark.parametrize(
    "item",
    [
        {"id": 7},
        {"id": None, "title": None, "tags": None, "authors": None},
        {"date_published": "soon"},
        {"tags": "sea"},
    ],
)
def test_odd_items_are_entries_all_the_same(item: dict[str, Any]) -> None:
    assert only(item).published is None


def test_moment_without_zone_is_utc() -> None:
    assert only({"date_published": "2021-03-12T08:30:00"}).published == datetime(2021, 3, 12, 8, 30, tzinfo=UTC)


def test_byte_order_mark_is_passed_over() -> None:
    assert len(read_feed(b"\xef\xbb\xbf" + body_of({"id": "1"}), URL).entries) == 1


@pytest.mark.parametrize(
    "body", [b'{"items": [}', b'{"version": "https://jsonfeed.org/version/1", "items": {}}', b'{"items": "\xff"}']
)
def test_broken_json_names_the_address_and_the_problem(body: bytes) -> None:
    with pytest.raises(BrokenFeed, match=r"http://blog\.example/feed\.json") as caught:
        read_feed(body, URL)
    assert caught.value.problem
