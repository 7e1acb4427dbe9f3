"""Sitemaps (sitemaps.org 0.9): lists of URLs and indexes of lists, as XML or plain text, gzipped or not.

Reading is lenient: a bad entry is skipped, and a truncated file is read up to the error.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from urllib.parse import urlsplit

import msgspec
from lxml import etree

from posterity.discover.feed import feed_on, join_url
from posterity.model import Page
from posterity.urls import canonical_url, is_http_url

_MAX_BYTES = 60_000_000  # sitemaps.org allows 50 MB unpacked
_MAX_ENTRIES = 200_000  # sitemaps.org allows 50,000
_MAX_ELEMENTS = 1_000_000  # entries have three or four, those with images ten
_CHUNK = 64 * 1024
_GZIP, _MAX_MEMBERS = b"\x1f\x8b", 100
_FIELD_DEPTH = 2  # below the root and the entry
_LINE = re.compile(rb"\S[^\r\n]*(?<!\s)")
_TEXT_LINE = re.compile(rb"https?://\S+")


class Sitemap(msgspec.Struct, frozen=True):
    """The contents of one file: pages and further sitemaps, each with its `lastmod`."""

    pages: dict[str, str | None] = {}
    sitemaps: dict[str, str | None] = {}

    @property
    def parts_with_posts(self) -> list[str]:
        """The further sitemaps, without those whose names show that they list no posts."""
        return [url for url in self.sitemaps if not _NOT_POSTS.search(urlsplit(url).path)]


# Parts that WordPress and its plugins make for pages other than posts.
_NOT_POSTS = re.compile(
    r"categor|tag|author|user|attachment|image|video|product|page-sitemap|posts-page|archives-sitemap|sitemap-archives",
    re.IGNORECASE,
)
# Parts for posts: post-sitemap2.xml, wp-sitemap-posts-post-1.xml, sitemap-pt-post-2017-06.xml, sitemap-posts.xml.
_POSTS = re.compile(r"(?:^|[_-])posts?(?:[_.-]|\d|$)[^/]*$", re.IGNORECASE)


def lists_posts(url: str) -> bool:
    """Return whether a part of a sitemap lists only posts, by its name."""
    return _POSTS.search(urlsplit(url).path.rpartition("/")[2]) is not None


def sitemap_on(page: Page) -> Sitemap | None:
    """Return the sitemap on a page, or None.

    A feed counts as a sitemap: sitemaps.org allows it, and Nikola lists its feeds in the index.
    """
    sitemap, feed = read_sitemap(page.body, page.url), feed_on(page)
    if sitemap is not None or feed is None:
        return sitemap
    changes = {entry.link: entry.updated or entry.published for entry in feed.entries if entry.link}
    return Sitemap(pages={canonical_url(url): when.isoformat() if when else None for url, when in changes.items()})


def read_sitemap(body: bytes, url: str = "") -> Sitemap | None:
    """Return the contents of the file at this URL, or None if it is not a sitemap.

    The standard requires absolute URLs; paths, as in static copies of a blog, are resolved against `url`.
    """
    body = _unpack(body)
    head = body[:4000].lower()
    if b"<urlset" in head or b"<sitemapindex" in head or b":urlset" in head or b":sitemapindex" in head:
        return _read_xml(body, url)
    first = [found[0] for found in islice(_LINE.finditer(body), 50)]
    if first and b"<" not in head and all(map(_TEXT_LINE.fullmatch, first)):
        lines = (found[0].decode("utf-8", "replace") for found in _LINE.finditer(body))
        urls = islice((line for line in lines if is_http_url(line)), _MAX_ENTRIES)
        return Sitemap(pages={canonical_url(url): None for url in urls})
    return None


def _unpack(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body[:_MAX_BYTES]
    unpacked = b""
    for _ in range(_MAX_MEMBERS):
        unpack = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        with suppress(zlib.error):
            unpacked += unpack.decompress(body, _MAX_BYTES - len(unpacked))
        body = unpack.unused_data
        if not body.startswith(_GZIP) or len(unpacked) >= _MAX_BYTES:
            break
    return unpacked


def _read_xml(body: bytes, base_url: str) -> Sitemap:
    pages: dict[str, str | None] = {}
    sitemaps: dict[str, str | None] = {}
    for name, fields in _entries(body.lstrip()):
        url = join_url(base_url, fields.get("loc"))
        if url is None:
            continue
        if name == "sitemap":
            sitemaps.setdefault(url, fields.get("lastmod") or None)
        elif name == "url":
            pages.setdefault(canonical_url(url), fields.get("lastmod") or None)
        if len(pages) + len(sitemaps) >= _MAX_ENTRIES:
            break
    return Sitemap(pages=pages, sitemaps=sitemaps)


def _entries(body: bytes) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the name and fields of every entry, without a tree, which would take gigabytes for a hostile file."""
    parser = etree.XMLPullParser(
        events=("start", "end"), recover=True, resolve_entities=False, no_network=True, remove_comments=True
    )
    depth = elements = 0
    fields: dict[str, str] = {}
    for start in range(0, len(body) + _CHUNK, _CHUNK):
        try:
            parser.feed(body[start : start + _CHUNK]) if start < len(body) else parser.close()
        except (etree.LxmlError, ValueError):
            return
        for event, element in parser.read_events():
            depth += 1 if event == "start" else -1
            if event == "start" or depth < 1:
                continue
            elements += 1
            if elements > _MAX_ELEMENTS:
                return
            if depth == _FIELD_DEPTH:
                fields[_name(element)] = (element.text or "").strip()
            elif depth < _FIELD_DEPTH:
                yield _name(element), fields
                fields = {}
            # The parser still uses the element itself, but not its previous siblings.
            element.clear()
            before = element.getprevious()
            if before is not None:
                before.getparent().remove(before)


def _name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
