"""What `posterity import` is given: crawl files, folders of them, and mirrors on disk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.archive.read_mirror import mirror_pages
from posterity.errors import InputError
from posterity.rebuild.crawl_file import is_crawl_file
from posterity.rebuild.exchange import Exchange
from posterity.rebuild.spool import is_feed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from posterity.model import Page


_BEGINNING = 4096
_PAGE = re.compile(rb"<!doctype html|<html[\s>]", re.IGNORECASE)
_SPACE = b"\xef\xbb\xbf \t\r\n"


def crawl_files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the crawl files among the paths and in their folders, in their order."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise InputError(f"There is no file or folder {path}.")
        if path.is_file() and not is_crawl_file(path):
            raise InputError(
                f"{path} is neither a WARC, ARC nor WACZ file, nor one of records (JSON lines, WXR, Atom). "
                "A mirror is imported by naming the folder that holds it."
            )
        found += [path] if path.is_file() else _crawl_files(path)
    return found


def mirror_exchanges(paths: Iterable[Path], home_url: str | None) -> Iterator[Exchange]:
    """Yield every file of the folders without crawl files in them, which are mirrors, as the answer it once was.

    `home_url` is the address that a mirror without hosts is of.
    """
    for path in paths:
        if path.is_dir() and not _crawl_files(path):
            for folder, base in _mirrors(path, home_url):
                yield from map(_exchange, mirror_pages(folder, base))


def _crawl_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and is_crawl_file(file))


def _mirrors(folder: Path, home_url: str | None) -> list[tuple[Path, str | None]]:
    """The folders of hosts inside a mirror, each with its address; a mirror without them is one folder."""
    if home_url is not None:
        parts = urlsplit(home_url)
        own = folder / parts.netloc
        return [(own, f"{parts.scheme}://{parts.netloc}/")] if own.is_dir() else [(folder, home_url)]
    hosts = sorted(inner for inner in folder.iterdir() if inner.is_dir() and _looks_like_host(inner.name))
    # A folder with a home page of its own and folders such as `v1.2` in it is one site.
    if hosts and not (_looks_like_host(folder.resolve().name) and (folder / "index.html").is_file()):
        return [(host, f"http://{host.name}/") for host in hosts]
    return [(folder, None)]


def _looks_like_host(name: str) -> bool:
    return "." in name.strip(".") and not name.startswith(".") and name == name.lower() and " " not in name


def _exchange(page: Page) -> Exchange:
    """A file as the answer it once was."""
    return Exchange(
        url=page.url,
        status=page.status,
        headers=(("Content-Type", _kind(page)),),
        body=page.body,
        fetched_at=page.fetched_at,
    )


def _kind(page: Page) -> str:
    """Of what kind a file is: its name says so, but wget calls feeds index.html and pages index.html?p=3."""
    if is_feed(page.body):
        return "application/xml" if page.body.lstrip(_SPACE).startswith(b"<") else "application/feed+json"
    unknown = page.content_type == "application/octet-stream"
    return "text/html" if unknown and _PAGE.search(page.body[:_BEGINNING]) else page.content_type
