"""What the steps of a crawl share: the typed interface of both spiders, in place of attributes that nobody declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from posterity.archive import Archive
    from posterity.archive.warc_writer import WarcWriter
    from posterity.blog.optouts import Reservations
    from posterity.blog.page_source import PageSource
    from posterity.crawl.commit import GroupCommit
    from posterity.crawl.crawl_stats import CrawlStats
    from posterity.crawl.jobs import Event, HarvestJob, UpdateJob
    from posterity.model import Blog, Post, Rejected, RuleSet
    from posterity.urls import Scope


class CrawlState(Protocol):
    """A running crawl as middlewares and pipeline steps see it; `NewCrawl` and `UpdateCrawl` are two."""

    archive: Archive
    warc_writer: WarcWriter
    commits: GroupCommit
    crawl_stats: CrawlStats
    reservations: Reservations
    blog: Blog
    rules: RuleSet
    tell: Callable[[Event], None]

    @property
    def source(self) -> PageSource:
        """Return where pages come from."""

    @property
    def job(self) -> HarvestJob | UpdateJob:
        """Return what was asked for."""

    @property
    def scope(self) -> Scope:
        """Return what belongs to the blog."""

    def give_up(self, problem: Exception) -> None:
        """End the crawl because of this."""

    def rejected(self, rejected: Rejected) -> None:
        """Note why a URL gave no post."""

    def checked(self, post: Post) -> Post | None:
        """Return the post to store, or None for another URL of one that has come up."""

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that is in the archive now."""


def state_of(crawler: Crawler) -> CrawlState:
    """Return the state of the crawl that this crawler runs."""
    return cast("CrawlState", crawler.spider)
