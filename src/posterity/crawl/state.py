"""The state that the steps of a crawl share: a typed interface of both spiders.

`GroupCommit` makes the records and the WARC of several pages durable together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, Self, cast

from scrapy.crawler import Crawler

from posterity.archive import Archive
from posterity.archive.history import Outcome
from posterity.archive.warc_writer import WarcWriter
from posterity.blog.optouts import Reservations
from posterity.blog.page_source import PageSource
from posterity.crawl.crawl_stats import CrawlStats
from posterity.crawl.jobs import Event, HarvestJob, UpdateJob
from posterity.errors import ArchiveError
from posterity.model import Blog, Post, Rejected, RuleSet
from posterity.urls import Scope


class CrawlState(Protocol):
    """The running crawl for middlewares and pipeline steps; `NewCrawl` and `UpdateCrawl` implement it."""

    archive: Archive
    warc_writer: WarcWriter
    commits: GroupCommit
    crawl_stats: CrawlStats
    reservations: Reservations
    blog: Blog
    rules: RuleSet
    on_event: Callable[[Event], None]

    @property
    def source(self) -> PageSource:
        """Return the page source."""

    @property
    def job(self) -> HarvestJob | UpdateJob:
        """Return the job."""

    @property
    def scope(self) -> Scope:
        """Return the scope of the blog."""

    def give_up(self, problem: Exception) -> None:
        """End the crawl because of this error."""

    def rejected(self, rejected: Rejected) -> None:
        """Record why a URL gave no post."""

    def checked(self, post: Post) -> Post | None:
        """Return the post to store, or None for another URL of a known post."""

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that has been stored."""


def state_of(crawler: Crawler) -> CrawlState:
    """Return the state of the crawl that this crawler runs."""
    return cast("CrawlState", crawler.spider)


class Component:
    """A middleware, extension or pipeline step; it has the crawler, and through it the state."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the component; called by Scrapy."""
        return cls(crawler)


# A few times as long as a sync takes on a slow disk; what a crash loses is requested again. If no response is
# expected, there is no reason to wait for more posts, especially at the end of a crawl.
_WAIT_S, _QUIET_WAIT_S = 0.25, 0.02
_MOST_POSTS = 50


class GroupCommit:
    """Makes records and responses of a crawl durable in groups.

    `give_up` is called if the archive cannot be written; `is_quiet` returns whether no response is expected.
    """

    def __init__(
        self,
        archive: Archive,
        writer: WarcWriter,
        give_up: Callable[[Exception], None],
        is_quiet: Callable[[], bool] = lambda: False,
    ) -> None:
        self._archive, self._writer, self._give_up, self._is_quiet = archive, writer, give_up, is_quiet
        writer.syncs_each = False
        self._posts: list[tuple[Post, asyncio.Future[Outcome]]] = []
        self._timer: asyncio.TimerHandle | None = None

    def response_written(self) -> None:
        """Schedule a commit after a response was written."""
        if self._timer is None:
            self._commit_in(_WAIT_S)

    async def stored(self, post: Post) -> Outcome:
        """Store the post and return the outcome once it is durable."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._posts.append((post, outcome))
        if len(self._posts) >= _MOST_POSTS:
            self.commit()
        elif self._is_quiet():
            self._commit_in(_QUIET_WAIT_S)
        else:
            self.response_written()
        return await outcome

    def _commit_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.commit)

    def commit(self) -> None:
        """Make everything durable now: responses first, because records refer to them."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        group, self._posts = self._posts, []
        try:
            self._writer.sync()
            outcomes = self._archive.put_group([post for post, _ in group]) if group else []
        except ArchiveError as problem:
            self._give_up(problem)
            for _, outcome in group:
                if not outcome.done():
                    outcome.set_exception(problem)
            return
        for (_, outcome), became in zip(group, outcomes, strict=True):
            if not outcome.done():
                outcome.set_result(became)
