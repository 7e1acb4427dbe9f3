"""Answers on the disk for a while, those of one site together: each written once, into one of many files by its host.

This is the thesis's sorting step (document 002, section 2.1), whose script writes a file for every site. Thousands of
sites would be thousands of open files, so the host's hash chooses one of a fixed number of buckets. A bucket is read
when its turn comes, and only the list of what lies in it is held in memory.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import IO, TYPE_CHECKING

import msgspec

from posterity.discover.feed import looks_like_feed
from posterity.rebuild.exchange import Exchange
from posterity.rebuild.shelf import Leaf, host_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from posterity.model import Page

# A million answers of a bucket are listed in some 300 MB. Each bucket is two open files of a writer, and systems give
# a process 1,024.
BUCKETS = 128
_BUFFER_BYTES = 128 * 1024
_OPEN_FILES = 64
_BEGINNING = 4096
_NEVER_FEEDS = ("image/", "video/", "audio/", "font/")


class Listed(msgspec.Struct, frozen=True):
    """One line of a bucket's list: the answer, and the number of the stretch that it was read from."""

    stretch: int
    leaf: Leaf


class SpoolWriter:
    """Writes answers into the buckets of a folder; several writers have different names and never meet."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._files: dict[int, tuple[IO[bytes], IO[bytes]]] = {}

    def add(self, exchange: Exchange, stretch: int = 0) -> None:
        """Keep one more answer."""
        bucket = bucket_of(host_of(exchange.url))
        data, listing = self._files.get(bucket) or self._opened(bucket)
        packed = msgspec.msgpack.encode(exchange)
        leaf = _leaf(exchange, (_data_name(bucket, self._name), data.tell(), len(packed)))
        data.write(packed)
        listing.write(msgspec.json.encode(Listed(stretch, leaf)) + b"\n")

    def flush(self) -> None:
        """See that everything so far can be read."""
        for pair in self._files.values():
            for file in pair:
                file.flush()

    def close(self) -> None:
        """Close the files; what was not flushed was not promised."""
        for pair in self._files.values():
            for file in pair:
                with suppress(OSError):
                    file.close()

    def _opened(self, bucket: int) -> tuple[IO[bytes], IO[bytes]]:
        data = self._folder / _data_name(bucket, self._name)
        pair = (data.open("ab", _BUFFER_BYTES), data.with_suffix(".list").open("ab", _BUFFER_BYTES))
        self._files[bucket] = pair
        return pair


class Spool:
    """What writers left in a folder; answers of the stretches in `dropped` are passed over."""

    def __init__(self, folder: Path, dropped: AbstractSet[int] = frozenset()) -> None:
        self.folder, self.dropped = folder, dropped
        self._open: dict[str, IO[bytes]] = {}

    def leaves(self, bucket: int) -> list[Leaf]:
        """The answers in a bucket, in the order in which they stand in the files that were read."""
        listed = [line for line in self._listed(bucket) if line.stretch not in self.dropped]
        # A stretch is read by one writer, in its order; which writer got it is chance.
        return [line.leaf for line in sorted(listed, key=lambda line: line.stretch)]

    def exchange(self, leaf: Leaf) -> Exchange:
        """The answer of a leaf of this spool."""
        assert isinstance(leaf.where, tuple)
        name, offset, length = leaf.where
        file = self._opened(name)
        file.seek(offset)
        return msgspec.msgpack.decode(file.read(length), type=Exchange)

    def page(self, leaf: Leaf) -> Page:
        """The page of a leaf of this spool."""
        return self.exchange(leaf).page

    def close(self) -> None:
        """Close the files; the next reader opens them again."""
        while self._open:
            self._open.popitem()[1].close()

    def _opened(self, name: str) -> IO[bytes]:
        if name not in self._open:
            if len(self._open) >= _OPEN_FILES:
                self.close()
            self._open[name] = (self.folder / name).open("rb")
        return self._open[name]

    def _listed(self, bucket: int) -> Iterator[Listed]:
        decoder = msgspec.json.Decoder(Listed)
        for path in sorted(self.folder.glob(f"{bucket:03}-*.list")):
            with path.open("rb") as lines:
                yield from map(decoder.decode, lines)


def bucket_of(host: str) -> int:
    """Return the bucket of a host, on every machine the same."""
    return zlib.crc32(host.encode()) % BUCKETS


def is_feed(body: bytes) -> bool:
    """Tell whether the bytes are a feed. Mirrors call feeds index.html, and old blog pages carry RDF for trackbacks."""
    beginning = body[:_BEGINNING].lower()
    return looks_like_feed(body) and b"<html" not in beginning and b"<!doctype html" not in beginning


def _data_name(bucket: int, writer: str) -> str:
    return f"{bucket:03}-{writer}.data"


def _leaf(exchange: Exchange, where: tuple[str, int, int]) -> Leaf:
    kind = exchange.header("content-type")
    # A picture has no content coding to take off, and is no feed.
    body = exchange.body if kind.startswith(_NEVER_FEEDS) else exchange.page.body
    return Leaf(
        url=exchange.url,
        status=exchange.status,
        content_type=kind,
        fetched_at=exchange.fetched_at,
        where=where,
        location=exchange.header("location") if 300 <= exchange.status < 400 else None,
        is_feed=not kind.startswith(_NEVER_FEEDS) and is_feed(body),
        size=len(body),
    )
