"""What the archive knows of a blog before it is updated: its posts by place, and which of them were hard to reach."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.errors import NotInArchive
from posterity.model import FeedEntry, Post
from posterity.urls import Scope, lies_in, place_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive
    from posterity.archive.seen import Seen
    from posterity.model import Blog, RuleSet

_NEVER = datetime.min.replace(tzinfo=UTC)
# Kinds of `Seen`: a post that answered, one to be asked again next time, one that is given up for now.
ANSWERED, AGAIN, GIVEN_UP = "post", "again", "given up"


class KnownPost(msgspec.Struct, frozen=True, kw_only=True):
    """A stored post, without its text; `entry` is what its feed said of it when it was stored.

    `failed_before` is the status when it was last asked for in vain, 0 for no answer; `is_pending`, that it is to be
    asked for again because of that.
    """

    id: str
    url: str
    published: datetime | None
    visited_at: datetime
    entry: FeedEntry | None
    is_gone: bool
    failed_before: int | None = None
    is_pending: bool = False

    @property
    def place(self) -> str:
        """Where it lives, in one spelling."""
        return place_key(self.url)


class Known:
    """One blog as the archive has it. `completed_at` is up to when everything fetched has been worked through."""

    def __init__(self, archive: Archive, blog: Blog, rules: RuleSet) -> None:
        self.blog, self.rules = blog, rules
        report = archive.report(blog.id)
        ends = [moment for moment in (report.ended_at if report else None, blog.updated_at) if moment]
        self.completed_at = max(ends, default=None)
        self.dates: list[datetime] = []
        self._by_place: dict[str, KnownPost] = {}
        self._by_id: dict[str, KnownPost] = {}
        gone = {tombstone.id for tombstone in archive.tombstones(blog.id)}
        seen = archive.seen(blog.id)
        for post in archive.posts(blog.id):
            self._add(post, is_gone=post.id in gone, seen=seen.get(post.url))

    @classmethod
    def of(cls, archive: Archive, name: str) -> Known:
        """Return what is known of the blog with this id, address or host name."""
        blog = archive.blog(name)
        rules = archive.rules(blog.id)
        if rules is None:
            raise NotInArchive(f"The archive has no rules for {blog.url}. Run `posterity harvest {blog.url}` first.")
        return cls(archive, blog, rules)

    def __iter__(self) -> Iterator[KnownPost]:
        return iter(self._by_id.values())

    def at(self, place: str) -> KnownPost | None:
        """The post at this place."""
        return self._by_place.get(place)

    def at_url(self, url: str) -> KnownPost | None:
        """The post at this address."""
        return self._by_place.get(place_key(url))

    def with_id(self, post_id: str) -> KnownPost | None:
        """The post with this id."""
        return self._by_id.get(post_id)

    @property
    def scope(self) -> Scope:
        """Where the blog's posts are: below its home page, or wherever else one is stored from."""
        scope = Scope.of(self.blog.url)
        for post in self:
            if not scope.includes(post.url):
                scope = Scope(scope.with_host(post.url).hosts)
        return scope

    def is_below_post(self, url: str) -> bool:
        """Tell whether the address lies inside a post's: an attachment, a page of its comments."""
        return lies_in(url, self._by_place)

    def _add(self, post: Post, *, is_gone: bool, seen: Seen | None) -> None:
        origin = post.provenance.get("text")
        visits = [moment for moment in (origin.at if origin else None, seen.fetched_at if seen else None) if moment]
        known = KnownPost(
            id=post.id,
            url=post.url,
            published=post.published,
            visited_at=max(visits, default=_NEVER),
            entry=_told_by_feed(post),
            is_gone=is_gone,
            failed_before=seen.status if seen and seen.kind in (AGAIN, GIVEN_UP) else None,
            is_pending=seen is not None and seen.kind == AGAIN,
        )
        self._by_id[post.id] = known
        for url in (post.canonical_url or post.url, post.url):
            self._by_place[place_key(url)] = known
        if post.published:
            self.dates.append(post.published)


def _told_by_feed(post: Post) -> FeedEntry | None:
    """What the feed told of the post, so that a later look at its page alone gives the same record."""
    told = {field for field, origin in post.provenance.items() if origin.method == "feed-entry"}
    if not told:
        return None
    return FeedEntry(
        link=post.url,
        title=post.title if "title" in told else None,
        authors=post.authors if "authors" in told else (),
        published=post.published if "published" in told else None,
        updated=post.modified if "modified" in told else None,
        tags=post.tags if "tags" in told else (),
    )
