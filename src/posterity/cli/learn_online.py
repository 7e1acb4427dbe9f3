"""A feed and its pages over HTTP, for `posterity learn ADDRESS`: a handful of requests, one after the other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from posterity.cli.fetch_page import fetch_feed, fetch_page
from posterity.cli.progress_count import watched
from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.feed_links import declared_feeds, usual_feeds
from posterity.dom import parse
from posterity.errors import NoFeed, PosterityError

if TYPE_CHECKING:
    from posterity.model import Feed

# More pages hardly teach more (fifteen are what benchmarks/feed_rules.py learns from), and each costs a pause.
ENOUGH_PAGES = 20


def feed_at(url: str) -> Feed:
    """Return the feed at the address, or the feed of the blog at the address."""
    page = fetch_feed(url)
    if looks_like_feed(page.body):
        return read_feed(page.body, page.url, page.content_type)
    document = parse(page.body, page.url, page.content_type)
    for place in [*declared_feeds(document), *usual_feeds(page.url)]:
        try:
            found = fetch_feed(place)
        except PosterityError:
            continue
        if looks_like_feed(found.body):
            return read_feed(found.body, found.url, found.content_type)
    raise NoFeed(f"{url} offers no feed that can be read. Give the feed's own address.")


def pages_online(feed: Feed, delay_s: float) -> dict[str, bytes]:
    """Return the first pages that the feed links to, by the address it gives; one that fails is named and left out."""
    pages: dict[str, bytes] = {}
    links = [entry.link for entry in feed.entries if entry.link][:ENOUGH_PAGES]
    for number, link in enumerate(watched(links, f"reading {urlsplit(links[0]).netloc}", "pages", total=len(links))):
        if number:
            time.sleep(delay_s)
        try:
            pages[link] = fetch_page(link).body
        except PosterityError as problem:
            click.echo(f"posterity: {problem}", err=True)
    return pages
