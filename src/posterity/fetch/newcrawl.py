"""NewCrawl: the whole blog from its address (BlogForever paper, section 2).

The home page leads to the feed, the feed's pages teach the rules and the pattern of post addresses, and every source
of addresses is asked: feed, sitemaps, further feed pages, links. Posts come first; other pages come in the order of
how many unseen posts they probably link to; and when they stop bringing new ones, the crawl ends and says so.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.exceptions import CloseSpider

from posterity.archive import open_archive
from posterity.discover.links import page_links
from posterity.discover.priority import LinkEstimate
from posterity.dom import parse
from posterity.errors import NoBlog, NothingLearned, UnreadablePage
from posterity.fetch.boundary import stumbled
from posterity.fetch.budget import BudgetMiddleware
from posterity.fetch.capture import page_of
from posterity.fetch.closing import close_books
from posterity.fetch.downloading import NETWORK_ERRORS, rejection, translated, why_unusable
from posterity.fetch.events import FeedRead, Fetched, Learned, Started, Stored
from posterity.fetch.evidence import Evidence, Gatherer
from posterity.fetch.find_feed import find_entrance
from posterity.fetch.frontier import Frontier
from posterity.fetch.items import PostItem
from posterity.fetch.job import HarvestJob, checked_address
from posterity.fetch.ledger import Ledger
from posterity.fetch.more_feed import further_entries
from posterity.fetch.scrapy_settings import add_settings
from posterity.fetch.sitemaps import sitemap_addresses
from posterity.identify import page_kind
from posterity.learn.rule_set import learn
from posterity.model import Blog, Rejected, blog_id
from posterity.urls import PostPattern, Scope, canonical_url, post_pattern
from posterity.urls.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from posterity.archive import Archive
    from posterity.dom import Document
    from posterity.fetch.events import Event
    from posterity.fetch.find_feed import BlogEntrance
    from posterity.model import FeedEntry, Page, Post, RuleSet

_POST_PRIORITY = 1000
_EVIDENCE_PRIORITY = 10 * _POST_PRIORITY
# The crawl ends when this many pages in a row brought no new post: a share of what is there, and at least a few.
# A sitemap that names posts has probably named them all.
_PATIENCE, _PATIENCE_WITH_SITEMAP = (40, 0.25), (5, 0.12)


class NewCrawl(scrapy.Spider):
    """One blog, the whole way. `job` says which, `archive` where to, `tell` hears of every event."""

    name = "newcrawl"
    # Error pages come to `parse_page` too: they are counted with their status.
    handle_httpstatus_list = list(range(400, 600))  # noqa: RUF012 - Scrapy reads it from the class

    @classmethod
    def update_settings(cls, settings: Any) -> None:
        """Our settings, below those of the project that the spider runs in."""
        super().update_settings(settings)
        add_settings(settings)

    def __init__(
        self,
        job: HarvestJob | None = None,
        archive: Archive | str = "posterity-archive",
        tell: Callable[[Event], None] = lambda _: None,
        startat: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.job = job or HarvestJob(url=checked_address(startat), archive=str(archive))
        self.archive = open_archive(archive, create=True) if isinstance(archive, str) else archive
        self._has_takedowns = bool(self.archive.takedowns())
        self._runs_alone = job is None  # in somebody else's project, without a worker around it
        self.tell = tell
        home = blog_id(canonical_url(self.job.url))
        self.frontier = Frontier(self.archive, home, datetime.now(UTC))
        self.ledger = Ledger(self.job.url, self.frontier.started_at)
        self.ledger.requests, self.ledger.media_requests = self.frontier.spent
        self.estimate = LinkEstimate()
        self.failure: Exception | None = None
        self.warc_writer = self.archive.warc_writer(home)
        self.pattern = PostPattern()
        self.posts_waiting = self.pages_without_news = 0
        self.all_sources_asked = self._closed = False
        self.optouts: dict[str, tuple[str, ...]] = {}
        self.rules: RuleSet
        self.blog: Blog
        self.scope: Scope

    async def start(self) -> AsyncIterator[Any]:
        """Find the feed, learn from its pages, store them, and go on with what the other sources name."""
        self.tell(Started(url=self.job.url))
        try:
            entrance = await find_entrance(self.crawler, self.job.url)
            self.scope = Scope.of(entrance.home.url)
            self.ledger.arrived(entrance.home)
            addresses = await sitemap_addresses(self.crawler, entrance.home)
            evidence = await self._learn(entrance, addresses)
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and go on; the worker raises it again
            self.failure = problem
            return
        documents = [self._document(page) for page, _ in evidence.pages]
        for (page, entry), document in zip(evidence.pages, documents, strict=True):
            if document is not None:
                # By way of a request to nobody: Scrapy does not wait for items of start() when it closes.
                known = {"page": page, "document": document, "entry": entry if entrance.feed else None}
                yield scrapy.Request(
                    "data:,",
                    callback=self.parse_evidence,
                    cb_kwargs=known,
                    priority=_EVIDENCE_PRIORITY,
                    dont_filter=True,
                )
        for request in self._visits(self.ledger.waiting()):
            yield request
        for request in self._visits(self._sitemap_links(addresses)):
            yield request
        async for url in further_entries(self.crawler, entrance.feed, self.ledger, known=len(addresses)):
            for request in self._visits([url]):
                yield request
        for document in (self._document(entrance.home), *documents):
            for request in self._follow(document) if document else ():
                yield request
        self.all_sources_asked = True

    async def _learn(self, entrance: BlogEntrance, addresses: Iterable[str]) -> Evidence:
        """Learn from the feed's pages; when there are none or they teach nothing, from pages that look like posts."""
        gatherer = Gatherer(self.crawler, self._arrived, self.rejected)
        problem: Exception | None = entrance.problem
        if entrance.feed is not None:
            feed = entrance.feed
            self.tell(FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem))
            for entry in feed.entries:
                if entry.link:
                    self.ledger.promise(canonical_url(entry.link), "feed", waiting=True)
            try:
                return self._taught_by(await gatherer.from_feed(feed, entrance.home), entrance)
            except NoBlog as nothing:
                problem = nothing
        evidence = await gatherer.from_links(entrance.home, self.scope, addresses)
        if evidence is None:
            raise problem or NoBlog(f"{entrance.home.url} does not look like a blog.")
        try:
            return self._taught_by(evidence, entrance)
        except NothingLearned:
            raise problem or NoBlog(f"{entrance.home.url} does not look like a blog.") from None

    def _taught_by(self, evidence: Evidence, entrance: BlogEntrance) -> Evidence:
        if not evidence.pages:
            raise NoBlog("None of the pages that the feed links to could be fetched. Try again later.")
        pages = [page for page, _ in evidence.pages]
        self.rules = learn(
            evidence.feed,
            {page.url: page.body for page in pages},
            now=pages[0].fetched_at,
            settings=self.job.settings.learn,
        )
        self.scope = _widened(self.scope, pages)
        self.pattern = post_pattern(canonical_url(page.url) for page in pages)
        for page in pages:
            self.ledger.promise(canonical_url(page.url), "feed" if entrance.feed else "links")
        self._introduce_blog(entrance)
        self.tell(Learned(rules=self.rules))
        return evidence

    def _introduce_blog(self, entrance: BlogEntrance) -> None:
        home, feed = entrance.home, entrance.feed
        address = canonical_url(home.url)
        document = parse(home.body, home.url)
        title = feed.title if feed else next((tree.plain(0).strip() for tree in document.all("title")), None)
        self.blog = Blog(
            id=blog_id(address),
            url=address,
            title=title,
            feed_url=feed.url if feed else None,
            language=(feed.language if feed else None) or document.language,
            harvested_at=home.fetched_at,
        )
        self.archive.put_blog(self.blog)
        self.rules = self.archive.put_rules(self.blog.id, self.rules)

    def parse_evidence(
        self, _: Response, page: Page, document: Document, entry: FeedEntry | None
    ) -> Iterator[PostItem]:
        """A page that taught the rules: it is a post."""
        yield PostItem(page=page, document=document, source="feed", entry=entry)

    def parse_page(self, response: Response) -> Iterator[Any]:
        """A page that a source led to: a post becomes an item, and all its links are followed."""
        page = page_of(response)
        if response.request and response.request.priority >= _POST_PRIORITY:
            self.posts_waiting -= 1
        self.pages_without_news += 1  # until it proves to be a post
        document = self._document(page) if self._arrived(page) else None
        if document is not None:
            if page_kind(document, self.rules, self.pattern) == "post" and not self.ledger.is_below_post(page.url):
                source = self.ledger.source_of(page.requested_url) or self.ledger.promise(
                    canonical_url(page.url), "links"
                )
                yield PostItem(page=page, document=document, source=source)
            yield from self._follow(document)
        self._end_when_nothing_is_new()

    def _document(self, page: Page) -> Document | None:
        """The page's tree; one that cannot be read is noted."""
        try:
            return parse(page.body, page.url, page.content_type)
        except UnreadablePage as problem:
            self.rejected(Rejected(url=page.url, reason="unreadable", detail=str(problem)))
            return None

    def _sitemap_links(self, addresses: Iterable[str]) -> Iterator[str]:
        for url in addresses:
            if self.scope.includes(url):
                if self.pattern.fits(url) and not is_trap(url):
                    self.ledger.promise(url, "sitemap", waiting=True)
                yield url

    def _follow(self, document: Document) -> Iterator[scrapy.Request]:
        """Requests for the page's links, and a lesson for the estimate: how many of them are posts nobody knew."""
        requests = list(self._visits(page_links(document)))
        self.estimate.learn(document.url, sum(request.priority >= _POST_PRIORITY for request in requests))
        yield from requests

    def _visits(self, urls: Iterable[str]) -> Iterator[scrapy.Request]:
        for url in urls:
            if not self.scope.includes(url) or is_trap(url) or not self.ledger.discover(url):
                continue
            if self._has_takedowns and self.archive.is_forgotten(url):  # taken down: not even asked for again
                continue
            if self.pattern.fits(url) or self.pattern.is_near(url):
                self.posts_waiting += 1
                priority = _POST_PRIORITY * (2 if self.pattern.fits(url) else 1)
            else:
                priority = min(_POST_PRIORITY - 1, int(self.estimate.of(url) * 20))
            # Not filtered by Scrapy: the ledger knows what was asked for, and by places, not spellings.
            yield scrapy.Request(url, self.parse_page, errback=self.failed, priority=priority, dont_filter=True)

    def _end_when_nothing_is_new(self) -> None:
        least, share = _PATIENCE_WITH_SITEMAP if self.ledger.promised_by("sitemap") else _PATIENCE
        patience = max(least, int(self.ledger.posts * share))
        if self.all_sources_asked and self.posts_waiting <= 0 and self.pages_without_news > patience:
            budget = self.crawler.get_downloader_middleware(BudgetMiddleware)
            if budget is None:
                raise CloseSpider("further pages brought no new posts")
            budget.end("further pages brought no new posts")

    def failed(self, failure: Failure) -> None:
        """A request that brought no answer."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        if request.priority >= _POST_PRIORITY:
            self.posts_waiting -= 1
        if not isinstance(failure.value, NETWORK_ERRORS):
            stumbled(self, request.url, failure)
            return
        problem = translated(failure.value, request.url)
        problem.__cause__ = failure.value
        self.rejected(rejection(problem, request.url))

    def give_up(self, problem: Exception) -> None:
        """End the crawl because of this."""
        self.failure = self.failure or problem
        asyncio.ensure_future(self.crawler.engine.close_spider_async(reason="failed"))  # noqa: RUF006

    def closed(self, reason: str) -> None:
        """Close the books, once."""
        if self._closed:
            return
        self._closed = True
        try:
            close_books(self, reason)
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and go on; the worker raises it again
            self.failure = self.failure or problem
        if self._runs_alone:
            if self.failure is not None:
                self.logger.error("%s", self.failure)
            self.archive.close()

    def _arrived(self, page: Page) -> bool:
        """Count the page and tell whether it can be used."""
        self.ledger.arrived(page)
        self.tell(
            Fetched(
                url=page.url, status=page.status, bytes=len(page.body), pages=self.ledger.pages, known=self.ledger.known
            )
        )
        unusable = why_unusable(page)
        if unusable is not None:
            self.rejected(unusable)
        return unusable is None

    def rejected(self, rejected: Rejected) -> None:
        """Remember why an address gave no post."""
        self.ledger.rejected(rejected)

    def first_sight(self, post: Post) -> bool:
        """Tell whether this post comes up for the first time in this harvest."""
        return self.ledger.first_sight(post)

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that is in the archive now."""
        self.pages_without_news = 0
        self.ledger.stored(post, state)
        self.tell(Stored(url=post.url, title=post.title, state=state, posts=self.ledger.posts))


def _widened(scope: Scope, pages: list[Page]) -> Scope:
    """A blog whose posts lie beside its home page's folder, or on another host, is where its posts are."""
    for page in pages:
        if not scope.includes(page.url):
            scope = Scope(scope.with_host(page.url).hosts)
    return scope
