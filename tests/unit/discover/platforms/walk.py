"""Walks a platform's listing over a test's pages, as the crawler does on the web."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.dom import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from posterity.discover.platforms import Listing, Platform


def walk(
    platform: Platform, home_url: str, pages: Mapping[str, object] | Callable[[str], object], markup: str = ""
) -> tuple[Listing, list[str]]:
    """Return the listing and the requested URLs; the body of a missing page is None."""
    steps = platform.listing(parse(f"<html><head></head><body>{markup}</body></html>", home_url))
    respond = pages if callable(pages) else pages.get
    asked: list[str] = []
    body: bytes | None = None
    while True:
        try:
            url = steps.send(body) if asked else next(steps)
        except StopIteration as end:
            return end.value, asked
        asked.append(url)
        page = respond(url)
        body = page if page is None or isinstance(page, bytes) else msgspec.json.encode(page)


def urls(listing: Listing) -> list[str]:
    return [post.url for post in listing.posts]


def sitemap(*locs: str, lastmod: str = "2024-05-06T07:08:09.000Z", extra: str = "") -> bytes:
    entries = "".join(f"<url><loc>{loc}</loc><lastmod>{lastmod}</lastmod>{extra}</url>" for loc in locs)
    return (
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    )


def sitemap_index(*locs: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"<sitemapindex>{entries}</sitemapindex>".encode()
