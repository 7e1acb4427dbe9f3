"""Raw first: every answer goes to WARC as it came over the wire, before anything is made of it."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from posterity.archive.content_coding import decoded_body
from posterity.fetch.budget import MEDIA
from posterity.fetch.optout import metas_in, optouts
from posterity.model import Page

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from posterity.model import WarcPointer

POINTER, FETCHED_AT = "posterity_warc", "posterity_fetched_at"
REPLAYED = "replayed"  # the flag of a response that did not come over the network


class CaptureMiddleware:
    """The downloader middleware nearest to the network: it sees bodies before they are unpacked."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.respects_optout: bool = crawler.settings.getbool("POSTERITY_RESPECT_OPTOUT")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CaptureMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Write the exchange and remember on the request where it lies; note what the page asks of archives."""
        spider: Any = self.crawler.spider
        if response.url.startswith("data:") or not hasattr(spider, "warc_writer"):
            return response
        headers = _headers(response.headers)
        asked = optouts(headers, _metas(response, headers), is_reserved=spider.reservations.reserve(response.url))
        if asked:
            spider.optouts[response.url] = asked
        if REPLAYED in response.flags:
            return response
        fetched_at = datetime.now(UTC)
        request.meta[FETCHED_AT] = fetched_at
        spider.ledger.answered(len(response.body), media=bool(request.meta.get(MEDIA)))
        if asked and self.respects_optout:
            return response
        request.meta[POINTER] = spider.warc_writer.write_exchange(
            method=request.method,
            url=request.url,
            request_headers=_headers(request.headers),
            request_body=request.body,
            status=response.status,
            reason=_reason(response.status),
            http_version=response.protocol or "HTTP/1.1",
            response_headers=headers,
            body=response.body,
            ip=str(response.ip_address) if response.ip_address else None,
            fetched_at=fetched_at,
        )
        spider.commits.answer_written()
        return response


def page_of(response: Response) -> Page:
    """Return a Scrapy response as our page, with the place of its WARC record."""
    meta: dict[str, Any] = response.request.meta if response.request else {}
    pointer: WarcPointer | None = meta.get(POINTER)
    started = meta.get("redirect_urls") or [response.url]
    return Page(
        url=response.url,
        requested_url=started[0],
        status=response.status,
        content_type=(response.headers.get("Content-Type") or b"").decode("latin-1"),
        body=response.body,
        fetched_at=meta.get(FETCHED_AT) or datetime.now(UTC),
        warc=pointer,
    )


def _metas(response: Response, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    if "html" not in _header(headers, "content-type").lower():
        return []
    return metas_in(decoded_body(response.body, _header(headers, "content-encoding")))


def _headers(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values]


def _header(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


def _reason(status: int) -> str:
    """Twisted does not hand on the server's own phrase."""
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
