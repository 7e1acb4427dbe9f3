"""A mirror on disk: from the address of a page to the file that wget, HTTrack or a generator keeps it in."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from posterity.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.model import Feed


def pages_of_feed(feed: Feed, folder: Path) -> dict[str, bytes]:
    """Return the pages that the feed links to and the folder holds, by address."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder.")
    pages = {}
    for entry in feed.entries:
        file = file_of(entry.link, folder) if entry.link else None
        if entry.link and file:
            pages[entry.link] = file.read_bytes()
    if not pages:
        raise InputError(f"{folder} holds none of the {len(feed.entries)} pages that the feed links to.")
    return pages


def file_of(url: str, folder: Path) -> Path | None:
    """Return the file of an address, below the folder or below a subfolder named after the host."""
    parts = urlsplit(url)
    for base in (folder, folder / parts.netloc):
        for path in dict.fromkeys((parts.path, unquote(parts.path))):
            local = path.strip("/")
            query = f"?{parts.query}" if parts.query else ""
            for name in (local + query, f"{local}/index.html", f"{local}{query}.html", f"{local}/index.html{query}"):
                file = base / name
                if ".." not in name and file.is_file():
                    return file
    return None
