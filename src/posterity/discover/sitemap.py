"""Sitemaps (sitemaps.org 0.9): URL lists and indexes of them, as XML or plain text, packed or not.

A sitemap is read as far as it can be read: one bad entry costs that entry, a broken end costs what follows it.
"""

from __future__ import annotations

import gzip
import re
import zlib

import msgspec
from lxml import etree

from posterity.urls import canonical_url, is_http_url

_MAX_BYTES = 60_000_000  # sitemaps.org allows 50 MB unpacked
_TEXT_LINE = re.compile(rb"\s*https?://\S+\s*$")


class Sitemap(msgspec.Struct, frozen=True):
    """What one file lists: pages, or further sitemaps, each with its `lastmod`."""

    pages: dict[str, str | None] = {}
    sitemaps: dict[str, str | None] = {}


def read_sitemap(body: bytes) -> Sitemap | None:
    """Return what the file lists, or None when it is no sitemap."""
    body = _unpacked(body)
    head = body[:4000].lower()
    if b"<urlset" in head or b"<sitemapindex" in head or b":urlset" in head or b":sitemapindex" in head:
        return _read_xml(body)
    lines = body.splitlines()
    if lines and b"<" not in head and all(_TEXT_LINE.match(line) or not line.strip() for line in lines[:50]):
        urls = (line.decode("utf-8", "replace").strip() for line in lines)
        return Sitemap(pages={canonical_url(url): None for url in urls if is_http_url(url)})
    return None


def _unpacked(body: bytes) -> bytes:
    if body[:2] != b"\x1f\x8b":
        return body[:_MAX_BYTES]
    unpack = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        return unpack.decompress(body, _MAX_BYTES)
    except (zlib.error, gzip.BadGzipFile, EOFError):
        return b""


def _read_xml(body: bytes) -> Sitemap:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(body.lstrip(), parser)
    except (etree.LxmlError, ValueError):
        return Sitemap()
    pages: dict[str, str | None] = {}
    sitemaps: dict[str, str | None] = {}
    for entry in root if root is not None else ():
        fields = {_name(child): (child.text or "").strip() for child in entry}
        url = fields.get("loc", "")
        if not is_http_url(url):
            continue
        if _name(entry) == "sitemap":
            sitemaps.setdefault(url, fields.get("lastmod") or None)
        elif _name(entry) == "url":
            pages.setdefault(canonical_url(url), fields.get("lastmod") or None)
    return Sitemap(pages=pages, sitemaps=sitemaps)


def _name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
