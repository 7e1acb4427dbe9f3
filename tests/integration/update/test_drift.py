"""A blog that changes its looks: its new posts show it, rules are learned again, and old posts stay what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from posterity.archive import open_archive
from posterity.blog.reextract import reextract
from posterity.crawl.jobs import Drifted, Learned
from posterity.demo.blog import SiteOptions
from posterity.text.normal_form import token_f1, word_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.update.conftest import Followed

    from posterity.blog.changes import PostChange


@pytest.mark.parametrize("theme_change", [None, "2021-04-01"], ids=["all pages", "only new posts"])
def test_new_theme_is_learned_and_new_posts_are_whole(followed: Followed, theme_change: str | None) -> None:
    followed.grow(18, theme="attic", theme_change=theme_change)
    outcome = followed.update()
    (drifted,) = (event for event in outcome.events if isinstance(event, Drifted))
    assert (drifted.pages, drifted.failing, drifted.version) == (4, 4, 2)
    assert [event.rules.version for event in outcome.events if isinstance(event, Learned)] == [2]
    assert (outcome.report.new, outcome.report.relearned, outcome.report.rules) == (4, True, 2)
    with open_archive(followed.archive) as store:
        rules = store.rules(store.blog(followed.url).id)
    assert rules is not None
    assert rules.version == 2
    posts = followed.posts()
    for true in followed.blog.site.truth[:4]:
        assert posts[true.url].title == true.title
        words, wanted = posts[true.url].text.split(), true.text.split()
        assert abs(len(words) - len(wanted)) <= 0.1 * len(wanted), true.url


def test_same_theme_is_no_drift(followed: Followed) -> None:
    followed.grow(18)
    outcome = followed.update()
    assert not [event for event in outcome.events if isinstance(event, Drifted | Learned)]
    assert (outcome.report.relearned, outcome.report.rules) == (False, 1)


FIELDS = ("title", "authors", "tags", "language", "published", "published_precision", "text", "comments", "revision")


def fields_of(followed: Followed) -> dict[str, tuple[object, ...]]:
    return {url: tuple(getattr(post, field) for field in FIELDS) for url, post in followed.posts().items()}


@pytest.mark.parametrize("theme_change", [None, "2021-04-01"], ids=["all pages", "only new posts"])
def test_new_theme_of_a_blog_without_a_feed_costs_no_post_and_no_field(
    follow: Callable[[SiteOptions], Followed], theme_change: str | None
) -> None:
    blog = follow(SiteOptions(posts_limit=14, feed="none"))
    before = fields_of(blog)
    blog.grow(24, theme="attic", theme_change=theme_change)
    outcome = blog.update()
    assert [event.version for event in outcome.events if isinstance(event, Drifted)] == [2]
    assert (outcome.report.new, outcome.report.edited, outcome.report.relearned) == (10, 0, True)
    after = fields_of(blog)
    assert {url: after[url] for url in before} == before
    posts = blog.posts()
    for true in blog.blog.site.truth[:10]:
        post = posts[true.url]
        assert (post.title, set(post.tags), post.language) == (true.title, set(true.tags), "en"), true.url
        assert post.published is not None
        assert post.published.date() == true.published.date(), true.url  # this theme shows no time of day
        assert token_f1(word_counts(post.text), word_counts(true.text)) > 0.95, true.url


@pytest.mark.parametrize("feed", ["none", "full"])
def test_new_theme_alone_is_no_edit(follow: Callable[[SiteOptions], Followed], feed: Literal["none", "full"]) -> None:
    blog = follow(SiteOptions(posts_limit=14, feed=feed))
    before = fields_of(blog)
    blog.grow(14, theme="attic")
    report = blog.update(revisits=14).report
    assert (report.new, report.edited, report.unchanged, report.relearned) == (0, 0, 14, True)
    assert fields_of(blog) == before


def test_same_theme_of_a_blog_without_a_feed_is_no_drift(follow: Callable[[SiteOptions], Followed]) -> None:
    blog = follow(SiteOptions(posts_limit=14, feed="none"))
    blog.grow(18)
    outcome = blog.update()
    assert not [event for event in outcome.events if isinstance(event, Drifted | Learned)]
    assert (outcome.report.new, outcome.report.edited) == (4, 0)


@pytest.mark.parametrize("theme_change", [None, "2021-04-01"], ids=["all pages", "only new posts"])
def test_reextraction_after_a_new_theme_changes_no_record(followed: Followed, theme_change: str | None) -> None:
    followed.grow(18, theme="attic", theme_change=theme_change)
    assert followed.update().report.relearned
    changes: list[PostChange] = []
    with open_archive(followed.archive) as store:
        reextract(store, followed.url, dry_run=True, on_change=changes.append)
    assert len(changes) == 18
    assert [(change.url, change.changes) for change in changes if change.state != "same"] == []
