"""From a blog's address to its home page and feed: the address itself, what the page declares, the usual places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.feed_links import declared_feeds, usual_feeds
from posterity.dom import parse
from posterity.errors import BrokenFeed, EmptyFeed, NoBlog, NoFeed, PosterityError, Unreachable
from posterity.fetch.downloading import fetch_found_page, fetch_page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.model import Feed, Page

_MAX_DECLARED = 5
_MAX_POOR = 3


class BlogEntrance(msgspec.Struct, frozen=True):
    """Where a blog begins: its home page, and its feed or what is wrong with it."""

    home: "Page"
    feed: "Feed | None" = None
    problem: "PosterityError | None" = None


async def find_entrance(crawler: Crawler, url: str) -> BlogEntrance:
    """Return the home page and the feed of the blog at this address, or raise when the address is no page at all."""
    page = await fetch_page(crawler, url)
    if page.status >= 400:
        return await _entrance_by_feed_alone(crawler, page, url)
    if looks_like_feed(page.body):
        feed = _with_entries(read_feed(page.body, page.url, page.content_type))
        home = await fetch_found_page(crawler, feed.home) if feed.home else page
        return BlogEntrance(home, feed)
    if "html" not in page.content_type.lower() and b"<html" not in page.body[:2000].lower():
        kind = page.content_type or "unknown"
        raise NoBlog(
            f"{page.url} is not a web page (its type is {kind}). Give the address of the blog's home page or feed."
        )
    try:
        return BlogEntrance(page, await _find_feed(crawler, page))
    except NoBlog as problem:
        return BlogEntrance(page, None, problem)


async def _entrance_by_feed_alone(crawler: Crawler, page: Page, url: str) -> BlogEntrance:
    """A home page that is gone does not mean that the blog is: its feed may still answer."""
    wait = "Try again later" if page.status >= 500 or page.status == 429 else "Check the address"
    gone = Unreachable(f"{url} answers with status {page.status}. {wait}.", status=page.status)
    if page.status not in (404, 410, 403):
        raise gone
    for place in usual_feeds(page.url)[:4]:
        try:
            return BlogEntrance(page, await _feed_at(crawler, place))
        except PosterityError:
            continue
    raise gone


async def _find_feed(crawler: Crawler, home: Page) -> Feed:
    """Try what the page declares, then the usual places; a feed without texts is kept only if no other has them."""
    declared = declared_feeds(parse(home.body, home.url, home.content_type))
    problems: list[PosterityError] = []
    poor: list[Feed] = []
    for url in [*declared[:_MAX_DECLARED], *usual_feeds(home.url)]:
        if poor and (len(poor) >= _MAX_POOR or url not in declared):
            break
        try:
            feed = await _feed_at(crawler, url)
        except PosterityError as problem:
            problems += [problem] if url in declared else []
            continue
        if _texts(feed) * 2 >= len(feed.entries):
            return feed
        poor.append(feed)
    if poor:
        return max(poor, key=_texts)
    # The first word about what was wrong with a declared feed is the most telling.
    raise next((problem for problem in problems if isinstance(problem, NoBlog)), None) or NoFeed(
        f"{home.url} offers no feed that can be read, and its links do not look like a blog's posts either. "
        "Is it a blog? If its feed is somewhere else, give the feed's address instead."
    )


def _texts(feed: Feed) -> int:
    return sum(entry.content is not None for entry in feed.entries)


async def _feed_at(crawler: Crawler, url: str) -> Feed:
    page = await fetch_found_page(crawler, url)
    if not looks_like_feed(page.body):
        raise BrokenFeed(f"{url} is not a feed, although the page says so.", problem="not a feed")
    return _with_entries(read_feed(page.body, page.url, page.content_type))


def _with_entries(feed: Feed) -> Feed:
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url} has no entries yet. Try again when the blog has posts.")
    return feed
