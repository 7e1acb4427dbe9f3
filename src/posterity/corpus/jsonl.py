"""JSON lines: one post a line, every field, the exchange format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from posterity.model import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.model import Post


def write_jsonl(posts: Iterable[Post], out: Path | BinaryIO) -> None:
    """Write the posts to a file or a stream."""
    if isinstance(out, Path):
        with out.open("wb") as stream:
            write_jsonl(posts, stream)
        return
    for post in posts:
        out.write(to_json(post) + b"\n")
    out.flush()
