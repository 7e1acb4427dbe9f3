"""Raw first: every answer goes to WARC as it came over the wire, before anything is made of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from posterity.model import Page

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from posterity.model import WarcPointer

_POINTER, _TIME = "posterity_warc", "posterity_fetched_at"


class CaptureMiddleware:
    """The downloader middleware nearest to the network: it sees bodies before they are unpacked."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CaptureMiddleware:
        """Scrapy's way to make a middleware."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Write the exchange and remember on the request where it lies."""
        writer = getattr(self.crawler.spider, "warc_writer", None)
        fetched_at = datetime.now(UTC)
        request.meta[_TIME] = fetched_at
        if writer is not None and not response.url.startswith("data:"):
            request.meta[_POINTER] = writer.write_exchange(
                method=request.method,
                url=request.url,
                request_headers=_headers(request.headers),
                request_body=request.body,
                status=response.status,
                reason=_reason(response.status),
                http_version=response.protocol or "HTTP/1.1",
                response_headers=_headers(response.headers),
                body=response.body,
                ip=str(response.ip_address) if response.ip_address else None,
                fetched_at=fetched_at,
            )
        return response


def page_of(response: Response) -> Page:
    """Return a Scrapy response as our page, with the place of its WARC record."""
    meta: dict[str, Any] = response.request.meta if response.request else {}
    pointer: WarcPointer | None = meta.get(_POINTER)
    started = meta.get("redirect_urls") or [response.url]
    return Page(
        url=response.url,
        requested_url=started[0],
        status=response.status,
        content_type=(response.headers.get("Content-Type") or b"").decode("latin-1"),
        body=response.body,
        fetched_at=meta.get(_TIME) or datetime.now(UTC),
        warc=pointer,
    )


def _headers(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values]


def _reason(status: int) -> str:
    """Twisted does not hand on the server's own phrase."""
    from http import HTTPStatus

    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
