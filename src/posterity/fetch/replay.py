"""Answers from WARC in place of the network, for a harvest that goes on where an earlier one was interrupted."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scrapy.http import Headers
from scrapy.responsetypes import responsetypes

from posterity.archive.warc_reader import record_at
from posterity.errors import ArchiveError
from posterity.fetch.capture import FETCHED_AT, POINTER, REPLAYED
from posterity.model import WarcPointer

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from posterity.archive import Archive
    from posterity.archive.captures import Capture

_log = logging.getLogger(__name__)


class ReplayMiddleware:
    """Stands behind robots.txt, which is always read afresh, and before everything that counts or waits."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ReplayMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler)

    def process_request(self, request: Request) -> Response | None:
        """Return the stored answer, or None to ask the blog."""
        spider: Any = self.crawler.spider
        frontier = getattr(spider, "frontier", None)
        if frontier is None or request.method != "GET" or request.meta.get("dont_obey_robotstxt"):
            return None
        capture = frontier.answers.get(request.url)
        return stored_answer(spider.archive, capture, request) if capture else None


def stored_answer(archive: Archive, capture: Capture, request: Request) -> Response | None:
    """Return the answer of a WARC record as Scrapy would have received it; None when it cannot be read."""
    try:
        head = record_at(archive.folder.warc / capture.file, capture.offset)
        body = head
        if capture.kind == "revisit":
            original = archive.earlier_response(capture.url, capture.digest)
            if original is None:
                return None
            body = record_at(archive.folder.warc / original.file, original.offset)
    except ArchiveError as problem:
        _log.warning("%s is asked for again: %s", request.url, problem)
        return None
    headers = Headers()
    for name, value in head.http_headers:
        headers.appendlist(name, value)
    request.meta[POINTER] = WarcPointer(capture.file, capture.offset, capture.record_id)
    request.meta[FETCHED_AT] = datetime.fromisoformat(capture.fetched_at)
    kind = responsetypes.from_args(headers=headers, url=request.url, body=body.payload)
    status = body.status if head.status in (0, 304) else head.status
    return kind(url=request.url, status=status, headers=headers, body=body.payload, request=request, flags=[REPLAYED])
