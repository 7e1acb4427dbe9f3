"""What a blog lists itself besides its feeds: sitemaps, the lists of its platform, older pages of its feeds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urljoin, urlsplit

from posterity.blog.page_source import PageSource, page_or_none
from posterity.discover.feed import feed_on, next_feed_page
from posterity.discover.platforms import Listing, platforms_of
from posterity.discover.sitemap import Sitemap, read_sitemap
from posterity.text.normal_form import count_of
from posterity.urls import canonical_url, place_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from posterity.dom import Document
    from posterity.model import Feed, Page

# Hears what of a list could not be read, and whether trying again may help.
Note: TypeAlias = "Callable[[str, bool], None]"
_GONE = (404, 410)
_MAX_FILES = 200
_MAX_URLS = 1_000_000  # 200 files of a few hundred kilobytes unpack to 40 million
_MAX_FEED_PAGES = 500
# Parts of a sitemap that WordPress and its plugins make for other things than posts.
_NOT_POSTS = re.compile(
    r"categor|tag|author|user|attachment|image|video|product|page-sitemap|posts-page", re.IGNORECASE
)
# And those for posts: post-sitemap2.xml, wp-sitemap-posts-post-1.xml, sitemap-pt-post-2017-06.xml, sitemap-posts.xml.
_POSTS = re.compile(r"(?:^|[_-])posts?(?:[_.-]|\d|$)[^/]*$", re.IGNORECASE)


async def sitemap_urls(source: PageSource, home_url: str, home: Page | None, note: Note) -> dict[str, bool]:
    """Return the URLs that the blog's sitemaps name, and whether as posts; none when there is no sitemap.

    A part of a sitemap that cannot be had is noted: what it lists is not known.
    """
    found = await _read_all(source, home_url, source.sitemaps(home_url), note)
    for place in _usual_places(home_url, home) if not found else ():
        found = await _read_all(source, home_url, [place], note)
        if found:
            break
    return found


def _usual_places(home_url: str, home: Page | None) -> list[str]:
    """WordPress and its plugins have places of their own, and a blog in a folder may have its sitemap there."""
    names = ["sitemap.xml"]
    if home is not None and b"/wp-content/" in home.body:
        names += ["wp-sitemap.xml", "sitemap_index.xml"]
    folder, root = urljoin(home_url, "."), urljoin(home_url, "/")
    return list(dict.fromkeys(urljoin(place, name) for place in (root, folder) for name in names))


async def _read_all(source: PageSource, home_url: str, urls: Iterable[str], note: Note) -> dict[str, bool]:
    found: dict[str, bool] = {}
    waiting = list(dict.fromkeys(urls))
    seen, parts = set(waiting), set[str]()
    for _ in range(_MAX_FILES):
        if not waiting or len(found) >= _MAX_URLS:
            break
        part = waiting.pop(0)
        page = await page_or_none(source, part)
        own_part = urljoin(home_url, urlsplit(part)._replace(scheme="", netloc="").geturl())
        if (page is None or page.status >= 400) and own_part != part:  # a copy names the parts of its original
            page = await page_or_none(source, own_part)
        sitemap = _sitemap_on(page) if page is not None and page.status < 400 else None
        if sitemap is None:
            if part in parts:
                is_gone = page is not None and page.status in _GONE
                note(f"the part {part} of its sitemap {'is gone' if is_gone else 'could not be read'}", not is_gone)
            continue
        are_posts = part in parts and _POSTS.search(urlsplit(part).path.rpartition("/")[2]) is not None
        found |= {url: are_posts or found.get(url, False) for url in sitemap.pages}
        new = [url for url in sitemap.sitemaps if url not in seen and not _NOT_POSTS.search(urlsplit(url).path)]
        seen.update(new)
        parts.update(new)
        waiting += new
    if waiting:
        note(
            f"{count_of(len(waiting), 'part')} of its sitemaps, such as {waiting[0]}, were left out as too many", False
        )
    return found


def _sitemap_on(page: Page) -> Sitemap | None:
    """The sitemap on a page; sitemaps.org allows a feed in place of one, and Nikola names its feeds in the index."""
    sitemap, feed = read_sitemap(page.body, page.url), feed_on(page)
    if sitemap is not None or feed is None:
        return sitemap
    changes = {entry.link: entry.updated or entry.published for entry in feed.entries if entry.link}
    return Sitemap(pages={canonical_url(url): when.isoformat() if when else None for url, when in changes.items()})


async def older_entries(source: PageSource, feed: Feed) -> AsyncIterator[Feed]:
    """Yield the older pages of a paged feed, until one brings no entry that an earlier page did not have."""
    seen = {place_key(entry.link) for entry in feed.entries if entry.link}
    count = len(feed.entries)
    asked = {place_key(feed.url)}
    for number in range(1, _MAX_FEED_PAGES):
        url = next_feed_page(feed, number, count)
        if url is None or place_key(url) in asked:
            return
        asked.add(place_key(url))
        page = await _feed_page(source, url)
        if page is None:
            return
        new = {place_key(entry.link) for entry in page.entries if entry.link} - seen
        if not new:
            return
        seen |= new
        count += len(page.entries)
        yield page
        feed = page if page.next_url or not feed.next_url else feed


async def _feed_page(source: PageSource, url: str) -> Feed | None:
    page = await page_or_none(source, url)
    return feed_on(page) if page is not None and page.status < 400 else None


async def platform_posts(source: PageSource, home: Document, note: Note) -> AsyncIterator[str]:
    """Yield the posts that the blog's platform lists; what it announces beyond what could be read is noted."""
    for platform in platforms_of(home):
        listing = platform.listing(home)
        try:
            url = next(listing)
            while True:
                page = await page_or_none(source, url)
                url = listing.send(page.body if page is not None and page.status < 400 else None)
        except StopIteration as end:
            found: Listing = end.value
        for post in found.posts:
            yield canonical_url(post.url)
        if found.posts and found.total is not None and found.total > len(found.posts):
            note(
                f"{platform.name} announces {count_of(found.total, 'post')} and lists {len(found.posts)} of them", True
            )


def links_of(feed: Feed) -> list[str]:
    """Return the canonical URLs of the feed's entries."""
    return [canonical_url(entry.link) for entry in feed.entries if entry.link]
