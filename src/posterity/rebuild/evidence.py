"""Pages to learn from, out of stored ones: those that the feed names, or those that say themselves that they are posts.

The same choice as of a crawl, with a look-up in place of a request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.discover.declared_entry import own_accounts
from posterity.discover.links import page_links
from posterity.discover.post_group import likely_posts_of
from posterity.learn.evidence import matched_pages
from posterity.model import Feed, FeedEntry, Page
from posterity.model.feed import NO_FEED
from posterity.urls import canonical_url, place_key
from posterity.urls.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from posterity.dom import Document
    from posterity.urls import Scope

    Lookup = Callable[[str], Page | None]

MAX_FEED_PAGES = 40
_MAX_SAMPLE = 12
# Enough to find again a feed's posts under other addresses, and a bound on what is held in memory.
_MAX_COMPARED = 400


class Evidence(msgspec.Struct, frozen=True):
    """Pages with what is said of them, by the blog's feed or by the pages themselves, and that feed."""

    pages: tuple[tuple[Page, FeedEntry], ...]
    feed: Feed


def evidence_from_feed(feed: Feed, find: Lookup, home_url: str, others: Iterable[Page]) -> Evidence:
    """Return the pages that the feed names.

    When none is where the feed says, the other pages are searched by what they declare, by path and by title: the
    feed of a blog that moved, or went through a redirector, still describes its posts.
    """
    found: list[tuple[Page, FeedEntry]] = []
    seen: set[str] = set()
    for entry in feed.entries:
        page = _page_of(entry, find, home_url) if entry.link else None
        if page is not None and page.url not in seen:
            seen.add(page.url)
            found.append((page, msgspec.structs.replace(entry, link=page.url)))
        if len(found) >= MAX_FEED_PAGES:
            break
    found = found or _found_elsewhere(feed, others)
    return Evidence(tuple(found), msgspec.structs.replace(feed, entries=tuple(entry for _, entry in found)))


def evidence_from_pages(home: Document | None, addresses: Iterable[str], scope: Scope, find: Lookup) -> Evidence | None:
    """Return a sample of the pages that look like posts, each with what it says of itself; None when none do."""
    home_key = place_key(home.url) if home is not None else ""
    links = [*(page_links(home) if home is not None else ()), *map(canonical_url, addresses)]
    usable = [url for url in links if not is_trap(url) and place_key(url) != home_key]
    likely = likely_posts_of(scope, usable)
    sample: dict[str, Page] = {}
    for page in _pages(likely, find):
        sample.setdefault(page.url, page)
        if len(sample) >= _MAX_SAMPLE:
            break
    found = own_accounts(sample.values())
    if len(found) < 2:
        return None
    url = home.url if home is not None else found[0][0].url
    entries = tuple(entry for _, entry in found)
    return Evidence(tuple(found), Feed(url=url, format=NO_FEED, home=url, entries=entries))


def _page_of(entry: FeedEntry, find: Lookup, home_url: str) -> Page | None:
    """The page at the entry's address, or at the same path of the blog's own host."""
    link = entry.link or ""
    own = urlsplit(home_url)
    here = urlsplit(link)._replace(scheme=own.scheme, netloc=own.netloc).geturl()
    return next(_pages((link, here), find), None)


def _pages(urls: Iterable[str], find: Lookup) -> Iterator[Page]:
    for url in urls:
        page = find(url)
        if page is not None and ("html" in page.content_type.lower() or not page.content_type):
            yield page


def _found_elsewhere(feed: Feed, others: Iterable[Page]) -> list[tuple[Page, FeedEntry]]:
    pages: dict[str, Page] = {}
    for page in others:
        pages[page.url] = page
        if len(pages) >= _MAX_COMPARED:
            break
    pairs = matched_pages(feed.entries, {url: page.body for url, page in pages.items()})[:MAX_FEED_PAGES]
    return [(pages[url], msgspec.structs.replace(entry, link=url)) for url, entry in pairs]
