"""What a blog teaches at its entrance: rules from the feed's pages, the pattern of post addresses, what belongs to it.

The feed's pages teach. When there is no feed, or it teaches nothing, pages that look like posts stand in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.dom import parse
from posterity.errors import NoBlog, NothingLearned, NotInArchive
from posterity.extract.agreed_fields import with_agreed_fields
from posterity.fetch.events import FeedRead
from posterity.fetch.evidence import Evidence, Gatherer
from posterity.learn.rule_set import learn
from posterity.model import Blog, RuleSet, blog_id
from posterity.render.page_feed import FORMAT as PAGE_DATA
from posterity.urls import PostPattern, Scope, canonical_url, post_pattern

if TYPE_CHECKING:
    from collections.abc import Collection

    from posterity.archive import Archive
    from posterity.fetch.find_feed import BlogEntrance
    from posterity.fetch.newcrawl import NewCrawl
    from posterity.model import Page


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to follow a blog and to make records of its pages; `evidence` are the pages that taught it."""

    blog: Blog
    rules: RuleSet
    pattern: PostPattern
    scope: Scope
    evidence: Evidence


async def take_lesson(spider: NewCrawl, entrance: BlogEntrance, addresses: Collection[str]) -> Lesson:
    """Return what the blog teaches; `addresses` are those of its sitemap. Raises `NoBlog` when it teaches nothing."""
    gatherer = Gatherer(spider.crawler, spider.arrived, spider.rejected, spider.slashes)
    problem: Exception | None = entrance.problem
    feed = entrance.feed
    if feed is not None:
        spider.tell(FeedRead(url=feed.url, format=feed.format, entries=len(feed.entries), problem=feed.problem))
        for entry in feed.entries:
            if entry.link:
                spider.ledger.promise(canonical_url(entry.link), "feed", waiting=True)
        try:
            return _taught_by(spider, await gatherer.from_feed(feed, entrance.home), entrance)
        except NoBlog as nothing:
            problem = nothing
    nothing_there = problem or NoBlog(f"{entrance.home.url} does not look like a blog.")
    evidence = await gatherer.from_links(entrance.home, Scope.of(entrance.home.url), addresses)
    if evidence is None:
        raise nothing_there
    try:
        return _taught_by(spider, evidence, entrance)
    except NothingLearned:
        raise nothing_there from None


def _taught_by(spider: NewCrawl, evidence: Evidence, entrance: BlogEntrance) -> Lesson:
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
        spider.ledger.promise(canonical_url(page.url), "feed" if entrance.feed else "links")
    return Lesson(
        blog=_introduced(entrance),
        rules=rules,
        pattern=post_pattern(canonical_url(page.url) for page in pages),
        scope=_widened(Scope.of(entrance.home.url), pages),
        evidence=evidence,
    )


def _introduced(entrance: BlogEntrance) -> Blog:
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


def _widened(scope: Scope, pages: list[Page]) -> Scope:
    """A blog whose posts lie beside its home page's folder, or on another host, is where its posts are."""
    for page in pages:
        if not scope.includes(page.url):
            scope = Scope(scope.with_host(page.url).hosts)
    return scope
