"""Folders beside a blog's own that look like further parts of it: another language, another column.

A blog at /blog/ whose home page also links to /blog_ru/ may have posts in both. A folder is a candidate when the home
page links into it and it holds several addresses that would be posts in the blog's own folder. Whether they are posts,
only a page of it can tell.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.urls.listing import is_listing
from posterity.urls.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.urls import PostPattern, Scope

_MIN_ADDRESSES = 2


def sibling_sections(
    own: str, scope: Scope, pattern: PostPattern, linked: Iterable[str], named: Iterable[str]
) -> dict[str, list[str]]:
    """Return candidate folders beside the blog's `own`, the fullest first, with the addresses in them.

    `linked` are the addresses that the home page links to, `named` those that anybody does.
    """
    if own == "/":
        return {}
    into = {folder for url in linked if scope.is_on_host(url) and (folder := _folder(url, own))}
    found: dict[str, list[str]] = defaultdict(list)
    for url in named:
        folder = _folder(url, own)
        if folder not in into or folder == own or not scope.is_on_host(url) or is_trap(url) or is_listing(url):
            continue
        if pattern.fits(_moved(url, folder, own)):
            found[folder].append(url)
    fullest = sorted(found, key=lambda folder: -len(found[folder]))
    return {folder: found[folder] for folder in fullest if len(found[folder]) >= _MIN_ADDRESSES}


def _folder(url: str, own: str) -> str:
    """The folder of the address that lies as deep as the blog's own."""
    deep = own.count("/") - 1
    folders = [folder for folder in urlsplit(url).path.split("/") if folder]
    return f"/{'/'.join(folders[:deep])}/" if len(folders) >= deep else ""


def _moved(url: str, folder: str, own: str) -> str:
    parts = urlsplit(url)
    return parts._replace(path=own + parts.path.removeprefix(folder)).geturl()
