"""A shelf answers as the web would have: the latest good page of an address, or where it leads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.blog.page_source import PageSource, StoredResponse, host_of
from posterity.errors import ArchiveError

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage, MakeShelf

    from posterity.model import Page

URL = "https://salt.example/tides/"


def body_at(page_source: PageSource, url: str) -> bytes | None:
    found = page_source.page(url)
    return found.body if found else None


def test_latest_good_answer_counts(page: MakePage, shelf_of: MakeShelf) -> None:
    page_source = shelf_of([page(URL, "new", days=2), page(URL, "old"), page(URL, "gone", days=3, status=404)])
    assert body_at(page_source, URL) == b"new"
    assert [response.url for response in page_source.responses()] == [URL]


@pytest.mark.parametrize("asked", ["http://www.salt.example/tides", URL + "?utm_source=x", URL + "index.html#top"])
def test_spelling_of_an_address_does_not_matter(page: MakePage, shelf_of: MakeShelf, asked: str) -> None:
    assert body_at(shelf_of([page(URL, "tides")]), asked) == b"tides"


def test_ending_that_a_mirror_adds_does_not_matter(page: MakePage, shelf_of: MakeShelf) -> None:
    page_source = shelf_of([page("https://salt.example/a.html", "a"), page("https://salt.example/b", "b")])
    assert (body_at(page_source, "https://salt.example/a"), body_at(page_source, "https://salt.example/b.html")) == (
        b"a",
        b"b",
    )


def test_stored_redirect_is_followed(page: MakePage, shelf_of: MakeShelf) -> None:
    old = "https://salt.example/?p=3"
    page_source = shelf_of([page(old, "before the move"), page(URL, "tides")], {old: "/tides/"})
    assert body_at(page_source, old) == b"tides"
    assert [response.url for response in page_source.responses()] == [URL]


def test_redirects_in_a_circle_lead_nowhere(page: MakePage, shelf_of: MakeShelf) -> None:
    page_source = shelf_of([], {"https://salt.example/a": "/b", "https://salt.example/b": "/a"})
    assert page_source.page("https://salt.example/a") is None


def test_redirect_to_https_is_no_move(page: MakePage, shelf_of: MakeShelf) -> None:
    page_source = shelf_of([page(URL, "tides")], {URL.replace("https", "http"): URL})
    assert body_at(page_source, URL) == b"tides"


def test_earlier_states_of_a_feed_are_there(page: MakePage, shelf_of: MakeShelf) -> None:
    feed = "https://salt.example/feed.xml"
    page_source = shelf_of([page(feed, str(day), kind="application/xml", days=day) for day in (2, 1, 3)])
    found = [page_source.read(response) for response in page_source.versions(feed)]
    assert [one.body for one in found if one] == [b"3", b"2", b"1"]


def test_page_that_cannot_be_read_is_named() -> None:
    def read(response: StoredResponse) -> Page:
        raise ArchiveError(f"no whole record for {response.url}")

    there = datetime(2024, 1, 1, tzinfo=UTC)
    page_source = PageSource(
        [StoredResponse(url=URL, status=200, content_type="text/html", fetched_at=there, where=("x", 0, 0))], read
    )
    assert page_source.page(URL) is None
    assert page_source.damaged == {URL: f"no whole record for {URL}"}


def test_www_is_the_same_host() -> None:
    assert host_of("http://WWW.salt.example:8080/a") == "salt.example:8080"
