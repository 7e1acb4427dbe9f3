"""Asks an address again: "has this changed since?", and what it said before, from the archive's own WARC records.

The validators (ETag, Last-Modified) and the earlier body come from the record of the last answer that was worked
through to the end. So nothing has to be remembered beside the raw pages, and what a killed run had fetched but not
used is news again the next time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from scrapy import Request

from posterity.archive.columns import date_key
from posterity.archive.warc_reader import NOT_MODIFIED, record_at
from posterity.errors import ArchiveError, Unreachable
from posterity.fetch.downloading import fetch_request
from posterity.model import Page, WarcPointer

if TYPE_CHECKING:
    from datetime import datetime

    from scrapy.crawler import Crawler

    from posterity.archive import Archive
    from posterity.archive.captures import Capture

_OK = 200


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What an address says now and what it said before; `page` has the earlier body when nothing has changed."""

    page: Page
    previous: Page | None = None

    @property
    def is_modified(self) -> bool:
        """Tell whether there is something else than before."""
        return self.previous is None or self.page.status != _OK or self.page.body != self.previous.body


class Asker:
    """Asks inside one crawl; answers up to `until` have been worked through, those after it have not."""

    def __init__(self, crawler: Crawler, archive: Archive, until: datetime | None) -> None:
        self.crawler, self.archive = crawler, archive
        self._until = date_key(until) if until else ""

    async def ask(self, url: str) -> Answer:
        """Return the answer, whatever its status, or raise one of our errors when there is none."""
        capture = self._last_good(url)
        previous = self._page(capture) if capture else None
        headers = self._validators(capture) if capture and previous else None
        page = await fetch_request(self.crawler, Request(url, headers=headers, dont_filter=True))
        if page.status != NOT_MODIFIED:
            return Answer(page=page, previous=previous)
        if previous is None:
            raise Unreachable(f"{url} answers that it has not changed, although nobody asked.", status=NOT_MODIFIED)
        same = msgspec.structs.replace(previous, fetched_at=page.fetched_at, warc=page.warc)
        return Answer(page=same, previous=previous)

    def was_asked(self, url: str) -> bool:
        """Tell whether the address gave a page or led to one before, so that it needs no visit as something new."""
        return any(capture.status < 400 for capture in self._worked_through(url))

    def was_good(self, url: str) -> bool:
        """Tell whether the address gave a page before."""
        return self._last_good(url) is not None

    def _worked_through(self, url: str) -> list[Capture]:
        return [capture for capture in self.archive.captures(url) if capture.fetched_at <= self._until]

    def _last_good(self, url: str) -> Capture | None:
        good = [capture for capture in self._worked_through(url) if capture.status in (_OK, NOT_MODIFIED)]
        return good[-1] if good else None

    def _page(self, capture: Capture) -> Page | None:
        """The stored page; one that is missing or was taken down is asked for as if it were new."""
        try:
            return self.archive.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
        except ArchiveError:
            return None

    def _validators(self, capture: Capture) -> dict[str, str]:
        record = record_at(self.archive.folder.warc / capture.file, capture.offset)
        full = self.archive.earlier_response(capture.url, capture.digest) if record.kind == "revisit" else None
        origin = record_at(self.archive.folder.warc / full.file, full.offset) if full else record
        asked = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
        found = {name: record.http_header(field) or origin.http_header(field) for name, field in asked.items()}
        return {name: value for name, value in found.items() if value}
