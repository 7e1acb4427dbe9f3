"""An update uses the archived robots.txt for a day, and requests it after that."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest
from scrapy import Request

from posterity.archive.captures import Capture
from posterity.archive.database import date_key
from posterity.crawl.robots import ForbiddenByRobots, StoredRobotsMiddleware
from posterity.model import Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

URL = "http://blog.example/robots.txt"
FORBIDS = b"User-agent: *\nDisallow: /private/\n"


class FakeArchive:
    """A fake archive with one response for robots.txt, this many hours old."""

    def __init__(self, hours: float, status: int = 200, body: bytes = FORBIDS) -> None:
        self.fetched_at = datetime.now(UTC) - timedelta(hours=hours)
        self.status, self.body = status, body

    def captures(self, url: str) -> list[Capture]:
        assert url == URL
        return [
            Capture(record_id="r", kind="response", url=url, fetched_at=date_key(self.fetched_at), status=self.status,
                    digest="", file="f", offset=0, length=1)
        ]  # fmt: skip

    def read_page(self, _: object) -> Page:
        return Page(url=URL, requested_url=URL, status=self.status, body=self.body, fetched_at=self.fetched_at)


class Asked(Exception):  # noqa: N818 - it is no error
    """The middleware made a request."""


class Engine:
    async def download_async(self, request: Request) -> Any:
        raise Asked(request.url)


class FakeCrawler:
    """A fake of Scrapy's crawler: settings, spider and engine."""

    settings = {"USER_AGENT": "Posterity", "DOWNLOAD_DELAY": 0}  # noqa: RUF012 - nobody changes it
    engine = Engine()

    def __init__(self, archive: FakeArchive) -> None:
        self.spider = type("Spider", (), {"archive": archive})()


def visit(path: str, archive: FakeArchive) -> None:
    middleware = StoredRobotsMiddleware(cast("Crawler", FakeCrawler(archive)))
    asyncio.run(middleware.process_request(Request(f"http://blog.example{path}")))


def test_fresh_copy_is_obeyed_without_a_request() -> None:
    visit("/post/", FakeArchive(hours=23))
    with pytest.raises(ForbiddenByRobots):
        visit("/private/post/", FakeArchive(hours=23))


def test_robots_txt_that_was_not_there_is_remembered_too() -> None:
    visit("/private/post/", FakeArchive(hours=1, status=404))


@pytest.mark.parametrize(
    "archive", [FakeArchive(hours=25), FakeArchive(hours=1, status=503), FakeArchive(hours=1, status=301)]
)
def test_old_copy_or_one_that_says_nothing_is_asked_for_again(archive: FakeArchive) -> None:
    with pytest.raises(Asked):
        visit("/post/", archive)
