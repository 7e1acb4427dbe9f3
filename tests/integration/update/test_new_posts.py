"""New posts come in whole, from wherever they are named, and only those."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.crawl.jobs import FeedRead, Started, Stored, Updated
from posterity.demo.blog import SiteOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.update.conftest import Followed


def test_new_posts_are_stored_with_text_date_and_comments(followed: Followed) -> None:
    followed.grow(17)
    outcome = followed.update()
    assert outcome.report.new == 3
    assert (outcome.report.edited, outcome.report.gone) == (0, 0)
    posts = followed.posts()
    new = followed.blog.site.truth[:3]
    assert [posts[true.url].title for true in new] == [true.title for true in new]
    assert [posts[true.url].published for true in new] == [true.published for true in new]
    assert [len(posts[true.url].comments) for true in new] == [len(true.comments) for true in new]
    assert [" ".join(posts[true.url].text.split())[:60] for true in new] == [
        " ".join(true.text.split())[:60] for true in new
    ]
    assert outcome.report.comments == sum(len(true.comments) for true in new)


def test_each_page_is_asked_for_once_and_the_next_update_is_quiet(followed: Followed) -> None:
    followed.grow(16)
    assert max(followed.update().asked.values()) == 1
    assert followed.update().paths == ["/feed/", "/sitemap.xml"]


def test_events_are_those_of_a_harvest(followed: Followed) -> None:
    followed.grow(15)
    events = followed.update(revisits=0).events
    assert isinstance(events[0], Started)
    assert isinstance(events[1], FeedRead)
    assert [event.state for event in events if isinstance(event, Stored)] == ["new"]
    assert isinstance(events[-1], Updated)


def test_since_leaves_older_posts_alone(followed: Followed) -> None:
    followed.grow(20)
    since = followed.blog.site.truth[1].published
    outcome = followed.update(since=since)
    assert outcome.report.new == 2
    newest = {true.url for true in followed.blog.site.truth[:2]}
    assert newest <= set(followed.posts())
    assert len(followed.posts()) == 16
    # What was left alone stays new: a later update without the date takes it.
    assert followed.update(since=datetime(2019, 1, 1, tzinfo=UTC)).report.new == 4


def test_posts_that_the_feed_no_longer_lists_are_found_by_the_sitemap(
    follow: Callable[[SiteOptions], Followed],
) -> None:
    blog = follow(SiteOptions(posts_limit=10, feed_entries=4))
    blog.grow(19)
    assert blog.update(revisits=0).report.new == 9
    assert set(blog.posts()) == {post.url for post in blog.blog.site.truth}


def test_posts_that_the_feed_no_longer_lists_are_found_by_links_without_a_sitemap(
    follow: Callable[[SiteOptions], Followed],
) -> None:
    blog = follow(SiteOptions(posts_limit=10, feed_entries=4, sitemap=False))
    blog.grow(19)
    assert blog.update(revisits=0).report.new == 9
    assert set(blog.posts()) == {post.url for post in blog.blog.site.truth}


def test_limit_that_cuts_an_update_short_leaves_the_rest_for_the_next(followed: Followed) -> None:
    followed.grow(20)
    first = followed.update(limit=5).report
    assert 0 < first.new < 6
    assert "--limit" in first.ended_because
    second = followed.update().report
    assert first.new + second.new == 6
    assert set(followed.posts()) == {post.url for post in followed.blog.site.truth}


def test_post_that_was_taken_down_is_not_fetched_again(followed: Followed) -> None:
    from posterity.archive.forget import forget_post

    newest = followed.blog.site.truth[0]
    with open_archive(followed.archive) as store:
        forget_post(store, newest.url, "asked to")
    followed.grow(15)
    outcome = followed.update()
    assert newest.path not in outcome.paths
    assert newest.url not in followed.posts()
