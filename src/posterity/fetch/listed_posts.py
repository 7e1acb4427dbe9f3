"""What a blog lists itself, besides its feed: sitemap, WordPress's REST interface, older pages of the feed.

Each names posts in the ledger and yields their addresses. The interface lists a hundred posts for a request and is
asked wherever the home page declares it; older pages of the feed, ten for a request, only when nothing else had them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.discover.wordpress import PAGE_SIZE, posts_url, read_posts
from posterity.dom import parse
from posterity.errors import PosterityError
from posterity.fetch.downloading import fetch_found_page
from posterity.fetch.more_feed import further_entries
from posterity.urls import canonical_url
from posterity.urls.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterator

    from scrapy.crawler import Crawler

    from posterity.fetch.find_feed import BlogEntrance
    from posterity.fetch.ledger import Ledger
    from posterity.fetch.lesson import Lesson
    from posterity.model import Page

_MAX_PAGES = 500


async def listed_posts(
    crawler: Crawler, lesson: Lesson, entrance: BlogEntrance, addresses: Collection[str], ledger: Ledger
) -> AsyncIterator[str]:
    """Yield the addresses that the blog lists itself; `addresses` are those of its sitemap."""
    for url in _in_sitemap(lesson, addresses, ledger):
        yield url
    listed = 0
    async for url in _in_interface(crawler, entrance.home):
        if lesson.scope.includes(url):
            ledger.promise(url, "wordpress", waiting=True)
            listed += 1
            yield url
    async for url in further_entries(crawler, entrance.feed, ledger, known=max(listed, len(addresses))):
        yield url


def _in_sitemap(lesson: Lesson, addresses: Collection[str], ledger: Ledger) -> Iterator[str]:
    for url in addresses:
        if lesson.scope.includes(url):
            if lesson.pattern.fits(url) and not is_trap(url):
                ledger.promise(url, "sitemap", waiting=True)
            yield url


async def _in_interface(crawler: Crawler, home: Page) -> AsyncIterator[str]:
    """The posts that WordPress's REST interface lists; nothing where it is closed."""
    document = parse(home.body, home.url, home.content_type)
    for number in range(1, _MAX_PAGES):
        url = posts_url(document, number)
        if url is None:
            return
        try:
            answer = await fetch_found_page(crawler, url)
        except PosterityError:  # a number beyond the last page is an error too
            return
        posts = read_posts(answer.body)
        for post in posts:
            yield canonical_url(post.link)
        if len(posts) < PAGE_SIZE:
            return
