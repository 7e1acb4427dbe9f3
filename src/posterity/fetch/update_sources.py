"""Asks the two places that tell of news, the feed and the sitemap, and compares them with the last time."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from posterity.discover.feed import feed_on, looks_like_feed, read_feed
from posterity.discover.links import page_links
from posterity.dom import parse
from posterity.errors import BrokenFeed, PosterityError, Unreachable
from posterity.fetch.feed_changes import feed_changes
from posterity.fetch.find_feed import find_entrance
from posterity.fetch.revisit import Changes, is_after, moment_of
from posterity.fetch.robots import RobotsMiddleware
from posterity.fetch.sitemap_changes import SitemapChanges, sitemap_changes
from posterity.model import Feed, FeedEntry
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from scrapy.crawler import Crawler

    from posterity.fetch.conditional import Answer, Asker
    from posterity.fetch.known import Known

_USUAL_SITEMAPS = ("/sitemap.xml", "/wp-sitemap.xml", "/sitemap_index.xml")
# Answers that say "not here" rather than "not now": the feed may have moved.
_NOT_HERE = (403, 404, 410)


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """What the blog offers today: its feed, or the links of its home page, and what has changed."""

    feed: Feed | None = None
    links: tuple[str, ...] = ()
    new_entries: tuple[tuple[str, FeedEntry], ...] = ()
    changes: Changes = Changes()

    @property
    def has_gap(self) -> bool:
        """Tell whether there may be new posts between the oldest that the feed still names and what is stored."""
        if self.feed is None:
            return True
        return bool(self.new_entries) and len(self.new_entries) >= len(self.changes.feed.entries)

    def addresses(self, first: int) -> Iterator[str]:
        """Yield addresses that may be new posts' and that are not among the first so many new entries of the feed."""
        changes = self.changes
        yield from (url for url, _ in self.new_entries[first:])
        yield from (
            url for url in changes.sitemap.new if is_after(changes.since, moment_of(changes.sitemap.named[url]))
        )
        yield from self.links


async def read_sources(crawler: Crawler, asker: Asker, known: Known, since: datetime | None) -> Sources:
    """Return what has changed, for two requests if nothing has."""
    blog = known.blog
    if blog.feed_url is None:
        home = await asker.ask(blog.url)
        links = _links(_good(home))
        sitemap = await _sitemap(crawler, asker, known, feed_has_news=home.is_modified)
        return Sources(links=links, changes=Changes(sitemap=sitemap, since=since))
    feed, before = await _feeds(crawler, asker, known)
    changes = feed_changes(feed, before)
    new = tuple(_new_entries(feed, asker, known))
    sitemap = await _sitemap(crawler, asker, known, feed_has_news=bool(new) or changes.are_news)
    return Sources(feed=feed, new_entries=new, changes=Changes(feed=changes, sitemap=sitemap, since=since))


async def _feeds(crawler: Crawler, asker: Asker, known: Known) -> tuple[Feed, Feed | None]:
    """The feed of today and that of the last time; one that is no longer there is looked for again."""
    assert known.blog.feed_url is not None
    answer = await asker.ask(known.blog.feed_url)
    page = answer.page
    if page.status not in _NOT_HERE:
        _good(answer)
        if looks_like_feed(page.body):
            return read_feed(page.body, page.url, page.content_type), feed_on(answer.previous)
    entrance = await find_entrance(crawler, known.blog.url)
    if entrance.feed is None:
        raise entrance.problem or BrokenFeed(f"{known.blog.feed_url} is no longer a feed.", problem="not a feed")
    return entrance.feed, feed_on(answer.previous)


def _good(answer: Answer) -> Answer:
    status = answer.page.status
    if status >= 400:
        raise Unreachable(f"{answer.page.requested_url} answers with status {status}. Try again later.", status=status)
    return answer


def _links(home: Answer) -> tuple[str, ...]:
    page = home.page
    return tuple(page_links(parse(page.body, page.url, page.content_type)))


def _new_entries(feed: Feed, asker: Asker, known: Known) -> list[tuple[str, FeedEntry]]:
    """Entries whose posts are not stored, and whose addresses nobody has followed to something that is no post."""
    entries = {canonical_url(entry.link): entry for entry in feed.entries if entry.link}
    return [
        (url, entry) for url, entry in entries.items()
        if known.at_url(url) is None and not asker.was_asked(url) and not asker.archive.is_forgotten(url)
    ]  # fmt: skip


async def _sitemap(crawler: Crawler, asker: Asker, known: Known, *, feed_has_news: bool) -> SitemapChanges:
    """The changes in the sitemaps that robots.txt names, else in the one that the harvest found."""
    robots = crawler.get_downloader_middleware(RobotsMiddleware)
    named = robots.sitemaps(known.blog.url) if robots else []
    usual = [urljoin(known.blog.url, place) for place in _USUAL_SITEMAPS]
    roots = named or [url for url in usual if asker.was_good(url)][:1]
    try:
        return await sitemap_changes(asker, roots, feed_has_news=feed_has_news)
    except PosterityError:
        return SitemapChanges()
