"""NewCrawl: the whole blog from its address (BlogForever paper, section 2).

The home page leads to the feed, the feed's pages teach the rules and the pattern of post addresses (`profile`), and
every source of addresses is asked: feed, sitemaps, interfaces, further feed pages, links. Posts come first; other pages
come in the order of how many unseen posts they probably bring (`crawl_queue`); and when no page is worth a visit, the
crawl ends and says so.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import scrapy

from posterity.archive import open_archive
from posterity.classify import page_kind
from posterity.crawl.capture import BudgetMiddleware, GroupCommit, page_of
from posterity.crawl.crawl_stats import CrawlStats
from posterity.crawl.downloading import NETWORK_ERRORS, PostItem, is_quiet, rejection, translated, why_unusable
from posterity.crawl.jobs import Ended, Fetched, HarvestJob, Learned, Started, Stored, checked_url
from posterity.crawl.middlewares import PolitenessMiddleware, failed_on
from posterity.crawl.profile import CrawlProfile, learn_profile, with_what_was_known
from posterity.crawl.scrapy_settings import add_settings
from posterity.crawl.sources import find_entrance, listed_posts, rendered_entrance, sitemap_addresses, with_sections
from posterity.crawl.tdmrep import Reservations, fetch_reservations
from posterity.crawl.url_queue import NOTHING_NEW, CrawlQueue, Frontier
from posterity.discover.links import page_links
from posterity.dom import parse
from posterity.dom.metadata import declared_url
from posterity.errors import Interrupted, NoBlog, UnreadablePage
from posterity.model import Rejected, blog_id
from posterity.model.page import NO_FEED
from posterity.urls import canonical_url
from posterity.urls.canonical import SlashHabit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from posterity.archive import Archive
    from posterity.crawl.jobs import Event
    from posterity.dom import Document
    from posterity.model import Blog, FeedEntry, Page, Post, RuleSet


_REASONS = {
    "finished": "every address that could be found has been visited",
    "shutdown": "it was interrupted",
    "": "it was interrupted",
}
_AGAIN = "Run the same command again to go on."


def finish_harvest(spider: NewCrawl, reason: str) -> None:
    """Close what is open; what stopped the harvest, if anything, lies in `spider.failure` afterwards."""
    spider.commits.commit()
    spider.warc_writer.close()
    interrupted = reason in ("shutdown", "")
    budget: Any = spider.crawler.get_downloader_middleware(BudgetMiddleware)
    limit: str | None = budget.ended_because if budget else None
    if spider.failure is None and not hasattr(spider, "blog"):
        where = "before its rules were learned"
        spider.failure = Interrupted(f"The harvest of {spider.job.url} was interrupted {where}. {_AGAIN}")
    if isinstance(spider.failure, NoBlog) and limit:
        spider.failure = NoBlog(f"Nothing was learned about {spider.job.url} before {limit}. Set the limit higher.")
    if not interrupted and not limit:
        spider.frontier.finished()
    if spider.failure is not None:
        return
    _date_by_lists(spider)
    given_up = spider.crawl_queue.given_up()
    because = limit or (NOTHING_NEW if given_up and reason == "finished" else _REASONS.get(reason, reason))
    for url in given_up:
        spider.rejected(Rejected(url=url, reason="pageLimit" if limit else "givenUp", detail=because))
    politeness: Any = spider.crawler.get_downloader_middleware(PolitenessMiddleware)
    spider.crawl_stats.delay_s = politeness.longest_s if politeness else 0.0
    report = spider.crawl_stats.report(spider.blog.id, because if not interrupted else _REASONS[""])
    spider.archive.put_report(report)
    spider.tell(Ended(report=report))
    if interrupted:
        spider.failure = Interrupted(f"The harvest of {spider.job.url} was interrupted. {_AGAIN}")


def _date_by_lists(spider: NewCrawl) -> None:
    """Give posts whose pages show no date the one that a list of posts shows; lists come after posts."""
    if spider.crawl_queue.dates:
        dated = [spider.crawl_queue.dates.dated(post) for post in spider.archive.posts(spider.blog.id)]
        spider.archive.put_posts(post for post in dated if post is not None)


_EVIDENCE_PRIORITY = 1000


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
        self.job = job or HarvestJob(url=checked_url(startat), archive=str(archive))
        self.archive = open_archive(archive, create=True) if isinstance(archive, str) else archive
        self._has_takedowns = bool(self.archive.takedowns())
        self._runs_alone = job is None  # in somebody else's project, without a worker around it
        self.tell = tell
        home = blog_id(canonical_url(self.job.url))
        self.warc_writer = self.archive.warc_writer(home)  # puts in order what the frontier then goes on from
        self.frontier = Frontier(self.archive, home, datetime.now(UTC))
        self.crawl_stats = CrawlStats(self.job.url, self.frontier.started_at)
        self.crawl_stats.requests, self.crawl_stats.media_requests = self.frontier.spent
        self.failure: Exception | None = None
        self.commits = GroupCommit(self.archive, self.warc_writer, self.give_up, lambda: is_quiet(self.crawler))
        self._closed = False
        self.optouts: dict[str, tuple[str, ...]] = {}
        self.reservations = Reservations()
        self.slashes = SlashHabit()
        self.profile: CrawlProfile
        self.crawl_queue: CrawlQueue
        self.rules: RuleSet
        self.blog: Blog

    async def start(self) -> AsyncIterator[Any]:
        """Find the feed, learn from its pages, store them, and go on with what the other sources name."""
        self.tell(Started(url=self.job.url))
        try:
            self.reservations = await fetch_reservations(self.crawler, self.job.url)
            entrance = rendered_entrance(self.crawler, await find_entrance(self.crawler, self.job.url))
            self.crawl_stats.arrived(entrance.home)
            addresses = await sitemap_addresses(self.crawler, entrance.home)
            profile = await learn_profile(self, entrance, addresses)
            self._begin(await with_sections(self.crawler, profile, entrance.home, addresses))
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and go on; the worker raises it again
            self.failure = problem
            return
        documents = [home := self._document(entrance.home)]
        if home is not None:
            self.crawl_queue.dates.read(home)
        for page, entry in self.profile.evidence.pages:
            documents.append(document := self._document(page))
            if document is not None and (self._is_from_feed or self._is_post(document)):
                # By way of a request to nobody: Scrapy does not wait for items of start() when it closes.
                known = {"page": page, "document": document, "entry": entry if entrance.feed else None}
                yield scrapy.Request(
                    "data:,",
                    callback=self.parse_evidence,
                    cb_kwargs=known,
                    priority=_EVIDENCE_PRIORITY,
                    dont_filter=True,
                )
        self.crawl_queue.offer(self.crawl_stats.waiting(), linked=False)
        async for url in listed_posts(self.crawler, self.profile, entrance, addresses, self.crawl_stats):
            self.crawl_queue.offer([url], linked=False)
            for request in self._next_requests():
                yield request
        for document in documents:
            if document is not None:
                self.crawl_queue.offer(page_links(document), linked=True)
        self.crawl_queue.search()
        for request in self._next_requests():
            yield request

    def _begin(self, profile: CrawlProfile) -> None:
        """The blog is known: it and its rules go into the archive, and its addresses can be followed."""
        self.profile, self.blog = profile, with_what_was_known(profile.blog, self.archive)
        self.archive.put_blog(self.blog)
        self.rules = self.archive.put_rules(self.blog.id, profile.rules)
        at_once = self.crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self.crawl_queue = CrawlQueue(profile, self.crawl_stats, self._is_taken_down, at_once)
        self.tell(Learned(rules=self.rules))

    def _next_requests(self) -> Iterator[scrapy.Request]:
        budget = self.crawler.get_downloader_middleware(BudgetMiddleware)
        if budget is not None and budget.ended_because:
            return
        for url in self.crawl_queue.next_addresses():
            # Not filtered by Scrapy: the ledger knows what was asked for, and by places, not spellings.
            spelled = self.slashes.spelled(url)
            yield scrapy.Request(
                spelled, self.parse_page, errback=self.failed, cb_kwargs={"asked": url}, dont_filter=True
            )

    def parse_evidence(
        self, _: Response, page: Page, document: Document, entry: FeedEntry | None
    ) -> Iterator[PostItem]:
        """A page that taught the rules: it is a post."""
        self.crawl_stats.take_for_post(page.url)
        yield PostItem(page=page, document=document, source="feed", entry=entry)

    def parse_page(self, response: Response, asked: str) -> Iterator[Any]:
        """A page that a source led to: a post becomes an item, and all its links are followed."""
        page = page_of(response)
        self.crawl_queue.came_back(asked)
        document = self._document(page) if self.arrived(page) else None
        is_new, promised = False, 0
        if document is not None:
            if self._is_post(document):
                is_new = not self.crawl_stats.has_post(declared_url(document) or page.url)
                source = self.crawl_stats.source_of(asked) or self.crawl_stats.add_listed(
                    canonical_url(page.url), "links"
                )
                self.crawl_stats.take_for_post(page.url)
                yield PostItem(page=page, document=document, source=source)
            else:
                self.crawl_queue.dates.read(document)
            promised = self.crawl_queue.offer(page_links(document), linked=True)
        self.crawl_queue.learn(asked, is_post=is_new, promised=promised)
        yield from self._next_requests()

    @property
    def _is_from_feed(self) -> bool:
        """Tell whether the feed named the evidence; a sample of links may hold a page that is no post."""
        return self.profile.evidence.feed.format != NO_FEED

    def _is_post(self, document: Document) -> bool:
        kind = page_kind(document, self.rules, self.profile.pattern)
        return kind == "post" and not self.crawl_stats.is_below_post(document.url)

    def _is_taken_down(self, url: str) -> bool:
        """Tell whether the address was taken down: it is not even asked for again."""
        return self._has_takedowns and self.archive.is_forgotten(url)

    def _document(self, page: Page) -> Document | None:
        """The page's tree; one that cannot be read is noted."""
        try:
            return parse(page.body, page.url, page.content_type)
        except UnreadablePage as problem:
            self.rejected(Rejected(url=page.url, reason="unreadable", detail=str(problem)))
            return None

    def failed(self, failure: Failure) -> Iterator[scrapy.Request]:
        """A request that brought no answer."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        asked: str = request.cb_kwargs["asked"]
        self.crawl_queue.came_back(asked)
        self.crawl_queue.learn(asked, is_post=False, promised=0)
        if isinstance(failure.value, NETWORK_ERRORS):
            problem = translated(failure.value, request.url)
            problem.__cause__ = failure.value
            self.rejected(rejection(problem, request.url))
        else:
            failed_on(self, request.url, failure)
        yield from self._next_requests()

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
            finish_harvest(self, reason)
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and go on; the worker raises it again
            self.failure = self.failure or problem
        if self._runs_alone:
            if self.failure is not None:
                self.logger.error("%s", self.failure)
            self.archive.close()

    def arrived(self, page: Page) -> bool:
        """Count the page and tell whether it can be used."""
        self.crawl_stats.arrived(page)
        self.slashes.learn(page.requested_url, page.url)
        self.tell(
            Fetched(
                url=page.url, status=page.status, bytes=len(page.body), pages=self.crawl_stats.pages,
                known=self.crawl_stats.known, sources=self.crawl_stats.promised(),
            )
        )  # fmt: skip
        unusable = why_unusable(page)
        if unusable is not None:
            self.rejected(unusable)
        return unusable is None

    def rejected(self, rejected: Rejected) -> None:
        """Remember why an address gave no post."""
        self.crawl_stats.rejected(rejected)

    def first_sight(self, post: Post) -> bool:
        """Tell whether this post comes up for the first time in this harvest."""
        return self.crawl_stats.first_sight(post)

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that is in the archive now."""
        self.crawl_stats.stored(post, state)
        self.crawl_queue.dates.note_undated(post)
        self.tell(Stored(url=post.url, title=post.title, state=state, posts=self.crawl_stats.posts))
