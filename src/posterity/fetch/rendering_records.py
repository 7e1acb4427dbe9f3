"""What a browser received and drew, as WARC records, and a drawn page read back from them."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.archive.captures import captures_of_urls
from posterity.archive.columns import date_key
from posterity.errors import ArchiveError
from posterity.fetch.optout import metas_in, optouts
from posterity.model import WarcPointer

if TYPE_CHECKING:
    from posterity.model import Page
    from posterity.render.rendered import Received, Rendered

HTML = "text/html; charset=utf-8"
_MAX_ANSWERS = 400


def write_rendered(spider: Any, rendered: Rendered) -> Page:
    """Write all that came as answers, and the page that was made of it as a conversion; return it as a page.

    A page that asks not to be archived is not written when the crawl respects that.
    """
    page = rendered.page()
    document = next((one for one in rendered.received if one.kind == "document"), None)
    headers = list(document.headers) if document else []
    asked = optouts(headers, metas_in(page.body), is_reserved=spider.reservations.reserve(page.url))
    if asked:
        spider.optouts[page.url] = asked
        if spider.job.settings.crawl.respect_optout:
            return page
    origin: WarcPointer | None = None
    for one in rendered.received:
        pointer = _write_answer(spider, one)
        origin = origin or (pointer if one is document else None)
    warc = spider.warc_writer.write_attachment(
        "conversion", page.url, page.body, mime=HTML, fetched_at=rendered.fetched_at, of=origin
    )
    return msgspec.structs.replace(page, warc=warc)


def was_drawn(spider: Any, url: str) -> bool:
    """Tell whether the archive has the page as a browser drew it."""
    with spider.archive.database.reading() as connection:
        return any(one.kind == "conversion" and one.mime == HTML for one in captures_of_urls(connection, [url]))


def stored_page(spider: Any, url: str) -> Page | None:
    """Return the page as an interrupted harvest has drawn it, if this one goes on where that one was."""
    frontier = getattr(spider, "frontier", None)
    if frontier is None or not frontier.resumes:
        return None
    with spider.archive.database.reading() as connection:
        found = captures_of_urls(connection, [url])
    since = date_key(frontier.started_at)
    drawn = [one for one in found if one.kind == "conversion" and one.fetched_at >= since and one.mime == HTML]
    if not drawn:
        return None
    last = drawn[-1]
    pointer = WarcPointer(last.file, last.offset, last.record_id)
    try:
        page: Page = spider.archive.read_page(pointer)
    except ArchiveError:
        return None
    return msgspec.structs.replace(
        page, status=200, content_type=HTML, fetched_at=datetime.fromisoformat(last.fetched_at), warc=pointer
    )


def stored_data(spider: Any) -> list[tuple[str, bytes]]:
    """Return the data that an interrupted harvest has received, if this one goes on where that one was."""
    frontier = getattr(spider, "frontier", None)
    if frontier is None or not frontier.resumes:
        return []
    answers = [one for one in frontier.answers.values() if "json" in (one.mime or "")]
    found: list[tuple[str, bytes]] = []
    for one in answers[:_MAX_ANSWERS]:
        with suppress(ArchiveError):
            found.append((one.url, spider.archive.read_page(f"{one.file}#{one.offset}").body))
    return found


def _write_answer(spider: Any, one: Received) -> WarcPointer:
    spider.ledger.answered(len(one.body), media=False)
    pointer: WarcPointer = spider.warc_writer.write_exchange(
        method=one.method,
        url=one.url,
        request_headers=list(one.request_headers),
        request_body=one.request_body,
        status=one.status,
        reason=one.reason,
        http_version="HTTP/1.1",
        response_headers=list(one.headers),
        body=one.body,
        ip=one.ip,
        fetched_at=one.at,
    )
    return pointer
