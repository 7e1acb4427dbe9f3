"""Posts that have to be read more than once: kept in a temporary file in between, not in memory."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import msgspec

from posterity.model import Post, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class PostSpool:
    """Posts that can be read again and again, one reader at a time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decoder = msgspec.json.Decoder(Post)  # MessagePack would forget the zones of times

    def __iter__(self) -> Iterator[Post]:
        self._file.seek(0)
        yield from map(self._decoder.decode, self._file)


@contextmanager
def spooled(posts: Iterable[Post]) -> Iterator[PostSpool]:
    """Read the posts once and give them as often as needed."""
    with tempfile.TemporaryFile() as file:
        file.writelines(to_json(post) + b"\n" for post in posts)
        yield PostSpool(file)
