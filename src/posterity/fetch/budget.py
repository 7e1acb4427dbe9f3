"""The limits of a harvest, kept to the request: what goes beyond them is not asked for.

Requests that wait when a limit is reached are given up without touching the network, and no new ones are made. So the
crawl runs empty by itself, and posts that are on their way keep their pictures and comments.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NoReturn

from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

MEDIA = "posterity_media"  # the mark of requests for pictures and other files, which are no pages
OWED = "posterity_owed"  # the mark of requests for what a host wants to be read before its pages


class BeyondLimit(IgnoreRequest):
    """The harvest has made as many requests as it may."""


class BudgetMiddleware:
    """Counts every request for a page; robots.txt and its like, which we owe the host, are free."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        settings = crawler.settings
        self.limit_pages: int = settings.getint("POSTERITY_LIMIT_PAGES")
        self.limit_bytes: int = settings.getint("POSTERITY_LIMIT_BYTES")
        time_limit_s: float = settings.getfloat("POSTERITY_TIME_LIMIT_S")
        self.deadline = time.monotonic() + time_limit_s if time_limit_s else None
        self.spent = 0
        self.ended_because: str | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BudgetMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let the request pass and count it, or raise."""
        if request.meta.get("dont_obey_robotstxt") or request.meta.get(OWED) or not request.url.startswith("http"):
            return
        if self.deadline and time.monotonic() > self.deadline:
            self._refuse("the time limit was reached (--time-limit)")
        if self.limit_bytes and self._bytes() >= self.limit_bytes:
            self._refuse("the size limit was reached (--size-limit)")
        # Posts on their way still get their pictures and the rest of their comments, which are asked for directly.
        if request.meta.get(MEDIA):
            return
        if self.ended_because and request.callback is not None:
            self._refuse(self.ended_because)
        if self.limit_pages and self.spent >= self.limit_pages:
            self._refuse("the page limit was reached (--limit)")
        self.spent += 1

    def _refuse(self, because: str) -> NoReturn:
        self.ended_because = self.ended_because or because
        raise BeyondLimit(self.ended_because)

    def _bytes(self) -> int:
        spider: Any = self.crawler.spider
        return int(spider.ledger.bytes + spider.ledger.media_bytes)
