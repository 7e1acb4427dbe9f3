"""One address to one page, inside a crawl; what can go wrong becomes an error that a person can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)

from posterity.errors import PosterityError, RefusedByRobots, Unreachable
from posterity.fetch.capture import page_of
from posterity.fetch.robots import ForbiddenByRobots
from posterity.model import Rejected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.model import Page

NETWORK_ERRORS = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    OSError,
)

_SENTENCES = (
    (CannotResolveHostError, "The host {host} does not exist, or there is no network. Check the address."),
    (
        DownloadConnectionRefusedError,
        "Nothing answers at {host}: the connection was refused. Check the address and the port.",
    ),
    (DownloadTimeoutError, "{host} does not answer in time. Try again later."),
)


async def fetch_page(crawler: Crawler, url: str) -> Page:
    """Return the page at the address, redirects followed, whatever its status, or raise one of our errors."""
    try:
        response = await crawler.engine.download_async(Request(url, dont_filter=True))
    except NETWORK_ERRORS as problem:
        raise translated(problem, url) from problem
    return page_of(response)


async def fetch_found_page(crawler: Crawler, url: str) -> Page:
    """Return the page at the address, or raise `Unreachable` when the answer is an error page."""
    page = await fetch_page(crawler, url)
    if page.status >= 400:
        wait = "Try again later" if page.status >= 500 or page.status == 429 else "Check the address"
        raise Unreachable(f"{url} answers with status {page.status}. {wait}.", status=page.status)
    return page


def translated(problem: BaseException, url: str) -> PosterityError:
    """Return our error for one of Scrapy's or the network's."""
    if isinstance(problem, ForbiddenByRobots):
        return RefusedByRobots(f"{problem}. Ask the blog's owner, or harvest another address.")
    host = urlsplit(url).netloc
    for kind, sentence in _SENTENCES:
        if isinstance(problem, kind):
            return Unreachable(sentence.format(host=host))
    if isinstance(problem, IgnoreRequest) and "redirect" in str(problem).lower():
        return Unreachable(
            f"{url} redirects in a circle. Open it in a browser, and use the address where it should lead."
        )
    return Unreachable(f"{url} cannot be fetched: {problem or type(problem).__name__}.")


def rejection(problem: PosterityError, url: str) -> Rejected:
    """Return the reason why an address gave no page."""
    return Rejected(
        url=url, reason="robotsTxt" if isinstance(problem, RefusedByRobots) else "networkError", detail=str(problem)
    )
