"""The pages of a blog as far as they lie somewhere on this disk, by address: what stands in for the web here.

A shelf knows addresses, kinds and times; a page is read when it is asked for, so memory does not grow with their
sizes. Where a crawler would follow a redirect, the shelf follows the stored one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import msgspec

from posterity.archive.captures import captures_of_blog, captures_of_file
from posterity.archive.warc_reader import record_at
from posterity.errors import ArchiveError
from posterity.model import WarcPointer
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from posterity.archive import Archive, Capture
    from posterity.model import Page


_OK, _NOT_MODIFIED = 200, 304
_MAX_REDIRECTS = 6
_FEED_TYPE = re.compile(r"rss|atom|rdf|xml|json", re.IGNORECASE)


class StoredResponse(msgspec.Struct, frozen=True, kw_only=True):
    """One stored answer: what it is, and where it lies.

    That is a record of a WARC file, or a file of a spool with place and length.
    """

    url: str
    status: int
    content_type: str
    fetched_at: datetime
    where: WarcPointer | tuple[str, int, int]
    location: str | None = None
    is_feed: bool = False
    # Bytes of the body without its content coding, where that is known.
    size: int = 0

    @property
    def is_page(self) -> bool:
        """Tell whether the answer may be an HTML page: it says so, or says nothing."""
        kind = self.content_type.lower()
        return not self.is_feed and ("html" in kind or not kind)

    @property
    def may_be_feed(self) -> bool:
        """Tell whether it is worth the while to look for a feed in it."""
        return self.is_feed or (_FEED_TYPE.search(self.content_type) is not None and "html" not in self.content_type)


class PageSource:
    """The latest good answer of every address; `read` brings the page of a leaf."""

    def __init__(self, responses: Iterable[StoredResponse], read: Callable[[StoredResponse], Page]) -> None:
        self._read = read
        self._latest: dict[str, StoredResponse] = {}
        self._redirects: dict[str, str] = {}
        self._versions: dict[str, list[StoredResponse]] = defaultdict(list)
        self.damaged: dict[str, str] = {}
        for response in sorted(responses, key=lambda response: (response.fetched_at, response.url)):
            self._put(response)

    def _put(self, response: StoredResponse) -> None:
        key = place_key(response.url)
        if response.location:
            target = urljoin(response.url, response.location)
            if place_key(target) != key:  # from http to https is no other place
                self._redirects[key] = target
        elif response.status in (_OK, _NOT_MODIFIED):
            self._redirects.pop(key, None)
            self._latest[key] = response
            if response.may_be_feed:
                self._versions[key].append(response)

    def responses(self) -> list[StoredResponse]:
        """The latest answers, by address; addresses that lead elsewhere by now are left out."""
        kept = (response for key, response in self._latest.items() if self._end_of(key) in (key, None))
        return sorted(kept, key=lambda response: response.url)

    def response(self, url: str) -> StoredResponse | None:
        """What lies at the address or where it leads, or None."""
        key = place_key(url)
        # Mirrors give pages an ending that their addresses do not have, and the other way round.
        for spelling in (key, f"{key}.html", key.removesuffix(".html")):
            end = self._end_of(spelling)
            if end is not None:
                return self._latest[end]
        return None

    def leads_to(self, url: str) -> str | None:
        """Where the stored redirect of an address leads, or None when there is none."""
        return self._redirects.get(place_key(url))

    def page(self, url: str) -> Page | None:
        """The page at the address or where it leads, or None."""
        response = self.response(url)
        return self.read(response) if response is not None else None

    def versions(self, url: str) -> list[StoredResponse]:
        """All good answers from the address of a feed, the latest first."""
        return self._versions.get(place_key(url), [])[::-1]

    def read(self, response: StoredResponse) -> Page | None:
        """The page of a leaf; one that cannot be read any more is None, and remembered in `damaged`."""
        try:
            return self._read(response)
        except ArchiveError as problem:
            self.damaged[response.url] = str(problem)
            return None

    def _end_of(self, key: str) -> str | None:
        """Where the stored redirects lead; None when they lead away."""
        for _ in range(_MAX_REDIRECTS):
            target = self._redirects.get(key)
            if target is None:
                return key if key in self._latest else None
            key = place_key(target)
        return None


def host_of(url: str) -> str:
    """Return the host of an address as far as it tells blogs apart: without www."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


_STORED_OK = 200


def archived_pages(archive: Archive, blog_id: str, files: frozenset[str]) -> PageSource:
    """Return the shelf of a blog; `files` are the WARC files that its records point at.

    The pages of a blog that was harvested by another address, such as its feed's, are filed under that address.
    """
    with archive.database.reading() as connection:
        found = {capture.record_id: capture for capture in captures_of_blog(connection, blog_id)}
        known = {capture.file for capture in found.values()}
        for file in sorted(files - known):
            found |= {capture.record_id: capture for capture in captures_of_file(connection, file)}
    not_rendered = _not_rendered(found.values())
    responses = (_response(archive, capture) for capture in found.values() if capture.record_id not in not_rendered)

    def read(response: StoredResponse) -> Page:
        assert isinstance(response.where, WarcPointer)
        page = archive.read_page(response.where)
        return page if page.status else msgspec.structs.replace(page, status=_STORED_OK)

    return PageSource((response for response in responses if response is not None), read)


def _not_rendered(captures: Iterable[Capture]) -> set[str]:
    """Records of answers that a browser has drawn a page of: an empty shell says nothing new by coming again."""
    by_url: dict[str, list[Capture]] = defaultdict(list)
    for capture in captures:
        by_url[capture.url].append(capture)
    found: set[str] = set()
    for same in by_url.values():
        rendered_at = max((one.fetched_at for one in same if _is_rendered(one)), default="")
        rendered = {one.digest for one in same if one.kind != "conversion" and one.fetched_at <= rendered_at}
        found |= {one.record_id for one in same if one.digest in rendered}
    return found


def _is_rendered(capture: Capture) -> bool:
    return capture.kind == "conversion" and "html" in (capture.mime or "")


def _response(archive: Archive, capture: Capture) -> StoredResponse | None:
    rendered = _is_rendered(capture)
    if capture.kind not in ("response", "revisit") and not rendered:
        return None
    return StoredResponse(
        url=capture.url,
        status=_STORED_OK if rendered else capture.status,
        content_type=capture.mime or "",
        fetched_at=datetime.fromisoformat(capture.fetched_at),
        where=WarcPointer(capture.file, capture.offset, capture.record_id),
        location=_location(archive, capture),
    )


def _location(archive: Archive, capture: Capture) -> str | None:
    """Where a redirect leads: the index does not say, its record does."""
    if not 300 <= capture.status < 400 or capture.status == 304:
        return None
    try:
        return record_at(archive.folder.warc / capture.file, capture.offset).http_header("location") or None
    except ArchiveError:
        return None
