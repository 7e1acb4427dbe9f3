"""The robots.txt middleware, following RFC 9309.

A readable file is obeyed, and a missing one (4xx) allows everything. An unreadable one (5xx, no response) forbids
everything and is requested again after a while; Scrapy's own middleware would allow everything.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from urllib.parse import urlsplit

from protego import Protego
from scrapy import Request, exceptions
from scrapy.crawler import Crawler

from posterity.crawl.capture import MEDIA
from posterity.crawl.quiet_update import recent_capture, stored_robots
from posterity.crawl.state import Component
from posterity.http_client import robots_rules, sitemaps_in

_PRIORITY = 1_000_000
# How long to wait before an unreadable robots.txt is requested again, in units of the delay between requests.
_WAITS = (5, 30)
_NO_RESPONSE = (
    exceptions.CannotResolveHostError,
    exceptions.DownloadConnectionRefusedError,
    exceptions.DownloadFailedError,
    exceptions.DownloadTimeoutError,
    exceptions.ResponseDataLossError,
)


# Results that another try soon would not change: rules, a closed port, a host that accepts and never responds.
_SETTLED = (
    Protego,
    exceptions.CannotResolveHostError,
    exceptions.DownloadConnectionRefusedError,
    exceptions.DownloadTimeoutError,
)
_ROBOTS_S = 10  # with one retry, a silent host costs 20 s before the harvest ends or continues


class ForbiddenByRobots(exceptions.IgnoreRequest):
    """The rules of the host forbid the URL, or could not be read."""


class RobotsMiddleware(Component):
    """Requests robots.txt once per host and holds back other requests to it until the response is there."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.user_agent: str = crawler.settings["USER_AGENT"]
        self.delay = float(crawler.settings.get("DOWNLOAD_DELAY") or 0)
        # A host's rules, or why they forbid everything, or the error that prevented reading them.
        self._rules: dict[str, Protego | str | Exception] = {}
        self._reading: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def process_request(self, request: Request) -> None:
        """Let the request pass, or raise `ForbiddenByRobots` or the error that prevented reading the rules."""
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith("http"):
            return
        host = _host(request.url)
        async with self._reading[host]:
            if host not in self._rules:
                # An image on a host that does not respond is not worth the wait.
                waits = () if request.meta.get(MEDIA) else _WAITS
                self._rules[host] = await self._read_with_retries(host, waits)
        rules = self._rules[host]
        if isinstance(rules, Exception):
            raise rules
        if isinstance(rules, str):
            raise ForbiddenByRobots(rules)
        if not rules.can_fetch(request.url, self.user_agent):
            raise ForbiddenByRobots(f"{host}/robots.txt forbids {request.url}")

    def sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the host's robots.txt names; none before it has been read."""
        rules = self._rules.get(_host(url))
        return sitemaps_in(rules, url) if isinstance(rules, Protego) else []

    def delay_s(self, url: str) -> float:
        """Return the seconds between requests that the host's robots.txt asks for (Crawl-delay, Request-rate), or 0."""
        rules = self._rules.get(_host(url))
        if not isinstance(rules, Protego):
            return 0.0
        rate = rules.request_rate(self.user_agent)
        return max(rules.crawl_delay(self.user_agent) or 0.0, rate.seconds / rate.requests if rate else 0.0)

    async def _read_with_retries(self, host: str, waits: tuple[int, ...]) -> Protego | str | Exception:
        """Return the rules, or why there are none after all tries."""
        rules = await self._read(host)
        for wait in waits:
            if isinstance(rules, _SETTLED):
                break
            await asyncio.sleep(wait * self.delay)
            rules = await self._read(host)
        return rules

    async def _read(self, host: str) -> Protego | str | Exception:
        limits = {"download_timeout": _ROBOTS_S, "max_retry_times": 1}
        request = Request(f"{host}/robots.txt", priority=_PRIORITY, meta={"dont_obey_robotstxt": True, **limits})
        try:
            response = await self.crawler.engine.download_async(request)
        except exceptions.IgnoreRequest as problem:  # a redirect loop: RFC 9309, 2.3.1.2 treats it as unavailable
            return Protego.parse("") if "redirect" in str(problem).lower() else str(problem)
        except _NO_RESPONSE as problem:
            return problem
        except OSError as problem:
            return f"{host}/robots.txt cannot be read ({problem})"
        if (rules := robots_rules(response.status, response.body, self.user_agent)) is None:
            forbids = "rules that cannot be read forbid everything; that may pass"
            return f"{host}/robots.txt returned {response.status}, and {forbids}"
        return rules


def _host(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


class StoredRobotsMiddleware(RobotsMiddleware):
    """Requests robots.txt only if the archive's copy is older than a day, which saves an update one request."""

    async def _read(self, host: str) -> Protego | str | Exception:
        archive = getattr(self.crawler.spider, "archive", None)
        recent = recent_capture(archive, f"{host}/robots.txt") if archive is not None else None
        if archive is not None and recent is not None:
            return stored_robots(archive, recent, self.user_agent) or await super()._read(host)
        return await super()._read(host)
