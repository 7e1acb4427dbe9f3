"""The web as a source of pages (`blog.page_source.PageSource`), through the Scrapy crawl that is running."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from posterity.blog.page_source import ParsedPages, StoredResponse
from posterity.crawl.downloading import fetch_page, rejection
from posterity.crawl.robots import RobotsMiddleware
from posterity.errors import PosterityError
from posterity.urls import place_key
from posterity.urls.kinds import SlashHabit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler

    from posterity.dom import Document
    from posterity.model import Page, Rejected

# The first few pages show whether the host spells its URLs in another way.
_FIRST = 3


class WebSource:
    """Fetches pages inside a crawl; `arrived` counts a page and tells whether it is of use, `reject` notes failures."""

    def __init__(self, crawler: Crawler, arrived: Callable[[Page], bool], reject: Callable[[Rejected], None]) -> None:
        self._crawler, self._arrived, self._reject = crawler, arrived, reject
        self._parsed = ParsedPages(reject)
        self._pages: dict[str, Page | None] = {}
        self.slashes = SlashHabit()

    async def page(self, url: str) -> Page:
        """Return the response at the URL, redirects followed, whatever its status; raise one of our errors if none."""
        return await fetch_page(self._crawler, url)

    async def pages(self, urls: Sequence[str]) -> list[Page | None]:
        """Return the pages that can be read as HTML; each that fails is noted and costs only itself."""
        first = await asyncio.gather(*map(self._usable_page, urls[:_FIRST]))
        others = await asyncio.gather(*map(self._usable_page, urls[_FIRST:]))
        return [*first, *others]

    async def _usable_page(self, url: str) -> Page | None:
        key = place_key(url)
        if key not in self._pages:
            self._pages[key] = await self._asked_page(url)
        return self._pages[key]

    async def _asked_page(self, url: str) -> Page | None:
        try:
            page = await fetch_page(self._crawler, self.slashes.spelled(url))
        except PosterityError as problem:
            self._reject(rejection(problem, url))
            return None
        return page if self._arrived(page) else None

    def document(self, page: Page) -> Document | None:
        """Return the parsed page; None when it cannot be read, which is noted."""
        return self._parsed.document(page)

    def seen_pages(self) -> list[Page]:
        """Return the pages that `pages` has brought so far."""
        return [page for page in self._pages.values() if page is not None]

    def forget_pages(self) -> None:
        """Let the pages and their documents go: what the beginning of a crawl shares is over."""
        self._pages.clear()
        self._parsed.clear()

    def sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the host's robots.txt names."""
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        return robots.sitemaps(url) if robots is not None else []

    def held(self) -> Sequence[StoredResponse]:
        """Return nothing: the web has to be asked."""
        return ()

    def earlier_states(self, url: str) -> list[Page]:
        """Return nothing: the web knows no past."""
        del url
        return []
