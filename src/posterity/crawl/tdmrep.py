"""The file /.well-known/tdmrep.json: for which parts of a host text and data mining is reserved.

TDM Reservation Protocol (W3C community group, 2024): a list of rules with a pattern of paths each, in the manner of
robots.txt, so the longest pattern that fits decides. What a page says of itself, in a header or a <meta>, counts more.
A harvest asks for the file once, an update reads the answer from the archive.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import msgspec

from posterity.crawl.capture import OWED
from posterity.crawl.downloading import fetch_page
from posterity.errors import ArchiveError, PosterityError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.archive import Archive
    from posterity.model import Page

_PLACE = "/.well-known/tdmrep.json"
_OK = 200


class Reservations(msgspec.Struct, frozen=True):
    """Patterns of paths on these hosts, and whether mining is reserved there."""

    hosts: frozenset[str] = frozenset()
    rules: tuple[tuple[str, bool], ...] = ()

    def reserve(self, url: str) -> bool:
        """Tell whether mining of the page at this address is reserved."""
        parts = urlsplit(url)
        if not self.rules or parts.netloc not in self.hosts:
            return False
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        fitting = [(len(pattern), reserved) for pattern, reserved in self.rules if _fits(pattern, path)]
        return max(fitting, default=(0, False))[1]


async def fetch_reservations(crawler: Crawler, url: str) -> Reservations:
    """Return what the host of this address reserves; a file that cannot be had reserves nothing."""
    try:
        return reservations_in(await fetch_page(crawler, urljoin(url, _PLACE), **{OWED: True}))
    except ArchiveError:
        raise
    except PosterityError:
        return Reservations()


def stored_reservations(archive: Archive, url: str) -> Reservations:
    """Return what the host reserved when it was last asked."""
    capture = archive.earlier_response(urljoin(url, _PLACE), None)
    if capture is None or capture.status != _OK:
        return Reservations()
    try:
        return reservations_in(archive.read_page(f"{capture.file}#{capture.offset}"))
    except PosterityError:  # the file is lost or was taken down; `posterity archive verify` tells of it
        return Reservations()


def reservations_in(page: Page) -> Reservations:
    """Return the rules of the file; what is no such file has none."""
    if page.status != _OK:
        return Reservations()
    try:
        told = msgspec.json.decode(page.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Reservations()
    rules = tuple(rule for each in told if (rule := _rule(each))) if isinstance(told, list) else ()
    return Reservations(frozenset(urlsplit(url).netloc for url in (page.url, page.requested_url)), rules)


def _rule(told: Any) -> tuple[str, bool] | None:
    if not isinstance(told, dict) or not isinstance(told.get("location"), str):
        return None
    return told["location"], str(told.get("tdm-reservation")) == "1"


def _fits(pattern: str, path: str) -> bool:
    """Tell whether a path begins like the pattern, in which * is anything and $ at the end is the end."""
    beginning = ".*".join(map(re.escape, pattern.removesuffix("$").split("*")))
    return re.match(beginning + ("$" if pattern.endswith("$") else ""), path) is not None
