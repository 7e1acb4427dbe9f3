"""robots.txt by RFC 9309: obeyed when it can be read, no limits when there is none (4xx), and no visit when it
cannot be read (5xx). Scrapy's own middleware allows everything in the last case."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from protego import Protego
from scrapy import Request
from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_MAX_BYTES = 512 * 1024  # RFC 9309, 2.5: at least 500 kibibytes must be read
_PRIORITY = 1_000_000


class ForbiddenByRobots(IgnoreRequest):
    """The rules of the host forbid the address, or could not be read."""


class RobotsMiddleware:
    """Asks for robots.txt once per host and holds other requests to it back until the answer is there."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.user_agent: str = crawler.settings["USER_AGENT"]
        self._rules: dict[str, Protego | str] = {}
        self._reading: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Let the request pass, or raise."""
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith("http"):
            return
        parts = urlsplit(request.url)
        host = f"{parts.scheme}://{parts.netloc}"
        async with self._reading[host]:
            if host not in self._rules:
                self._rules[host] = await self._read(host)
        rules = self._rules[host]
        if isinstance(rules, str):
            raise ForbiddenByRobots(rules)
        if not rules.can_fetch(request.url, self.user_agent):
            raise ForbiddenByRobots(f"{host}/robots.txt forbids {request.url}")

    def sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the host's robots.txt names; none before it has been read."""
        parts = urlsplit(url)
        rules = self._rules.get(f"{parts.scheme}://{parts.netloc}")
        return [] if rules is None or isinstance(rules, str) else list(rules.sitemaps)

    async def _read(self, host: str) -> Protego | str:
        request = Request(
            f"{host}/robots.txt", priority=_PRIORITY, meta={"dont_obey_robotstxt": True, "download_timeout": 20}
        )
        try:
            response = await self.crawler.engine.download_async(request)
        except IgnoreRequest as problem:  # a redirect loop: RFC 9309, 2.3.1.2 treats it as unavailable
            return Protego.parse("") if "redirect" in str(problem).lower() else str(problem)
        except OSError as problem:
            return f"{host}/robots.txt cannot be read ({problem})"
        if response.status >= 500:
            return f"{host}/robots.txt answers {response.status}, and rules that cannot be read forbid everything"
        if response.status >= 400:
            return Protego.parse("")
        return Protego.parse(response.body[:_MAX_BYTES].decode("utf-8", "replace"))
