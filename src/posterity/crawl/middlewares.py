"""The boundary around each page: what fails there unexpectedly is counted and told, and the crawl goes on.

Scrapy writes such errors to a log that nobody reads and forgets the page. An archive that cannot be written is another
matter: no further page could be kept, so the crawl ends.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request, signals

from posterity.crawl.capture import REPLAYED
from posterity.crawl.jobs import Stumbled
from posterity.crawl.robots import RobotsMiddleware
from posterity.crawl.state import CrawlState, state_of
from posterity.errors import ArchiveError
from posterity.model import Rejected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from posterity.crawl.downloading import PostItem


_log = logging.getLogger(__name__)


class PageBoundary:
    """A Scrapy extension that hears of every error in a callback or a pipeline step."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.callback_failed, signals.spider_error)
        crawler.signals.connect(self.step_failed, signals.item_error)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PageBoundary:
        """Scrapy's way to make an extension."""
        return cls(crawler)

    def callback_failed(self, failure: Failure, response: Response | Failure | None) -> None:
        """The spider could not make anything of a response."""
        state = state_of(self.crawler)
        request = getattr(response, "request", None)
        page = request.cb_kwargs.get("page") if request is not None else None
        url: str = page.url if page is not None else getattr(response, "url", "") or state.job.url
        failed_on(state, url, failure)

    def step_failed(self, item: PostItem, failure: Failure) -> None:
        """A step of the pipeline could not make anything of a page."""
        failed_on(state_of(self.crawler), item.page.url, failure)


def failed_on(state: CrawlState, url: str, failure: Failure) -> None:
    """Count an error on one page and tell of it; one of the archive ends the crawl."""
    problem = failure.value
    if isinstance(problem, ArchiveError):
        state.give_up(problem)
        return
    error = f"{type(problem).__name__}: {problem}"
    _log.error("%s: %s", url, error, exc_info=problem)
    state.crawl_stats.errors += 1
    state.rejected(Rejected(url=url, reason="error", detail=error))
    state.tell(Stumbled(url=url, error=error, traceback=failure.getTraceback()))


_ENOUGH = (429, 503)
_TOO_MANY_REQUESTS = 429
# Longer than this nobody waits for one page: the response is taken as it is, and the post is reported as missing.
MAX_WAIT_S = 600.0
# A host that answers slowly for once is not avoided for minutes.
_MAX_ADAPTED_S = 30.0
_FIRST_BACKOFF_S = 1.0
# A host that names the time is asked more often than one that just fails.
_TRIES_AFTER_HOLD = 5


class PolitenessMiddleware:
    """Sets the delay of Scrapy's download slots, one per host, and holds requests back."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.least: float = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self.longest_s = 0.0
        self._delays: dict[str, float] = {}
        self._floors: dict[str, float] = defaultdict(lambda: self.least)
        self._held_until: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PolitenessMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Wait while the host is held, and see to it that its slot has the right delay."""
        host = urlsplit(request.url).hostname or ""
        if not request.url.startswith("http"):
            self._set_delay(host, 0.0)
            return
        if self.least:
            self._floors[host] = max(self._floors[host], self._asked_by_robots(request.url))
        self._set_delay(host, max(self._floors[host], self._delays.get(host, 0.0)))
        while (wait := self._held_until.get(host, 0.0) - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    def process_response(self, request: Request, response: Response) -> Response:
        """Learn from the response how long to wait before the next request."""
        if REPLAYED in response.flags or not response.url.startswith("http"):
            return response
        host = urlsplit(request.url).hostname or ""
        if response.status in _ENOUGH:
            self._hold(host, request, response)
        elif self.least and (latency := request.meta.get("download_latency")):
            self._set_delay(host, adapted(self._delays.get(host, self.least), latency, self._floors[host]))
        return response

    def _hold(self, host: str, request: Request, response: Response) -> None:
        header = (response.headers.get("Retry-After") or b"").decode("latin-1")
        named = retry_after_s(header, datetime.now(UTC))
        if named is not None and named > MAX_WAIT_S:
            request.meta["dont_retry"] = True
            return
        if named is not None:
            request.meta["max_retry_times"] = _TRIES_AFTER_HOLD
        backoff = _FIRST_BACKOFF_S * self.least * 2 ** request.meta.get("retry_times", 0)
        until = time.monotonic() + (named if named is not None else backoff)
        self._held_until[host] = max(until, self._held_until.get(host, 0.0))
        if response.status == _TOO_MANY_REQUESTS:
            self._floors[host] = min(_MAX_ADAPTED_S, max(_FIRST_BACKOFF_S / 2, self._floors[host] * 1.5))
            self._set_delay(host, self._floors[host])

    def _asked_by_robots(self, url: str) -> float:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        return robots.delay_s(url) if robots else 0.0

    def _set_delay(self, host: str, delay_s: float) -> None:
        self._delays[host] = delay_s
        self.longest_s = max(self.longest_s, delay_s)
        downloader: Any = self.crawler.engine.downloader
        # A slot that is not used for a minute is thrown away and made anew from these settings.
        downloader.per_slot_settings.setdefault(host, {})["delay"] = delay_s
        if host in downloader.slots:
            downloader.slots[host].delay = delay_s


def adapted(delay_s: float, latency_s: float, floor_s: float) -> float:
    """Return the next delay: up at once to the time that the host needs for a response, down again by halves."""
    wanted = max(latency_s, (delay_s + latency_s) / 2)
    return max(floor_s, min(wanted, max(floor_s, _MAX_ADAPTED_S)))


def retry_after_s(header: str, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or as a date; None when it says nothing."""
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
