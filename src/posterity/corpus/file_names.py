"""Names of files that every file system takes."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from posterity.model import Post


def post_name(post: Post) -> str:
    """Return the name of a post's file without its ending: the day, then the last words of the address."""
    day = f"{post.published:%Y-%m-%d}-" if post.published else ""
    return day + post_slug(post)


def post_slug(post: Post) -> str:
    """Return the last words of a post's address, or its title, or its id."""
    path = unquote(urlsplit(post.url).path).rstrip("/")
    last = re.sub(r"\.\w{2,5}$", "", path.rsplit("/", 1)[-1])
    last = post.title or post.id if last in ("", "index") else last
    return file_name(last) or post.id


def file_name(text: str) -> str:
    """Return the text as a name that every file system takes; letters of all scripts stay."""
    kept = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", text)).strip("-.").lower()
    # 255 bytes is the limit of most file systems, and a letter may take four.
    return kept.encode()[:120].decode(errors="ignore").rstrip("-.")
