"""A temporary file of answers: read once from files of any kind, then found by place as often as needed.

Whether there is a blog in a crawl is known only after its pages were looked at more than once, and only a blog's pages
are worth a place in the archive.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Self

import msgspec

from posterity.discover.feed import looks_like_feed
from posterity.rebuild.exchange import Exchange
from posterity.rebuild.shelf import Leaf

if TYPE_CHECKING:
    from posterity.model import Page

_BEGINNING = 4096


class Spool:
    """Answers on the disk until it is closed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the spool
        self._end = 0
        self.leaves: list[Leaf] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, exchange: Exchange) -> None:
        """Keep one more answer."""
        packed = msgspec.msgpack.encode(exchange)
        self._file.seek(self._end)
        self._file.write(packed)
        self.leaves.append(
            Leaf(
                url=exchange.url,
                status=exchange.status,
                content_type=exchange.header("content-type"),
                fetched_at=exchange.fetched_at,
                where=(self._end, len(packed)),
                location=exchange.header("location") if 300 <= exchange.status < 400 else None,
                is_feed=is_feed(exchange.page.body),
            )
        )
        self._end += len(packed)

    def exchange(self, leaf: Leaf) -> Exchange:
        """The answer of a leaf of this spool."""
        assert isinstance(leaf.where, tuple)
        offset, length = leaf.where
        self._file.seek(offset)
        return msgspec.msgpack.decode(self._file.read(length), type=Exchange)

    def page(self, leaf: Leaf) -> Page:
        """The page of a leaf of this spool."""
        return self.exchange(leaf).page


def is_feed(body: bytes) -> bool:
    """Tell whether the bytes are a feed. Mirrors call feeds index.html, and old blog pages carry RDF for trackbacks."""
    beginning = body[:_BEGINNING].lower()
    return looks_like_feed(body) and b"<html" not in beginning and b"<!doctype html" not in beginning
