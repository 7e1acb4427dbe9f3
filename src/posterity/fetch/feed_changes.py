"""What a feed says now that it did not say before: edited entries, more comments, entries taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.model import FeedEntry
from posterity.urls import canonical_url, place_key

if TYPE_CHECKING:
    from posterity.model import Feed

_SAID = ("title", "authors", "content", "summary", "tags")


class FeedChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The entries by the places that they link to; each set names such places."""

    entries: dict[str, FeedEntry] = {}
    edited: frozenset[str] = frozenset()
    commented: frozenset[str] = frozenset()
    vanished: frozenset[str] = frozenset()

    @property
    def are_news(self) -> bool:
        """Tell whether an entry of before is different now."""
        return bool(self.edited or self.commented or self.vanished)


def feed_changes(now: Feed, before: Feed | None) -> FeedChanges:
    """Return what has changed; without an earlier feed, nothing has.

    An entry that slid out at the end of the feed has not vanished: only one that is younger than the feed's oldest has.
    """
    entries = _by_place(now)
    earlier = _by_place(before) if before is not None else {}
    both = entries.keys() & earlier.keys()
    dates = [entry.published for entry in entries.values() if entry.published]
    return FeedChanges(
        entries=entries,
        edited=frozenset(place for place in both if _is_edited(entries[place], earlier[place])),
        commented=frozenset(
            place for place in both if (entries[place].comment_count or 0) > (earlier[place].comment_count or 0)
        ),
        vanished=frozenset(
            place
            for place, entry in earlier.items()
            if place not in entries and entry.published and dates and entry.published > min(dates)
        ),
    )


def _by_place(feed: Feed) -> dict[str, FeedEntry]:
    found: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        if entry.link:
            found.setdefault(place_key(canonical_url(entry.link)), entry)
    return found


def _is_edited(entry: FeedEntry, earlier: FeedEntry) -> bool:
    """Feeds that do not tell when an entry was edited still show another text."""
    if entry.updated != earlier.updated and entry.updated is not None:
        return True
    return any(getattr(entry, name) != getattr(earlier, name) for name in _SAID)
