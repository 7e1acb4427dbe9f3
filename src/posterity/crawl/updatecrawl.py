"""UpdateCrawl: what is new, edited or gone on a blog since the last time (BlogForever paper, section 2).

Feed and sitemap are asked whether they have changed. If not, that was all. If so, new posts are fetched, posts that
are said to be edited, commented or taken away are asked for again, and with them a small sample of the others. New
posts also test the rules: when they fail, the blog looks different now, and its rules are learned again.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import scrapy
from scrapy.exceptions import DropItem

from posterity.blog.lists import links_of, older_entries
from posterity.blog.optouts import Reservations, reservations_in, reservations_url
from posterity.blog.records import SeenPosts
from posterity.classify import page_kind
from posterity.crawl.capture import page_of
from posterity.crawl.commit import GroupCommit
from posterity.crawl.crawl_stats import CrawlStats
from posterity.crawl.downloading import (
    NETWORK_ERRORS,
    ConditionalClient,
    ConditionalResponse,
    PostItem,
    is_quiet,
    rejection,
    translated,
    why_unusable,
)
from posterity.crawl.jobs import Drifted, Event, FeedRead, Fetched, Gone, Learned, Started, Stored, UpdateJob
from posterity.crawl.pipelines import PipelineStep
from posterity.crawl.update_sources import (
    Revisit,
    UpdateSources,
    is_after,
    is_sample_overdue,
    read_sources,
    reasoned_visits,
    sampled_visits,
    says_the_same,
)
from posterity.crawl.update_state import Evidence, KnownBlog, UpdateStats, agreement_on, further_pages, relearned_rules
from posterity.crawl.web_source import WebSource
from posterity.discover.links import page_links
from posterity.dom import Document, parse
from posterity.errors import NotInArchive, PosterityError, Unreachable, UnreadablePage
from posterity.model import Comment, FeedEntry, Page, Post, Rejected
from posterity.urls import canonical_url, place_key, post_pattern
from posterity.urls.kinds import is_trap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from posterity.archive import Archive


_FIRST_PAGES = 40  # new posts of the feed that are fetched before rules are judged


class UpdateCrawl(scrapy.Spider):
    """One blog that the archive knows. `job` says which, `tell` hears of every event."""

    name = "updatecrawl"
    handle_httpstatus_list = list(range(400, 600))  # noqa: RUF012 - Scrapy reads it from the class

    def __init__(self, job: UpdateJob, archive: Archive, tell: Callable[[Event], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job, self.archive, self.tell = job, archive, tell
        self.known = KnownBlog.of(archive, job.blog)
        self.blog, self.rules = self.known.blog, self.known.rules
        self.update_stats = UpdateStats(archive, self.known)
        self.crawl_stats = CrawlStats(self.blog.url)
        self._seen = SeenPosts()
        self.source: WebSource
        self.reservations = _stored_reservations(archive, self.blog.url)
        self.failure: Exception | None = None
        self.feed_url: str | None = None
        self.own_requests = 0
        self.warc_writer = archive.warc_writer(self.blog.id)
        self.commits = GroupCommit(self.archive, self.warc_writer, self.give_up, lambda: is_quiet(self.crawler))
        self.pattern = post_pattern(map(canonical_url, self.rules.evidence or [post.url for post in self.known]))
        self.scope = self.known.scope
        self.follows_links = False

    async def start(self) -> AsyncIterator[Any]:
        """Ask feed and sitemap, then whatever they give a reason to ask for."""
        self.tell(Started(url=self.blog.url))
        self.source = WebSource(self.crawler, self._arrived_usable, self.rejected)
        self.client = ConditionalClient(self.crawler, self.archive, self.known.completed_at)
        try:
            sources = await read_sources(self.source, self.client, self.known, self.job.since)
            new = await self._new_pages(sources)
            await self._check_rules(sources, new)
            revisited = await self._revisit(sources)
        except Exception as problem:  # noqa: BLE001 - Scrapy would log it and go on; the worker raises it again
            self.failure = problem
            return
        self.follows_links = sources.has_gap
        for page, entry in new:
            yield self._handed(self.parse_new, page=page, entry=entry)
        for visit, answer in revisited:
            yield self._handed(self.parse_again, page=answer.page, visit=visit, answer=answer)
        for request in self._visits(sources.addresses(_FIRST_PAGES)):
            yield request
        if sources.feed is not None and sources.has_gap:
            named = len(sources.changes.sitemap.named)
            if named <= len(sources.feed.entries):  # else the sitemap lists more, for fewer requests
                async for older in older_entries(self.source, sources.feed):
                    for request in self._visits(links_of(older)):
                        yield request

    async def _new_pages(self, sources: UpdateSources) -> list[Evidence]:
        """The pages of the new entries of the feed, with what it says of them."""
        feed, since = sources.feed, self.job.since
        if feed is not None:
            self.feed_url = feed.url
            self.tell(FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem))
        for post in self.known:
            self.crawl_stats.discover(post.url)
        wanted = [(url, entry) for url, entry in sources.new_entries if is_after(since, entry.published, entry.updated)]
        return await self._evidence(wanted[:_FIRST_PAGES])

    async def _evidence(self, wanted: Iterable[tuple[str, FeedEntry]]) -> list[Evidence]:
        wanted = list(wanted)
        answers = await asyncio.gather(*(self._answer(url) for url, _ in wanted))
        found = zip(answers, (entry for _, entry in wanted), strict=True)
        return [(answer.page, entry) for answer, entry in found if answer and self._usable(answer.page)]

    async def _check_rules(self, sources: UpdateSources, new: Sequence[Evidence]) -> None:
        """Learn again when the rules fail on most of the new posts."""
        feed = sources.feed
        if feed is None or not new:
            return
        found = agreement_on(self.rules, feed, new)
        if not found.drifted:
            return
        others = await self._evidence((canonical_url(entry.link or ""), entry) for entry in further_pages(feed, new))
        learned = relearned_rules(self.rules, feed, new, others, self.job.settings.learn)
        if learned is not None:
            self.rules = self.archive.put_rules(self.blog.id, learned)
            self.update_stats.relearned = True
        version = self.rules.version if learned else None
        self.tell(Drifted(pages=found.pages, failing=len(found.failing), version=version))
        if learned is not None:
            self.tell(Learned(rules=self.rules))

    async def _revisit(self, sources: UpdateSources) -> list[tuple[Revisit, ConditionalResponse]]:
        """Answers of the known posts that are asked for again."""
        changes = sources.changes
        visits = reasoned_visits(self.known, changes)
        stirred = bool(visits or sources.new_entries or changes.sitemap.are_news)
        if stirred or self.job.revisit_always or is_sample_overdue(self.known, datetime.now(UTC)):
            visits += sampled_visits(self.known, changes, self.job.revisits, visits)
        answers = await asyncio.gather(*(self._answer(visit.post.url, visit) for visit in visits))
        return [(visit, answer) for visit, answer in zip(visits, answers, strict=True) if answer is not None]

    async def _answer(self, url: str, visit: Revisit | None = None) -> ConditionalResponse | None:
        """The response, or None with the reason noted."""
        try:
            answer = await self.client.ask(url)
        except PosterityError as problem:
            self.rejected(rejection(problem, url))
            if visit is not None and isinstance(problem, Unreachable):
                self.update_stats.failed(visit.post, problem.status, datetime.now(UTC))
            return None
        self._arrived(answer.page)
        return answer

    def _handed(self, callback: Callable[..., Any], **fetched: Any) -> scrapy.Request:
        """A request to nobody that hands on what is there: Scrapy does not wait for items of `start` when it closes."""
        self.own_requests += 1
        return scrapy.Request("data:,", callback=callback, cb_kwargs=fetched, dont_filter=True)

    def parse_new(self, _: Response, page: Page, entry: FeedEntry) -> Iterator[Any]:
        """The page of a new entry of the feed."""
        document = self._document(page)
        if document is not None:
            self.crawl_stats.add_listed(canonical_url(page.url), "feed")
            yield PostItem(page=page, document=document, source="feed", entry=entry)
            yield from self._follow(document)

    def parse_again(self, _: Response, page: Page, visit: Revisit, answer: ConditionalResponse) -> Iterator[PostItem]:
        """A known post: an item if it has changed or come back; a page that is gone is noted."""
        post = visit.post
        if page.status >= 400:
            if self.update_stats.failed(post, page.status, page.fetched_at):
                self.tell(Gone(url=post.url, status=page.status))
            return
        document = self._document(page) if self._usable(page) else None
        if document is None:
            return
        self.update_stats.answered(post, page)
        self.update_stats.expect_move(post, page)
        if place_key(page.url) != post.place:
            if page_kind(document, self.rules, self.pattern) != "post":
                return
        elif visit.why != "comments" and not post.is_gone and says_the_same(visit, answer, document, self.rules):
            self.update_stats.counts["unchanged"] += 1
            return
        yield PostItem(page=page, document=document, source=visit.why, entry=visit.entry)

    def _visits(self, urls: Iterable[str]) -> Iterator[scrapy.Request]:
        for url in urls:
            if not (self.pattern.fits(url) or self.pattern.is_near(url)) or not self.scope.includes(url):
                continue
            if is_trap(url) or self.known.is_below_post(url) or not self.crawl_stats.discover(url):
                continue
            if self.client.was_asked(url) or self.archive.is_forgotten(url):
                continue
            yield scrapy.Request(url, callback=self.parse_page, errback=self.failed, dont_filter=True)

    def parse_page(self, response: Response) -> Iterator[Any]:
        """A page at a new URL: a post becomes an item."""
        page = page_of(response)
        self._arrived(page)
        document = self._document(page) if self._usable(page) else None
        if document is None:
            return
        if page_kind(document, self.rules, self.pattern) == "post" and not self.known.is_below_post(page.url):
            yield PostItem(page=page, document=document, source="sitemap")
        yield from self._follow(document)

    def _follow(self, document: Document) -> Iterator[scrapy.Request]:
        """Links to posts that nobody knows, when the feed may have left some out."""
        if self.follows_links:
            yield from self._visits(page_links(document))

    def failed(self, failure: Failure) -> None:
        """A request that brought no response."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        if not isinstance(failure.value, NETWORK_ERRORS):
            failure.raiseException()
        self.rejected(rejection(translated(failure.value, request.url), request.url))

    def _document(self, page: Page) -> Document | None:
        try:
            return parse(page.body, page.url, page.content_type)
        except UnreadablePage as problem:
            self.rejected(Rejected(url=page.url, reason="unreadable", detail=str(problem)))
            return None

    def _arrived(self, page: Page) -> None:
        crawl_stats = self.crawl_stats
        crawl_stats.arrived(page)
        size = len(page.body)
        self.tell(
            Fetched(url=page.url, status=page.status, bytes=size, pages=crawl_stats.pages, known=crawl_stats.known)
        )

    def _arrived_usable(self, page: Page) -> bool:
        self._arrived(page)
        return self._usable(page)

    def _usable(self, page: Page) -> bool:
        unusable = why_unusable(page)
        if unusable is not None:
            self.rejected(unusable)
        return unusable is None

    def give_up(self, problem: Exception) -> None:
        """End the update because of this."""
        self.failure = self.failure or problem
        asyncio.ensure_future(self.crawler.engine.close_spider_async(reason="failed"))  # noqa: RUF006

    def rejected(self, rejected: Rejected) -> None:
        """Remember why a URL gave no post."""
        self.crawl_stats.rejected(rejected)

    def checked(self, post: Post) -> Post | None:
        """Return the post to store, or None for another URL of one that has come up."""
        return self._seen.checked(post, is_known=self.known.with_id(post.id) is not None)

    def stored(self, post: Post, state: Any) -> None:
        """Count a post that is in the archive now."""
        self.crawl_stats.stored(post, state)
        self.update_stats.stored(post, state)
        self.tell(Stored(url=post.url, title=post.title, state=state, posts=self.crawl_stats.posts))


def _stored_reservations(archive: Archive, url: str) -> Reservations:
    """What the host reserved from mining when it was last asked."""
    capture = archive.earlier_response(reservations_url(url), None)
    if capture is None:
        return Reservations()
    try:
        return reservations_in(archive.read_page(f"{capture.file}#{capture.offset}"))
    except PosterityError:  # the file is lost or was taken down; `posterity archive verify` reports it
        return Reservations()


# Beside the steps of a harvest: before comments and media cost requests, and right before the archive.
UPDATE_STEPS = {
    "posterity.crawl.updatecrawl.LeaveOlder": 250,
    "posterity.crawl.updatecrawl.KeepComments": 490,
}


class LeaveOlder(PipelineStep):
    """The paper's `since`: a post that is new to the archive but older than this date stays where it is."""

    def process_item(self, item: PostItem) -> PostItem:
        """Return the item, or drop it."""
        spider: Any = self.crawler.spider
        post, since = item.post, spider.job.since
        if post is None or spider.known.with_id(post.id) or is_after(since, post.published, post.modified):
            return item
        spider.rejected(Rejected(url=item.page.url, reason="outOfScope", detail=f"older than {since.isoformat()}"))
        raise DropItem(f"older than {since.isoformat()}: {item.page.url}")


class KeepComments(PipelineStep):
    """Comments that an earlier visit found elsewhere stay, unless this visit knows that it has them all."""

    def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the comments of before and of now."""
        spider: Any = self.crawler.spider
        if item.post is None or spider.known.with_id(item.post.id) is None:
            return item
        try:
            before = spider.archive.post(item.post.id).comments
        except NotInArchive:  # it moved away or was taken down meanwhile
            return item
        expected = item.entry.comment_count if item.entry else None
        comments = merged_comments(before, item.post.comments, expected)
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, comments=comments))


def merged_comments(before: tuple[Comment, ...], now: tuple[Comment, ...], expected: int | None) -> tuple[Comment, ...]:
    """Return what is there now if it is all that the feed lists or no less than before, else both, each once."""
    if len(now) >= (len(before) if expected is None else expected):
        return now
    found = {comment.id: comment for comment in now}
    kept = [found.pop(comment.id, comment) for comment in before]
    return (*kept, *found.values())
