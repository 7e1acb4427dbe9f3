"""Dolma documents, one JSON object a line: id, text, source, added, created, metadata.

The shape that the Dolma toolkit reads from `documents/*.jsonl.gz`: name OUT so and it is compressed. Ids are the
archive's, which never change, so that a block list of ids stays true. Comments are not part of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from posterity.export.dates import utc_stamp

if TYPE_CHECKING:
    from posterity.export.selection import Source
    from posterity.model import Post

SOURCE = "posterity"
_FACTS = (
    "url", "canonical_url", "blog", "title", "authors", "published", "language", "tags", "categories", "license",
    "revision",
)  # fmt: skip


def write_dolma(source: Source, out: BinaryIO) -> None:
    """Write the posts to a stream."""
    added = utc_stamp(source.made_at)
    for post in source.posts:
        document: dict[str, Any] = {"id": post.id, "text": post.text, "source": SOURCE, "added": added}
        if post.published is not None:
            document["created"] = utc_stamp(post.published)
        out.write(msgspec.json.encode(document | {"metadata": metadata_of(post)}) + b"\n")


def metadata_of(post: Post) -> dict[str, Any]:
    """Return what is known of a post beside its text, as names and plain values; what is absent is left out.

    `optout` are the opt-outs that its page declares.
    """
    facts = {name: value for name in _FACTS if (value := getattr(post, name)) not in (None, ())}
    facts["comment_count"] = len(post.comments)
    if (optout := post.provenance.get("optout")) is not None:
        facts["optout"] = optout.rule
    return facts
