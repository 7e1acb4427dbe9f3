"""From a blog's address to its feed: the address itself, what the page declares, then the usual places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.feed_links import declared_feeds, usual_feeds
from posterity.dom import parse
from posterity.errors import BrokenFeed, EmptyFeed, NoBlog, NoFeed, PosterityError
from posterity.fetch.downloading import fetch_found_page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.model import Feed, Page

_MAX_DECLARED = 5


class BlogEntrance(msgspec.Struct, frozen=True):
    """Where a blog begins: its home page and its feed."""

    home: "Page"
    feed: "Feed"


async def find_entrance(crawler: Crawler, url: str) -> BlogEntrance:
    """Return the home page and the feed of the blog at this address, or raise what is wrong with it."""
    page = await fetch_found_page(crawler, url)
    if looks_like_feed(page.body):
        feed = _with_entries(read_feed(page.body, page.url, page.content_type))
        home = await fetch_found_page(crawler, feed.home) if feed.home else page
        return BlogEntrance(home, feed)
    if "html" not in page.content_type.lower() and b"<html" not in page.body[:2000].lower():
        kind = page.content_type or "unknown"
        raise NoBlog(
            f"{page.url} is not a web page (its type is {kind}). Give the address of the blog's home page or feed."
        )
    return BlogEntrance(page, await _find_feed(crawler, page))


async def _find_feed(crawler: Crawler, home: Page) -> Feed:
    """Try what the page declares, then the usual places. The first word about what was wrong is the most telling."""
    declared = declared_feeds(parse(home.body, home.url, home.content_type))
    first_problem: PosterityError | None = None
    for url in [*declared[:_MAX_DECLARED], *usual_feeds(home.url)]:
        try:
            return await _feed_at(crawler, url)
        except PosterityError as problem:
            if url in declared and first_problem is None:
                first_problem = problem
    if isinstance(first_problem, NoBlog):
        raise first_problem
    raise NoFeed(
        f"{home.url} offers no feed that can be read, so there is nothing to learn its markup from. "
        "Is it a blog? If it has a feed somewhere else, give the feed's address instead."
    )


async def _feed_at(crawler: Crawler, url: str) -> Feed:
    page = await fetch_found_page(crawler, url)
    if not looks_like_feed(page.body):
        raise BrokenFeed(f"{url} is not a feed, although the page says so.", problem="not a feed")
    return _with_entries(read_feed(page.body, page.url, page.content_type))


def _with_entries(feed: Feed) -> Feed:
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url} has no entries yet. Try again when the blog has posts.")
    return feed
