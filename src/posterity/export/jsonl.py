"""JSON lines: one post a line, every field, the exchange format."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from posterity.model import to_json

if TYPE_CHECKING:
    from posterity.export.selection import Source


def write_jsonl(source: Source, out: BinaryIO) -> None:
    """Write the posts to a stream."""
    out.writelines(to_json(post) + b"\n" for post in source.posts)
