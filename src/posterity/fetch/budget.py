"""The limits of a harvest, kept to the request: what goes beyond them is not asked for.

Requests that wait when a limit is reached, or when further pages bring nothing new, are given up one by one without
touching the network. So the crawl runs empty by itself, and posts that are on their way keep their pictures and
comments.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

MEDIA = "posterity_media"  # the mark of requests for pictures and other files, which are no pages


class BeyondLimit(IgnoreRequest):
    """The harvest has made as many requests as it may, or needs no more."""


class BudgetMiddleware:
    """Counts every request for a page; robots.txt, which we owe the host, is free."""

    def __init__(self, limit: int, time_limit_s: float = 0.0) -> None:
        self.limit = limit
        self.deadline = time.monotonic() + time_limit_s if time_limit_s else None
        self.spent = 0
        self.ended_because: str | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BudgetMiddleware:
        """Scrapy's way to make a middleware."""
        settings = crawler.settings
        return cls(settings.getint("POSTERITY_LIMIT_PAGES"), settings.getfloat("POSTERITY_TIME_LIMIT_S"))

    @property
    def exceeded(self) -> bool:
        """Whether a limit that a person set was reached."""
        return bool(self.ended_because and "--" in self.ended_because)

    def end(self, because: str) -> None:
        """Ask for no further page, for this reason; the first one counts."""
        self.ended_because = self.ended_because or because

    def process_request(self, request: Request) -> None:
        """Let the request pass and count it, or raise."""
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith("http"):
            return
        if self.deadline and time.monotonic() > self.deadline:
            self.end("the time limit was reached (--time-limit)")
            raise BeyondLimit(self.ended_because)
        # Posts on their way still get their pictures and the rest of their comments, which are asked for directly.
        if request.meta.get(MEDIA):
            return
        if self.ended_because and request.callback is not None:
            raise BeyondLimit(self.ended_because)
        if self.limit and self.spent >= self.limit:
            self.end("the page limit was reached (--limit)")
            raise BeyondLimit(self.ended_because)
        self.spent += 1
