"""Which known posts an update asks for again, and why: a bounded list, the same for the same archive and answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.fetch.feed_changes import FeedChanges
from posterity.fetch.known import KnownPost
from posterity.fetch.sitemap_changes import SitemapChanges
from posterity.model import FeedEntry
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.fetch.known import Known

Why = Literal["comments", "edited", "again", "back", "vanished", "sample"]

# A visit costs the blog a request; what is left over comes up again as a sample.
MAX_EDITED, MAX_VANISHED = 100, 20
# Generators that date every page with the moment of the build say nothing about single pages.
_REBUILT_SHARE, _REBUILT_LEAST = 0.5, 20
_EVERY = timedelta(days=30)  # even a blog without news is sampled this often: edits need no announcement


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A post to ask for again; `entry` is what the feed says of it now, or said when it was stored."""

    post: KnownPost
    why: Why
    entry: FeedEntry | None = None


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What feed and sitemaps say that is new since the last update."""

    feed: FeedChanges = FeedChanges()
    sitemap: SitemapChanges = SitemapChanges()
    since: datetime | None = None


def reasoned_visits(known: Known, changes: Changes) -> list[Visit]:
    """Return the posts that there is a reason to ask for, each once."""
    feed, sitemap = changes.feed, changes.sitemap
    reasons: list[tuple[Why, Iterable[str]]] = [
        ("comments", sorted(feed.commented)),
        ("edited", sorted(place for place in feed.edited if _is_since(changes, place))),
        ("edited", _edited_by_sitemap(known, changes)[:MAX_EDITED]),
        ("again", [post.place for post in known if post.is_pending and not post.is_gone]),
        ("back", [post.place for post in known if post.is_gone and _is_named(post, changes)]),
        ("vanished", [*sorted(feed.vanished), *map(place_key, sitemap.vanished)][:MAX_VANISHED]),
    ]
    chosen: dict[str, Visit] = {}
    for why, places in reasons:
        for place in places:
            post = known.at(place)
            if post is not None and (not post.is_gone or why == "back"):
                chosen.setdefault(post.id, Visit(post=post, why=why, entry=feed.entries.get(post.place) or post.entry))
    return list(chosen.values())


def sampled_visits(known: Known, changes: Changes, size: int, but: Iterable[Visit]) -> list[Visit]:
    """Return posts to ask for without a reason: half of them the newest, half those that nobody asked for longest."""
    visited = {visit.post.id for visit in but}
    free = [post for post in known if post.id not in visited and is_after(changes.since, post.published)]
    newest = sorted(free, key=lambda post: (-_timestamp(post.published), post.id))[: (size + 1) // 2]
    chosen = {post.id: post for post in newest}
    for post in sorted(free, key=lambda post: (post.visited_at, post.id)):
        if len(chosen) >= size:
            break
        chosen.setdefault(post.id, post)
    entries = changes.feed.entries
    return [Visit(post=post, why="sample", entry=entries.get(post.place) or post.entry) for post in chosen.values()]


def is_sample_overdue(known: Known, now: datetime) -> bool:
    """Tell whether no post has been asked for in so long that some should be, news or not."""
    latest = max((post.visited_at for post in known), default=None)
    return latest is not None and now - latest >= _EVERY


def is_after(since: datetime | None, *moments: datetime | None) -> bool:
    """Tell whether one of the moments is not before `since`, or none is known."""
    known = [moment for moment in moments if moment is not None]
    return since is None or not known or any(moment >= since for moment in known)


def moment_of(lastmod: str | None) -> datetime | None:
    """Return the moment that a sitemap gives: W3C date and time, or only a year, month or day."""
    text = (lastmod or "").strip()
    padded = text + "0000-01-01"[len(text) :] if len(text) in (4, 7) else text
    try:
        moment = datetime.fromisoformat(padded)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _edited_by_sitemap(known: Known, changes: Changes) -> list[str]:
    """Places of posts with a new date of last change, the latest change first."""
    sitemap = changes.sitemap
    edited = [url for url in sitemap.edited if known.at(place_key(url))]
    total = sum(known.at(place_key(url)) is not None for url in sitemap.named)
    if total >= _REBUILT_LEAST and len(edited) > total * _REBUILT_SHARE:
        return []
    dated = [(moment_of(sitemap.named[url]), url) for url in edited]
    due = [(moment, url) for moment, url in dated if is_after(changes.since, moment)]
    return [place_key(url) for moment, url in sorted(due, key=lambda pair: (-_timestamp(pair[0]), pair[1]))]


def _is_since(changes: Changes, place: str) -> bool:
    entry = changes.feed.entries[place]
    return is_after(changes.since, entry.published, entry.updated)


def _is_named(post: KnownPost, changes: Changes) -> bool:
    """Tell whether the blog names a post again that was gone."""
    return post.place in changes.feed.entries or any(place_key(url) == post.place for url in changes.sitemap.new)


def _timestamp(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0
