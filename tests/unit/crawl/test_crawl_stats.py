"""The counts of a harvest add up: every listed URL has exactly one outcome."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import msgspec
import pytest

from posterity.crawl.crawl_stats import CrawlStats
from posterity.model import Media, MissingPost, Page, Post, Provenance, Rejected, SourceCount
from posterity.model.report import OUTCOMES, Outcome, Reason

HOME = "http://blog.example/"
REASONS: dict[str, Reason] = {
    "copy": "duplicate",
    "gone": "httpError",
    "closed": "robotsTxt",
    "page": "notPost",
    "tag": "notPost",
}


def page(url: str, status: int = 200, body: bytes = b"1234") -> Page:
    return Page(url=url, requested_url=url, status=status, body=body, fetched_at=datetime(2021, 3, 12, tzinfo=UTC))


def post(name: str) -> Post:
    media = (Media(url=f"{HOME}{name}.png", file=f"ab/{name}.png"), Media(url=f"{HOME}gone.png"))
    return Post(id=f"p-{name}", url=f"{HOME}{name}/", media=media)


def test_sources_are_counted_and_only_the_first_is_new() -> None:
    crawl_stats = CrawlStats(HOME)
    for name in ("a", "b"):
        crawl_stats.add_listed(f"{HOME}{name}/", "feed")
    for name in ("b", "c"):
        crawl_stats.add_listed(f"{HOME}{name}/", "links")
    assert crawl_stats.report("b1", "done").sources == (
        SourceCount(source="feed", listed=2, new=2),
        SourceCount(source="links", listed=2, new=1),
    )


def test_listed_post_that_did_not_come_is_missing_with_the_reason() -> None:
    crawl_stats = CrawlStats(HOME)
    for name in ("a", "b", "c"):
        crawl_stats.add_listed(f"{HOME}{name}/", "feed")
    crawl_stats.stored(post("a"), "new")
    crawl_stats.rejected(Rejected(url=f"{HOME}b/", reason="httpError", detail="404"))
    crawl_stats.rejected(Rejected(url=f"{HOME}c/", reason="duplicate"))
    assert crawl_stats.report("b1", "done").missing == (MissingPost(url=f"{HOME}b/", reason="httpError", detail="404"),)


def test_requests_bytes_posts_and_kept_media_are_counted() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.count_response(3, media=False)
    crawl_stats.count_response(5, media=False)
    crawl_stats.count_response(1000, media=True)
    crawl_stats.stored(post("a"), "new")
    crawl_stats.stored(post("b"), "same")
    report = crawl_stats.report("b1", "because")
    assert (report.requests, report.bytes, report.posts, report.new_posts) == (2, 8, 2, 1)
    assert report.media_requests == 1
    assert (report.blog, report.url, report.ended_because) == ("b1", HOME, "because")
    assert report.started_at <= report.ended_at


def test_address_is_discovered_once() -> None:
    crawl_stats = CrawlStats(HOME)
    assert crawl_stats.discover(f"{HOME}a/")
    assert not crawl_stats.discover(f"{HOME}a/")
    crawl_stats.add_listed(f"{HOME}b/", "feed")
    assert not crawl_stats.discover(f"{HOME}b/")
    crawl_stats.arrived(page(f"{HOME}c/"))
    assert not crawl_stats.discover(f"{HOME}c/")
    assert crawl_stats.known == 3


def test_second_page_of_a_post_is_below_it_before_the_post_is_stored() -> None:
    crawl_stats = CrawlStats(HOME)
    assert not crawl_stats.is_below_post(f"{HOME}a/2/")
    crawl_stats.accept(f"{HOME}a/")
    assert crawl_stats.is_below_post(f"{HOME}a/2/")
    assert not crawl_stats.has_post(f"{HOME}a/")


def test_every_listed_url_has_one_outcome_and_they_add_up() -> None:
    crawl_stats = CrawlStats(HOME)
    for name in ("stored", "copy", "moved", "gone", "closed", "page", "later"):
        crawl_stats.add_listed(f"{HOME}{name}/", "feed")
    for name in ("stored", "stored/2", "tag"):
        crawl_stats.add_listed(f"{HOME}{name}/", "sitemap", expected=False)
    crawl_stats.stored(post("stored"), "new")
    crawl_stats.arrived(msgspec.structs.replace(page(f"{HOME}stored/"), requested_url=f"{HOME}moved/"))
    for name, reason in REASONS.items():
        crawl_stats.rejected(Rejected(url=f"{HOME}{name}/", reason=reason))
    report = crawl_stats.report("b1", "the page limit was reached (--limit)")
    assert report.outcomes == {"stored": 1, "alias": 3, "failed": 1, "refused": 1, "notPost": 2, "notFetched": 1}
    assert report.urls == sum(report.outcomes.values()) == 9
    assert [(missing.url.removeprefix(HOME), missing.reason) for missing in report.missing] == [
        ("gone/", "httpError"),
        ("closed/", "robotsTxt"),
        ("later/", "givenUp"),
    ]
    assert report.missing[-1].detail == "the page limit was reached (--limit)"
    assert not report.is_complete


def test_every_reason_has_an_outcome() -> None:
    assert set(OUTCOMES) == set(get_args(Reason))
    assert set(OUTCOMES.values()) | {"stored"} == set(get_args(Outcome))


def test_url_that_several_sources_name_is_one_outcome() -> None:
    crawl_stats = CrawlStats(HOME)
    for source in ("feed", "sitemap", "links"):
        crawl_stats.add_listed(f"{HOME}a/", source)
    crawl_stats.stored(post("a"), "new")
    report = crawl_stats.report("b1", "done")
    assert report.outcomes == {"stored": 1}
    assert [source.new for source in report.sources] == [1, 0, 0]


def test_page_that_only_a_sitemap_names_is_not_missing_when_it_is_no_post() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed(f"{HOME}imprint", "sitemap", expected=False)
    crawl_stats.add_listed(f"{HOME}gone", "sitemap", expected=False)
    crawl_stats.rejected(Rejected(url=f"{HOME}imprint", reason="notPost"))
    crawl_stats.rejected(Rejected(url=f"{HOME}gone", reason="httpError", detail="404"))
    report = crawl_stats.report("b1", "done")
    assert report.missing == ()
    assert report.outcomes == {"notPost": 1, "failed": 1}


def test_post_under_another_url_than_the_listed_one_is_not_missing() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed("http://old.example/a/", "feed")
    crawl_stats.rejected(Rejected(url="http://old.example/a/", reason="networkError"))
    crawl_stats.moved("http://old.example/a/", f"{HOME}a/")
    crawl_stats.stored(post("a"), "new")
    report = crawl_stats.report("b1", "done")
    assert (report.missing, report.outcomes) == ((), {"alias": 1})


def test_post_of_a_moved_blog_is_listed_once() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed("http://old.example/a/", "feed", waiting=True)
    crawl_stats.add_listed(f"{HOME}a/", "feed")
    crawl_stats.listed_at("http://old.example/a/", f"{HOME}a/")
    crawl_stats.stored(post("a"), "new")
    report = crawl_stats.report("b1", "done")
    assert [(source.source, source.listed, source.new) for source in report.sources] == [("feed", 1, 1)]
    assert report.outcomes == {"stored": 1}


def test_post_of_a_moved_blog_is_expected_where_it_is_now() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed("http://old.example/a/", "feed", waiting=True)
    crawl_stats.listed_at("http://old.example/a/", f"{HOME}a/")
    assert crawl_stats.is_listed_post(f"{HOME}a/")
    assert crawl_stats.waiting() == [f"{HOME}a/"]


def test_url_waits_until_it_comes_up() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed(f"{HOME}a/", "feed", waiting=True)
    crawl_stats.add_listed(f"{HOME}b/", "feed", waiting=True)
    assert crawl_stats.waiting() == [f"{HOME}a/", f"{HOME}b/"]
    assert crawl_stats.discover(f"{HOME}a/")
    assert crawl_stats.waiting() == [f"{HOME}b/"]


@pytest.mark.parametrize(
    ("source", "is_listed"), [("feed", True), ("paged feed", True), ("platform", True), ("sitemap", False)]
)
def test_lists_of_posts_are_believed_and_sitemaps_are_not(source: str, is_listed: bool) -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed(f"{HOME}first/", "links")
    crawl_stats.add_listed(f"{HOME}a/", source)
    assert crawl_stats.is_listed_post(f"{HOME}a") == is_listed
    assert not crawl_stats.is_listed_post(f"{HOME}first/")


def test_doubtful_entry_of_a_feed_is_not_believed() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.add_listed(f"{HOME}about/", "feed", expected=False)
    assert not crawl_stats.is_listed_post(f"{HOME}about/")
    assert not crawl_stats.is_expected(f"{HOME}about/")
    assert crawl_stats.report("b1", "done").missing == ()


def test_url_with_several_names_right_below_it_is_a_section() -> None:
    crawl_stats = CrawlStats(HOME)
    for name in ("notes/salt", "notes/rye", "notes/rye", "notes/2", "notes/3", "notes/rope/more"):
        crawl_stats.discover(f"{HOME}{name}/")
    assert not crawl_stats.is_section(f"{HOME}notes/")
    crawl_stats.add_listed(f"{HOME}notes/rope/", "sitemap")
    assert crawl_stats.is_section(f"{HOME}notes/")


def test_optouts_of_stored_posts_are_counted_by_what_they_ask() -> None:
    crawl_stats = CrawlStats(HOME)
    for name, asked in (("a", "noarchive, noai"), ("b", "noai")):
        origin = {"optout": Provenance(method="page", rule=asked, confidence=1.0)}
        crawl_stats.stored(msgspec.structs.replace(post(name), provenance=origin), "new")
    assert crawl_stats.report("b1", "done").optouts == {"noarchive": 1, "noai": 2}


def test_note_of_a_source_is_told_once_and_makes_a_harvest_incomplete() -> None:
    crawl_stats = CrawlStats(HOME)
    assert crawl_stats.report("b1", "done").is_complete
    crawl_stats.notes += ["ghost announces 30 posts and lists 15 of them"] * 2
    report = crawl_stats.report("b1", "done")
    assert report.notes == ("ghost announces 30 posts and lists 15 of them",)
    assert not report.is_complete
