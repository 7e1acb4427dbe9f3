"""A record that was made again and the one before it: what only the earlier one could know is kept.

A later harvest finds fewer comments when a thread was closed, and no entry when the feed has moved on; neither makes
what was known before wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from posterity.archive.sameness import with_files_of

if TYPE_CHECKING:
    from datetime import datetime

    from posterity.model import Post

# What only the feed says for certain, each with the fields that go along with it.
_TOLD_BY_FEED = {
    "title": ("title",),
    "authors": ("authors",),
    "published": ("published", "published_precision"),
    "modified": ("modified",),
    "tags": ("tags",),
}
_FEED_ENTRY = "feed-entry"


def with_what_was_known(new: Post, old: Post) -> Post:
    """Return the new record with the old one's id, its media files, its comments if it had more, its feed's words.

    Its media files are those of what the article still shows or links to.
    """
    fields: dict[str, Any] = {"id": old.id}
    provenance = dict(new.provenance)
    if len(new.comments) < len(old.comments):
        fields["comments"] = old.comments
        provenance |= _origin(old, "comments")
    # Files that the article links to are no part of its page; that they came is known by the old record alone.
    shown = {medium.url for medium in new.media}
    linked = [medium for medium in old.media if medium.file and medium.url in new.links and medium.url not in shown]
    fields["media"] = (*new.media, *linked)
    for field, parts in _TOLD_BY_FEED.items():
        if _told_by_feed(old, field) and not _told_by_feed(new, field):
            fields |= {part: getattr(old, part) for part in parts}
            provenance |= _origin(old, field)
    return with_files_of(msgspec.structs.replace(new, provenance=provenance, **fields), old)


def is_older(new: Post, old: Post) -> bool:
    """Tell whether the new record was made of an older page than the one that is stored."""
    left, right = _seen_at(new), _seen_at(old)
    return left is not None and right is not None and left < right


def _told_by_feed(post: Post, field: str) -> bool:
    origin = post.provenance.get(field)
    return origin is not None and origin.method == _FEED_ENTRY


def _origin(post: Post, field: str) -> dict[str, Any]:
    return {field: post.provenance[field]} if field in post.provenance else {}


def _seen_at(post: Post) -> datetime | None:
    origin = post.provenance.get("text")
    return origin.at if origin is not None else None
