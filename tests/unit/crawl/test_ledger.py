"""The books of a harvest add up."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.crawl.crawl_stats import CrawlStats
from posterity.model import Media, MissingPost, Page, Post, Rejected, SourceCount

HOME = "http://blog.example/"


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
        SourceCount(source="feed", promised=2, new=2),
        SourceCount(source="links", promised=2, new=1),
    )


def test_promised_post_that_did_not_come_is_missing_with_the_reason() -> None:
    crawl_stats = CrawlStats(HOME)
    for name in ("a", "b", "c"):
        crawl_stats.add_listed(f"{HOME}{name}/", "feed")
    crawl_stats.stored(post("a"), "new")
    crawl_stats.rejected(Rejected(url=f"{HOME}b/", reason="httpError", detail="404"))
    crawl_stats.rejected(Rejected(url=f"{HOME}c/", reason="duplicate"))
    assert crawl_stats.report("b1", "done").missing == (MissingPost(url=f"{HOME}b/", reason="httpError", detail="404"),)


def test_requests_bytes_posts_and_kept_media_are_counted() -> None:
    crawl_stats = CrawlStats(HOME)
    crawl_stats.answered(3, media=False)
    crawl_stats.answered(5, media=False)
    crawl_stats.answered(1000, media=True)
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


def test_second_address_of_a_post_is_no_first_sight() -> None:
    crawl_stats = CrawlStats(HOME)
    assert crawl_stats.first_sight(post("a"))
    crawl_stats.stored(post("a"), "new")
    assert not crawl_stats.first_sight(post("a"))


def test_second_page_of_a_post_is_below_it_before_the_post_is_stored() -> None:
    crawl_stats = CrawlStats(HOME)
    assert not crawl_stats.is_below_post(f"{HOME}a/2/")
    crawl_stats.take_for_post(f"{HOME}a/")
    assert crawl_stats.is_below_post(f"{HOME}a/2/")
    assert not crawl_stats.has_post(f"{HOME}a/")
