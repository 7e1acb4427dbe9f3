"""Spooled answers into the archive's own WARC files, each once, however often a file is imported."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from posterity.archive.columns import date_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.archive import Archive
    from posterity.rebuild.shelf import Leaf
    from posterity.rebuild.spool import Spool


def write_pages(archive: Archive, spool: Spool, blog_id: str, leaves: Iterable[Leaf]) -> int:
    """Write the answers in the order of their time, with the headers and the time they came with; return how many.

    An answer that the archive has from this address and this moment is not written again.
    """
    written = 0
    with archive.warc_writer(blog_id, robots="not asked: imported from an earlier crawl") as writer:
        for leaf in sorted(leaves, key=lambda leaf: (leaf.fetched_at, leaf.url)):
            moment = date_key(leaf.fetched_at)
            if any(capture.fetched_at == moment for capture in archive.captures(leaf.url)):
                continue
            exchange = spool.exchange(leaf)
            writer.write_exchange(
                url=exchange.url,
                status=exchange.status,
                reason=_reason(exchange.status),
                response_headers=exchange.headers,
                body=exchange.body,
                fetched_at=exchange.fetched_at,
            )
            written += 1
    return written


def _reason(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
