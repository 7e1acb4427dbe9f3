"""What kind of picture a file is, told by its first bytes: servers are often wrong about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_BEGINNINGS = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"))
_ENDINGS = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/avif": ".avif",
}


def image_type(file: Path) -> str | None:
    """Return the type of a JPEG, PNG, GIF, WebP or AVIF file; None for everything else and for what is not there."""
    try:
        with file.open("rb") as stream:
            return image_type_of(stream.read(16))
    except FileNotFoundError:
        return None


def image_type_of(head: bytes) -> str | None:
    """The same, told by the first 16 bytes or more."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return next((mime for beginning, mime in _BEGINNINGS if head.startswith(beginning)), None)


def ending_of(mime: str) -> str:
    """Return how names of files of a type end."""
    return _ENDINGS.get(mime) or "." + mime.partition("/")[2]
