"""UpdateCrawl: what is new, edited or gone on a blog since the last time (BlogForever paper, section 2).

Feed and sitemap are requested conditionally. If they are unchanged, the update ends. Otherwise new posts are fetched,
posts that seem to be edited, commented or deleted are requested again, and with them a small sample of the others. New
posts also test the rules: if these fail, the theme has changed, and rules are learned again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urljoin

import msgspec
import scrapy
from scrapy.exceptions import DropItem
from scrapy.http import Response
from twisted.python.failure import Failure

from posterity import clock
from posterity.archive import Archive
from posterity.archive.database import date_key
from posterity.archive.history import merged_comments
from posterity.blog.lists import links_of, older_entries
from posterity.blog.optouts import Reservations, reservations_in, reservations_url
from posterity.blog.records import SeenPosts
from posterity.classify import page_kind
from posterity.classify.interstitials import may_be_interstitial, rejected_interstitial
from posterity.classify.page_kind import UrlEvidence
from posterity.crawl import downloading, jobs, update_sources, update_state
from posterity.crawl.capture import BeyondLimit, page_of
from posterity.crawl.crawl_stats import CrawlStats
from posterity.crawl.quiet_update import AGAIN, USUAL_SITEMAPS
from posterity.crawl.state import Component, GroupCommit
from posterity.discover.links import page_links
from posterity.dom import Document
from posterity.errors import NotInArchive, PosterityError, Unreachable
from posterity.learning.layouts import Agreement
from posterity.model import Blog, Feed, FeedEntry, Page, Post, Rejected
from posterity.urls import canonical_url, place_key, post_pattern
from posterity.urls.kinds import is_trap

_FIRST_PAGES = 40  # new posts of the feed that are fetched before rules are judged


class UpdateCrawl(scrapy.Spider):
    """The update of one blog in the archive, given by `job`; `on_event` is called for every event."""

    name = "updatecrawl"
    handle_httpstatus_list = list(range(400, 600))  # noqa: RUF012 - Scrapy reads it from the class

    def __init__(
        self, job: jobs.UpdateJob, archive: Archive, on_event: Callable[[jobs.Event], None], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.job, self.archive, self.on_event = job, archive, on_event
        self.known = update_state.KnownBlog.of(archive, job.blog)
        self.blog, self.rules = self.known.blog, self.known.rules
        self.update_stats = update_state.UpdateStats(archive, self.known)
        self.crawl_stats = CrawlStats(self.blog.url)
        self._seen = SeenPosts()
        self.source: downloading.WebSource
        self.reservations = _stored_reservations(archive, self.blog.url)
        self.failure: Exception | None = None
        self.feed_url: str | None = None
        self.own_requests = 0
        self.warc_writer = archive.warc_writer(self.blog.id)
        self.commits = GroupCommit(archive, self.warc_writer, self.give_up, lambda: downloading.is_quiet(self.crawler))
        self.pattern = post_pattern(map(canonical_url, self.rules.evidence or [post.url for post in self.known]))
        self.scope = self.known.scope
        self.follows_links = False
        self.is_unfinished = False
        self.frontier = _EarlierRequests(archive, self.blog, job)

    async def start(self) -> AsyncIterator[Any]:
        """Request feed and sitemap, then what they give a reason to request, until a limit is reached."""
        try:
            async for request in self._requests():
                yield request
        except BeyondLimit:
            self.is_unfinished = True

    async def _requests(self) -> AsyncIterator[Any]:
        self.on_event(jobs.Started(url=self.blog.url))
        self.source = downloading.WebSource(self.crawler, self._count_usable_page, self.rejected)
        self.client = downloading.ConditionalClient(self.crawler, self.archive, self.known.completed_at)
        try:
            sources = await update_sources.read_sources(self.source, self.client, self.known, self.job.since)
            self._note_change_list(sources.changes_url)
            if sources.moved_to:
                self._move_blog(sources.moved_to)
            self._note_sources(sources)
            new = await self._new_pages(sources)
            # Without a feed, only the pages themselves show whether rules still fit, so they are needed first.
            found = await self._found_pages(sources) if sources.feed is None else []
            revisited = await self._revisit(sources, has_news=bool(found))
            await self._check_rules(sources, new, found, revisited)
        except BeyondLimit:
            raise
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and continue; the worker raises it again
            self.failure = problem
            return
        self.follows_links = sources.has_gap
        for page, entry in new:
            yield self._local_request(self.parse_new, page=page, entry=entry)
        for page in found:
            yield self._local_request(self.parse_found, page=page)
        for visit, response in revisited:
            yield self._local_request(self.parse_again, page=response.page, visit=visit, response=response)
        for request in self._visits(sources.possible_posts(_FIRST_PAGES)):
            yield request
        async for request in self._older_posts(sources):
            yield request

    async def _older_posts(self, sources: update_sources.UpdateSources) -> AsyncIterator[scrapy.Request]:
        """Yield requests for posts on further pages of the feed, if its first page may not list all new ones."""
        if sources.feed is None or not sources.has_gap:
            return
        if len(sources.changes.sitemap.named) > len(sources.feed.entries):
            return  # the sitemap lists more, for fewer requests
        async for older in older_entries(self.source, sources.feed):
            for request in self._visits(links_of(older)):
                yield request

    def _move_blog(self, url: str) -> None:
        """Follow the blog to its new home page; its id does not change."""
        known = self.archive.blog(self.blog.id)
        former = (*known.former_urls, known.url)
        self.blog = self.known.blog = msgspec.structs.replace(known, url=url, former_urls=former)
        self.archive.put_blog(self.blog)
        self.scope = self.known.scope
        self.on_event(jobs.Moved(url=known.url, to=url))

    def _note_change_list(self, url: str | None) -> None:
        """Store the URL of the list of changes, so that `quiet_update` can request it without knowing the platform."""
        known = self.archive.blog(self.blog.id)
        if known.changes_url != url:
            self.blog = self.known.blog = msgspec.structs.replace(known, changes_url=url)
            self.archive.put_blog(self.blog)

    def _note_sources(self, sources: update_sources.UpdateSources) -> None:
        """Record what is known about the URLs, so that pages are classified as in a harvest."""
        stats, sitemap = self.crawl_stats, sources.changes.sitemap
        for post in self.known:
            stats.discover(post.url)
            stats.accept(post.url)
        stats.add_feeds([sources.feed] if sources.feed is not None else [])
        stats.add_sitemap({url: url in sitemap.posts for url in sitemap.named}, self.pattern, self.scope)
        if sources.home is not None:
            stats.note_list(sources.home, canonical_url, self.pattern)

    async def _new_pages(self, sources: update_sources.UpdateSources) -> list[update_state.Evidence]:
        """Return the pages of the new feed entries, with these entries."""
        feed, since = sources.feed, self.job.since
        if feed is not None:
            self.feed_url = feed.url
            self.on_event(
                jobs.FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem)
            )
        new = ((url, entry) for url, entry in sources.new_entries if not self.known.was_elsewhere(url))
        wanted = [(url, entry) for url, entry in new if update_sources.is_after(since, entry.published, entry.updated)]
        return await self._evidence(wanted[:_FIRST_PAGES])

    async def _evidence(self, wanted: Iterable[tuple[str, FeedEntry]]) -> list[update_state.Evidence]:
        wanted = list(wanted)
        responses = await asyncio.gather(*(self._response(url, title=entry.title) for url, entry in wanted))
        found = zip(responses, (entry for _, entry in wanted), strict=True)
        return [(response.page, entry) for response, entry in found if response and self._usable(response.page)]

    async def _found_pages(self, sources: update_sources.UpdateSources) -> list[Page]:
        """Return the first pages at URLs that may be those of new posts."""
        urls = list(islice(self._possible_posts(sources.possible_posts(_FIRST_PAGES)), _FIRST_PAGES))
        responses = await asyncio.gather(*(self._response(url) for url in urls))
        return [response.page for response in responses if response and self._usable(response.page)]

    async def _check_rules(
        self,
        sources: update_sources.UpdateSources,
        new: Sequence[update_state.Evidence],
        found: Sequence[Page],
        revisited: Iterable[tuple[update_sources.Revisit, downloading.ConditionalResponse]],
    ) -> None:
        """Learn rules again if they fail on most of the new posts, or on most of the known ones that have changed."""
        feed = sources.feed
        if feed is not None and new:
            agreement = update_state.agreement_on(self.rules, feed, new)
            if agreement.drifted:
                further = ((canonical_url(entry.link or ""), entry) for entry in update_state.further_pages(feed, new))
                self._relearn(agreement, feed, new, await self._evidence(further))
                return
        changed = ((visit.post, response.page) for visit, response in revisited if response.is_new_page)
        known = update_state.evidence_of_posts(self.archive, changed)
        unknown = update_state.evidence_of_pages(found, self.known.tags)
        feed = feed or update_state.feed_of_blog(self.blog)
        for fresh, others in ((known, unknown), (unknown, known)):
            agreement = update_state.agreement_on(self.rules, feed, fresh)
            if update_state.has_drifted(agreement):
                self._relearn(agreement, feed, fresh, others)
                return

    def _relearn(
        self,
        agreement: Agreement,
        feed: Feed,
        fresh: Sequence[update_state.Evidence],
        others: Sequence[update_state.Evidence],
    ) -> None:
        learned = update_state.relearned_rules(self.rules, feed, fresh, others, self.job.settings.learn)
        if learned is not None:
            self.rules = self.archive.put_rules(self.blog.id, learned)
            self.update_stats.relearned = True
        version = self.rules.version if learned else None
        self.on_event(jobs.Drifted(pages=agreement.pages, failing=len(agreement.failing), version=version))
        if learned is not None:
            self.on_event(jobs.Learned(rules=self.rules))

    async def _revisit(
        self, sources: update_sources.UpdateSources, *, has_news: bool
    ) -> list[tuple[update_sources.Revisit, downloading.ConditionalResponse]]:
        """Return the responses of the known posts that are requested again."""
        changes = sources.changes
        visits = update_sources.reasoned_visits(self.known, changes)
        anything_new = bool(visits or has_news or sources.new_entries or changes.sitemap.are_news)
        if rotation := self.job.rotation or self.blog.rotation:
            turn = update_sources.rotated_visits(self.known, changes, rotation, visits)
            self.on_event(jobs.Rotating(posts=len(list(self.known)), requests=len(turn), updates=rotation))
            visits += turn
        if anything_new or self.job.revisit_always or update_sources.is_sample_overdue(self.known, clock.now()):
            visits += update_sources.sampled_visits(self.known, changes, self.job.revisits, visits)
        responses = await asyncio.gather(*(self._response(visit.post.url, visit) for visit in visits))
        return [(visit, response) for visit, response in zip(visits, responses, strict=True) if response is not None]

    async def _response(
        self, url: str, visit: update_sources.Revisit | None = None, *, title: str | None = None
    ) -> downloading.ConditionalResponse | None:
        """Return the response, or None, with the reason recorded; `title` is that of the post at this URL, if known."""
        try:
            response = await self.client.ask(url)
        except PosterityError as problem:
            self.rejected(downloading.rejection(problem, url))
            if visit is not None and isinstance(problem, Unreachable):
                self.update_stats.failed(visit.post, problem.status, clock.now())
            return None
        self._count_page(response.page)
        if visit is not None:
            title = self.archive.post(visit.post.id).title
        if not self._is_interstitial(response, title):
            return response
        if visit is not None:
            self.update_stats.failed(visit.post, response.page.status, response.page.fetched_at)
        return None

    def _is_interstitial(self, response: downloading.ConditionalResponse, title: str | None = None) -> bool:
        """Return whether the server sent something else in place of the page, and record it.

        A page that was equally bare before is not an interstitial.
        """
        page, before = response.page, response.previous
        document = self.source.document(page) if response.is_new_page else None
        if document is None or not may_be_interstitial(document, self.rules, self.scope, title):
            if self.known.is_pending(page.requested_url) and downloading.why_unusable(page) is None:
                self.update_stats.mark(page.requested_url, page.status, page.fetched_at, update_state.RESPONDED)
            return False
        earlier = (
            self.source.document(before) if before is not None and downloading.why_unusable(before) is None else None
        )
        if earlier is not None and may_be_interstitial(earlier, self.rules, self.scope):
            return False
        self.rejected(rejected_interstitial(page.requested_url, document))
        self.update_stats.mark(page.requested_url, page.status, page.fetched_at, AGAIN)
        return True

    def _local_request(self, callback: Callable[..., Any], **fetched: Any) -> scrapy.Request:
        """Return a local request with fetched data: Scrapy does not wait for items of `start` when it closes."""
        self.own_requests += 1
        return scrapy.Request("data:,", callback=callback, cb_kwargs=fetched, dont_filter=True)

    def parse_new(self, _: Response, page: Page, entry: FeedEntry) -> Iterator[Any]:
        """Process the page of a new feed entry."""
        if (document := self.source.document(page)) is not None:
            self.crawl_stats.listed_at(canonical_url(entry.link or page.url), canonical_url(page.url))
            if self._is_post(document):
                yield downloading.PostItem(page=page, document=document, source="feed", entry=entry)
            yield from self._follow(document)

    def parse_again(
        self, _: Response, page: Page, visit: update_sources.Revisit, response: downloading.ConditionalResponse
    ) -> Iterator[downloading.PostItem]:
        """Process a known post: an item if it has changed or come back; a page that is gone is recorded."""
        post = visit.post
        if page.status >= 400:
            if self.update_stats.failed(post, page.status, page.fetched_at):
                self.on_event(jobs.Gone(url=post.url, status=page.status))
            return
        document = self.source.document(page) if self._usable(page) else None
        if document is None:
            return
        self.update_stats.note_response(post, page)
        self.update_stats.expect_move(post, page)
        changed = update_sources.changes_on(visit, response, document, self.rules)
        if place_key(page.url) != post.place:
            # If a blog moves, so do its posts; otherwise a redirect may lead to the home page.
            listed = UrlEvidence(is_listed=visit.why == "moved")
            if page_kind(document, self.rules, self.pattern, listed) != "post":
                return
        elif changed == () and visit.why != "comments" and not post.is_gone:
            self.update_stats.counts["unchanged"] += 1
            return
        yield downloading.PostItem(page=page, document=document, source=visit.why, entry=visit.entry, changed=changed)

    def _visits(self, urls: Iterable[str]) -> Iterator[scrapy.Request]:
        for url in self._possible_posts(urls):
            yield scrapy.Request(url, callback=self.parse_page, errback=self.failed, dont_filter=True)

    def _possible_posts(self, urls: Iterable[str]) -> Iterator[str]:
        """Yield those URLs that may be new posts', each once in an update."""
        for url in urls:
            is_likely = self.pattern.fits(url) or self.pattern.is_near(url) or self.crawl_stats.is_named(url)
            if not is_likely or not self.scope.includes(url):
                continue
            if is_trap(url) or self.known.is_below_post(url) or self.known.was_elsewhere(url):
                continue
            if not self.crawl_stats.discover(url):
                continue
            is_new = self.known.is_pending(url) or not self.client.was_requested(url)
            if is_new and not self.archive.is_forgotten(url):
                yield url

    def parse_page(self, response: Response) -> Iterator[Any]:
        """Process a page at a new URL."""
        page = page_of(response)
        self._count_page(page)
        if self._usable(page) and not self._is_interstitial(downloading.ConditionalResponse(page=page)):
            yield from self.parse_found(response, page)

    def parse_found(self, _: Response, page: Page) -> Iterator[Any]:
        """Process a usable page at a new URL: a post becomes an item."""
        if (document := self.source.document(page)) is None:
            return
        if not self.known.is_below_post(page.url) and self._is_post(document):
            yield downloading.PostItem(page=page, document=document, source="sitemap")
        yield from self._follow(document)

    def _is_post(self, document: Document) -> bool:
        """Return whether the page is a post; if not, record what it lists."""
        is_post = page_kind(document, self.rules, self.pattern, self.crawl_stats.evidence(document.url)) == "post"
        if not is_post:
            self.crawl_stats.note_list(document, canonical_url, self.pattern)
        return is_post

    def _follow(self, document: Document) -> Iterator[scrapy.Request]:
        """Yield requests for linked posts that are not known, if the feed may have left some out."""
        if self.follows_links:
            yield from self._visits(page_links(document))

    def failed(self, failure: Failure) -> None:
        """Handle a request that got no response."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        if not isinstance(failure.value, downloading.NETWORK_ERRORS):
            failure.raiseException()
        self.rejected(downloading.rejection(downloading.translated(failure.value, request.url), request.url))

    def _count_page(self, page: Page) -> None:
        stats, size = self.crawl_stats, len(page.body)
        stats.arrived(page)
        self.on_event(jobs.Fetched(url=page.url, status=page.status, bytes=size, pages=stats.pages, known=stats.known))

    def _count_usable_page(self, page: Page) -> bool:
        self._count_page(page)
        return self._usable(page)

    def _usable(self, page: Page) -> bool:
        if (unusable := downloading.why_unusable(page)) is not None:
            self.rejected(unusable)
        return unusable is None

    def give_up(self, problem: Exception) -> None:
        """End the update because of this error."""
        self.failure = self.failure or problem
        asyncio.ensure_future(self.crawler.engine.close_spider_async(reason="failed"))  # noqa: RUF006

    def rejected(self, rejected: Rejected) -> None:
        """Record why a URL gave no post."""
        self.crawl_stats.rejected(rejected)
        is_error = rejected.reason == "httpError" and rejected.detail.startswith("5")
        passes = rejected.reason in ("interstitial", "networkError", "pageLimit")
        self.is_unfinished = self.is_unfinished or is_error or passes

    def checked(self, post: Post) -> Post | None:
        """Return the post to store, or None for another URL of a known post."""
        return self._seen.checked(post, is_known=self.known.with_id(post.id) is not None)

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that has been stored."""
        self.crawl_stats.stored(post, state)
        self.update_stats.stored(post, state)
        self.on_event(jobs.Stored(url=post.url, title=post.title, state=state, posts=self.crawl_stats.posts))


class _EarlierRequests:
    """Responses requested by `quiet_update` before this worker was started, by URL; they are not requested again."""

    resumes = False  # unlike the frontier of a harvest, it does not continue an interrupted crawl

    def __init__(self, archive: Archive, blog: Blog, job: jobs.UpdateJob) -> None:
        since = date_key(job.asked_since) if job.asked_since else None
        usual = (urljoin(blog.url, place) for place in USUAL_SITEMAPS)
        urls = (blog.feed_url, blog.changes_url, *usual) if since is not None else ()
        latest = (captures[-1] for url in urls if url and (captures := archive.captures(url)))
        self.responses = {capture.url: capture for capture in latest if since and capture.fetched_at >= since}


def _stored_reservations(archive: Archive, url: str) -> Reservations:
    """Return what the host reserved from mining at the last request."""
    if (capture := archive.earlier_response(reservations_url(url), None)) is None:
        return Reservations()
    try:
        return reservations_in(archive.read_page(f"{capture.file}#{capture.offset}"))
    except PosterityError:  # the file is lost or was taken down; `posterity archive verify` reports it
        return Reservations()


# In addition to the steps of a harvest: before comments and media cost requests, and just before the archive.
UPDATE_STEPS = {"posterity.crawl.updatecrawl.DropOlder": 250, "posterity.crawl.updatecrawl.KeepUnchanged": 490}


class DropOlder(Component):
    """The paper's `since`: drops a post that is new to the archive but older than this date."""

    def process_item(self, item: downloading.PostItem) -> downloading.PostItem:
        """Return the item, or drop it."""
        spider: Any = self.crawler.spider
        post, since = item.post, spider.job.since
        if post is None or spider.known.with_id(post.id):
            return item
        if update_sources.is_after(since, post.published, post.modified):
            return item
        spider.rejected(Rejected(url=item.page.url, reason="outOfScope", detail=f"older than {since.isoformat()}"))
        raise DropItem(f"older than {since.isoformat()}: {item.page.url}")


class KeepUnchanged(Component):
    """Keeps unchanged fields as they are stored, whatever the current rules extract.

    Comments that an earlier visit found elsewhere are kept, unless this visit is known to have them all.
    """

    def process_item(self, item: downloading.PostItem) -> downloading.PostItem:
        """Return the item with the changed fields, and with earlier and current comments."""
        spider: Any = self.crawler.spider
        known = spider.known.with_id(item.post.id) if item.post else None
        origin = known or spider.update_stats.origin_of(item.page)
        if item.post is None or origin is None:
            return item
        try:
            stored: Post = spider.archive.post(origin.id)
        except NotInArchive:  # it was taken down meanwhile
            return item
        if known is None:  # it has moved
            return msgspec.structs.replace(item, post=_at_new_url(stored, item.post, item.changed))
        expected = item.entry.comment_count if item.entry else None
        comments = merged_comments(stored.comments, item.post.comments, expected)
        post = item.post if item.changed is None else _with_changes(stored, item.post, item.changed)
        return msgspec.structs.replace(item, post=msgspec.structs.replace(post, comments=comments))


# Fields that change together with another one.
_TOGETHER = {
    "text": ("text", "markdown", "html", "links", "summary", "media"),
    "published": ("published", "published_precision"),
}


# Fields that are the same at the new URL of a post; its HTML and its media have other URLs there.
_MOVES_ALONG = ("title", "authors", "published", "text")


def _at_new_url(stored: Post, now: Post, changed: Sequence[str] | None) -> Post:
    """Return the record of a post that has moved, with unchanged fields as they were stored."""
    if changed is None:
        return now
    same = [name for field in _MOVES_ALONG if field not in changed for name in (field, *_DATE_PARTS.get(field, ()))]
    return msgspec.structs.replace(now, **{name: getattr(stored, name) for name in same})


_DATE_PARTS = {"published": ("published_precision",)}


def _with_changes(stored: Post, now: Post, changed: Sequence[str]) -> Post:
    """Return the stored record with the changed fields."""
    fields = {name: getattr(now, name) for field in changed for name in _TOGETHER.get(field, (field,))}
    origins = {name: origin for name, origin in now.provenance.items() if name in fields or name == "comments"}
    return msgspec.structs.replace(stored, **fields, provenance={**stored.provenance, **origins})
