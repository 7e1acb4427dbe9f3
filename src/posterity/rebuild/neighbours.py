"""Answers of other sites in the same crawl, by address: pictures often lie on another host than their post.

Only the sites that are asked for are listed in memory, a few at a time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from posterity.rebuild.shelf import Shelf, host_of
from posterity.rebuild.spool import bucket_of

if TYPE_CHECKING:
    from posterity.model import Page
    from posterity.rebuild.shelf import Leaf
    from posterity.rebuild.spool import Spool

_MAX_REDIRECTS = 6
_SHELVES = 4


class Answers(Protocol):
    """Where answers can be asked for by address: a `Shelf`, or the `Neighbours` of a crawl."""

    def leaf(self, url: str) -> Leaf | None:
        """What lies at the address or where it leads, or None."""

    def page(self, url: str) -> Page | None:
        """The page at the address or where it leads, or None."""


class Neighbours:
    """All answers of a spool, looked up one by one."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._shelf = lru_cache(_SHELVES)(lambda bucket: Shelf(spool.leaves(bucket), spool.page))

    def leaf(self, url: str) -> Leaf | None:
        """What lies at the address or where it leads, or None."""
        place: str | None = url
        for _ in range(_MAX_REDIRECTS):
            if place is None:
                break
            shelf = self._shelf(bucket_of(host_of(place)))
            found = shelf.leaf(place)
            if found is not None:
                return found
            place = shelf.leads_to(place)
        return None

    def page(self, url: str) -> Page | None:
        """The page at the address or where it leads, or None."""
        leaf = self.leaf(url)
        return self._spool.page(leaf) if leaf is not None else None
