"""Pairs of page and feed entry: what rules are learned from.

A feed's links and the pages' addresses rarely agree to the letter: redirects, canonical links, an old host name,
FeedBurner, a move to another platform. An entry is matched by its address, then by what a page declares as its
address, then by path alone when no other page has that path, then by a title that only one entry and one page have.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

from posterity.dom import parse
from posterity.dom.declared import declared_address
from posterity.errors import UnreadablePage
from posterity.learn.promised_text import Promise, promised_texts
from posterity.model import FeedEntry
from posterity.text.normal_form import letters_and_digits
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from posterity.dom import Document
    from posterity.model import Feed


# Shorter titles ("Links", "Home") are not one post's own.
_MIN_TITLE = 6


class Witness(msgspec.Struct, frozen=True):
    """A page's address, the feed entry about it, and what that entry promises of the article."""

    url: str
    entry: FeedEntry
    promise: Promise


def witnesses_of(feed: Feed, pages: Mapping[str, bytes | str], most: int) -> list[Witness]:
    """Return the feed's entries whose pages are there, newest first, no more than `most`."""
    pairs = matched_pages(feed.entries, pages)[:most]
    promises = promised_texts([entry for _, entry in pairs])
    return [Witness(url, entry, promise) for (url, entry), promise in zip(pairs, promises, strict=True)]


def matched_pages(entries: Iterable[FeedEntry], pages: Mapping[str, bytes | str]) -> list[tuple[str, FeedEntry]]:
    """Return (page address, entry) for every entry whose page is there; no page serves two entries."""
    entries = [entry for entry in entries if entry.link]
    found: dict[str, FeedEntry] = {}
    matched: set[int] = set()
    for index_of, key_of in (
        (_by_address, _address_key),
        (_by_declared_address, _address_key),
        (_by_path, _path_key),
        (_by_title, _title_key),
    ):
        rest = [entry for entry in entries if id(entry) not in matched]
        if not rest:
            break
        index = index_of({url: body for url, body in pages.items() if url not in found})
        twins = Counter(key_of(entry) for entry in rest) if index_of is _by_title else Counter()
        for entry in rest:
            url = index.get(key_of(entry))
            if url is not None and url not in found and twins[key_of(entry)] <= 1:
                found[url] = entry
                matched.add(id(entry))
    order = {id(entry): place for place, entry in enumerate(entries)}
    return sorted(found.items(), key=lambda pair: order[id(pair[1])])


def documents(witnesses: Iterable[Witness], pages: Mapping[str, bytes | str]) -> Iterator[tuple[Document, Witness]]:
    """Parse the pages one after the other: no more than one tree is held at a time. Unreadable ones are left out."""
    for witness in witnesses:
        try:
            document = parse(pages[witness.url], witness.url)
        except UnreadablePage:
            continue
        yield document, witness


def _by_address(pages: Mapping[str, bytes | str]) -> dict[str, str]:
    return {page_key(url): url for url in pages}


def _by_declared_address(pages: Mapping[str, bytes | str]) -> dict[str, str]:
    index: dict[str, str] = {}
    for url, body in pages.items():
        try:
            declared = declared_address(parse(body, url))
        except UnreadablePage:
            continue
        if declared:
            index.setdefault(page_key(declared), url)
    return index


def _by_path(pages: Mapping[str, bytes | str]) -> dict[str, str]:
    keys = {url: page_key(url, by_path=True) for url in pages}
    counts = Counter(keys.values())
    return {key: url for url, key in keys.items() if counts[key] == 1 and key != "/"}


def _by_title(pages: Mapping[str, bytes | str]) -> dict[str, str]:
    """Pages by their first heading, as far as it is theirs alone."""
    keys: dict[str, str] = {}
    for url, body in pages.items():
        try:
            heading = parse(body, url).first("h1")
        except UnreadablePage:
            continue
        if heading is not None:
            keys[url] = letters_and_digits(heading.plain(0))
    counts = Counter(keys.values())
    return {key: url for url, key in keys.items() if counts[key] == 1 and len(key) >= _MIN_TITLE}


def _address_key(entry: FeedEntry) -> str:
    return page_key(entry.link or "")


def _path_key(entry: FeedEntry) -> str:
    return page_key(entry.link or "", by_path=True)


def _title_key(entry: FeedEntry) -> str:
    return letters_and_digits(entry.title or "")


def page_key(url: str, *, by_path: bool = False) -> str:
    """Return an address without what its spellings vary in: scheme, www, trailing slash, index.html, escapes."""
    try:
        parts = urlsplit(canonical_url(url))
    except ValueError:  # an address that nobody could open: http://[::1
        return url
    path = unquote(parts.path).removesuffix("index.html").rstrip("/") or "/"
    local = path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return local if by_path else parts.netloc.removeprefix("www.") + local
