"""What a blog teaches at its entrance: rules from the feed's pages, the pattern of post addresses, what belongs to it.

The feed's pages teach. When there is no feed, or it teaches nothing, pages that look like posts stand in.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.classify.page_kind import kind_of_page
from posterity.crawl.downloading import fetch_page, rejection
from posterity.crawl.jobs import FeedRead
from posterity.discover.links import page_links
from posterity.discover.without_feed import entries_from_pages, likely_posts_of
from posterity.dom import parse
from posterity.errors import NoBlog, NothingLearned, NotInArchive, PosterityError
from posterity.extraction import Context, extract_posts
from posterity.extraction.blog_fields import with_agreed_fields
from posterity.learning.rule_set import learn
from posterity.model import Blog, Feed, FeedEntry, Page, RuleSet, blog_id
from posterity.model.page import NO_FEED
from posterity.render.page_feed import FORMAT as PAGE_DATA
from posterity.urls import PostPattern, Scope, canonical_url, post_pattern
from posterity.urls.kinds import is_trap

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from scrapy.crawler import Crawler

    from posterity.archive import Archive
    from posterity.crawl.newcrawl import NewCrawl
    from posterity.crawl.sources import BlogEntrance
    from posterity.model import Rejected
    from posterity.urls.canonical import SlashHabit


_MAX_FEED_PAGES = 40
_MAX_SAMPLE = 12
_FIRST = 3
# Posts of 38 real blogs that are recognised without rules have .54 to 1.0, nine in ten of them more than this.
_SURELY_A_POST = 0.75


class CrawlEvidence(msgspec.Struct, frozen=True):
    """Pages with what is said of them, by the blog's feed or by the pages themselves, and that feed."""

    pages: tuple[tuple[Page, FeedEntry], ...]
    feed: Feed


class Gatherer:
    """Fetches evidence inside a crawl; `usable` counts a page and judges it, `reject` hears of failures."""

    def __init__(
        self,
        crawler: Crawler,
        usable: Callable[[Page], bool],
        reject: Callable[[Rejected], None],
        slashes: SlashHabit,
    ) -> None:
        self.crawler, self.usable, self.reject, self.slashes = crawler, usable, reject, slashes

    async def from_feed(self, feed: Feed, home: Page) -> CrawlEvidence:
        """Return the pages that the feed links to; one that fails is noted and the others go on."""
        links = {canonical_url(entry.link): entry for entry in feed.entries if entry.link}
        chosen = dict(list(links.items())[:_MAX_FEED_PAGES])
        pages = await self._pages(list(chosen), home)
        found = [(page, entry) for page, entry in zip(pages, chosen.values(), strict=True) if page is not None]
        # The feed's own links may lead through redirects; rules are learned for where they end.
        entries = {id(entry): msgspec.structs.replace(entry, link=page.url) for page, entry in found}
        return CrawlEvidence(
            pages=tuple((page, entries[id(entry)]) for page, entry in found),
            feed=msgspec.structs.replace(feed, entries=tuple(entries.values())),
        )

    async def from_links(self, home: Page, scope: Scope, addresses: Iterable[str]) -> CrawlEvidence | None:
        """Return a sample of the pages that look like posts, each with what it says of itself; None when none do.

        Where nothing around it can be reached, a page that surely is a post stands for itself.
        """
        links = [*page_links(parse(home.body, home.url, home.content_type)), *addresses]
        usable = [url for url in links if not is_trap(url) and url != canonical_url(home.url)]
        pages = await self._pages(likely_posts_of(scope, usable)[:_MAX_SAMPLE], home)
        found = entries_from_pages(page for page in pages if page is not None)
        if len(found) < 2:
            found = _on_its_own(home)
        if not found:
            return None
        feed = Feed(url=home.url, format=NO_FEED, home=home.url, entries=tuple(entry for _, entry in found))
        return CrawlEvidence(pages=tuple(found), feed=feed)

    async def _pages(self, urls: list[str], home: Page) -> list[Page | None]:
        """The pages, a few before all others: they show whether the host spells its addresses in another way."""
        first = await asyncio.gather(*(self._page(url, home) for url in urls[:_FIRST]))
        others = await asyncio.gather(*(self._page(url, home) for url in urls[_FIRST:]))
        return [*first, *others]

    async def _page(self, url: str, home: Page) -> Page | None:
        """The page at the address; where its host is gone, the page at the same path of the blog's own host."""
        page = await self._try(url)
        if page is None and urlsplit(url).netloc != urlsplit(home.url).netloc:
            own = urlsplit(home.url)
            page = await self._try(urlsplit(url)._replace(scheme=own.scheme, netloc=own.netloc).geturl())
        return page

    async def _try(self, url: str) -> Page | None:
        try:
            page = await fetch_page(self.crawler, self.slashes.spelled(url))
        except PosterityError as problem:
            self.reject(rejection(problem, url))
            return None
        return page if self.usable(page) else None


def _on_its_own(home: Page) -> list[tuple[Page, FeedEntry]]:
    """The page with what can be read off it without rules, if it is a post; the front page of a host never is."""
    document = parse(home.body, home.url, home.content_type)
    kind, confidence = kind_of_page(document)
    if kind != "post" or confidence < _SURELY_A_POST or not urlsplit(home.url).path.strip("/"):
        return []
    return [
        (home, FeedEntry(link=home.url, title=post.title, content=post.html, published=post.published))
        for post in extract_posts(document, context=Context(fetched_at=home.fetched_at))[:1]
    ]


class CrawlProfile(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to follow a blog and to make records of its pages; `evidence` are the pages that taught it."""

    blog: Blog
    rules: RuleSet
    pattern: PostPattern
    scope: Scope
    evidence: CrawlEvidence


async def learn_profile(spider: NewCrawl, entrance: BlogEntrance, addresses: Collection[str]) -> CrawlProfile:
    """Return what the blog teaches; `addresses` are those of its sitemap. Raises `NoBlog` when it teaches nothing."""
    gatherer = Gatherer(spider.crawler, spider.arrived, spider.rejected, spider.slashes)
    problem: Exception | None = entrance.problem
    feed = entrance.feed
    if feed is not None:
        spider.tell(FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem))
        for entry in feed.entries:
            if entry.link:
                spider.crawl_stats.add_listed(canonical_url(entry.link), "feed", waiting=True)
        try:
            return _learned_from(spider, await gatherer.from_feed(feed, entrance.home), entrance)
        except NoBlog as nothing:
            problem = nothing
    nothing_there = problem or NoBlog(f"{entrance.home.url} does not look like a blog.")
    evidence = await gatherer.from_links(entrance.home, Scope.of(entrance.home.url), addresses)
    if evidence is None:
        raise nothing_there
    try:
        return _learned_from(spider, evidence, entrance)
    except NothingLearned:
        raise nothing_there from None


def _learned_from(spider: NewCrawl, evidence: CrawlEvidence, entrance: BlogEntrance) -> CrawlProfile:
    if not evidence.pages:
        raise NoBlog("None of the pages that the feed links to could be fetched. Try again later.")
    pages = [page for page, _ in evidence.pages]
    rules = learn(
        evidence.feed,
        {page.url: page.body for page in pages},
        now=pages[0].fetched_at,
        settings=spider.job.settings.learn,
    )
    rules = with_agreed_fields(rules, evidence.feed, evidence.pages)
    for page in pages:
        spider.crawl_stats.add_listed(canonical_url(page.url), "feed" if entrance.feed else "links")
    return CrawlProfile(
        blog=_blog_at(entrance),
        rules=rules,
        pattern=post_pattern(canonical_url(page.url) for page in pages),
        scope=_widened_scope(Scope.of(entrance.home.url), pages),
        evidence=evidence,
    )


def _blog_at(entrance: BlogEntrance) -> Blog:
    home, feed = entrance.home, entrance.feed
    address = canonical_url(home.url)
    document = parse(home.body, home.url)
    title = feed.title if feed else next((tree.plain(0).strip() for tree in document.all("title")), None)
    return Blog(
        id=blog_id(address),
        url=address,
        title=title,
        feed_url=feed.url if feed and feed.format != PAGE_DATA else None,
        language=(feed.language if feed else None) or document.language,
        harvested_at=home.fetched_at,
    )


def with_what_was_known(blog: Blog, archive: Archive) -> Blog:
    """Return the blog as it introduced itself, with what the archive knows besides: its icon, its schedule."""
    try:
        known = archive.blog(blog.id)
    except NotInArchive:
        return blog
    return msgspec.structs.replace(
        known, url=blog.url, title=blog.title, feed_url=blog.feed_url, language=blog.language,
        harvested_at=blog.harvested_at,
    )  # fmt: skip


def _widened_scope(scope: Scope, pages: list[Page]) -> Scope:
    """A blog whose posts lie beside its home page's folder, or on another host, is where its posts are."""
    for page in pages:
        if not scope.includes(page.url):
            scope = Scope(scope.with_host(page.url).hosts)
    return scope
