"""What the feed says of the very post on a page, put beside what the page tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.extract.found_field import on_day
from posterity.learn.author import is_role
from posterity.learn.told_entries import entry_about
from posterity.model import Provenance

if TYPE_CHECKING:
    from datetime import datetime

    from posterity.dom import Document
    from posterity.extract.method import Context
    from posterity.model import FeedEntry

# What the feed says of a post is what its author entered.
_FEED_ENTRY = Provenance(method="feed-entry", confidence=0.99)


def add_from_entry(
    document: Document, context: Context, fields: dict[str, Any], provenance: dict[str, Provenance]
) -> None:
    """Fill in what the feed says of this page: the entry that came with it, else the one that its blog's rules keep."""
    entry = context.entry or (entry_about(document, context.rules) if context.rules is not None else None)
    if entry is None:
        return
    for name, value in _said(entry, fields).items():
        if value:
            fields[name] = value
            provenance[name] = _FEED_ENTRY
    if entry.published:
        fields["published_precision"] = "minute"


def _said(entry: FeedEntry, fields: dict[str, Any]) -> dict[str, Any]:
    """The page's own title goes first: feeds shorten theirs."""
    return {
        "published": _on_the_pages_day(entry.published, fields),
        "authors": tuple(name for name in entry.authors if not is_role(name)),
        "tags": entry.tags,
        "modified": entry.updated if entry.updated != entry.published else None,
        "title": None if fields.get("title") else entry.title,
    }


def _on_the_pages_day(moment: datetime | None, fields: dict[str, Any]) -> datetime | None:
    """Return the feed's moment, in a zone in which it falls on the day that the page shows."""
    shown = fields.get("published")
    return moment if moment is None or shown is None else on_day(moment, shown.date())
