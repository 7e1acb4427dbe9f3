"""What all pages of a blog say about its markup, gathered while they are read for the article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.learn.author import is_role
from posterity.learn.naming import is_stable
from posterity.learn.opinion import Opinion, opinion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.learn.evidence import Witness
    from posterity.model import Feed, FeedEntry


class Testimony:
    """Listens while pages are read and keeps what each says; the trees themselves are let go."""

    def __init__(self, feed: Feed, languages: Sequence[str], now: datetime | None) -> None:
        self._feed, self.languages, self._now = feed, tuple(languages), now
        self.opinions: list[tuple[FeedEntry, Opinion]] = []
        self.scores: dict[str, float] = {}
        # The ids and classes of each page, by which layouts are told apart.
        self.marks: dict[str, frozenset[str]] = {}

    def hear(self, tree: Tree, witness: Witness, scores: Mapping[int, float]) -> None:
        """Take notice of a page; one on which no node can hold the article says nothing."""
        self.marks[witness.url] = _marks(tree)
        if not scores:
            return
        article = max(scores, key=lambda node: (scores[node], node))
        self.scores[witness.url] = round(scores[article], 4)
        names = authors_of(witness.entry, self._feed)
        said = opinion(tree, witness.entry, names, article, self.languages, self._now)
        self.opinions.append((witness.entry, said))

    def forget(self) -> None:
        """Drop everything heard so far."""
        self.opinions.clear()
        self.scores.clear()
        self.marks.clear()


def authors_of(entry: FeedEntry, feed: Feed) -> tuple[str, ...]:
    """Return whom the feed names for an entry: its own authors, else the feed's."""
    return tuple(name for name in (entry.authors or feed.authors) if not is_role(name))


def _marks(tree: Tree) -> frozenset[str]:
    ids = {f"#{name}" for name in tree.nodes_by_id if is_stable(name)}
    return frozenset(ids | {f".{name}" for name in tree.nodes_by_class if is_stable(name)})
