"""Paths of posts in an exported site, so that links between posts point to the copies; types of image files."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

from posterity.export.files import file_name, id_name, post_slug
from posterity.export.temporary import DiskMap
from posterity.model import Post
from posterity.urls import place_key

_PLAIN = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
_TARGET = re.compile(r"(?<=\]\()[^\s()]+(?=[\s)])")


class LocalPaths:
    """Maps post URLs to the paths of their copies: the path on the blog, if it is valid for a file."""

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
        """Assign a path to the post; if the path is taken, the post's id is appended."""
        path = self._preferred_path(post)
        # On some file systems, names that differ only in case are the same, and a file and a folder cannot share one.
        if not self._taken.add(path.rstrip("/").lower(), post.id):
            path = f"{path.rstrip('/')}-{id_name(post.id)}/"
            self._taken.add(path.rstrip("/").lower(), post.id)
        self._paths.add(place_key(post.url), path)
        self._paths.add(place_key(post.canonical_url or post.url), path)

    def path(self, url: str) -> str | None:
        """Return the path of the post at a URL, with the URL's fragment; None for other URLs."""
        place, hash_sign, fragment = url.partition("#")
        found = self._paths[place_key(place)] if place.startswith(("http://", "https://")) else None
        return found + hash_sign + fragment if found else None

    def with_local_links(self, markdown: str, media: dict[str, str]) -> str:
        """Return the Markdown with links to posts and media replaced by paths of the copies."""

        def local(match: re.Match[str]) -> str:
            return media.get(match[0]) or self.path(match[0]) or match[0]

        return _TARGET.sub(local, markdown)

    def _preferred_path(self, post: Post) -> str:
        parts = urlsplit(post.url)
        host = f"/{file_name(parts.netloc)}" if self._by_host else ""
        if parts.query or not parts.path.strip("/"):
            return f"{host}/{post_slug(post)}/"
        if _PLAIN.fullmatch(parts.path):
            return host + parts.path
        segments = filter(None, map(file_name, unquote(parts.path).rstrip("/").split("/")[:-1]))
        return "/".join([host, *segments, post_slug(post)]) + "/"


_BEGINNINGS = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"))


def image_type(file: Path) -> str | None:
    """Return the MIME type of a JPEG, PNG, GIF, WebP or AVIF file; None for other files and missing ones."""
    try:
        with file.open("rb") as stream:
            return image_type_of(stream.read(16))
    except FileNotFoundError:
        return None


def image_type_of(head: bytes) -> str | None:
    """Return the MIME type of an image from its first 16 bytes or more."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return next((mime for beginning, mime in _BEGINNINGS if head.startswith(beginning)), None)


def image_extension(mime: str) -> str:
    """Return the file extension for an image of this type."""
    return ".jpg" if mime == "image/jpeg" else "." + mime.partition("/")[2]


_SMALL_PIXELS = 32  # smileys of WordPress have 15 to 24 pixels, emoji images up to 32


def is_small_image(file: Path) -> bool:
    """Return whether a GIF or PNG is small enough to be a smiley or emoji."""
    with file.open("rb") as stream:
        head = stream.read(24)
    if head.startswith((b"GIF87a", b"GIF89a")):
        width, height = struct.unpack("<HH", head[6:10])
    elif head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) == 24:
        width, height = struct.unpack(">II", head[16:24])
    else:
        return False
    return bool(1 < height <= _SMALL_PIXELS and 1 < width <= 2 * _SMALL_PIXELS)
