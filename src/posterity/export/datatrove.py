"""Datatrove documents, one JSON object a line: text, id, media, metadata, as its JsonlReader takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from posterity.export.dolma import metadata_of

if TYPE_CHECKING:
    from posterity.export.selection import Source
    from posterity.model import Media, Post

# datatrove.data.MediaType
_IMAGE, _VIDEO, _AUDIO, _DOCUMENT = range(4)
_TYPES = {"image": _IMAGE, "video": _VIDEO, "audio": _AUDIO}


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
    kind = (medium.mime or "image/").partition("/")[0]  # of pictures that were not downloaded, no type is known
    return {
        "id": medium.digest or medium.url,
        "type": _TYPES.get(kind, _DOCUMENT),
        "url": medium.url,
        "alt": medium.alt,
        "path": medium.file,
    }
