"""Which blogs a crawl holds: one for every host whose pages are a blog's, and where each begins."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.rebuild.shelf import host_of
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.rebuild.shelf import Leaf, Shelf

_OK = 200


def leaves_by_host(leaves: Iterable[Leaf]) -> dict[str, list[Leaf]]:
    """Return the answers by host, those hosts left out that never sent a page: servers of pictures and scripts.

    The host with most pages comes first.
    """
    found: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        found[host_of(leaf.url)].append(leaf)
    pages = {host: sum(_is_good_page(leaf) for leaf in some) for host, some in found.items()}
    return {host: found[host] for host in sorted(found, key=lambda host: (-pages[host], host)) if pages[host]}


def home_of(shelf: Shelf) -> str:
    """Return the address of the home page of the blog on a shelf of one host.

    The root, if it is there; else the page whose folder holds the others: a crawl of a part of a host.
    """
    leaves = [leaf for leaf in shelf.leaves() if leaf.is_page]
    ranked = sorted(leaves, key=lambda leaf: (_depth(leaf.url), len(leaf.url), leaf.url))
    if not ranked:
        return ""
    first = urlsplit(canonical_url(ranked[0].url))
    if first.path.endswith("/") and not first.query:
        return first.geturl()
    # No page is a folder's own: the folder is the home, although its page is not there.
    return first._replace(path=first.path[: first.path.rfind("/") + 1] or "/", query="").geturl()


def _is_good_page(leaf: Leaf) -> bool:
    return leaf.is_page and leaf.status == _OK


def _depth(url: str) -> int:
    parts = urlsplit(canonical_url(url))
    return parts.path.strip("/").count("/") + bool(parts.path.strip("/")) + bool(parts.query)
