"""The boundary around each page: what fails there unexpectedly is counted and told, and the crawl goes on.

Scrapy writes such errors to a log that nobody reads and forgets the page. An archive that cannot be written is another
matter: no further page could be kept, so the crawl ends.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals

from posterity.errors import ArchiveError
from posterity.fetch.events import Stumbled
from posterity.model import Rejected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from posterity.fetch.items import PostItem

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
        """The spider could not make anything of an answer."""
        spider: Any = self.crawler.spider
        request = getattr(response, "request", None)
        page = request.cb_kwargs.get("page") if request is not None else None
        url: str = page.url if page is not None else getattr(response, "url", "") or spider.job.url
        stumbled(spider, url, failure)

    def step_failed(self, item: PostItem, failure: Failure) -> None:
        """A step of the pipeline could not make anything of a page."""
        stumbled(self.crawler.spider, item.page.url, failure)


def stumbled(spider: Any, url: str, failure: Failure) -> None:
    """Count an error on one page and tell of it; one of the archive ends the crawl."""
    problem = failure.value
    if isinstance(problem, ArchiveError):
        spider.give_up(problem)
        return
    error = f"{type(problem).__name__}: {problem}"
    _log.error("%s: %s", url, error, exc_info=problem)
    spider.ledger.errors += 1
    spider.rejected(Rejected(url=url, reason="error", detail=error))
    spider.tell(Stumbled(url=url, error=error, traceback=failure.getTraceback()))
