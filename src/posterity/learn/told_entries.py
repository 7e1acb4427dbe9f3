"""What the feed said of its entries, kept with the rules: the best witness for the pages that it lists.

Some pages show no date, others name nobody; their feed does both. Matched as in learning: by the page's address, by the
address that the page declares, then by path alone when no other entry has it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.dom.declared import declared_address
from posterity.learn.evidence import page_key
from posterity.model import FeedEntry
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from posterity.dom import Document
    from posterity.learn.evidence import Witness
    from posterity.model import Feed, RuleSet

# The format of a feed that was made of pages' own accounts of themselves: it knows no more than the pages.
_NO_FEED = "none"
# So many entries of one and the same second were built in it, not written.
_BUILT = 3


def told_entries(feed: Feed, witnesses: Iterable[Witness]) -> dict[str, FeedEntry]:
    """Return what the feed says of each page, by the page's key; texts are left out, they would outweigh the rules."""
    if feed.format == _NO_FEED:
        return {}
    built = {when for when, count in Counter(entry.published for entry in feed.entries).items() if count >= _BUILT}
    told: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        if entry.link:
            told.setdefault(page_key(entry.link), _short(entry, built))
    return told | {page_key(witness.url): _short(witness.entry, built) for witness in witnesses}


def entry_about(document: Document, rules: RuleSet) -> FeedEntry | None:
    """Return what the feed said of this page when the rules were learned, or None when it did not list it."""
    entries = rules.entries
    if not entries or not document.url:
        return None
    if entry := entries.get(page_key(document.url)):
        return entry
    declared = declared_address(document)
    if declared and declared != canonical_url(document.url) and (entry := entries.get(page_key(declared))):
        return entry
    path = page_key(document.url, by_path=True)
    # Few addresses end alike, and a look at the end takes less time than taking each apart.
    same = [entry for key, entry in entries.items() if key.endswith(path) and f"/{key.partition('/')[2]}" == path]
    return same[0] if len(same) == 1 and path != "/" else None


def _short(entry: FeedEntry, built: set[datetime | None]) -> FeedEntry:
    return FeedEntry(
        title=entry.title,
        authors=entry.authors,
        published=None if entry.published in built else entry.published,
        updated=None if entry.updated in built else entry.updated,
        tags=entry.tags,
    )
