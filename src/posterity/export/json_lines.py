"""Formats with one JSON object a line: our own with every field, Dolma's and datatrove's.

Dolma: id, text, source, added, created, metadata, the shape that its toolkit reads from `documents/*.jsonl.gz`; an OUT
with that ending is compressed. Ids are the archive's, which never change, so that a block list of ids stays valid.
Datatrove: text, id, media, metadata, as its JsonlReader expects them. Comments are not part of the text of either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from posterity.export.selection import utc_stamp
from posterity.model import to_json

if TYPE_CHECKING:
    from posterity.export.selection import Source
    from posterity.model import Media, Post


def write_jsonl(source: Source, out: BinaryIO) -> None:
    """Write the posts to a stream; `gone` and `history` are there for posts that have them."""
    out.writelines(line_of(post, source) + b"\n" for post in source.posts)


def line_of(post: Post, source: Source) -> bytes:
    """Return the JSON of a post, with since when it is gone and, if asked for, with its earlier states."""
    told = {"gone": source.gone_since(post), "history": source.earlier_states(post)}
    more = {name: value for name, value in told.items() if value is not None}
    line = to_json(post)
    return line[:-1] + b"," + to_json(more)[1:] if more else line


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


# datatrove.data.MediaType
_IMAGE, _VIDEO, _AUDIO, _DOCUMENT = range(4)
_TYPES = {"image": _IMAGE, "video": _VIDEO, "audio": _AUDIO}
_ABOUT_MEDIA = ("kind", "provider", "title", "poster")


def write_datatrove(source: Source, out: BinaryIO) -> None:
    """Write the posts to a stream."""
    out.writelines(msgspec.json.encode(_document(post)) + b"\n" for post in source.posts)


def _document(post: Post) -> dict[str, Any]:
    return {
        "text": post.text,
        "id": post.id,
        "media": [_medium(medium) for medium in post.media],
        "metadata": {
            # Datatrove's metadata are texts and numbers, no lists.
            name: "; ".join(value) if isinstance(value, tuple) else value
            for name, value in metadata_of(post).items()
        },
    }


def _medium(medium: Media) -> dict[str, Any]:
    # What was not downloaded has no type.
    kind = medium.mime.partition("/")[0] if medium.mime else medium.kind
    return {
        "id": medium.digest or medium.url,
        "type": _TYPES.get(kind, _DOCUMENT),
        "url": medium.url,
        "alt": medium.alt,
        "path": medium.file,
        "media_bytes": None,  # datatrove's JsonlReader asks for it
        "metadata": {name: value for name in _ABOUT_MEDIA if (value := getattr(medium, name)) is not None},
    }
