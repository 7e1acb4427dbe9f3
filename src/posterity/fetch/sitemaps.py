"""Sitemaps of a blog: named in robots.txt or at the usual places, nested, packed, with the dates of last change."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from zlib import error as zlib_error

from lxml.etree import LxmlError
from scrapy.utils.sitemap import Sitemap

from posterity.errors import PosterityError
from posterity.fetch.downloading import fetch_found_page
from posterity.fetch.robots import RobotsMiddleware
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.model import Page

_MAX_FILES = 200
# Parts of a sitemap that WordPress and its plugins make for other things than posts.
_NOT_POSTS = re.compile(
    r"categor|tag|author|user|attachment|image|video|product|page-sitemap|posts-page", re.IGNORECASE
)


async def sitemap_addresses(crawler: Crawler, home: Page) -> dict[str, str | None]:
    """Return the addresses that the blog's sitemaps name, with their last change; none when there is no sitemap."""
    robots = crawler.get_downloader_middleware(RobotsMiddleware)
    found = await _read_all(crawler, robots.sitemaps(home.url) if robots else [])
    for place in _usual_places(home) if not found else ():
        found = await _read_all(crawler, [urljoin(home.url, place)])
        if found:
            break
    return found


def _usual_places(home: Page) -> list[str]:
    """WordPress and its plugins have places of their own; asking everybody for them would be impolite."""
    places = ["/sitemap.xml"]
    return [*places, "/wp-sitemap.xml", "/sitemap_index.xml"] if b"/wp-content/" in home.body else places


async def _read_all(crawler: Crawler, urls: list[str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    waiting, seen = list(urls), set(urls)
    while waiting and len(seen) < _MAX_FILES:
        sitemap = await _read(crawler, waiting.pop(0))
        for entry in sitemap or ():
            url = (entry.get("loc") or "").strip()
            if not url or _is_bad(url):
                continue
            if sitemap is not None and sitemap.type == "sitemapindex":
                if url not in seen and not _NOT_POSTS.search(urlsplit(url).path):
                    seen.add(url)
                    waiting.append(url)
            else:
                found.setdefault(canonical_url(url), entry.get("lastmod"))
    return found


async def _read(crawler: Crawler, url: str) -> Sitemap | None:
    """One file, unpacked; what is not a sitemap is none."""
    try:
        page = await fetch_found_page(crawler, url)
        body = gzip.decompress(page.body) if page.body[:2] == b"\x1f\x8b" else page.body
        if b"<urlset" not in body[:2000] and b"<sitemapindex" not in body[:2000]:
            return None
        return Sitemap(body)
    except (PosterityError, OSError, EOFError, zlib_error, LxmlError, ValueError):
        return None


def _is_bad(url: str) -> bool:
    try:
        return urlsplit(url).scheme not in ("http", "https")
    except ValueError:
        return True
