"""The end of a harvest: WARC files closed, the report stored, and the mark of an unfinished harvest taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.errors import Interrupted, NoBlog
from posterity.fetch.budget import BudgetMiddleware
from posterity.fetch.events import Ended
from posterity.fetch.following import NOTHING_NEW
from posterity.fetch.politeness import PolitenessMiddleware
from posterity.model import Rejected

if TYPE_CHECKING:
    from posterity.fetch.newcrawl import NewCrawl

_REASONS = {
    "finished": "every address that could be found has been visited",
    "shutdown": "it was interrupted",
    "": "it was interrupted",
}
_AGAIN = "Run the same command again to go on."


def close_books(spider: NewCrawl, reason: str) -> None:
    """Close what is open; what stopped the harvest, if anything, lies in `spider.failure` afterwards."""
    spider.commits.commit()
    spider.warc_writer.close()
    interrupted = reason in ("shutdown", "")
    budget: Any = spider.crawler.get_downloader_middleware(BudgetMiddleware)
    limit: str | None = budget.ended_because if budget else None
    if spider.failure is None and not hasattr(spider, "blog"):
        where = "before its rules were learned"
        spider.failure = Interrupted(f"The harvest of {spider.job.url} was interrupted {where}. {_AGAIN}")
    if isinstance(spider.failure, NoBlog) and limit:
        spider.failure = NoBlog(f"Nothing was learned about {spider.job.url} before {limit}. Set the limit higher.")
    if not interrupted and not limit:
        spider.frontier.finished()
    if spider.failure is not None:
        return
    _date_by_lists(spider)
    given_up = spider.following.given_up()
    because = limit or (NOTHING_NEW if given_up and reason == "finished" else _REASONS.get(reason, reason))
    for url in given_up:
        spider.rejected(Rejected(url=url, reason="pageLimit" if limit else "givenUp", detail=because))
    politeness: Any = spider.crawler.get_downloader_middleware(PolitenessMiddleware)
    spider.ledger.delay_s = politeness.longest_s if politeness else 0.0
    report = spider.ledger.report(spider.blog.id, because if not interrupted else _REASONS[""])
    spider.archive.put_report(report)
    spider.tell(Ended(report=report))
    if interrupted:
        spider.failure = Interrupted(f"The harvest of {spider.job.url} was interrupted. {_AGAIN}")


def _date_by_lists(spider: NewCrawl) -> None:
    """Give posts whose pages show no date the one that a list of posts shows; lists come after posts."""
    if spider.following.dates:
        dated = [spider.following.dates.dated(post) for post in spider.archive.posts(spider.blog.id)]
        spider.archive.put_posts(post for post in dated if post is not None)
