"""The web as a page source (`blog.page_source.PageSource`), through the running Scrapy crawl.

Errors of Scrapy and the network are translated into ours, whose messages say what to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from urllib.parse import urlsplit

import msgspec
from scrapy import Request, exceptions
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.internet.defer import AlreadyCalledError

from posterity.archive import Archive
from posterity.archive.warc_reader import NOT_MODIFIED
from posterity.blog.page_source import ParsedPages, StoredResponse
from posterity.crawl.capture import BeyondLimit, page_of
from posterity.crawl.crawl_stats import EMPTY
from posterity.crawl.quiet_update import EarlierResponses
from posterity.crawl.robots import ForbiddenByRobots, RobotsMiddleware
from posterity.dom import Document
from posterity.errors import PosterityError, RefusedByRobots, Unreachable
from posterity.model import FeedEntry, Page, Post, Rejected
from posterity.urls import is_http_url, place_key
from posterity.urls.kinds import TrailingSlashes

NETWORK_ERRORS = (
    exceptions.CannotResolveHostError,
    exceptions.DownloadCancelledError,
    exceptions.DownloadConnectionRefusedError,
    exceptions.DownloadFailedError,
    exceptions.DownloadTimeoutError,
    exceptions.IgnoreRequest,
    exceptions.ResponseDataLossError,
    exceptions.UnsupportedURLSchemeError,
    OSError,
)

_SENTENCES = (
    (exceptions.CannotResolveHostError, "The host {host} does not exist, or there is no network. Check the URL."),
    (exceptions.DownloadConnectionRefusedError, "{host} refused the connection. Check the URL and the port."),
    (exceptions.DownloadTimeoutError, "{host} does not respond in time. Try again later."),
)


async def fetch_page(crawler: Crawler, url: str, **meta: object) -> Page:
    """Return the page at the URL, after redirects, whatever its status, or raise one of our errors."""
    if not is_http_url(url):
        raise Unreachable(f"{url} is not a URL that can be fetched.")
    return await fetch_request(crawler, Request(url, dont_filter=True, meta=dict(meta)))


async def fetch_request(crawler: Crawler, request: Request) -> Page:
    """Return the response to a request, after redirects, whatever its status, or raise one of our errors."""
    try:
        response = await _response(crawler, request)
    except NETWORK_ERRORS as problem:
        raise translated(problem, request.url) from problem
    except ValueError as problem:  # a redirect to an invalid URL
        raise Unreachable(f"{request.url} leads to a URL that cannot be read: {problem}.") from problem
    return page_of(response)


async def _response(crawler: Crawler, request: Request) -> Response:
    """Return the response; raise `IgnoreRequest` if Scrapy is closing, because a new request would break that."""
    slot = crawler.engine._slot  # noqa: SLF001 - there is no public way to see that it is closing
    if slot is None or slot.closing is not None:
        raise exceptions.IgnoreRequest("the harvest is ending")
    try:
        return await crawler.engine.download_async(request)
    except AlreadyCalledError:
        raise exceptions.IgnoreRequest("the harvest is ending") from None


def is_quiet(crawler: Crawler) -> bool:
    """Return whether no request waits for its turn or its response."""
    return not crawler.engine.downloader.active


def translated(problem: BaseException, url: str) -> PosterityError:
    """Return our error for one of Scrapy or the network, with the URL that redirects have led to, if noted."""
    url = getattr(problem, "__notes__", [url])[-1]
    if isinstance(problem, ForbiddenByRobots):
        return RefusedByRobots(f"{problem}. Ask the blog's owner, or harvest another URL.")
    host = urlsplit(url).netloc
    for kind, sentence in _SENTENCES:
        if isinstance(problem, kind):
            return Unreachable(sentence.format(host=host), url=url)
    if isinstance(problem, exceptions.IgnoreRequest) and "redirect" in str(problem).lower():
        return Unreachable(f"{url} redirects in a circle. Open it in a browser, and use the URL where it should lead.")
    if isinstance(problem, exceptions.DownloadFailedError):
        reasons = getattr(problem.__cause__, "reasons", None)  # Twisted wraps errors in a list of failures
        last = reasons[-1].value if reasons else None
        if url.startswith("https:") and type(last).__module__.startswith("OpenSSL"):
            return Unreachable(f"{host} does not support HTTPS. Try http{url.removeprefix('https')}.")
        why = type(last).__name__ if last is not None else str(problem) or type(problem).__name__
        return Unreachable(f"{host} closes the connection, or is not a web server ({why}). Try again later.")
    return Unreachable(f"{url} cannot be fetched: {str(problem) or type(problem).__name__}.")


def rejection(problem: PosterityError, url: str) -> Rejected:
    """Return the reason why a URL gave no page."""
    if isinstance(problem.__cause__, BeyondLimit):
        return Rejected(url=url, reason="pageLimit", detail=str(problem.__cause__))
    return Rejected(
        url=url, reason="robotsTxt" if isinstance(problem, RefusedByRobots) else "networkError", detail=str(problem)
    )


def why_unusable(page: Page) -> Rejected | None:
    """Return why a response cannot be read as a page of a blog, or None if it can."""
    if page.status >= 400:
        return Rejected(url=page.requested_url, reason="httpError", detail=str(page.status))
    if not page.is_html:
        return Rejected(url=page.url, reason="notHtml", detail=page.content_type)
    if not page.body.strip():
        return Rejected(url=page.requested_url, reason="networkError", detail=EMPTY)
    return None


_OK = 200


class ConditionalResponse(msgspec.Struct, frozen=True, kw_only=True):
    """The current and the previous response from a URL; `page` has the previous body if it is not modified."""

    page: Page
    previous: Page | None = None

    @property
    def is_modified(self) -> bool:
        """Whether the response differs from the previous one."""
        return self.previous is None or self.page.status != _OK or self.page.body != self.previous.body

    @property
    def is_new_page(self) -> bool:
        """Whether the response differs from the previous one and can be read as a page of a blog."""
        return self.is_modified and why_unusable(self.page) is None


class ConditionalClient(EarlierResponses):
    """Sends conditional requests within one crawl."""

    def __init__(self, crawler: Crawler, archive: Archive, until: datetime | None) -> None:
        super().__init__(archive, until)
        self.crawler = crawler

    async def ask(self, url: str) -> ConditionalResponse:
        """Return the response, whatever its status, or raise one of our errors if there is none."""
        previous, headers = self.conditions(url)
        page = await fetch_request(self.crawler, Request(url, headers=headers or None, dont_filter=True))
        if page.status != NOT_MODIFIED:
            return ConditionalResponse(page=page, previous=previous)
        if previous is None:
            raise Unreachable(f"{url} returned 304 Not Modified to a request without a condition.", status=NOT_MODIFIED)
        same = msgspec.structs.replace(previous, fetched_at=page.fetched_at, warc=page.warc)
        return ConditionalResponse(page=same, previous=previous)


class PostItem(msgspec.Struct, frozen=True, kw_only=True):
    """A page on its way to the archive; `source` is the source that named its URL first.

    `changed` are the fields of a stored post that differ on this page; None means that all may differ.
    """

    page: Page
    document: Document
    source: str
    entry: FeedEntry | None = None
    post: Post | None = None
    changed: tuple[str, ...] | None = None


# The first few pages show whether the host redirects to URLs with a trailing slash.
_FIRST = 3


class WebSource:
    """Fetches pages within a crawl; `arrived` counts a page and tells whether it is usable, `reject` notes failures."""

    def __init__(self, crawler: Crawler, arrived: Callable[[Page], bool], reject: Callable[[Rejected], None]) -> None:
        self._crawler, self._arrived, self._reject = crawler, arrived, reject
        self._parsed = ParsedPages(reject)
        self._pages: dict[str, Page | None] = {}
        self.slashes = TrailingSlashes()

    async def page(self, url: str) -> Page:
        """Return the response at the URL, after redirects, whatever its status; raise one of our errors if none."""
        return await fetch_page(self._crawler, url)

    async def pages(self, urls: Sequence[str]) -> list[Page | None]:
        """Return the pages that can be read as HTML; None for each that fails, which is noted."""
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
            page = await fetch_page(self._crawler, self.slashes.as_served(url))
        except PosterityError as problem:
            self._reject(rejection(problem, url))
            return None
        return page if self._arrived(page) else None

    def document(self, page: Page) -> Document | None:
        """Return the parsed page; None if it cannot be read, which is noted."""
        return self._parsed.document(page)

    def seen_pages(self) -> list[Page]:
        """Return the pages that `pages` has fetched so far."""
        return [page for page in self._pages.values() if page is not None]

    def forget_pages(self) -> None:
        """Release the pages and their documents, which are shared only at the beginning of a crawl."""
        self._pages.clear()
        self._parsed.clear()

    def sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the host's robots.txt names."""
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        return robots.sitemaps(url) if robots is not None else []

    def held(self) -> Sequence[StoredResponse]:
        """Return nothing: pages of the web must be requested."""
        return ()

    def earlier_states(self, url: str) -> list[Page]:
        """Return nothing: the web has only current pages."""
        del url
        return []
