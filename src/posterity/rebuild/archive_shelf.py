"""The shelf of a blog in the archive: every page in its WARC files, rendered where a browser had to.

Also addresses that answer no more are there: the last good answer counts, so the pages of a blog that is gone stay.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.archive.captures import captures_of_blog, captures_of_file
from posterity.archive.warc_reader import record_at
from posterity.errors import ArchiveError
from posterity.model import WarcPointer
from posterity.rebuild.shelf import Leaf, Shelf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.archive import Archive, Capture
    from posterity.model import Page

_OK = 200


def archive_shelf(archive: Archive, blog_id: str, files: frozenset[str]) -> Shelf:
    """Return the shelf of a blog; `files` are the WARC files that its records point at.

    The pages of a blog that was harvested by another address, such as its feed's, are filed under that address.
    """
    with archive.database.reading() as connection:
        found = {capture.record_id: capture for capture in captures_of_blog(connection, blog_id)}
        known = {capture.file for capture in found.values()}
        for file in sorted(files - known):
            found |= {capture.record_id: capture for capture in captures_of_file(connection, file)}
    undrawn = _undrawn(found.values())
    leaves = (_leaf(archive, capture) for capture in found.values() if capture.record_id not in undrawn)

    def read(leaf: Leaf) -> Page:
        assert isinstance(leaf.where, WarcPointer)
        page = archive.read_page(leaf.where)
        return page if page.status else msgspec.structs.replace(page, status=_OK)

    return Shelf((leaf for leaf in leaves if leaf is not None), read)


def _undrawn(captures: Iterable[Capture]) -> set[str]:
    """Records of answers that a browser has drawn a page of: an empty shell says nothing new by coming again."""
    by_url: dict[str, list[Capture]] = defaultdict(list)
    for capture in captures:
        by_url[capture.url].append(capture)
    found: set[str] = set()
    for same in by_url.values():
        drawn_at = max((one.fetched_at for one in same if _is_drawn(one)), default="")
        drawn = {one.digest for one in same if one.kind != "conversion" and one.fetched_at <= drawn_at}
        found |= {one.record_id for one in same if one.digest in drawn}
    return found


def _is_drawn(capture: Capture) -> bool:
    return capture.kind == "conversion" and "html" in (capture.mime or "")


def _leaf(archive: Archive, capture: Capture) -> Leaf | None:
    rendered = _is_drawn(capture)
    if capture.kind not in ("response", "revisit") and not rendered:
        return None
    return Leaf(
        url=capture.url,
        status=_OK if rendered else capture.status,
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
