"""A worker for harvests and updates: the job on standard input, its events on standard output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from scrapy.crawler import CrawlerProcess

from posterity.archive import open_archive
from posterity.archive.blogs import Seen
from posterity.config import CrawlSettings
from posterity.crawl import worker
from posterity.crawl.capture import TIME_LIMIT, BudgetMiddleware
from posterity.crawl.jobs import Event, HarvestJob, Updated, UpdateJob
from posterity.crawl.quiet_update import AGAIN, schedule
from posterity.crawl.scrapy_settings import scrapy_settings, silence_scrapy
from posterity.crawl.update_state import RESPONDED
from posterity.crawl.updatecrawl import UPDATE_STEPS, UpdateCrawl
from posterity.crawl.worker import crawl_to_its_end, guarded_job, serve_job
from posterity.errors import ArchiveError, Interrupted
from posterity.model import from_json

_ROBOTS = "posterity.crawl.robots.RobotsMiddleware"
_STORED_ROBOTS = "posterity.crawl.robots.StoredRobotsMiddleware"


def main() -> None:
    """Run the job on standard input, of either kind."""
    serve_job(_read_job, _run_job)


def _read_job(line: bytes) -> HarvestJob | UpdateJob:
    """Parse a job; one that names a blog of the archive is an update."""
    fields = from_json(line, dict[str, Any])
    return from_json(line, UpdateJob) if "blog" in fields else from_json(line, HarvestJob)


def _run_job(job: HarvestJob | UpdateJob, on_event: Callable[[Event], None]) -> None:
    if isinstance(job, HarvestJob):
        worker.run(job, on_event)
    else:
        run(job, on_event)


def run(job: UpdateJob, on_event: Callable[[Event], None]) -> None:
    """Update one blog and set the time of its next update; raise the error that stopped it."""
    with open_archive(job.archive) as archive:
        archive.database.reconnect_s = worker.RECONNECT_S
        blog = archive.blog(job.blog)
        job = guarded_job(job, blog.url)
        process = CrawlerProcess(update_settings(job.settings.crawl))
        silence_scrapy()
        crawler = process.create_crawler(UpdateCrawl)
        refusal = crawl_to_its_end(process, crawler, job=job, archive=archive, on_event=on_event)
        spider: Any = crawler.spider
        if spider is None:
            raise refusal or ArchiveError(f"The update of {blog.url} did not start. Run `posterity archive verify`.")
        spider.warc_writer.close()
        reason = str(crawler.stats.get_value("finish_reason") or "")
        budget: Any = crawler.get_downloader_middleware(BudgetMiddleware)
        if reason in ("", "shutdown") and not (budget and budget.ended_because == TIME_LIMIT):
            raise Interrupted(f"The update of {blog.url} was interrupted. Run the same command again to continue.")
        if spider.failure is not None:
            schedule(archive, archive.blog(blog.id), "failed")
            raise spider.failure
        _finish_update(spider, crawler, on_event)


def update_settings(crawl: CrawlSettings) -> dict[str, Any]:
    """Return Scrapy's settings: those of a harvest, with robots.txt from the archive and two more steps."""
    settings = scrapy_settings(crawl)
    middlewares = dict(settings["DOWNLOADER_MIDDLEWARES"])
    middlewares[_STORED_ROBOTS] = middlewares.pop(_ROBOTS)
    settings["DOWNLOADER_MIDDLEWARES"] = middlewares
    settings["ITEM_PIPELINES"] = {**settings["ITEM_PIPELINES"], **UPDATE_STEPS}
    return settings


_NAMED_FAILURES = 5


def _finish_update(spider: Any, crawler: Any, on_event: Callable[[Event], None]) -> None:
    budget = crawler.get_downloader_middleware(BudgetMiddleware)
    is_whole = not (budget and budget.ended_because)
    stats, failures = crawler.stats, spider.crawl_stats.failures()
    facts = {
        "requests": int(stats.get_value("downloader/request_count", 0)) - spider.own_requests,
        "bytes": int(stats.get_value("downloader/response_bytes", 0)),
        "rules": spider.rules.version,
        "failed": len(failures),
        "failures": tuple(failures.values())[:_NAMED_FAILURES],
    }
    because = "every URL that could have news has been visited" if is_whole else "a limit was reached (--limit)"
    spider.update_stats.settle_moves()
    report = spider.update_stats.report(because, **facts)
    blog = spider.archive.blog(spider.blog.id)  # read again, because its icon or schedule may have changed
    # If a limit ended the update early, what it did not reach must still count as news.
    updated_at = report.ended_at if is_whole else blog.updated_at
    blog = msgspec.structs.replace(blog, feed_url=spider.feed_url or blog.feed_url, updated_at=updated_at)
    # What could not be fetched is requested again at the next update, even if feed and sitemap have no news then.
    kind = AGAIN if spider.is_unfinished or not is_whole else RESPONDED
    if blog.feed_url is not None:
        spider.archive.mark_seen(blog.id, Seen(url=blog.feed_url, status=0, fetched_at=report.ended_at, kind=kind))
    due_at = schedule(spider.archive, blog, "news" if report.has_news else "quiet")
    on_event(Updated(report=msgspec.structs.replace(report, due_at=due_at)))


if __name__ == "__main__":
    main()
