"""Ten years of one blog: posts, edits, comments, three themes, the end of its feed, a move, a deletion, its death.

The blog is served over HTTP and changes between updates; the time is set, not waited for. At the end the archive must
tell this story, no more and no less.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import pytest
from tests.integration.update.conftest import FAST, told_by

from posterity import clock
from posterity.archive import open_archive
from posterity.archive.overview import activity_of, blog_count, blog_counts
from posterity.crawl import update_worker, worker
from posterity.crawl.jobs import Drifted, Failed, HarvestJob, Moved, Updated, UpdateJob
from posterity.crawl.worker import failed
from posterity.demo.blog import SiteOptions, blog_of
from posterity.demo.posts import DemoComment
from posterity.demo.server import build, feed_resources, page_resources
from posterity.errors import PosterityError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web

    from posterity.crawl.jobs import Event
    from posterity.demo.blog import Entry
    from posterity.model.report import UpdateReport

ADDED = "Seventeen correspondents wrote to say that the figure was wrong."


class Moment(NamedTuple):
    """A job, and when it runs."""

    at: datetime
    job: HarvestJob | UpdateJob


def run_at(moment: Moment, on_event: Callable[[Event], None]) -> None:
    """Run the job in a process that believes in the moment."""
    clock.set_now(moment.at)
    try:
        if isinstance(moment.job, HarvestJob):
            worker.run(moment.job, on_event)
        else:
            update_worker.run(moment.job, on_event)
    except PosterityError as problem:
        on_event(failed(problem))


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, 12, tzinfo=UTC)


class Life:
    """The blog and the archive of it. `edits` change entries, `closed` takes the comments away."""

    def __init__(self, web: Web, response: type[Response], archive: Path) -> None:
        self.web, self.response, self.archive = web, response, archive
        self.options = SiteOptions(base_url=web.base_url)
        self.edits: dict[str, Callable[[Entry], Entry | None]] = {}
        self.closed = self.renamed = False
        self.events: list[Event] = []

    def live(self, **options: object) -> None:
        """Serve the blog as these options, and the edits so far, want it."""
        self.options = replace(self.options, **options)  # type: ignore[arg-type]
        blog = blog_of(self.options)
        entries = [self._edited(entry) for entry in blog.entries]
        blog = replace(blog, entries=tuple(entry for entry in entries if entry is not None))
        images = {path: one for path, one in build(self.options).items() if "/images/" in path}
        resources = page_resources(blog) | feed_resources(blog) | images
        self.web.responses.clear()
        self.web.responses |= {
            path: self.response(self._page(one.body, one.content_type), one.content_type, one.status)
            for path, one in resources.items()
        }

    def _edited(self, entry: Entry) -> Entry | None:
        for slug, edit in self.edits.items():
            if slug in entry.path:
                changed = edit(entry)
                if changed is None:
                    return None
                entry = changed
        return replace(entry, post=replace(entry.post, comments=())) if self.closed else entry

    def _page(self, body: bytes, kind: str) -> bytes:
        """A third theme: every class and id has another name."""
        if not self.renamed or "html" not in kind:
            return body
        return re.sub(
            rb'\b(class|id)="([^"]*)"',
            lambda match: match[1] + b'="' + b" ".join(b"w-" + name for name in match[2].split()) + b'"',
            body,
        )

    def harvest(self, at: datetime) -> None:
        told_by(run_at, Moment(at, HarvestJob(url=f"{self.web.base_url}/", archive=str(self.archive), settings=FAST)))

    def update(self, at: datetime, rotation: int | None = None) -> UpdateReport | None:
        """The report; None when the blog does not answer."""
        with open_archive(self.archive) as store:
            (blog,) = store.blogs()
        job = UpdateJob(
            blog=blog.id, url=blog.url, archive=str(self.archive), revisits=4, rotation=rotation, settings=FAST
        )
        self.events = told_by(run_at, Moment(at, job))
        *_, last = self.events
        assert isinstance(last, Updated | Failed)
        return last.report if isinstance(last, Updated) else None


def with_words(words: str) -> Callable[[Entry], Entry]:
    def edit(entry: Entry) -> Entry:
        html = f"<p>{words}</p>"
        return replace(entry, html=entry.html + html, feed_html=entry.feed_html + html)

    return edit


def with_comment(entry: Entry) -> Entry:
    comment = DemoComment(9001, None, "A. Reader", None, entry.post.published + timedelta(days=9), "Mine still works.")
    return replace(entry, post=replace(entry.post, comments=(*entry.post.comments, comment)))


def counts(report: UpdateReport | None) -> dict[str, int]:
    assert report is not None
    names = ("new", "edited", "comments", "gone", "back", "moved", "missing")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


@pytest.fixture
def life(serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path) -> Life:
    return Life(serve({}), response, tmp_path / "archive")


def test_archive_tells_the_ten_years_of_a_blog(
    life: Life, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    # 2020: a blog of nine posts is harvested.
    life.live(posts_limit=9)
    life.harvest(day(2020, 6))
    # 2021: three new posts, an edit that the feed shows, a new comment on another post.
    life.edits |= {"the-empty-quay": with_words(ADDED), "the-starter-that-would-not-die": with_comment}
    life.live(posts_limit=12)
    assert counts(life.update(day(2021))) == {"new": 3, "edited": 1, "comments": 1}
    # Later that year: an edit of an old post that nobody announces is found within four updates.
    life.edits["salt-loaf"] = with_words("Less salt.")
    life.live()
    found = [counts(life.update(day(2021, month), rotation=4)) for month in (3, 5, 7, 9)]
    assert sum(report.get("edited", 0) for report in found) == 1
    # 2022: a new theme, with a feed. It is no edit of anything.
    life.live(posts_limit=19, theme="attic")
    assert counts(life.update(day(2022, 3))) == {"new": 7, "comments": 40}
    assert [event.version for event in life.events if isinstance(event, Drifted)] == [2]
    # 2023: the feed ends.
    life.live(posts_limit=25, feed="none")
    assert counts(life.update(day(2023, 4))) == {"new": 6, "comments": 3}
    # 2024: a third theme, without a feed.
    life.renamed = True
    life.live(posts_limit=31)
    assert counts(life.update(day(2024, 6))) == {"new": 6, "comments": 4}
    assert [event.version for event in life.events if isinstance(event, Drifted)] == [3]
    # 2025: comments are closed and no longer shown. The archive has them.
    life.closed = True
    life.live()
    assert counts(life.update(day(2025), rotation=1)) == {}
    # 2026: the blog moves to another host.
    old = life.web
    life.web = serve({})
    life.live(base_url=life.web.base_url, posts_limit=36)
    for path in list(old.responses):
        old.responses[path] = response(status=301, location=life.web.base_url + path)
    assert counts(life.update(day(2026))) == {"new": 5, "moved": 31}
    assert [event.to for event in life.events if isinstance(event, Moved)] == [f"{life.web.base_url}/"]
    # 2027: a post is deleted.
    life.edits["three-kinds-of-rain"] = lambda _: None
    life.live()
    assert counts(life.update(day(2027))) == {"missing": 1}
    assert counts(life.update(day(2027, 2))) == {"gone": 1}
    # 2028: nothing. 2029: the host no longer answers.
    assert counts(life.update(day(2028))) == {}
    life.web.responses.clear()
    assert life.update(day(2029)) is None
    assert life.update(day(2029, 3)) is None
    check_story(life)


def check_story(life: Life) -> None:
    with open_archive(life.archive) as store:
        (blog,) = store.blogs()
        posts = {urlsplit(post.url).path.rstrip("/").rpartition("/")[2]: post for post in store.posts()}
        stories = {slug: store.history(post.id) for slug, post in posts.items()}
        rules = store.rules(blog.id)
        counted = blog_count(store, blog.id), blog_counts(store)[blog.id]
        said = activity_of(store, blog.id).comments
    assert [each.posts for each in counted] == [36, 36]
    assert said == sum(len(post.comments) for post in posts.values())
    assert blog.url == f"{life.web.base_url}/"
    assert len(blog.former_urls) == 1
    assert blog.failing_since is not None
    assert blog.failing_since.date() == day(2029).date()
    assert rules is not None
    assert rules.version == 3
    truth = {entry.post.slug: entry.post for entry in blog_of(SiteOptions(posts_limit=36)).entries}
    assert posts.keys() == truth.keys()
    edits = {
        slug: [(state.seen_at.year, state.kind, state.changed) for state in story.revisions[1:]]
        for slug, story in stories.items()
        if len(story.revisions) > 1
    }
    assert edits == {
        "the-empty-quay": [(2021, "edited", ("text",))],
        "the-starter-that-would-not-die": [(2021, "commented", ("comments",))],
        "salt-loaf": [(2021, "edited", ("text",))],
    }
    moved = {slug for slug, story in stories.items() if "moved" in [event.kind for event in story.events]}
    assert moved == {entry.post.slug for entry in blog_of(SiteOptions(posts_limit=31)).entries}
    gone = {
        slug: [(event.at.year, event.detail) for event in story.events if event.kind == "gone"]
        for slug, story in stories.items()
    }
    assert {slug: events for slug, events in gone.items() if events} == {"three-kinds-of-rain": [(2027, "404")]}
    for slug, post in posts.items():
        assert (post.title, post.tags) == (truth[slug].title, truth[slug].tags), slug
        assert post.published is not None
        assert post.published.date() == truth[slug].published.date(), slug
        added = slug == "the-starter-that-would-not-die"
        seen = truth[slug].published < day(2024, 6)  # later comments were never shown
        assert len(post.comments) == (len(truth[slug].comments) + added if seen else 0), slug
    assert ADDED in posts["the-empty-quay"].text
    assert ADDED not in stories["the-empty-quay"].revisions[0].post.text
