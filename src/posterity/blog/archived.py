"""The stored pages of a blog in an archive, as a page source."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.archive.captures import captures_of_blog, captures_of_file
from posterity.archive.warc_reader import record_at
from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.errors import ArchiveError
from posterity.model import Page, WarcPointer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.archive import Archive, Capture

_STORED_OK = 200


def archived_pages(archive: Archive, blog_id: str, files: frozenset[str]) -> StoredPages:
    """Return the stored pages of a blog; `files` are the WARC files that its records point at.

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

    return StoredPages((response for response in responses if response is not None), read)


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
