"""What the sitemaps name now that they did not name before, with as few requests as they allow.

A sitemap is asked for conditionally; the parts of an index only when the index, or the feed, gives a reason to.
"""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import error as zlib_error

import msgspec
from lxml.etree import LxmlError
from scrapy.utils.sitemap import Sitemap

from posterity.errors import PosterityError
from posterity.urls import canonical_url, is_http_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.fetch.conditional import Answer, Asker
    from posterity.model import Page

_MAX_PARTS = 20
_MARKERS = (b"<urlset", b"<sitemapindex")

Dated = dict[str, str | None]


class SitemapChanges(msgspec.Struct, frozen=True, kw_only=True):
    """Addresses with their last change, as the files that were asked for name them now, and what became of them."""

    named: Dated = {}
    new: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()

    @property
    def are_news(self) -> bool:
        """Tell whether the sitemaps say anything else than before."""
        return bool(self.new or self.edited or self.vanished)


async def sitemap_changes(asker: Asker, roots: Sequence[str], *, feed_has_news: bool) -> SitemapChanges:
    """Return what has changed in these sitemaps; when the feed has no news, only the first of them is asked for."""
    now: Dated = {}
    before: Dated = {}
    waiting = [(url, True) for url in (roots if feed_has_news else roots[:1])]
    asked = 0
    while waiting and asked < _MAX_PARTS:
        url, is_root = waiting.pop(0)
        answer = await _answer(asker, url)
        asked += 1
        if answer is None:
            continue
        if is_root and _is_index(answer.page):
            waiting += [(part, False) for part in _parts_to_ask(answer, feed_has_news=feed_has_news)]
        elif answer.is_modified or is_root:
            now |= _addresses(answer.page)
            before |= _addresses(answer.previous) if answer.previous else {}
    return SitemapChanges(
        named=now,
        new=tuple(url for url in now if url not in before),
        edited=tuple(url for url, changed in now.items() if url in before and changed and before[url] != changed),
        # A file that names nothing at all is a broken file, not a blog without posts.
        vanished=tuple(url for url in before if url not in now) if now else (),
    )


async def _answer(asker: Asker, url: str) -> Answer | None:
    """The answer, if it is a sitemap: a blog whose sitemap is broken can still be followed by its feed."""
    try:
        answer = await asker.ask(url)
    except PosterityError:
        return None
    return answer if answer.page.status == 200 and _entries(answer.page) is not None else None


def _parts_to_ask(answer: Answer, *, feed_has_news: bool) -> list[str]:
    """The parts whose date in the index is another one; those without a date, when anything else has changed."""
    now = _addresses(answer.page)
    before = _addresses(answer.previous) if answer.previous else {}
    stirred = feed_has_news or answer.is_modified
    return [url for url, changed in now.items() if (before.get(url) != changed if changed else stirred)]


def _is_index(page: Page) -> bool:
    return b"<sitemapindex" in _unpacked(page)[:2000]


def _addresses(page: Page) -> Dated:
    return {
        canonical_url(url): entry.get("lastmod") or None
        for entry in _entries(page) or ()
        if is_http_url(url := (entry.get("loc") or "").strip()) and urlsplit(url).path
    }


def _entries(page: Page) -> list[dict[str, str]] | None:
    """The entries of the file, None when it is none."""
    body = _unpacked(page)
    if not any(marker in body[:2000] for marker in _MARKERS):
        return None
    try:
        return list(Sitemap(body))
    except (LxmlError, ValueError):
        return None


def _unpacked(page: Page) -> bytes:
    try:
        return gzip.decompress(page.body) if page.body[:2] == b"\x1f\x8b" else page.body
    except (OSError, EOFError, zlib_error):
        return b""
