"""Posts that have to be read more than once: kept in a temporary file in between, not in memory."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import msgspec

from posterity.model import Post

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LENGTH_BYTES = 8


class PostSpool:
    """Posts that can be read again and again, one reader at a time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decoder = msgspec.msgpack.Decoder(Post)

    def __iter__(self) -> Iterator[Post]:
        self._file.seek(0)
        while length := self._file.read(_LENGTH_BYTES):
            yield self._decoder.decode(self._file.read(int.from_bytes(length, "big")))


@contextmanager
def spooled(posts: Iterable[Post]) -> Iterator[PostSpool]:
    """Read the posts once and give them as often as needed."""
    encoder = msgspec.msgpack.Encoder()
    with tempfile.TemporaryFile() as file:
        for post in posts:
            packed = encoder.encode(post)
            file.write(len(packed).to_bytes(_LENGTH_BYTES, "big") + packed)
        yield PostSpool(file)
