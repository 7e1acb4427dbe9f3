"""NewCrawl: the whole blog from its address (BlogForever paper, section 2).

The home page leads to the feed, the feed's pages teach the rules and the pattern of post addresses, and links
lead to the rest: addresses that look like posts first, then everything else in scope.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import scrapy

from posterity.discover.links import page_links
from posterity.dom import parse
from posterity.errors import NoBlog, PosterityError, UnreadablePage
from posterity.fetch.capture import page_of
from posterity.fetch.downloading import NETWORK_ERRORS, fetch_page, rejection, translated
from posterity.fetch.events import FeedRead, Fetched, Learned, Started, Stored
from posterity.fetch.find_feed import find_entrance
from posterity.fetch.items import PostItem
from posterity.fetch.ledger import Ledger
from posterity.identify import page_kind
from posterity.learn.rule_set import learn
from posterity.model import Blog, Rejected, blog_id
from posterity.urls import PostPattern, Scope, canonical_url, post_pattern
from posterity.urls.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from posterity.archive import Archive
    from posterity.fetch.events import Event
    from posterity.fetch.job import HarvestJob
    from posterity.model import Feed, FeedEntry, Page, Post, RuleSet

_POST_PRIORITY = 100


class NewCrawl(scrapy.Spider):
    """One blog, the whole way. `job` says which, `archive` where to, `tell` hears of every event."""

    name = "newcrawl"
    # Error pages come to `parse_page` too: they are counted with their status.
    handle_httpstatus_list = list(range(400, 600))  # noqa: RUF012 - Scrapy reads it from the class

    def __init__(self, job: HarvestJob, archive: Archive, tell: Callable[[Event], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job, self.archive, self.tell = job, archive, tell
        self.ledger = Ledger(job.url)
        self.failure: Exception | None = None
        self.warc_writer = archive.warc_writer(blog_id(canonical_url(job.url)))
        self.pattern = PostPattern()
        self.rules: RuleSet
        self.blog: Blog
        self.scope: Scope

    async def start(self) -> AsyncIterator[Any]:
        """Find the feed, learn from its pages, store them, and go on with the links."""
        self.tell(Started(url=self.job.url))
        try:
            _feed, home, pages = await self._learn()
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and go on; the worker raises it again
            self.failure = problem
            return
        for page, entry in pages:
            yield PostItem(page=page, source="feed", entry=entry)
        for page in [home, *(page for page, _ in pages)]:
            for request in self._follow(page):
                yield request

    async def _learn(self) -> tuple[Feed, Page, list[tuple[Page, FeedEntry]]]:
        entrance = await find_entrance(self.crawler, self.job.url)
        home, feed = entrance.home, entrance.feed
        self.tell(FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem))
        self.scope = Scope.of(home.url)
        pages = await self._feed_pages(feed)
        self.scope = _widened(self.scope, [page for page, _ in pages])
        self.pattern = post_pattern(canonical_url(page.url) for page, _ in pages)
        self.rules = learn(feed, {page.url: page.body for page, _ in pages}, settings=self.job.settings.learn)
        self._introduce_blog(home, feed)
        self.tell(Learned(rules=self.rules))
        return feed, home, pages

    async def _feed_pages(self, feed: Feed) -> list[tuple[Page, FeedEntry]]:
        """Fetch every page that the feed links to; one that fails is noted and the others go on."""
        links = {canonical_url(entry.link): entry for entry in feed.entries if entry.link}
        for url in links:
            self.ledger.promise(url, "feed")
        pages = await asyncio.gather(*(self._feed_page(url) for url in links))
        return [(page, entry) for page, entry in zip(pages, links.values(), strict=True) if page is not None]

    async def _feed_page(self, url: str) -> Page | None:
        try:
            page = await fetch_page(self.crawler, url)
        except PosterityError as problem:
            self.rejected(rejection(problem, url))
            return None
        return page if self._arrived(page) else None

    def _introduce_blog(self, home: Page, feed: Feed) -> None:
        address = canonical_url(home.url)
        language = feed.language or parse(home.body, home.url).language
        self.blog = Blog(
            id=blog_id(address),
            url=address,
            title=feed.title,
            feed_url=feed.url,
            language=language,
            harvested_at=home.fetched_at,
        )
        self.archive.put_blog(self.blog)
        self.rules = self.archive.put_rules(self.blog.id, self.rules)

    def parse_page(self, response: Response) -> Iterator[Any]:
        """A page that a link led to: a post becomes an item, and all its links are followed."""
        page = page_of(response)
        if not self._arrived(page):
            return
        try:
            document = parse(page.body, page.url, page.content_type)
        except UnreadablePage as problem:
            self.rejected(Rejected(url=page.url, reason="unreadable", detail=str(problem)))
            return
        if page_kind(document, self.rules, self.pattern) == "post":
            self.ledger.promise(canonical_url(page.url), "links")
            yield PostItem(page=page, source="links")
        yield from self._follow(page)

    def _follow(self, page: Page) -> Iterator[scrapy.Request]:
        for url in page_links(page.body, page.url):
            if not self.scope.includes(url) or is_trap(url) or not self.ledger.discover(url):
                continue
            priority = _POST_PRIORITY if self.pattern.fits(url) else 0
            yield scrapy.Request(
                url,
                callback=self.parse_page,
                errback=self.failed,
                priority=priority,
            )

    def failed(self, failure: Failure) -> None:
        """A request that brought no answer."""
        url: str = failure.request.url  # type: ignore[attr-defined]
        if not isinstance(failure.value, NETWORK_ERRORS):
            failure.raiseException()
        self.rejected(rejection(translated(failure.value, url), url))

    def _arrived(self, page: Page) -> bool:
        """Count the page and tell whether it can be used."""
        self.ledger.arrived(page)
        self.tell(
            Fetched(
                url=page.url, status=page.status, bytes=len(page.body), pages=self.ledger.pages, known=self.ledger.known
            )
        )
        if page.status >= 400:
            self.rejected(Rejected(url=page.requested_url, reason="httpError", detail=str(page.status)))
        elif "html" not in page.content_type.lower() and page.content_type:
            self.rejected(Rejected(url=page.url, reason="notHtml", detail=page.content_type))
        else:
            return True
        return False

    def rejected(self, rejected: Rejected) -> None:
        """Remember why an address gave no post."""
        self.ledger.rejected(rejected)

    def first_sight(self, post: Post) -> bool:
        """Tell whether this post comes up for the first time in this harvest."""
        return self.ledger.first_sight(post)

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that is in the archive now."""
        self.ledger.stored(post, state)
        self.tell(Stored(url=post.url, title=post.title, state=state, posts=self.ledger.posts))


def _widened(scope: Scope, pages: list[Page]) -> Scope:
    """A blog whose posts lie beside its home page's folder, or on another host, is where its posts are."""
    for page in pages:
        if not scope.includes(page.url):
            scope = Scope(scope.with_host(page.url).hosts)
    if not pages:
        raise NoBlog("None of the pages that the feed links to could be fetched. Try again later.")
    return scope
