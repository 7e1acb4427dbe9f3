"""The feed of a blog among stored pages, with the entries of its older pages and of its earlier states.

A feed lists the latest posts only; but whoever fetched it several times kept what it listed then, and that is evidence
as good as today's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.discover.feed import feed_on
from posterity.discover.feed_links import declared_feeds, usual_feeds
from posterity.discover.paged_feed import next_feed_page
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Document
    from posterity.model import Feed, FeedEntry
    from posterity.rebuild.shelf import Shelf
    from posterity.urls import Scope

_MAX_READ = 20
_MAX_VERSIONS = 200
_MAX_PAGES = 500
_COMMENTS = re.compile(r"comment|/replies", re.IGNORECASE)
_TO_COMMENT = re.compile(r"#(?:comment|c)[-\d]")


def best_feed(shelf: Shelf, home: Document | None, home_url: str, scope: Scope, known: str | None) -> Feed | None:
    """Return the blog's main feed, or None: the first that brings the texts of pages that are there, as when crawling.

    Without such a one, the feed that knows most of the pages.
    """
    poor: list[tuple[int, Feed]] = []
    for url in _addresses(shelf, home, home_url, scope, known)[:_MAX_READ]:
        feed = feed_on(shelf.page(url))
        if feed is None or _is_about_comments(feed):
            continue
        there = sum(entry.link is not None and shelf.leaf(entry.link) is not None for entry in feed.entries)
        if there and sum(entry.content is not None for entry in feed.entries) * 2 >= len(feed.entries):
            return _with_all_entries(feed, shelf)
        if feed.entries:
            poor.append((there, feed))
    found = max(poor, key=lambda pair: pair[0], default=None)
    return _with_all_entries(found[1], shelf) if found else None


def _addresses(shelf: Shelf, home: Document | None, home_url: str, scope: Scope, known: str | None) -> list[str]:
    """Where to look: what was known, what the home page declares, the usual places, then whatever looks like a feed."""
    named = [known] if known else []
    named += declared_feeds(home) if home is not None else []
    others = [
        leaf.url
        for leaf in shelf.leaves()
        if leaf.may_be_feed and scope.includes(leaf.url) and not _COMMENTS.search(urlsplit(leaf.url).path)
    ]
    others.sort(key=lambda url: (len(url), url))
    return [url for url in dict.fromkeys([*named, *usual_feeds(home_url), *others]) if shelf.leaf(url) is not None]


def _is_about_comments(feed: Feed) -> bool:
    links = [entry.link or "" for entry in feed.entries]
    return sum(_TO_COMMENT.search(link) is not None for link in links) * 2 > len(links)


def _with_all_entries(feed: Feed, shelf: Shelf) -> Feed:
    """The feed with what its further pages and its earlier states list, the latest word on every post first."""
    pages = [feed, *_further_pages(feed, shelf)]
    earlier = (feed_on(shelf.read(leaf)) for leaf in shelf.versions(feed.url)[1:_MAX_VERSIONS])
    states = [*pages, *(state for state in earlier if state is not None)]
    return msgspec.structs.replace(feed, entries=_each_once(entry for state in states for entry in state.entries))


def _further_pages(feed: Feed, shelf: Shelf) -> list[Feed]:
    pages: list[Feed] = []
    seen, read = len(feed.entries), {place_key(feed.url)}
    for number in range(1, _MAX_PAGES):
        url = next_feed_page(pages[-1] if pages else feed, number, seen)
        page = feed_on(shelf.page(url)) if url and place_key(url) not in read else None
        if page is None:
            break
        read.add(place_key(url or ""))
        seen += len(page.entries)
        pages.append(page)
    return pages


def _each_once(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    found: dict[str, FeedEntry] = {}
    for entry in entries:
        found.setdefault(place_key(entry.link) if entry.link else f"{entry.guid} {entry.title}", entry)
    return tuple(found.values())
