"""Scrapy middlewares; unexpected errors on a page are counted and reported, and the crawl continues.

Scrapy only logs such errors and loses the page. An archive that cannot be written is different: no further page could
be stored, so the crawl ends.

The guard of a crawl is here too: for a blog on the public web, nothing on this machine or in a private network is
requested. A page may link or redirect to any host, and a host name may resolve to any IP address: that of a router, a
database, the metadata service of a cloud. The IP address is checked (`is_public_address`) when the connection is made,
so a name that resolves differently the next time gains nothing. Harvesting a private host, or `--allow-private`,
switches the guard off. The browser has the same guard in `render.gate`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

import msgspec
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.resolver import CachingThreadedResolver
from scrapy.responsetypes import responsetypes
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError
from twisted.python.failure import Failure

from posterity.archive.warc_reader import decoded_body
from posterity.config import CrawlSettings
from posterity.crawl.capture import REPLAYED, BeyondLimit
from posterity.crawl.downloading import PostItem
from posterity.crawl.jobs import PageError
from posterity.crawl.robots import RobotsMiddleware
from posterity.crawl.state import Component, CrawlState, state_of
from posterity.dom.source import declares_invalid_encoding
from posterity.errors import ArchiveError
from posterity.http_client import is_private_host
from posterity.model import Rejected
from posterity.urls.kinds import is_public_address

_log = logging.getLogger(__name__)


class FollowingMiddleware(RedirectMiddleware):
    """Follows redirects as Scrapy does; a redirect to an invalid URL counts as a page that cannot be fetched."""

    # Without the argument `spider` of Scrapy's own method: it warns about middlewares that still take it.
    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the request that the response leads to, or the response."""
        try:
            return super().process_response(request, response)
        except ValueError as problem:
            reason = f"it leads to a URL that cannot be read ({problem})"
        raise IgnoreRequest(reason)


class RefreshMiddleware(MetaRefreshMiddleware):
    """Follows `<meta http-equiv=refresh>` as Scrapy does, and the Refresh header, but not a page's own reload."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the request that the page leads to, or the response."""
        header = response.headers.get("Refresh")
        page = response
        if header and isinstance(response, HtmlResponse):
            page = response.replace(body=b'<meta http-equiv="refresh" content="%b">' % header + response.body)
        followed = super().process_response(request, page)
        return followed if isinstance(followed, Request) and followed.url != request.url else response


class UnpackingMiddleware(HttpCompressionMiddleware):
    """Decompresses bodies as Scrapy does; one that does not match its header is decoded as the archive does it.

    A refusal must not keep what was decompressed until then: Scrapy's exception keeps up to `max_page_bytes` alive in
    the frames of its traceback, and 20 such pages took 860 MB.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the response decompressed, in an encoding that Scrapy can read, or raise `IgnoreRequest`."""
        try:
            unpacked = super().process_response(request, response)
        except IgnoreRequest:  # Scrapy's message names its own settings
            limit = request.meta.get("download_maxsize", self._max_size)
            reason = f"its body unpacks to more than {limit >> 20} MB"
        except Exception as problem:  # noqa: BLE001 - each decompression package has its own errors
            reason = f"its body cannot be unpacked ({type(problem).__name__}: {problem})"
            if (lenient := _unpacked_leniently(response)) is not None:
                return _in_readable_encoding(lenient)
        else:
            return _in_readable_encoding(unpacked)
        raise IgnoreRequest(reason)


_BEGINNING = 1000  # bytes
_PACKED = re.compile(rb"[\x00-\x08\x0e-\x1f]")  # not in text


def _unpacked_leniently(response: Response) -> Response | None:
    """Return the response with the readable part of its body, or None if that is only compressed bytes."""
    coding = (response.headers.pop("Content-Encoding", None) or [b""])[-1].decode("latin-1")
    body = decoded_body(response.body, coding)
    if body == response.body and _PACKED.search(body, 0, _BEGINNING):
        return None
    kind = responsetypes.from_args(headers=response.headers, url=response.url, body=body)
    return response.replace(cls=kind, body=body)


def _in_readable_encoding(response: Request | Response) -> Request | Response:
    """Return the response, as UTF-8 if it declares a Python codec that is not an encoding: Scrapy fails on these."""
    if not isinstance(response, TextResponse):
        return response
    kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return response.replace(encoding="utf-8") if declares_invalid_encoding(response.body, kind) else response


class PageBoundary(Component):
    """A Scrapy extension that is called for every error in a callback or a pipeline step."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        crawler.signals.connect(self.callback_failed, signals.spider_error)
        crawler.signals.connect(self.step_failed, signals.item_error)

    def callback_failed(self, failure: Failure, response: Response | Failure | None) -> None:
        """Report an error in a callback of the spider."""
        state = state_of(self.crawler)
        request = getattr(response, "request", None)
        page = request.cb_kwargs.get("page") if request is not None else None
        url: str = page.url if page is not None else getattr(response, "url", "") or state.job.url
        failed_on(state, url, failure)

    def step_failed(self, item: PostItem, failure: Failure) -> None:
        """Report an error in a step of the pipeline."""
        failed_on(state_of(self.crawler), item.page.url, failure)


def failed_on(state: CrawlState, url: str, failure: Failure) -> None:
    """Count and report an error on one page; an error of the archive ends the crawl."""
    problem = failure.value
    if isinstance(problem, ArchiveError):
        state.give_up(problem)
        return
    if isinstance(problem, BeyondLimit):  # not an error: a limit was reached while the page was processed
        state.rejected(Rejected(url=url, reason="pageLimit", detail=str(problem)))
        return
    error = f"{type(problem).__name__}: {problem}"
    _log.error("%s: %s", url, error, exc_info=problem)
    state.crawl_stats.errors += 1
    state.rejected(Rejected(url=url, reason="error", detail=error))
    state.on_event(PageError(url=url, error=error, traceback=failure.getTraceback()))


_ENOUGH = (429, 503)
_TOO_MANY_REQUESTS = 429
# The longest wait for one page: beyond it, the response is taken as it is, and the post is reported as missing.
MAX_WAIT_S = 600.0
# A host that once responds slowly is not avoided for minutes.
_MAX_ADAPTED_S = 30.0
_FIRST_BACKOFF_S = 1.0
# A host that names a time gets more retries than one that just fails.
_TRIES_AFTER_HOLD = 5
# What a 429 added to the delay shrinks by a fifth with every response: 10 responses remove 90 % of it.
_KEPT_OF_PENALTY = 0.8
_LEAST_PENALTY_S = 0.05
_PAUSE_DELAYS = 30  # times the user's delay


class HostPace:
    """The delay between requests to one host, and the time until which none is sent, on a monotonic clock.

    `least_s` is required by the user or robots.txt, `penalty_s` was added because of the host's refusals.
    """

    def __init__(self, least_s: float) -> None:
        self.least_s = least_s
        self.penalty_s = 0.0
        self.held_until = 0.0
        self._adapted_s = 0.0

    @property
    def delay_s(self) -> float:
        """The seconds between two requests."""
        return max(self.floor_s, self._adapted_s)

    @property
    def floor_s(self) -> float:
        """The least delay, however fast the host is."""
        return max(self.least_s, min(_MAX_ADAPTED_S, self.least_s + self.penalty_s))

    def note_response(self, latency_s: float | None) -> None:
        """Adapt the delay to a response; what refusals have added to it shrinks step by step."""
        kept = self.penalty_s * _KEPT_OF_PENALTY
        self.penalty_s = kept if kept >= _LEAST_PENALTY_S else 0.0
        if latency_s:
            self._adapted_s = adapted(self._adapted_s or self.least_s, latency_s, self.floor_s)

    def refused(self, now: float, named_s: float | None, backoff_s: float, *, too_many: bool) -> None:
        """Send no requests after a refusal: for the time that the host names, else for the backoff.

        A 429 raises the delay too, step by step if the host names no time. If it does, that time is the wait, and the
        delay only keeps the waiting requests from being sent all at once. Responses to requests sent before the hold
        began are part of the same refusal.
        """
        is_held = now < self.held_until
        self.held_until = max(self.held_until, now + (backoff_s if named_s is None else named_s))
        if too_many and not is_held:
            step = self.floor_s / 2 if named_s is None else 0.0
            self.penalty_s = min(_MAX_ADAPTED_S, max(_FIRST_BACKOFF_S / 2, self.penalty_s + step))


class PolitenessMiddleware(Component):
    """Sets the delay of Scrapy's download slots, one per host, and holds requests back."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.least: float = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self.longest_s = 0.0
        self._paces: dict[str, HostPace] = defaultdict(lambda: HostPace(self.least))

    async def process_request(self, request: Request) -> None:
        """Wait while the host is held, and set the delay of its slot."""
        host = urlsplit(request.url).hostname or ""
        if not request.url.startswith("http"):
            self._set_delay(host, 0.0)
            return
        pace = self._paces[host]
        if self.least:
            pace.least_s = max(pace.least_s, self._asked_by_robots(request.url))
        self._set_delay(host, pace.delay_s)
        while (wait := pace.held_until - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    def process_response(self, request: Request, response: Response) -> Response:
        """Adapt the delay of the host to the response."""
        if REPLAYED in response.flags or not response.url.startswith("http"):
            return response
        host = urlsplit(request.url).hostname or ""
        pace = self._paces[host]
        if response.status in _ENOUGH:
            self._hold(pace, request, response)
        else:
            pace.note_response(request.meta.get("download_latency") if self.least else None)
        self._set_delay(host, pace.delay_s)
        self._hold_queue(host, pace)
        return response

    def pause(self, url: str) -> None:
        """Send no request to the host of this URL for a while, because it sends interstitials instead of its pages."""
        pace = self._paces[urlsplit(url).hostname or ""]
        pace.held_until = max(pace.held_until, time.monotonic() + _PAUSE_DELAYS * self.least)

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Note which URL failed, because redirects may have led to another host.

        If a body always ends before its announced length, it is accepted at the last try.
        """
        exception.add_note(request.url)
        tries = request.meta.get("max_retry_times", self.crawler.settings.getint("RETRY_TIMES"))
        if isinstance(exception, ResponseDataLossError) and request.meta.get("retry_times", 0) + 1 >= tries:
            request.meta["download_fail_on_dataloss"] = False

    def _hold_queue(self, host: str, pace: HostPace) -> None:
        """Delay the requests that have passed `process_request` and are in the queue of the slot."""
        slot = self.crawler.engine.downloader.slots.get(host)
        if slot is not None and pace.held_until > time.monotonic():
            slot.lastseen = max(slot.lastseen, pace.held_until - slot.delay * (1 - slot.jitter))

    def _hold(self, pace: HostPace, request: Request, response: Response) -> None:
        header = (response.headers.get("Retry-After") or b"").decode("latin-1")
        named = retry_after_s(header, datetime.now(UTC))
        if named is not None and named > MAX_WAIT_S:
            request.meta["dont_retry"] = True
            return
        if named is not None:
            request.meta["max_retry_times"] = _TRIES_AFTER_HOLD
        backoff = _FIRST_BACKOFF_S * self.least * 2 ** request.meta.get("retry_times", 0)
        pace.refused(time.monotonic(), named, backoff, too_many=response.status == _TOO_MANY_REQUESTS)

    def _asked_by_robots(self, url: str) -> float:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        return robots.delay_s(url) if robots else 0.0

    def _set_delay(self, host: str, delay_s: float) -> None:
        self.longest_s = max(self.longest_s, delay_s)
        downloader: Any = self.crawler.engine.downloader
        # Scrapy discards a slot that is not used for a minute, and creates it again with these settings.
        downloader.per_slot_settings.setdefault(host, {})["delay"] = delay_s
        if host in downloader.slots:
            downloader.slots[host].delay = delay_s


def adapted(delay_s: float, latency_s: float, floor_s: float) -> float:
    """Return the next delay: raised at once to the latency of the host, lowered by half of the difference."""
    wanted = max(latency_s, (delay_s + latency_s) / 2)
    return max(floor_s, min(wanted, max(floor_s, _MAX_ADAPTED_S)))


def retry_after_s(header: str, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or as a date; None if it has neither."""
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


ALLOWED = "POSTERITY_ALLOWED_HOSTS"
REFUSED_STAT = "posterity/private_refused"
_NOT_PUBLIC = "is not on the public web"
_NAMED_HOSTS = 20  # named in the report; a page can link to any number


def guarded_settings(crawl: CrawlSettings, url: str) -> CrawlSettings:
    """Return the settings for a crawl that starts here: with the guard, unless it starts at a private host."""
    if crawl.public_only or crawl.allow_private or is_private_host(urlsplit(url).hostname or ""):
        return crawl
    # A proxy from the environment resolves names itself and is often private.
    proxies = [urlsplit(proxy if "://" in proxy else f"http://{proxy}").hostname for proxy in getproxies().values()]
    hosts = (*crawl.allowed_hosts, *(host for host in proxies if host))
    return msgspec.structs.replace(crawl, public_only=True, use_proxy=True, allowed_hosts=hosts)


class PublicResolver(CachingThreadedResolver):
    """Returns the IP address of a host only if it is public, or if the server's owner allows the host."""

    allowed: frozenset[str] = frozenset()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> PublicResolver:
        """Return the resolver for a crawl."""
        resolver = super().from_crawler(crawler, reactor)
        resolver.allowed = frozenset(crawler.settings.getlist(ALLOWED))
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 - Twisted's name
        """Return the checked IP address of a host."""
        found: Deferred[str] = super().getHostByName(name, timeout)
        if name.lower() not in self.allowed:
            found.addCallback(_check_address, name)
        return found


class PublicOnlyMiddleware(Component):
    """Refuses hosts given as IP addresses, which need no resolver; counts and names all refused hosts."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._allowed = frozenset(crawler.settings.getlist(ALLOWED))
        self._hosts: set[str] = set()

    def process_request(self, request: Request) -> None:
        """Raise `IgnoreRequest` for a host that is not public."""
        host = (urlparse_cached(request).hostname or "").lower()
        looks_numeric = ":" in host or host.replace(".", "").isdigit()
        is_local_name = host == "localhost" or host.endswith(".localhost")
        if host not in self._allowed and (is_local_name or (looks_numeric and not is_public_address(host))):
            self._note(host)
            raise IgnoreRequest(f"{host} {_NOT_PUBLIC}")

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Record a host that the resolver refused."""
        reasons: list[BaseException | None] = [exception, exception.__cause__, exception.__context__]
        if any(_NOT_PUBLIC in str(reason) for reason in reasons if reason is not None):
            self._note((urlparse_cached(request).hostname or "").lower())

    def _note(self, host: str) -> None:
        self.crawler.stats.inc_value(REFUSED_STAT)
        if host in self._hosts or len(self._hosts) >= _NAMED_HOSTS:
            return
        self._hosts.add(host)
        stats = getattr(state_of(self.crawler), "crawl_stats", None)
        if stats is not None:  # a spider of another project has none
            stats.note(f"{host} {_NOT_PUBLIC} and was not requested (--allow-private requests it)", may_help=False)


def _check_address(address: str, name: str) -> str:
    if not is_public_address(address):
        raise DNSLookupError(f"{name} {_NOT_PUBLIC}")
    return address
