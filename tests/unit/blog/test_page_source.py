"""Stored pages are found as on the web: the latest good page of a URL, or the target of its redirect."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.blog.page_source import PARSED_BYTES, StoredPages, StoredResponse, run_at_once
from posterity.errors import ArchiveError, Unreachable
from posterity.urls.kinds import site_host

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage, StorePages

    from posterity.model import Page

URL = "https://salt.example/tides/"


def body_at(pages: StoredPages, url: str) -> bytes | None:
    found = pages.find(url)
    return found.body if found else None


def test_latest_good_answer_counts(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(URL, "new", days=2), page(URL, "old"), page(URL, "gone", days=3, status=404)])
    assert body_at(pages, URL) == b"new"
    assert [response.url for response in pages.responses()] == [URL]


def test_failure_is_known_by_its_status_or_by_redirects_to_nothing(page: MakePage, stored: StorePages) -> None:
    loop = {f"{URL}{name}/": f"/tides/{other}/" for name, other in ("ab", "ba", "cc", "dx", "ey")}
    good = [page(f"{URL}y/", "tides"), page(f"{URL}z/", "tides"), page(f"{URL}z/", days=2, status=500)]
    pages = stored([*good, page(f"{URL}x/", status=404)], loop)
    failures = {name: pages.failure(f"{URL}{name}/") for name in "abcdexyzq"}
    assert failures == {"a": 0, "b": 0, "c": 0, "d": 404, "x": 404, "e": None, "y": None, "z": None, "q": None}


@pytest.mark.parametrize("asked", ["http://www.salt.example/tides", URL + "?utm_source=x", URL + "index.html#top"])
def test_spelling_of_an_address_does_not_matter(page: MakePage, stored: StorePages, asked: str) -> None:
    assert body_at(stored([page(URL, "tides")]), asked) == b"tides"


def test_ending_that_a_mirror_adds_does_not_matter(page: MakePage, stored: StorePages) -> None:
    pages = stored([page("https://salt.example/a.html", "a"), page("https://salt.example/b", "b")])
    assert (body_at(pages, "https://salt.example/a"), body_at(pages, "https://salt.example/b.html")) == (
        b"a",
        b"b",
    )


def test_stored_redirect_is_followed(page: MakePage, stored: StorePages) -> None:
    old = "https://salt.example/?p=3"
    pages = stored([page(old, "before the move"), page(URL, "tides")], {old: "/tides/"})
    assert body_at(pages, old) == b"tides"
    assert [response.url for response in pages.responses()] == [URL]


def test_redirects_in_a_circle_lead_nowhere(page: MakePage, stored: StorePages) -> None:
    pages = stored([], {"https://salt.example/a": "/b", "https://salt.example/b": "/a"})
    assert pages.find("https://salt.example/a") is None


def test_redirect_to_https_is_no_move(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(URL, "tides")], {URL.replace("https", "http"): URL})
    assert body_at(pages, URL) == b"tides"


def test_earlier_states_of_a_feed_are_there(page: MakePage, stored: StorePages) -> None:
    feed = "https://salt.example/feed.xml"
    pages = stored([page(feed, str(day), kind="application/xml", days=day) for day in (2, 1, 3)])
    found = [pages.read(response) for response in pages.versions(feed)]
    assert [one.body for one in found if one] == [b"3", b"2", b"1"]


def test_sitemaps_that_robots_txt_names_by_their_paths_are_on_its_host(page: MakePage, stored: StorePages) -> None:
    robots = page(
        "https://salt.example/robots.txt", "Sitemap: /map.xml\nSitemap: https://b.example/m.xml", kind="text/plain"
    )
    assert stored([robots]).sitemaps(URL) == ["https://salt.example/map.xml", "https://b.example/m.xml"]


def test_page_that_cannot_be_read_is_named() -> None:
    def read(response: StoredResponse) -> Page:
        raise ArchiveError(f"no whole record for {response.url}")

    there = datetime(2024, 1, 1, tzinfo=UTC)
    pages = StoredPages(
        [StoredResponse(url=URL, status=200, content_type="text/html", fetched_at=there, where=("x", 0, 0))], read
    )
    assert pages.find(URL) is None
    assert pages.damaged == {URL: f"no whole record for {URL}"}


def test_www_is_the_same_host() -> None:
    assert site_host("http://WWW.salt.example:8080/a") == "salt.example:8080"


def test_page_that_is_not_stored_is_unreachable_and_costs_only_itself(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(URL, "tides"), page(f"{URL}a.png", kind="image/png")])
    with pytest.raises(Unreachable):
        run_at_once(pages.page(f"{URL}lost/"))
    found = run_at_once(pages.pages([URL, f"{URL}lost/", f"{URL}a.png"]))
    assert [one.body if one else None for one in found] == [b"tides", None, None]


def test_page_is_parsed_once(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(URL, "<p>tides")])
    first, again = pages.find(URL), pages.find(URL)
    assert first is not None
    assert again is not None
    assert pages.document(first) is pages.document(again)


def test_two_responses_of_one_url_are_two_documents(page: MakePage, stored: StorePages) -> None:
    pages = stored([])
    texts = [pages.document(page(URL, f"<p>{text}")) for text in ("ebb", "flood", "ebb")]
    assert [document.tree.plain(0).strip() for document in texts if document is not None] == ["ebb", "flood", "ebb"]
    assert texts[0] is texts[2]


def test_documents_of_large_pages_are_not_kept_together(page: MakePage, stored: StorePages) -> None:
    large = [page(f"{URL}{number}/", f"<p>{'tide ' * (PARSED_BYTES // 10)}") for number in range(3)]
    pages = stored([])
    first = pages.document(large[0])
    assert pages.document(large[0]) is first
    assert pages.document(large[2]) is not pages.document(large[1])
    assert pages.document(large[0]) is not first


def test_page_that_cannot_be_parsed_is_noted_once(page: MakePage, stored: StorePages) -> None:
    broken = page(URL, "<div>" * 20_001)
    pages = stored([broken])
    assert (pages.document(broken), pages.document(broken)) == (None, None)
    assert [(rejected.url, rejected.reason) for rejected in pages.unreadable] == [(URL, "unreadable")]


def test_latest_states_of_a_feed_come_before_earlier_ones(page: MakePage, stored: StorePages) -> None:
    feed = "https://salt.example/feed.xml"
    pages = stored([page(feed, str(day), kind="application/xml", days=day) for day in (2, 1, 3)])
    assert [one.body for one in pages.earlier_states(feed)] == [b"2", b"1"]


def test_coroutine_over_stored_pages_ends_at_once() -> None:
    async def nothing_to_wait_for() -> int:
        return 5

    async def fails() -> None:
        raise Unreachable("gone", status=404)

    assert run_at_once(nothing_to_wait_for()) == 5
    with pytest.raises(Unreachable):
        run_at_once(fails())


def test_coroutine_that_waits_is_an_error() -> None:
    async def waits() -> None:
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="without waiting"):
        run_at_once(waits())
