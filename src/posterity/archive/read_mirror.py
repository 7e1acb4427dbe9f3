"""Pages from a mirror on disk: a folder of files as wget and its kin leave it.

The address of a file follows from its place: `salt.example/2021/tides/index.html` is
`http://salt.example/2021/tides/`. A folder without a host in it needs the address that it mirrors.
"""

from __future__ import annotations

import mimetypes
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from posterity.archive.failures import translated
from posterity.errors import InputError
from posterity.model import Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_INDEX = ("index.html", "index.htm", "index.php", "index.xhtml")
# What pages and feeds are called on disk; `mimetypes` knows only some, and not on every machine the same.
_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".php": "text/html",
    "": "text/html",
    ".rss": "application/rss+xml",
    ".atom": "application/atom+xml",
    ".xml": "application/xml",
    ".json": "application/json",
}


def mirror_pages(folder: Path, base_url: str | None = None) -> Iterator[Page]:
    """Yield every file of a mirror as a page, by name; `base_url` is the address of the folder itself."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder. Name the folder that holds the mirror.")
    base = base_url or _host_url(folder)
    with translated(str(folder)):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield _page(path, folder, base)


def _page(path: Path, folder: Path, base: str | None) -> Page:
    url = _url(path.relative_to(folder).as_posix(), base, folder)
    kind = _TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Page(
        url=url,
        requested_url=url,
        status=200,
        content_type=kind,
        body=path.read_bytes(),
        fetched_at=datetime.fromtimestamp(path.stat().st_mtime, UTC),
    )


def _url(place: str, base: str | None, folder: Path) -> str:
    name = place.rpartition("/")[2]
    if name in _INDEX:
        place = place.removesuffix(name)
    # wget keeps a query in the file's name; everything else that is special in an address is escaped there.
    path, mark, query = place.partition("?")
    # Names on a disk are bytes, and old blogs had addresses that are no UTF-8.
    escaped = quote(os.fsencode(path), safe="/%:@!$&'()*+,;=~")
    address = escaped + (f"?{os.fsencode(query).decode('utf-8', 'replace')}" if mark else "")
    if base is not None:
        return urljoin(base if base.endswith("/") else f"{base}/", f"./{address}")
    host, _, _ = place.partition("/")
    if "." not in host or "/" not in place:
        raise InputError(f"{folder} does not say which address it mirrors. Give the address of the folder.")
    return f"http://{address}"


def _host_url(folder: Path) -> str | None:
    """The address of a folder that is itself called after a host."""
    name = folder.resolve().name
    looks_like_host = "." in name and not name.startswith(".") and name.lower() == name
    return f"http://{name}/" if looks_like_host and any((folder / index).is_file() for index in _INDEX) else None
