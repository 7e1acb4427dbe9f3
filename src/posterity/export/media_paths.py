"""Where every post of an exported site lies, so that links between posts lead to the copies and not to the web."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote, urlsplit

from posterity.export.files import file_name, post_slug
from posterity.export.temporary import DiskMap
from posterity.urls import place_key

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.model import Post


_PLAIN = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
_TARGET = re.compile(r"(?<=\]\()[^\s()]+(?=[\s)])")


class LocalPaths:
    """Post URLs and the paths of their copies: the path that the post had on its blog, if a file can have it."""

    def __init__(self, *, by_host: bool) -> None:
        self._by_host = by_host
        self._paths = DiskMap()
        self._taken = DiskMap()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._paths.__exit__()
        self._taken.__exit__()

    def add(self, post: Post) -> None:
        """Give a post its path; one that is taken gets the post's id behind it."""
        path = self._wanted_path(post)
        # A folder and a file of one name, or two names that differ in capitals, are one place on some disks.
        if not self._taken.add(path.rstrip("/").lower(), post.id):
            path = f"{path.rstrip('/')}-{post.id}/"
            self._taken.add(path.rstrip("/").lower(), post.id)
        self._paths.add(place_key(post.url), path)
        self._paths.add(place_key(post.canonical_url or post.url), path)

    def path(self, url: str) -> str | None:
        """The path of the post at a URL, with the URL's fragment, or None."""
        place, hash_sign, fragment = url.partition("#")
        found = self._paths[place_key(place)] if place.startswith(("http://", "https://")) else None
        return found + hash_sign + fragment if found else None

    def with_local_links(self, markdown: str, media: dict[str, str]) -> str:
        """Return Markdown whose links to posts, and to media that are here, lead to the copies."""

        def local(match: re.Match[str]) -> str:
            return media.get(match[0]) or self.path(match[0]) or match[0]

        return _TARGET.sub(local, markdown)

    def _wanted_path(self, post: Post) -> str:
        parts = urlsplit(post.url)
        host = f"/{file_name(parts.netloc)}" if self._by_host else ""
        if parts.query or not parts.path.strip("/"):
            return f"{host}/{post_slug(post)}/"
        if _PLAIN.fullmatch(parts.path):
            return host + parts.path
        segments = filter(None, map(file_name, unquote(parts.path).rstrip("/").split("/")[:-1]))
        return "/".join([host, *segments, post_slug(post)]) + "/"


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
    """The same, detected from the first 16 bytes or more."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return next((mime for beginning, mime in _BEGINNINGS if head.startswith(beginning)), None)


def ending_of(mime: str) -> str:
    """Return how names of files of a type end."""
    return _ENDINGS.get(mime) or "." + mime.partition("/")[2]


_SMALL_PIXELS = 32  # WordPress' smileys have 15 to 24, emoji images up to 32


def is_small_image(file: Path) -> bool:
    """Tell whether a GIF or PNG is so small that it stands for a character: a smiley."""
    with file.open("rb") as stream:
        head = stream.read(24)
    if head.startswith((b"GIF87a", b"GIF89a")):
        width, height = struct.unpack("<HH", head[6:10])
    elif head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) == 24:
        width, height = struct.unpack(">II", head[16:24])
    else:
        return False
    return bool(1 < height <= _SMALL_PIXELS and 1 < width <= 2 * _SMALL_PIXELS)
