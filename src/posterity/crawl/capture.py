"""Raw data first: every response is written to WARC as received, before it is parsed."""

from __future__ import annotations

import http.client
import logging
import time
from datetime import datetime
from typing import Any, NoReturn

import msgspec
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from posterity import clock
from posterity.archive import Archive
from posterity.archive.captures import Capture
from posterity.archive.warc_reader import decoded_body, record_at
from posterity.blog.optouts import page_optouts
from posterity.crawl.state import Component, state_of
from posterity.errors import ArchiveError
from posterity.model import Page, WarcPointer
from posterity.model.page import kept_headers, page_type

MEDIA = "posterity_media"  # marks requests for images and other files, which are not pages
POLICY = "posterity_policy"  # marks requests for policies, which a host wants to be read before its pages


class BeyondLimit(IgnoreRequest):
    """A limit of the harvest has been reached."""


TIME_LIMIT = "the time limit was reached (--time-limit)"


class BudgetMiddleware(Component):
    """Counts requests for pages and enforces the limits; robots.txt and policies of the host are free."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.limit_pages: int = settings.getint("POSTERITY_LIMIT_PAGES")
        self.limit_bytes: int = settings.getint("POSTERITY_LIMIT_BYTES")
        time_limit_s: float = settings.getfloat("POSTERITY_TIME_LIMIT_S")
        self.deadline = time.monotonic() + time_limit_s if time_limit_s else None
        self.spent = 0
        self.ended_because: str | None = None

    def process_request(self, request: Request) -> None:
        """Count the request, or raise `BeyondLimit`."""
        if request.meta.get("dont_obey_robotstxt") or request.meta.get(POLICY) or not request.url.startswith("http"):
            return
        if self.deadline and time.monotonic() > self.deadline:
            self._refuse(TIME_LIMIT)
        if self.limit_bytes and self._bytes() >= self.limit_bytes:
            self._refuse("the size limit was reached (--size-limit)")
        # Posts in progress still get their images and remaining comments, whose requests have no callback.
        if request.meta.get(MEDIA):
            return
        if self.ended_because and request.callback is not None:
            self._refuse(self.ended_because)
        if self.limit_pages and self.spent >= self.limit_pages:
            self._refuse("the page limit was reached (--limit)")
        self.spent += 1

    def _refuse(self, because: str) -> NoReturn:
        self.ended_because = self.ended_because or because
        raise BeyondLimit(self.ended_because)

    def _bytes(self) -> int:
        stats = state_of(self.crawler).crawl_stats
        return stats.bytes + stats.media_bytes


POINTER, FETCHED_AT = "posterity_warc", "posterity_fetched_at"
REPLAYED = "replayed"  # the flag of a response that was read from the archive or rendered


class CaptureMiddleware(Component):
    """The downloader middleware nearest to the network: it sees bodies before they are decompressed."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.respects_optout: bool = crawler.settings.getbool("POSTERITY_RESPECT_OPTOUT")

    def process_response(self, request: Request, response: Response) -> Response:
        """Write the exchange, unless an opt-out forbids it, and store its pointer in the meta of the request."""
        if response.url.startswith("data:") or REPLAYED in response.flags:
            return response
        if not hasattr(self.crawler.spider, "warc_writer"):  # a spider of another project
            return response
        state = state_of(self.crawler)
        headers = _headers(response.headers)
        fetched_at = clock.now()
        request.meta[FETCHED_AT] = fetched_at
        state.crawl_stats.count_response(len(response.body), media=bool(request.meta.get(MEDIA)))
        state.crawl_stats.cut_responses += "dataloss" in response.flags
        if self.respects_optout and page_optouts(_unpacked_page(response, headers), state.reservations):
            return response
        # With the standard phrase of the status, because Twisted does not pass on the server's own.
        request.meta[POINTER] = state.warc_writer.write_exchange(
            method=request.method,
            url=request.url,
            request_headers=_headers(request.headers),
            request_body=request.body,
            status=response.status,
            reason=http.client.responses.get(response.status, "Unknown"),
            http_version=response.protocol or "HTTP/1.1",
            response_headers=headers,
            body=response.body,
            ip=str(response.ip_address) if response.ip_address else None,
            fetched_at=fetched_at,
        )
        state.commits.response_written()
        return response


def page_of(response: Response) -> Page:
    """Return a Scrapy response as our page, with the pointer to its WARC record."""
    meta: dict[str, Any] = response.request.meta if response.request else {}
    pointer: WarcPointer | None = meta.get(POINTER)
    started = meta.get("redirect_urls") or [response.url]
    return Page(
        url=response.url,
        requested_url=started[0],
        status=response.status,
        content_type=page_type((response.headers.get("Content-Type") or b"").decode("latin-1"), response.body),
        body=response.body,
        fetched_at=meta.get(FETCHED_AT) or clock.now(),
        warc=pointer,
        headers=kept_headers(_headers(response.headers)),
    )


def _unpacked_page(response: Response, headers: list[tuple[str, str]]) -> Page:
    """Return the page of a response whose body is still compressed."""
    body = decoded_body(response.body, _header(headers, "content-encoding"))
    kind = page_type(_header(headers, "content-type"), body)
    return msgspec.structs.replace(page_of(response), body=body, content_type=kind)


def _headers(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values]


def _header(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


_log = logging.getLogger(__name__)


class ReplayMiddleware(Component):
    """Runs after robots.txt, which is never replayed, and before everything that counts or waits."""

    def process_request(self, request: Request) -> Response | None:
        """Return the stored response, or None to request it from the blog."""
        frontier = getattr(self.crawler.spider, "frontier", None)
        if frontier is None or request.method != "GET" or request.meta.get("dont_obey_robotstxt"):
            return None
        capture = frontier.responses.get(request.url)
        return stored_response(state_of(self.crawler).archive, capture, request) if capture else None


def stored_response(archive: Archive, capture: Capture, request: Request) -> Response | None:
    """Return the response of a WARC record as Scrapy would have received it; None if it cannot be read."""
    try:
        head = record_at(archive.folder.warc_path(capture.file), capture.offset)
        body = head
        if capture.kind == "revisit":
            if (original := archive.earlier_response(capture.url, capture.digest)) is None:
                return None
            body = record_at(archive.folder.warc_path(original.file), original.offset)
    except ArchiveError as problem:
        _log.warning("requesting %s again: %s", request.url, problem)
        return None
    headers = Headers()
    for name, value in head.http_headers:
        headers.appendlist(name, value)
    request.meta[POINTER] = WarcPointer(capture.file, capture.offset, capture.record_id)
    request.meta[FETCHED_AT] = datetime.fromisoformat(capture.fetched_at)
    kind = responsetypes.from_args(headers=headers, url=request.url, body=body.payload)
    status = body.status if head.status in (0, 304) else head.status
    return kind(url=request.url, status=status, headers=headers, body=body.payload, request=request, flags=[REPLAYED])
