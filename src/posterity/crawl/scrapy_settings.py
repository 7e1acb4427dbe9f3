"""Posterity's settings as Scrapy settings: User-Agent, speed, middlewares and pipeline steps."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from posterity.config import CrawlSettings
from posterity.crawl.jobs import VERBOSE_VARIABLE

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

# The paper's order (section 2.2). Leave a line out to switch a step off; name another class to replace it.
PIPELINE = {
    "posterity.crawl.pipelines.ExtractContent": 200,
    "posterity.crawl.pipelines.ExtractComments": 300,
    "posterity.crawl.pipelines.WidgetComments": 350,
    "posterity.crawl.pipelines.DownloadMedia": 400,
    "posterity.crawl.pipelines.StoreTheme": 420,
    "posterity.crawl.pipelines.Screenshot": 450,
    "posterity.crawl.pipelines.Propagate": 500,
}
_OF_MEDIA = {"posterity.crawl.pipelines.DownloadMedia", "posterity.crawl.pipelines.StoreTheme"}
_OF_COMMENTS = {"posterity.crawl.pipelines.ExtractComments"}
# From the spider (small numbers) to the network (large ones). Replayed responses come after robots.txt and before
# everything that counts or waits; politeness sees a 429 before Scrapy's retry (550) does.
MIDDLEWARES: dict[str, int | None] = {
    "posterity.crawl.robots.RobotsMiddleware": 100,
    "posterity.crawl.capture.ReplayMiddleware": 110,
    "posterity.crawl.capture.BudgetMiddleware": 120,
    "posterity.crawl.rendering.RenderMiddleware": 130,
    "posterity.crawl.middlewares.PolitenessMiddleware": 560,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "posterity.crawl.middlewares.RefreshMiddleware": 580,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "posterity.crawl.middlewares.UnpackingMiddleware": 590,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "posterity.crawl.middlewares.FollowingMiddleware": 600,
    "posterity.crawl.capture.CaptureMiddleware": 950,
}
# In crawls that are restricted to the public web.
PUBLIC_ONLY: dict[str, int | None] = {"posterity.crawl.middlewares.PublicOnlyMiddleware": 90}
# A proxy would resolve names itself.
_NO_PROXY: dict[str, int | None] = {"scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None}
# The parts of Scrapy that a worker needs; others give access to the process, check every link, or are slow to load.
_OF_SCRAPY = {
    "EXTENSIONS_BASE": {"scrapy.extensions.corestats.CoreStats": 0},
    "SPIDER_MIDDLEWARES_BASE": {
        "scrapy.spidermiddlewares.start.StartSpiderMiddleware": 25,
        "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": 50,
        "scrapy.spidermiddlewares.referer.RefererMiddleware": 700,  # redirects warn if it is missing
    },
    "DOWNLOAD_HANDLERS": {"file": None, "ftp": None, "s3": None},
}
_BOUNDARY = {"posterity.crawl.middlewares.PageBoundary": 500}
_COMPONENTS = ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES", "EXTENSIONS")
_BELOW_PROJECT = "addon"


def scrapy_settings(crawl: CrawlSettings) -> dict[str, Any]:
    """Return the settings of a crawl."""
    left_out = (set() if crawl.media else _OF_MEDIA) | (set() if crawl.comments else _OF_COMMENTS)
    guards = PUBLIC_ONLY | ({} if crawl.use_proxy else _NO_PROXY) if crawl.public_only else {}
    return {
        "USER_AGENT": crawl.sent_user_agent,
        "ROBOTSTXT_OBEY": False,  # our own middleware does it: an unreadable robots.txt forbids everything
        "DOWNLOADER_MIDDLEWARES": MIDDLEWARES | guards,
        "ITEM_PIPELINES": {step: None if step in left_out else order for step, order in PIPELINE.items()},
        "EXTENSIONS": _BOUNDARY,
        **_OF_SCRAPY,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,  # the check would parse the source of our callbacks for every page
        "DOWNLOAD_DELAY": crawl.delay_s,
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": crawl.concurrency,
        "CONCURRENT_REQUESTS": max(8, crawl.concurrency),
        "CONCURRENT_ITEMS": 2,  # a page is one item, and Scrapy starts this many tasks for every page
        "DOWNLOAD_TIMEOUT": crawl.timeout_s,
        "DOWNLOAD_MAXSIZE": crawl.max_page_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "RETRY_TIMES": crawl.retries,
        "RETRY_HTTP_CODES": [429, 502, 503, 504, 522, 524, 408],
        "REDIRECT_MAX_TIMES": 8,
        "POSTERITY_LIMIT_PAGES": crawl.limit_pages or 0,
        "POSTERITY_LIMIT_BYTES": crawl.limit_bytes or 0,
        "POSTERITY_TIME_LIMIT_S": crawl.time_limit_s or 0.0,
        "POSTERITY_COMMENTS": crawl.comments,
        "POSTERITY_MAX_MEDIA_BYTES": crawl.max_media_bytes,
        "POSTERITY_RESPECT_OPTOUT": crawl.respect_optout,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "LOGSTATS_INTERVAL": 0,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOG_VERSIONS": [],  # they would be read from the file system for every blog, but never shown
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
        "POSTERITY_ALLOWED_HOSTS": list(crawl.allowed_hosts),
        **({"TWISTED_DNS_RESOLVER": "posterity.crawl.middlewares.PublicResolver"} if crawl.public_only else {}),
    }


def silence_scrapy() -> None:
    """Keep Scrapy's log off the terminal: problems are reported as events, and our own bugs are still logged.

    Must be called after Scrapy has set up its loggers, which removes their handlers.
    """
    if os.environ.get(VERBOSE_VARIABLE):
        return
    for name in ("scrapy", "twisted", "py.warnings"):
        log = logging.getLogger(name)
        log.addHandler(logging.NullHandler())
        log.propagate = False


def add_settings(settings: BaseSettings) -> None:
    """Add our settings with a lower priority than those of a Scrapy project, whose own components are kept."""
    ours = scrapy_settings(CrawlSettings())
    for own in ("LOG_ENABLED", "LOG_INSTALL_ROOT_HANDLER", "LOG_VERSIONS", "LOGSTATS_INTERVAL", *_OF_SCRAPY):
        del ours[own]
    # The template of a new project enables Scrapy's robots.txt middleware; ours already does its work.
    settings.set("ROBOTSTXT_OBEY", ours.pop("ROBOTSTXT_OBEY"), priority="spider")
    for name in _COMPONENTS:
        settings.set(name, ours.pop(name) | settings.getdict(name), priority="spider")
    for name, value in ours.items():
        settings.set(name, value, priority=_BELOW_PROJECT)
