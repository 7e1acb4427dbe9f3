"""Known posts that are requested again: all with a reason, and a bounded, reproducible sample of the others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest

from posterity.archive.history import merged_comments
from posterity.crawl.update_sources import (
    MAX_VANISHED,
    FeedChanges,
    SitemapChanges,
    SourceChanges,
    is_after,
    is_sample_overdue,
    moment_of,
    reasoned_visits,
    sampled_visits,
)
from posterity.crawl.update_state import KnownPost
from posterity.model import Blog, Comment, FeedEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.crawl.update_state import KnownBlog

NOW = datetime(2026, 3, 12, tzinfo=UTC)


def url(number: int) -> str:
    return f"http://blog.example/{number}/"


def place(number: int) -> str:
    return f"blog.example/{number}"


def post(number: int, **facts: Any) -> KnownPost:
    """The n-th of daily posts, visited in order."""
    told = {
        "published": NOW - timedelta(days=100 - number),
        "visited_at": NOW - timedelta(days=50 - number / 10),
        "entry": None,
        "is_gone": False,
    }
    return KnownPost(id=f"p{number:03}", url=url(number), **(told | facts))


BLOG = Blog(id="b1", url="http://blog.example/")


class FakeKnownBlog:
    """The known posts of a blog, without an archive."""

    def __init__(self, *posts: KnownPost, blog: Blog = BLOG) -> None:
        self.posts, self.blog = posts, blog

    def __iter__(self) -> Iterator[KnownPost]:
        return iter(self.posts)

    def at(self, place: str) -> KnownPost | None:
        return next((post for post in self.posts if post.place == place), None)


def page_source(*posts: KnownPost) -> KnownBlog:
    return cast("KnownBlog", FakeKnownBlog(*posts))


def reasons(known: KnownBlog, changes: SourceChanges) -> dict[str, str]:
    return {visit.post.id: visit.why for visit in reasoned_visits(known, changes)}


def test_reasons_are_named_and_the_first_counts() -> None:
    known = page_source(*(post(number) for number in range(1, 6)))
    feed = FeedChanges(
        entries={place(1): FeedEntry(), place(2): FeedEntry()}, edited=frozenset({place(1), place(2)}),
        commented=frozenset({place(1)}),
    )  # fmt: skip
    sitemap = SitemapChanges(
        named={url(2): "2026-01-01", url(3): "2026-01-01"}, edited=(url(2), url(3)), vanished=(url(4),)
    )
    changes = SourceChanges(feed=feed, sitemap=sitemap)
    assert reasons(known, changes) == {"p001": "comments", "p002": "edited", "p003": "edited", "p004": "vanished"}


def test_post_that_failed_is_asked_for_again_and_a_gone_one_only_when_it_is_named_again() -> None:
    known = page_source(post(1, is_pending=True), post(2, is_gone=True), post(3, is_gone=True, is_pending=True))
    assert reasons(known, SourceChanges()) == {"p001": "again"}
    named = SourceChanges(sitemap=SitemapChanges(named={url(3): None}, new=(url(3),)))
    assert reasons(known, named) == {"p001": "again", "p003": "back"}


def test_sitemap_that_lost_everything_costs_a_bounded_number_of_visits() -> None:
    known = page_source(*(post(number) for number in range(200)))
    changes = SourceChanges(sitemap=SitemapChanges(vanished=tuple(url(number) for number in range(200))))
    assert len(reasoned_visits(known, changes)) == MAX_VANISHED


def test_dates_of_a_rebuilt_site_say_nothing() -> None:
    known = page_source(*(post(number) for number in range(40)))
    named: dict[str, str | None] = {url(number): "2026-03-01" for number in range(40)}
    all_of_them = SitemapChanges(named=named, edited=tuple(named))
    assert reasons(known, SourceChanges(sitemap=all_of_them)) == {}
    some = SitemapChanges(named=named, edited=tuple(named)[:15])
    assert len(reasons(known, SourceChanges(sitemap=some))) == 15


def test_since_leaves_older_edits_alone() -> None:
    known = page_source(post(1), post(2))
    named: dict[str, str | None] = {url(1): "2025-12-01", url(2): "2026-02"}
    changes = SourceChanges(
        sitemap=SitemapChanges(named=named, edited=tuple(named)), since=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert reasons(known, changes) == {"p002": "edited"}


def test_sample_is_half_the_newest_and_half_the_longest_unvisited() -> None:
    known = page_source(*(post(number) for number in range(1, 21)))
    chosen = [visit.post.id for visit in sampled_visits(known, SourceChanges(), 6, ())]
    assert chosen == ["p020", "p019", "p018", "p001", "p002", "p003"]
    assert chosen == [visit.post.id for visit in sampled_visits(known, SourceChanges(), 6, ())]


@pytest.mark.parametrize("size", [0, 1, 5, 100])
def test_sample_is_bounded_and_without_those_that_are_visited_anyway(size: int) -> None:
    known = page_source(*(post(number, is_pending=number == 20) for number in range(1, 21)))
    visits = reasoned_visits(known, SourceChanges())
    sample = sampled_visits(known, SourceChanges(), size, visits)
    assert len(sample) == min(size, 19)
    assert "p020" not in {visit.post.id for visit in sample}


def test_sample_is_overdue_a_month_after_the_last_visit() -> None:
    assert is_sample_overdue(page_source(post(1, visited_at=NOW - timedelta(days=31))), NOW)
    assert not is_sample_overdue(
        page_source(post(1, visited_at=NOW - timedelta(days=31)), post(2, visited_at=NOW)), NOW
    )
    assert not is_sample_overdue(page_source(), NOW)


@pytest.mark.parametrize(
    ("lastmod", "moment"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-12", NOW),
        ("2026-03-12T01:00:00+01:00", NOW),
        ("2026-03-12T00:00:00Z", NOW),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_of_a_sitemap_are_read_in_every_precision(lastmod: str | None, moment: datetime | None) -> None:
    assert moment_of(lastmod) == moment


def test_what_has_no_date_is_not_before_any() -> None:
    assert is_after(NOW)
    assert is_after(NOW, None)
    assert is_after(None, NOW)
    assert is_after(NOW, NOW - timedelta(1), NOW)
    assert not is_after(NOW, NOW - timedelta(1), None)


def comments(*ids: str) -> tuple[Comment, ...]:
    return tuple(Comment(id=name, text=name) for name in ids)


def test_comments_of_before_stay_unless_all_that_are_expected_are_there() -> None:
    assert merged_comments(comments("a", "b"), comments("a", "b", "c"), None) == comments("a", "b", "c")
    assert merged_comments(comments("a", "b", "c"), comments("c", "d"), None) == comments("a", "b", "c", "d")
    assert merged_comments(comments("a", "b", "c"), comments("c", "d"), 5) == comments("a", "b", "c", "d")
    assert merged_comments(comments("a", "b", "c"), comments("c", "d"), 2) == comments("c", "d")
