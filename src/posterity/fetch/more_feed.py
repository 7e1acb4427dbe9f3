"""The older entries of a paged feed, for blogs whose sitemap does not name their posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.paged_feed import next_feed_page
from posterity.errors import PosterityError
from posterity.fetch.downloading import fetch_found_page
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler

    from posterity.fetch.ledger import Ledger
    from posterity.model import Feed

_MAX_PAGES = 500


async def further_entries(crawler: Crawler, feed: Feed | None, ledger: Ledger, *, known: int) -> AsyncIterator[str]:
    """Yield the addresses of older entries until a page of the feed brings none that is new.

    Not asked when a sitemap named more addresses (`known`) than the feed: it has them all, for fewer requests.
    """
    if feed is None or known > len(feed.entries):
        return
    seen = len(feed.entries)
    for number in range(1, _MAX_PAGES):
        url = next_feed_page(feed, number, seen)
        page = await _read(crawler, url) if url else None
        if page is None:
            return
        links = [canonical_url(entry.link) for entry in page.entries if entry.link]
        fresh = [link for link in links if not ledger.knows(link)]
        if not fresh:
            return
        for link in fresh:
            ledger.promise(link, "paged feed", waiting=True)
            yield link
        seen += len(page.entries)
        feed = page if page.next_url or not feed.next_url else feed


async def _read(crawler: Crawler, url: str) -> Feed | None:
    try:
        page = await fetch_found_page(crawler, url)
        return read_feed(page.body, page.url, page.content_type) if looks_like_feed(page.body) else None
    except PosterityError:
        return None
