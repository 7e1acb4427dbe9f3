"""The books of one harvest: what was promised by whom, what came, what was kept, what is missing and why."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from posterity.model import HarvestReport, MissingPost, SourceCount, blog_id
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.model import Page, Post, Rejected


class Ledger:
    """Counts as the crawl goes; `report` closes the books."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.started_at = datetime.now(UTC)
        self.pages = self.bytes = self.comments = self.media = 0
        self._discovered: set[str] = set()
        self._promised: dict[str, str] = {}
        self._by_source: Counter[str] = Counter()
        self._kept: dict[str, str] = {}
        self._states: Counter[str] = Counter()
        self._rejected: dict[str, Rejected] = {}

    @property
    def posts(self) -> int:
        """How many posts are stored."""
        return len(self._kept)

    @property
    def known(self) -> int:
        """How many addresses have come up."""
        return len(self._discovered)

    def promise(self, url: str, source: str) -> None:
        """A source names the address of a post."""
        self._discovered.add(url)
        self._by_source[source] += 1
        self._promised.setdefault(url, source)

    def discover(self, url: str) -> bool:
        """Tell whether the address comes up for the first time."""
        if url in self._discovered:
            return False
        self._discovered.add(url)
        return True

    def arrived(self, page: Page) -> None:
        """A page came in, with an error status or not."""
        self.pages += 1
        self.bytes += len(page.body)
        self._discovered.add(canonical_url(page.url))

    def rejected(self, rejected: Rejected) -> None:
        """An address gave no post."""
        self._rejected[canonical_url(rejected.url)] = rejected

    def first_sight(self, post: Post) -> bool:
        """Tell whether no other address gave this post before."""
        return post.id not in self._kept

    def stored(self, post: Post, state: str) -> None:
        """A post is in the archive."""
        self._kept[post.id] = post.url
        self._states[state] += 1
        self.comments += len(post.comments)
        self.media += len(post.media)

    def report(self, blog: str, ended_because: str) -> HarvestReport:
        """Return the completeness report."""
        new = Counter(self._promised.values())
        kept = set(self._kept.values())
        missing = [
            MissingPost(url=url, reason=why.reason, detail=why.detail)
            for url in self._promised
            if url not in kept and (why := self._rejected.get(url)) and why.reason != "duplicate"
        ]
        return HarvestReport(
            blog=blog or blog_id(canonical_url(self.url)),
            url=self.url,
            started_at=self.started_at,
            ended_at=datetime.now(UTC),
            ended_because=ended_because,
            sources=tuple(
                SourceCount(source=source, promised=count, new=new[source]) for source, count in self._by_source.items()
            ),
            posts=self.posts,
            new_posts=self._states["new"],
            comments=self.comments,
            media=self.media,
            requests=self.pages,
            bytes=self.bytes,
            missing=tuple(missing),
        )
