"""The page limit, kept to the page: requests beyond it are not made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class BeyondLimit(IgnoreRequest):
    """The harvest has made as many requests as it may."""


class BudgetMiddleware:
    """Counts every request that goes out; robots.txt, which we owe the host, is free."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0
        self.exceeded = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BudgetMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler.settings.getint("POSTERITY_LIMIT_PAGES"))

    def process_request(self, request: Request) -> None:
        """Let the request pass and count it, or raise."""
        if not self.limit or request.meta.get("dont_obey_robotstxt"):
            return
        if self.spent >= self.limit:
            self.exceeded = True
            raise BeyondLimit("the page limit was reached")
        self.spent += 1
