"""The formats `jsonl` (all fields), `dolma` and `datatrove`: one JSON object per line.

Dolma's toolkit reads id, text, source, added, created and metadata from `documents/*.jsonl.gz`; an OUT with that
extension is compressed. Ids are those of the archive and never change, so that a block list of ids stays valid.
Datatrove's JsonlReader expects text, id, media and metadata. In both formats, the text does not contain the comments.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

from posterity.export.selection import Source, utc_stamp
from posterity.model import Media, Post, to_json


def write_jsonl(source: Source, out: BinaryIO) -> None:
    """Write the posts to a stream; `gone` and `history` are written for posts that have them."""
    out.writelines(line_of(post, source) + b"\n" for post in source.posts)


def line_of(post: Post, source: Source) -> bytes:
    """Return the JSON of a post, with `gone` if it is gone and `history` if the export includes it."""
    facts = {"gone": source.gone_since(post), "history": source.earlier_states(post)}
    more = {name: value for name, value in facts.items() if value is not None}
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
    """Return the metadata of a post as names and plain values, without absent fields.

    `optout` contains the opt-outs that its page declares.
    """
    facts = {name: value for name in _FACTS if (value := getattr(post, name)) not in (None, ())}
    facts["comment_count"] = len(post.comments)
    if (optout := post.provenance.get("optout")) is not None:
        facts["optout"] = optout.rule
    return facts


_TYPES = {"image": 0, "video": 1, "audio": 2}  # datatrove.data.MediaType; 3 is a document
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
            # Datatrove's metadata are texts and numbers, not lists.
            name: "; ".join(value) if isinstance(value, tuple) else value
            for name, value in metadata_of(post).items()
        },
    }


def _medium(medium: Media) -> dict[str, Any]:
    # A file that was not downloaded has no MIME type.
    kind = medium.mime.partition("/")[0] if medium.mime else medium.kind
    return {
        "id": medium.digest or medium.url,
        "type": _TYPES.get(kind, 3),
        "url": medium.url,
        "alt": medium.alt,
        "path": medium.file,
        "media_bytes": None,  # required by datatrove's JsonlReader
        "metadata": {name: value for name in _ABOUT_MEDIA if (value := getattr(medium, name)) is not None},
    }
