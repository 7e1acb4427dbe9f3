"""Edits become revisions and new comments are counted, however the blog tells of them, and nothing else does."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions, blog_of
from posterity.demo.posts import DemoComment

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.update.conftest import Followed

    from posterity.demo.blog import Entry

NEWEST = "predicting-high-water"
OLD = "salt-loaf"
WORDS = "Seventeen correspondents wrote to say that the figure was wrong."


def edited(slug: str) -> Callable[[Entry], Entry]:
    def change(entry: Entry) -> Entry:
        if slug not in entry.path:
            return entry
        html = f"<p>{WORDS}</p>"
        return replace(entry, html=entry.html + html, feed_html=entry.feed_html + html, text=f"{entry.text}\n\n{WORDS}")

    return change


def commented(slug: str) -> Callable[[Entry], Entry]:
    def change(entry: Entry) -> Entry:
        if slug not in entry.path:
            return entry
        last = entry.post.modified + timedelta(days=1)
        comment = DemoComment(9001, None, "A. Reader", None, last, "I have one of these, and it still works.")
        return replace(entry, post=replace(entry.post, comments=(*entry.post.comments, comment)))

    return change


def changed_fields(followed: Followed, slug: str) -> list[tuple[str, ...]]:
    with open_archive(followed.archive) as store:
        return [revision.changed for revision in store.history(followed.post(slug).id).revisions]


def test_edit_that_the_feed_shows_is_a_revision(followed: Followed) -> None:
    followed.change(edited(NEWEST))
    report = followed.update(revisits=0).report
    assert (report.new, report.edited, report.comments) == (0, 1, 0)
    post = followed.post(NEWEST)
    assert post.revision == 2
    assert WORDS in post.text
    assert "text" in changed_fields(followed, NEWEST)[1]


def test_edit_that_only_the_sitemap_tells_is_a_revision(followed: Followed) -> None:
    followed.change(edited(OLD))
    path = next(true.path for true in followed.blog.site.truth if OLD in true.path)
    followed.response("/sitemap.xml", rb"(%s</loc><lastmod>)\d{4}" % path.encode(), rb"\g<1>2025")
    outcome = followed.update(revisits=0)
    assert outcome.paths == ["/feed/", "/sitemap.xml", path]
    assert outcome.report.edited == 1
    assert WORDS in followed.post(OLD).text


def test_edit_by_the_date_in_an_atom_feed_is_a_revision(follow: Callable[[SiteOptions], Followed]) -> None:
    blog = follow(SiteOptions(posts_limit=8, feed_format="atom", sitemap=False))
    blog.response("/feed/atom/", rb"(</published>\s*<updated>)2020-03-\d\dT", rb"\g<1>2020-04-09T")
    outcome = blog.update(revisits=0)
    assert outcome.report.edited == 1
    modified = blog.post("the-empty-quay").modified
    assert modified is not None
    assert modified.date().isoformat() == "2020-04-09"


def test_edit_that_nobody_announces_is_found_when_the_post_is_sampled(followed: Followed) -> None:
    before = followed.blog.site
    followed.change(edited(OLD))
    path = next(true.path for true in followed.blog.site.truth if OLD in true.path)
    page = followed.blog.site[path]
    followed.blog.site = replace(before, resources={**before.resources, path: page})
    assert followed.update().paths == ["/feed/", "/sitemap.xml"]
    outcome = followed.update(revisits=14)
    assert outcome.report.edited == 1
    assert outcome.report.unchanged == 13
    assert WORDS in followed.post(OLD).text


def test_samples_are_bounded_and_reach_every_post_in_turn(followed: Followed) -> None:
    visited: set[str] = set()
    for _ in range(2):
        outcome = followed.update(revisits=10)
        posts = [path for path in outcome.paths if path not in ("/feed/", "/sitemap.xml")]
        assert len(posts) == 10
        visited |= set(posts)
    assert visited == {true.path for true in followed.blog.site.truth}


def test_unchanged_posts_are_asked_for_conditionally(followed: Followed) -> None:
    outcome = followed.update(revisits=4)
    assert {int(request.status) for request in outcome.requests} == {304}
    assert outcome.report.unchanged == 4


def test_page_that_changes_around_the_post_is_no_edit(followed: Followed) -> None:
    followed.grow(15)  # the page of the post before gets a link to the new one
    outcome = followed.update(revisits=14)
    assert (outcome.report.new, outcome.report.edited, outcome.report.unchanged) == (1, 0, 14)
    assert {post.revision for post in followed.posts().values()} == {1}


def test_new_comment_is_counted_and_is_no_edit(followed: Followed) -> None:
    followed.change(commented(NEWEST))
    before = len(followed.post(NEWEST).comments)
    outcome = followed.update(revisits=0)
    assert (outcome.report.edited, outcome.report.comments) == (0, 1)
    assert len(followed.post(NEWEST).comments) == before + 1
    assert changed_fields(followed, NEWEST)[1] == ("comments",)


def test_comment_on_a_post_that_the_feed_has_without_counts_is_found_by_the_sitemap(
    follow: Callable[[SiteOptions], Followed],
) -> None:
    blog = follow(SiteOptions(posts_limit=9, feed_format="json"))
    blog.change(commented("starter-that-would-not-die"))
    assert blog.update(revisits=0).report.comments == 1


def test_static_generator_that_dates_every_page_anew_does_not_cause_a_visit_to_each(
    follow: Callable[[SiteOptions], Followed],
) -> None:
    blog = follow(SiteOptions(posts_limit=22))
    sitemap = blog.blog.site["/sitemap.xml"]
    body = re.sub(rb"<lastmod>[^<]*", b"<lastmod>2026-01-01T00:00:00+00:00", sitemap.body)
    resources = {**blog.blog.site.resources, "/sitemap.xml": replace(sitemap, body=body)}
    blog.blog.site = replace(blog.blog.site, resources=resources)
    outcome = blog.update()
    assert len(outcome.paths) <= 2 + 10


CHECK = b"<title>Just a moment...</title><h1>Just a moment...</h1><p>Are you a robot?</p>"


def test_what_a_server_shows_in_place_of_a_page_changes_no_post(followed: Followed) -> None:
    followed.change(edited(NEWEST))
    edited_site = followed.blog.site
    before = followed.posts()
    for path in [path for path in edited_site.resources if NEWEST in path and "feed" not in path]:
        followed.response(path, rb"(?s).+", CHECK)
    report = followed.update(revisits=0).report
    assert (report.edited, report.failed) == (0, 1)
    assert [(failure.reason, NEWEST in failure.url) for failure in report.failures] == [("interstitial", True)]
    assert followed.posts() == before
    followed.blog.site = edited_site
    report = followed.update(revisits=0).report
    assert (report.edited, report.failed) == (1, 0)
    assert WORDS in followed.post(NEWEST).text


def test_new_post_in_whose_place_something_else_is_shown_comes_with_the_next_update(followed: Followed) -> None:
    known = set(followed.posts())
    followed.grow(15)
    grown = followed.blog.site
    (new,) = {entry.path for entry in blog_of(grown.options).entries} - {
        path for path in grown.resources if any(url.endswith(path) for url in known)
    }
    followed.response(new, rb"(?s).+", CHECK)
    report = followed.update(revisits=0).report
    assert (report.new, report.failed) == (0, 1)
    followed.blog.site = grown
    report = followed.update(revisits=0).report
    assert (report.new, report.failed) == (1, 0)
