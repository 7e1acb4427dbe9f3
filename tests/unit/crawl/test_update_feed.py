"""New and changed entries of a feed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from posterity.crawl.update_sources import feed_changes
from posterity.model import Feed, FeedEntry

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def entry(day: int, **facts: object) -> FeedEntry:
    said = FeedEntry(link=f"http://blog.example/{day}/", published=FIRST + timedelta(days=day), content="<p>Words.</p>")
    return msgspec.structs.replace(said, **facts)


def feed(*entries: FeedEntry) -> Feed:
    return Feed(url="http://blog.example/feed/", format="rss20", entries=entries)


def place(day: int) -> str:
    return f"blog.example/{day}"


def test_same_feed_has_no_changes() -> None:
    changes = feed_changes(feed(entry(2), entry(1)), feed(entry(2), entry(1)))
    assert not changes.are_news
    assert set(changes.entries) == {place(1), place(2)}


def test_first_feed_has_no_changes() -> None:
    assert not feed_changes(feed(entry(1)), None).are_news


def test_entry_with_a_new_date_of_change_or_another_text_is_edited() -> None:
    now = feed(entry(3, updated=FIRST + timedelta(days=9)), entry(2, content="<p>Other.</p>"), entry(1))
    assert feed_changes(now, feed(entry(3), entry(2), entry(1))).edited == {place(3), place(2)}


def test_more_comments_are_no_edit() -> None:
    changes = feed_changes(feed(entry(1, comment_count=3)), feed(entry(1, comment_count=2)))
    assert not changes.edited
    assert changes.commented == {place(1)}
    assert not feed_changes(feed(entry(1, comment_count=1)), feed(entry(1, comment_count=2))).commented


def test_entry_that_slid_out_at_the_end_has_not_vanished() -> None:
    changes = feed_changes(feed(entry(4), entry(2)), feed(entry(3), entry(2), entry(1)))
    assert changes.vanished == {place(3)}
