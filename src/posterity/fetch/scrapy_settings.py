"""Our settings as Scrapy's: who we are, how fast we go, which parts take part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity import __version__

if TYPE_CHECKING:
    from posterity.config import CrawlSettings

# The paper's order (section 2.2). Leave a line out to switch a step off; name another class to replace it.
PIPELINE = {
    "posterity.fetch.pipelines.ExtractContent": 200,
    "posterity.fetch.pipelines.ExtractComments": 300,
    "posterity.fetch.pipelines.Propagate": 500,
}


def scrapy_settings(crawl: CrawlSettings) -> dict[str, Any]:
    """Return the settings of a crawl."""
    return {
        "USER_AGENT": crawl.user_agent.format(version=__version__),
        "ROBOTSTXT_OBEY": False,  # by our own middleware: an unreadable robots.txt forbids, it does not allow
        "DOWNLOADER_MIDDLEWARES": {
            "posterity.fetch.budget.BudgetMiddleware": 90,
            "posterity.fetch.robots.RobotsMiddleware": 100,
            "posterity.fetch.capture.CaptureMiddleware": 950,
        },
        "ITEM_PIPELINES": PIPELINE,
        "DOWNLOAD_DELAY": crawl.delay_s,
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": crawl.concurrency,
        "CONCURRENT_REQUESTS": max(8, crawl.concurrency),
        "DOWNLOAD_TIMEOUT": crawl.timeout_s,
        "DOWNLOAD_MAXSIZE": crawl.max_page_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "RETRY_TIMES": crawl.retries,
        "RETRY_HTTP_CODES": [429, 502, 503, 504, 522, 524, 408],
        "REDIRECT_MAX_TIMES": 8,
        "POSTERITY_LIMIT_PAGES": crawl.limit_pages or 0,
        "CLOSESPIDER_TIMEOUT": crawl.time_limit_s or 0,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "LOGSTATS_INTERVAL": 0,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
    }
