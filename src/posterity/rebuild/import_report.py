"""The completeness report of an import: what the feed promised, what the crawl held, and what is not in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.model import HarvestReport, MissingPost, SourceCount
from posterity.urls import canonical_url, place_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.model import Blog, Rejected
    from posterity.rebuild.changes import Changes
    from posterity.rebuild.lesson import Lesson
    from posterity.rebuild.neighbours import Answers

_NOT_THERE = "its page is not in what was imported"
_NEVER = datetime.min.replace(tzinfo=UTC)


def import_report(
    blog: Blog, lesson: Lesson, changes: Changes, shelf: Answers, rejected: Sequence[Rejected]
) -> HarvestReport:
    """Return the report; times and sizes are the caller's to add."""
    promised = [entry for entry in lesson.feed.entries if entry.link] if lesson.feed else []
    # Entries are found under other addresses too, and those that are take their page's.
    there = {(entry.guid, entry.title) for entry in lesson.entries.values()}
    by_feed = sum(place_key(change.url) in lesson.entries for change in changes.posts)
    sources = [SourceCount(source="pages", promised=len(changes.posts) - by_feed, new=len(changes.posts) - by_feed)]
    if promised:
        sources.insert(0, SourceCount(source="feed", promised=len(promised), new=len(promised)))
    missing = [
        MissingPost(url=canonical_url(entry.link or ""), reason="networkError", detail=_NOT_THERE)
        for entry in promised
        if (entry.guid, entry.title) not in there and shelf.leaf(entry.link or "") is None
    ]
    missing += [
        MissingPost(url=why.url, reason=why.reason, detail=why.detail) for why in rejected if why.reason != "duplicate"
    ]
    return HarvestReport(
        blog=blog.id,
        url=blog.url,
        started_at=_NEVER,
        ended_at=_NEVER,
        ended_because="everything that was given has been read",
        sources=tuple(sources),
        posts=len(changes.posts),
        new_posts=changes.counts().get("new", 0),
        comments=changes.comments,
        media=changes.media,
        missing=tuple(missing),
    )
