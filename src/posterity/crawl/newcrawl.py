"""NewCrawl: harvests a whole blog from its URL (BlogForever paper, section 2).

The home page leads to the feed, rules and the pattern of post URLs are learned from the feed's pages (`profile`), and
every source of URLs is read: feed, sitemaps, APIs, further feed pages, links. Posts come first, then other pages by the
number of new posts that they probably link to (`url_queue`). When no page is worth a visit, the crawl ends with a
report.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import scrapy
from scrapy.http import Response
from twisted.python.failure import Failure

from posterity import clock
from posterity.archive import Archive, open_archive
from posterity.blog.entrance import Entrance, doubtful_entries, find_entrance
from posterity.blog.lists import listed_urls, sitemap_urls
from posterity.blog.optouts import Reservations, reservations_in, reservations_url
from posterity.blog.page_parts import part_urls
from posterity.blog.profile import BlogProfile, learn_profile, with_sections
from posterity.blog.records import SeenPosts, record_of_entry, stands_for_page, trusted_canonical
from posterity.classify import page_kind
from posterity.classify.interstitials import Interstitials, may_be_interstitial, name_of_page, rejected_interstitial
from posterity.crawl import downloading, jobs
from posterity.crawl.capture import POLICY, TIME_LIMIT, BeyondLimit, BudgetMiddleware, page_of
from posterity.crawl.crawl_stats import CrawlStats
from posterity.crawl.middlewares import PolitenessMiddleware, failed_on
from posterity.crawl.rendering import NONE_RENDERED, RenderMiddleware
from posterity.crawl.scrapy_settings import add_settings
from posterity.crawl.state import GroupCommit
from posterity.crawl.update_state import settle_moves
from posterity.crawl.url_queue import NOTHING_NEW, CrawlQueue, Frontier
from posterity.discover.links import page_links, translations_on
from posterity.dom import Document, parse
from posterity.dom.document import declared_url
from posterity.errors import ArchiveError, BrowserMissing, Interrupted, NoBlog, NotInArchive, PosterityError
from posterity.model import Blog, Feed, FeedEntry, Page, Post, Rejected, RuleSet
from posterity.text.normal_form import count_of
from posterity.urls import Scope, blog_id, canonical_url, place_key
from posterity.urls.kinds import IgnoredCase, site_host

_INTERRUPTED = "it was interrupted"
_REASONS = {"finished": "every URL that could be found has been visited", "shutdown": _INTERRUPTED, "": _INTERRUPTED}
_AGAIN = "Run the same command again to continue."


def finish_harvest(spider: NewCrawl, reason: str) -> None:
    """Close what is open and write the report; an error that stopped the harvest is then in `spider.failure`."""
    spider.commits.commit()
    spider.warc_writer.close()
    budget: Any = spider.crawler.get_downloader_middleware(BudgetMiddleware)
    limit: str | None = budget.ended_because if budget else None
    interrupted = reason in ("shutdown", "") and limit != TIME_LIMIT
    if limit and isinstance(spider.failure, BeyondLimit):
        spider.failure = None
    if spider.failure is None and limit and not hasattr(spider, "blog"):
        spider.failure = NoBlog("")
    if spider.failure is None and not hasattr(spider, "blog"):
        where = "before its rules were learned"
        spider.failure = Interrupted(f"The harvest of {spider.job.url} was interrupted {where}. {_AGAIN}")
    if isinstance(spider.failure, NoBlog) and limit:
        spider.failure = NoBlog(f"Nothing was learned about {spider.job.url} before {limit}. Set the limit higher.")
    if not interrupted and not limit and not spider.refused:
        spider.frontier.finished()
    if spider.failure is not None:
        return
    _date_by_lists(spider)
    settle_moves(spider.archive, spider.blog)
    given_up = spider.crawl_queue.waiting.given_up()
    spider.crawl_stats.never_sampled = spider.crawl_queue.waiting.never_sampled()
    usual = NOTHING_NEW if given_up and reason == "finished" else _REASONS.get(reason, reason)
    because = limit or spider.refused or usual
    for url in given_up:
        spider.rejected(Rejected(url=url, reason="pageLimit" if limit else "givenUp", detail=because))
    spider.crawl_stats.note_failed_lists(spider.scope)
    spider.archive.mark_seen(spider.blog.id, *spider.crawl_stats.unread())
    politeness: Any = spider.crawler.get_downloader_middleware(PolitenessMiddleware)
    spider.crawl_stats.delay_s = politeness.longest_s if politeness else 0.0
    report = spider.crawl_stats.report(
        spider.blog.id, because if not interrupted else _INTERRUPTED, no_rules=spider.profile.problem or ""
    )
    spider.archive.put_report(report)
    spider.on_event(jobs.Ended(report=report))
    if not report.posts and not interrupted and not limit:
        spider.failure = NoBlog(
            f"No page of {spider.job.url} was recognised as a post; "
            "`posterity show BLOG --missing` lists those that could not be fetched."
        )
        return
    if interrupted:
        spider.failure = Interrupted(f"The harvest of {spider.job.url} was interrupted. {_AGAIN}")


def _date_by_lists(spider: NewCrawl) -> None:
    """Give posts whose pages show no date the one that a list of posts shows; lists may be read after posts."""
    if spider.crawl_queue.dates:
        dated = [spider.crawl_queue.dates.dated(post) for post in spider.archive.posts_of(spider.blog.id)]
        spider.archive.put_posts(post for post in dated if post is not None)


_EVIDENCE_PRIORITY = 1000
_REFUSING = (401, 403, 429, *range(500, 600))
_MAX_REFUSALS = 25
_HTML = "text/html; charset=utf-8"


def _local_request(callback: Callable[..., Iterator[downloading.PostItem]], **given: object) -> scrapy.Request:
    """Return a request that calls this callback without contacting a server."""
    return scrapy.Request("data:,", callback=callback, cb_kwargs=given, priority=_EVIDENCE_PRIORITY, dont_filter=True)


class NewCrawl(scrapy.Spider):
    """The crawl of one whole blog, given by `job`, into `archive`; `on_event` is called for every event."""

    name = "newcrawl"
    # `parse_page` also gets error pages, which are counted with their status.
    handle_httpstatus_list = list(range(400, 600))  # noqa: RUF012 - Scrapy reads it from the class

    @classmethod
    def update_settings(cls, settings: Any) -> None:
        """Add our settings, with a lower priority than those of the project that the spider runs in."""
        super().update_settings(settings)
        add_settings(settings)

    def __init__(
        self,
        job: jobs.HarvestJob | None = None,
        archive: Archive | str = "posterity-archive",
        on_event: Callable[[jobs.Event], None] = lambda _: None,
        startat: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.job = job or jobs.HarvestJob(url=jobs.checked_url(startat), archive=str(archive))
        self.archive = open_archive(archive, create=True) if isinstance(archive, str) else archive
        self._has_takedowns = bool(self.archive.takedowns())
        self._runs_alone = job is None  # in another project, without a worker around it
        self.on_event = on_event
        home = blog_id(canonical_url(self.job.url))
        self.warc_writer = self.archive.warc_writer(home)  # repairs the files that the frontier then reads
        self.frontier = Frontier(self.archive, home, clock.now(), retries=self.job.settings.crawl.retry_missing)
        self.crawl_stats = CrawlStats(self.job.url, self.frontier.started_at)
        self.crawl_stats.requests, self.crawl_stats.media_requests = self.frontier.spent
        self.failure: Exception | None = None
        self.commits = GroupCommit(
            self.archive, self.warc_writer, self.give_up, lambda: downloading.is_quiet(self.crawler)
        )
        self._closed = self._has_read_entries = False
        self._read_feeds: set[str] = set()
        self._seen = SeenPosts()
        self._interstitials = Interstitials()
        self._refusals = 0  # consecutive requests that brought no page
        self._is_home_asked, self._home_name = False, ""  # to see whether the server refuses it as well
        self.refused = ""
        self._case = IgnoredCase()
        self.reservations = Reservations()
        self.source: downloading.WebSource
        self.profile: BlogProfile
        self.crawl_queue: CrawlQueue
        self.rules: RuleSet
        self.blog: Blog

    async def start(self) -> AsyncIterator[Any]:
        """Find the feeds, learn from their pages, store them, and continue with what the other sources name."""
        self.on_event(jobs.Started(url=self.job.url))
        self.source = downloading.WebSource(self.crawler, self.arrived, self.rejected)
        try:
            self.reservations = await self._host_reservations()
            entrance, profile = await self._learned()
            self._begin(await with_sections(self.source, profile, entrance.home), entrance)
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and continue; the worker raises it again
            self.failure = problem
            return
        home = self.source.document(entrance.home) if entrance.home is not None else None
        if home is not None:
            self._home_name = name_of_page(home)
            # Sitemaps name the home page too. If it is a post after all, the outcome "stored" takes precedence.
            self.rejected(Rejected(url=entrance.home_url, reason="notPost", detail="the home page"))
            self.crawl_queue.dates.read(home)
            self._note_list(home)
        seen = [(page, self.source.document(page)) for page in self._first_pages(entrance)]
        for request in self._seen_posts(seen):
            yield request
        documents = [home, *(document for _, document in seen)]
        self.profile = msgspec.structs.replace(self.profile, evidence=())
        self.source.forget_pages()
        self.crawl_queue.offer([self._own_url(url) for url in self.crawl_stats.waiting()], linked=False)
        async for url in listed_urls(self.source, self.profile, self.crawl_stats, home):
            self.crawl_queue.offer([url], linked=False)
            for request in self._next_requests():
                yield request
        for document in documents:
            if document is not None:
                self._follow(document)
        self.crawl_queue.search()
        for request in self._next_requests():
            yield request

    async def _learned(self) -> tuple[Entrance, BlogProfile]:
        """Return the home page with the feeds, and the profile of the blog.

        Both are determined again in a browser if pages turn out to be filled by scripts, or show no posts without them.
        """
        browser = self.crawler.get_downloader_middleware(RenderMiddleware)
        found, urls = await self._found(browser)
        try:
            profile = await learn_profile(self.source, found, urls, settings=self.job.settings.learn)
        except NoBlog as problem:
            if browser is None or not browser.may_help(found.home):
                raise
            try:
                return await self._learned_again(browser)
            except (NoBlog, BrowserMissing) as other:
                missing = f"Its scripts may show some. {other}" if isinstance(other, BrowserMissing) else NONE_RENDERED
                raise NoBlog(f"{problem} {missing}") from other
        if browser is not None and browser.began_without:
            return await self._learned_again(browser)
        return found, profile

    async def _learned_again(self, browser: RenderMiddleware) -> tuple[Entrance, BlogProfile]:
        browser.render_all()
        self.crawl_stats.forget_visits()
        found, urls = await self._found(browser)
        return found, await learn_profile(self.source, found, urls, settings=self.job.settings.learn)

    async def _found(self, browser: RenderMiddleware | None) -> tuple[Entrance, dict[str, bool]]:
        """Return the home page with the feeds, and the URLs of the sitemaps."""
        self.source.forget_pages()
        entrance = await find_entrance(self.source, self.job.url)
        entrance = browser.with_page_data(entrance, self.source) if browser is not None else entrance
        if entrance.home is not None:
            self.crawl_stats.arrived(entrance.home)
        for sentence in entrance.unread:
            self.crawl_stats.note(sentence, not entrance.feeds)
        self._note_feeds(entrance.feeds)
        urls = await sitemap_urls(self.source, entrance.home_url, entrance.home, self.crawl_stats.note)
        return (await browser.with_home(entrance, self.source, urls) if browser is not None else entrance), urls

    def _first_pages(self, entrance: Entrance) -> Iterable[Page]:
        """Return the pages fetched before the crawl that may be posts, each once.

        If only one page of a blog is left, it is both home page and evidence. A post may also be given as home page.
        """
        pages = [*(each.page for each in self.profile.evidence), *self.source.seen_pages()]
        if entrance.home is not None and self.profile.pattern.fits(entrance.home_url):
            pages.append(entrance.home)
        return {place_key(page.url): page for page in pages}.values()

    def _seen_posts(self, seen: list[tuple[Page, Document | None]]) -> Iterator[scrapy.Request]:
        """Yield requests for the posts among the pages fetched before the crawl."""
        for page, document in seen:
            if document is None:
                continue
            if self.profile.anchored_posts(page, document, self.blog.id) or self._is_post(document, page.url):
                # Scrapy does not wait for items of start() when it closes.
                yield _local_request(self.parse_seen, page=page, document=document, entry=self._entry_of(page.url))
            else:
                self.crawl_queue.dates.read(document)
                self._note_list(document)

    async def _host_reservations(self) -> Reservations:
        """Return the host's reservations of mining; none if the file cannot be fetched."""
        try:
            url = reservations_url(self.job.url)
            return reservations_in(await downloading.fetch_page(self.crawler, url, **{POLICY: True}))
        except ArchiveError:
            raise
        except PosterityError:
            return Reservations()

    def _note_feeds(self, feeds: Sequence[Feed]) -> None:
        self.crawl_stats.add_feeds(feeds)
        for feed in feeds:
            if feed.url not in self._read_feeds:
                self._read_feeds.add(feed.url)
                event = jobs.FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem)
                self.on_event(event)

    def _own_url(self, listed: str) -> str:
        """Return the URL of a listed post on the blog's own host, and record it."""
        url = self.profile.own_url(listed)
        if url != listed:
            self.crawl_stats.listed_at(listed, url)
        return url

    def _begin(self, profile: BlogProfile, entrance: Entrance) -> None:
        """Store the blog and its rules, and create the queue of its URLs."""
        budget = self.crawler.get_downloader_middleware(BudgetMiddleware)
        if not profile.evidence and budget is not None and budget.ended_because:
            raise NoBlog(f"No page was fetched before {budget.ended_because}.")
        blog = self._with_known_facts(profile.blog(entrance.home))
        self.archive.put_blog(blog)
        self.archive.put_harvest_options(blog.id, self.job.settings)
        self.rules = self.archive.put_rules(blog.id, profile.rules)
        self._note_feeds(profile.feeds)
        self.crawl_stats.add_evidence(profile)
        at_once = self.crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self.crawl_queue = CrawlQueue(profile, self.crawl_stats, self._is_taken_down, at_once, self._case)
        # Set last: the end of a harvest takes a spider with a blog for one that has all of this.
        self.profile, self.blog = profile, blog
        self._has_pages = bool(profile.evidence)
        self.on_event(jobs.Learned(rules=self.rules))

    def _with_known_facts(self, blog: Blog) -> Blog:
        """Return the blog with what the archive has besides: its id, icon, schedule and former URLs."""
        if (known := self._known_blog(blog)) is None:
            return blog
        former = known.former_urls
        if site_host(known.url) != site_host(blog.url):
            former = tuple(url for url in (*former, known.url) if url != blog.url)
            self.on_event(jobs.Moved(url=known.url, to=blog.url))
        return msgspec.structs.replace(
            known, url=blog.url, title=blog.title, feed_url=blog.feed_url, language=blog.language,
            harvested_at=blog.harvested_at, former_urls=former,
        )  # fmt: skip

    def _known_blog(self, blog: Blog) -> Blog | None:
        """Return the blog in the archive, by its URL or by one on another host that now redirects to it."""
        for name in (blog.id, blog.url, self.job.url if site_host(self.job.url) != site_host(blog.url) else blog.url):
            try:
                return self.archive.blog(name)
            except NotInArchive:
                continue
        return None

    @property
    def scope(self) -> Scope:
        """Return the scope of the blog."""
        return self.profile.scope

    def _next_requests(self) -> Iterator[scrapy.Request]:
        budget = self.crawler.get_downloader_middleware(BudgetMiddleware)
        if (budget is not None and budget.ended_because) or self._is_home_asked:
            return
        if self._refusals >= _MAX_REFUSALS:
            self._is_home_asked = True
            home = self.profile.home_url
            self.frontier.responses.pop(home, None)
            yield scrapy.Request(home, self.parse_home_again, errback=self.home_failed, dont_filter=True)
            return
        urls = list(self.crawl_queue.next_urls())
        if not urls and self.crawl_queue.is_idle and self.crawl_stats.may_try_again():
            shown_instead = self._interstitials.urls()
            again = (*shown_instead, *self.crawl_stats.worth_another_try(self.scope))
            politeness = self.crawler.get_downloader_middleware(PolitenessMiddleware)
            if politeness is not None and shown_instead:
                politeness.pause(self.profile.home_url)
            self.crawl_queue.visit_again({place_key(url): url for url in again}.values())
            urls = list(self.crawl_queue.next_urls())
        if not urls and self.crawl_queue.is_idle and not self._has_read_entries:
            self._has_read_entries = True
            yield _local_request(self.parse_entries)
        for url in urls:
            # Not filtered by Scrapy: the crawl statistics know what was requested, and compare URL keys, not spellings.
            served, asked = self.source.slashes.as_served(url), {"asked": url}
            yield scrapy.Request(served, self.parse_page, errback=self.failed, cb_kwargs=asked, dont_filter=True)

    def parse_home_again(self, response: Response) -> Iterator[scrapy.Request]:
        """Check the home page after many refusals in a row: if it is as before, continue the crawl."""
        page = page_of(response)
        document = self.source.document(page) if self.arrived(page) else None
        is_same = document is not None and name_of_page(document) == self._home_name
        if document is None or (not is_same and may_be_interstitial(document, self.rules, self.scope)):
            yield from self._end_refused()
            return
        self._refusals, self._is_home_asked = 0, False
        yield from self._next_requests()

    def home_failed(self, _: Failure) -> Iterator[scrapy.Request]:
        """End the crawl, because not even the home page can be fetched any more."""
        yield from self._end_refused()

    def _end_refused(self) -> Iterator[scrapy.Request]:
        """End the crawl with the posts in the feeds; the next run of the same command requests the rest."""
        self.refused = f"the server refused the last {self._refusals} requests, and its home page too"
        self.crawl_stats.note(f"{self.refused}; run the same command again later to continue", may_help=True)
        yield _local_request(self.parse_entries)

    def parse_entries(self, _: Response) -> Iterator[downloading.PostItem]:
        """Yield the posts whose pages could not be fetched, as in the feeds."""
        at, found = clock.now(), 0
        doubtful = doubtful_entries(self.profile.feeds)
        linked = {entry.link or "": entry for entry in self.profile.entries.values()}
        entries = {canonical_url(url): entry for url, entry in linked.items() if place_key(url) not in doubtful}
        failures = {url: self.crawl_stats.failure_at(url) for url in entries if self.scope.includes(url)}
        lost = {url: failure for url, failure in failures.items() if failure is not None}
        for url, failure in lost.items():
            entry = entries[url]
            status = int(failure.detail) if failure.detail.isdecimal() else 0
            is_kept = stands_for_page(status, has_pages=self._has_pages)
            post = record_of_entry(entry, blog=self.blog.id, at=at) if is_kept else None
            if post is not None and not self._seen.has_text_of(post):
                found += 1
                body = (entry.content or "").encode()
                page = Page(url=url, requested_url=url, status=200, content_type=_HTML, body=body, fetched_at=at)
                document = parse(body, url, _HTML)
                yield downloading.PostItem(page=page, document=document, source="feed", entry=entry, post=post)
        if found:
            posts = count_of(found, "post")
            self.crawl_stats.note(f"the pages of {posts} could not be fetched: taken from the feed", may_help=False)

    def parse_seen(
        self, _: Response, page: Page, document: Document, entry: FeedEntry | None
    ) -> Iterator[downloading.PostItem]:
        """Yield a post that was fetched before the crawl, to learn from it or to check a section."""
        yield from self._post_items(page, document, canonical_url(page.url), entry)

    def _post_items(
        self, page: Page, document: Document, url: str, entry: FeedEntry | None
    ) -> Iterator[downloading.PostItem]:
        """Yield the post on a page, or all posts that share it."""
        stats = self.crawl_stats
        source = stats.source_of(url) or stats.add_listed(canonical_url(page.url), "links")
        stats.accept(page.url)
        several = self.profile.anchored_posts(page, document, self.blog.id)
        for post in several:
            yield downloading.PostItem(page=page, document=document, source=source, post=post)
        if several:
            return
        if self.crawl_queue.waiting.accept(page.url):  # by the extended pattern, other pages may be posts
            self.crawl_queue.visit_again(stats.taken_for_others(self.crawl_queue.pattern))
        translations = [self.profile.own_url(url) for url in translations_on(document)]
        self.crawl_queue.visit_again(stats.add_linked_by_list(translations, of_posts=True))
        for part in part_urls(document, page.url).values():
            stats.discover(part)  # read together with the post
        yield downloading.PostItem(page=page, document=document, source=source, entry=entry)

    def _entry_of(self, *urls: str) -> FeedEntry | None:
        """What the feed or the platform lists about the post at one of these URLs."""
        found = (*(self.profile.entries.get(place_key(url)) for url in urls), *map(self.crawl_stats.listed_entry, urls))
        return next(filter(None, found), None)

    def parse_page(self, response: Response, asked: str) -> Iterator[Any]:
        """Process a page that a source named: a post becomes an item, and all its links are followed."""
        page = page_of(response)
        self.crawl_queue.came_back(asked)
        document = self.source.document(page) if self.arrived(page) else None
        is_new, expected = False, 0
        refusals = self._refusals
        self._refusals += page.status in _REFUSING
        if document is not None:
            if self.profile.anchored_posts(page, document, self.blog.id) or self._is_post(document, asked):
                canonical = trusted_canonical(page.url, declared_url(document), self.scope)
                is_new = not self.crawl_stats.has_post(canonical or page.url)
                yield from self._post_items(page, document, asked, self._entry_of(asked, page.url))
            else:
                self.crawl_queue.dates.read(document)
                self._note_list(document)
            expected = self._follow(document)
        if self._refusals == refusals:
            self._refusals = 0
        self.crawl_queue.waiting.learn(asked, is_post=is_new, named=expected)
        yield from self._next_requests()

    def _note_list(self, document: Document) -> None:
        """Record what a list of posts links to; pages that were visited before their list are visited again."""
        records, again = self.crawl_stats.note_list(document, self.profile.own_url, self.crawl_queue.pattern)
        self.crawl_queue.visit_again(again)
        self.crawl_queue.waiting.note_records(records)

    def _follow(self, document: Document) -> int:
        """Offer the links of a page to the queue; return how many new posts they may be."""
        return self.crawl_queue.offer(map(self.profile.own_url, page_links(document)), linked=True)

    def _is_post(self, document: Document, asked: str) -> bool:
        """Return whether the page is a post; if not, record why."""
        if self._is_interstitial(document, asked):
            return False
        kind = page_kind(document, self.rules, self.crawl_queue.pattern, self.crawl_stats.evidence(asked, document.url))
        if kind != "post":
            for url in {asked, document.url}:
                self.rejected(Rejected(url=url, reason="notPost", detail=kind))
        return kind == "post"

    def _is_interstitial(self, document: Document, asked: str) -> bool:
        """Return whether the server sent something else in place of the page, which is then requested again at the end.

        At that time, a page whose words no other page has is taken for a real one.
        """
        entry, is_expected = self._entry_of(asked, document.url), self.crawl_stats.is_expected(asked)
        title = entry.title if entry else None
        count = self._interstitials.add(document, self.rules, self.scope, title, is_expected=is_expected)
        if not count or (count == 1 and (self.crawl_stats.tries or self._interstitials.has_many_candidates)):
            return False
        self._refusals += 1
        for url in {asked, document.url}:
            self.rejected(rejected_interstitial(url, document))
            self.frontier.responses.pop(url, None)  # from an earlier run
        return True

    def _is_taken_down(self, url: str) -> bool:
        """Return whether the URL was taken down, so that it is not requested."""
        is_down = self._has_takedowns and self.archive.is_forgotten(url)
        if is_down:
            self.rejected(Rejected(url=url, reason="takenDown", detail="by posterity forget"))
        return is_down

    def failed(self, failure: Failure) -> Iterator[scrapy.Request]:
        """Handle a request that got no response."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        asked: str = request.cb_kwargs["asked"]
        self._refusals += 1
        self.crawl_queue.came_back(asked)
        self.crawl_queue.waiting.learn(asked, is_post=False, named=0)
        if isinstance(failure.value, downloading.NETWORK_ERRORS):
            problem = downloading.translated(failure.value, request.url)
            problem.__cause__ = failure.value
            self.rejected(downloading.rejection(problem, request.url))
        else:
            failed_on(self, request.url, failure)
        yield from self._next_requests()

    def give_up(self, problem: Exception) -> None:
        """End the crawl because of this error."""
        self.failure = self.failure or problem
        asyncio.ensure_future(self.crawler.engine.close_spider_async(reason="failed"))  # noqa: RUF006

    def closed(self, reason: str) -> None:
        """Finish the harvest, once."""
        if self._closed:
            return
        self._closed = True
        try:
            finish_harvest(self, reason)
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and continue; the worker raises it again
            self.failure = self.failure or problem
        if self._runs_alone:
            if self.failure is not None:
                self.logger.error("%s", self.failure)
            self.archive.close()

    def arrived(self, page: Page) -> bool:
        """Count the page and return whether it can be used."""
        self.crawl_stats.arrived(page)
        self.source.slashes.learn(page.requested_url, page.url)
        self.on_event(
            jobs.Fetched(
                url=page.url, status=page.status, bytes=len(page.body), pages=self.crawl_stats.pages,
                known=self.crawl_stats.known, sources=self.crawl_stats.listed(),
            )
        )  # fmt: skip
        if (unusable := downloading.why_unusable(page)) is not None:
            self.rejected(unusable)
        else:
            self._case.learn(page.url, page.body)
        return unusable is None

    def rejected(self, rejected: Rejected) -> None:
        """Record why a URL gave no post."""
        self.crawl_stats.rejected(rejected)

    def checked(self, post: Post) -> Post | None:
        """Return the post to store, or None for another URL of a known post."""
        unique = self._seen.checked(post, is_known=self.crawl_stats.is_listed_post(post.url))
        self.crawl_queue.waiting.count_copy(post.url, is_copy=unique is None)
        return unique

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that has been stored."""
        self.crawl_stats.stored(post, state)
        self.crawl_queue.dates.note_undated(post)
        self.on_event(jobs.Stored(url=post.url, title=post.title, state=state, posts=self.crawl_stats.posts))
