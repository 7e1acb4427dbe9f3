"""A worker: one job as a line of JSON on standard input, its events as lines of JSON on standard output.

A process of its own per blog: Twisted's reactor runs once in a process, a crash costs one blog, and what runs here
runs the same on another machine.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy.crawler import CrawlerProcess

from posterity.archive import open_archive
from posterity.errors import ArchiveError, Interrupted, PosterityError
from posterity.fetch.budget import BudgetMiddleware
from posterity.fetch.events import Ended, Failed
from posterity.fetch.job import HarvestJob
from posterity.fetch.newcrawl import NewCrawl
from posterity.fetch.scrapy_settings import scrapy_settings
from posterity.model import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.fetch.events import Event

_REASONS = {
    "finished": "every address that could be found has been visited",
    "nothing_new": "further pages brought no new posts",
    "closespider_timeout": "the time limit was reached (--time-limit)",
    "shutdown": "it was interrupted",
}


def main() -> None:
    """Run the job on standard input."""
    job = from_json(sys.stdin.buffer.readline(), HarvestJob)
    out = sys.stdout.buffer

    def tell(event: Event) -> None:
        # Nobody listens any more when the command was ended; the harvest still closes its books.
        with suppress(BrokenPipeError):
            out.write(to_json(event) + b"\n")
            out.flush()

    try:
        run(job, tell)
    except PosterityError as problem:
        tell(failed(problem))


def failed(problem: PosterityError) -> Failed:
    """The event of a harvest that could not go on."""
    return Failed(error=type(problem).__name__, message=str(problem), exit_code=problem.exit_code)


def run(job: HarvestJob, tell: Callable[[Event], None]) -> None:
    """Harvest one blog; raise what stopped it."""
    with open_archive(job.archive, create=True) as archive:
        process = CrawlerProcess(scrapy_settings(job.settings.crawl))
        crawler = process.create_crawler(NewCrawl)
        process.crawl(crawler, job=job, archive=archive, tell=tell)
        process.start()
        spider: Any = crawler.spider
        if spider is None:
            raise ArchiveError(f"The harvest of {job.url} did not start.")
        spider.warc_writer.close()
        if spider.failure is not None:
            raise spider.failure
        reason = str(crawler.stats.get_value("finish_reason") or "")
        if not hasattr(spider, "blog"):
            raise Interrupted(f"The harvest of {job.url} was interrupted before its rules were learned.")
        budget = crawler.get_downloader_middleware(BudgetMiddleware)
        because = "the page limit was reached (--limit)" if budget and budget.exceeded else _REASONS.get(reason, reason)
        report = spider.ledger.report(spider.blog.id, because)
        archive.put_report(report)
        tell(Ended(report=report))
        if reason == "shutdown":
            raise Interrupted(f"The harvest of {job.url} was interrupted. Run the same command again to go on.")


if __name__ == "__main__":
    main()
