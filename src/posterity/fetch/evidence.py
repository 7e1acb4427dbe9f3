"""Pages to learn from: those that the feed links to, or, without a feed of use, those that the blog's links suggest."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.discover.declared_entry import own_accounts
from posterity.discover.links import page_links
from posterity.discover.post_group import likely_posts_of
from posterity.dom import parse
from posterity.errors import PosterityError
from posterity.extract import Context, extract_posts
from posterity.fetch.downloading import fetch_page, rejection
from posterity.identify.kind_of_page import kind_of_page
from posterity.model import Feed, FeedEntry, Page
from posterity.model.feed import NO_FEED
from posterity.urls import canonical_url
from posterity.urls.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy.crawler import Crawler

    from posterity.model import Rejected
    from posterity.urls import Scope
    from posterity.urls.slash_habit import SlashHabit

_MAX_FEED_PAGES = 40
_MAX_SAMPLE = 12
_FIRST = 3
# Posts of 38 real blogs that are recognised without rules have .54 to 1.0, nine in ten of them more than this.
_SURELY_A_POST = 0.75


class Evidence(msgspec.Struct, frozen=True):
    """Pages with what is said of them, by the blog's feed or by the pages themselves, and that feed."""

    pages: tuple[tuple[Page, FeedEntry], ...]
    feed: Feed


class Gatherer:
    """Fetches evidence inside a crawl; `usable` counts a page and judges it, `reject` hears of failures."""

    def __init__(
        self,
        crawler: Crawler,
        usable: Callable[[Page], bool],
        reject: Callable[[Rejected], None],
        slashes: SlashHabit,
    ) -> None:
        self.crawler, self.usable, self.reject, self.slashes = crawler, usable, reject, slashes

    async def from_feed(self, feed: Feed, home: Page) -> Evidence:
        """Return the pages that the feed links to; one that fails is noted and the others go on."""
        links = {canonical_url(entry.link): entry for entry in feed.entries if entry.link}
        chosen = dict(list(links.items())[:_MAX_FEED_PAGES])
        pages = await self._pages(list(chosen), home)
        found = [(page, entry) for page, entry in zip(pages, chosen.values(), strict=True) if page is not None]
        # The feed's own links may lead through redirects; rules are learned for where they end.
        entries = {id(entry): msgspec.structs.replace(entry, link=page.url) for page, entry in found}
        return Evidence(
            pages=tuple((page, entries[id(entry)]) for page, entry in found),
            feed=msgspec.structs.replace(feed, entries=tuple(entries.values())),
        )

    async def from_links(self, home: Page, scope: Scope, addresses: Iterable[str]) -> Evidence | None:
        """Return a sample of the pages that look like posts, each with what it says of itself; None when none do.

        Where nothing around it can be reached, a page that surely is a post stands for itself.
        """
        links = [*page_links(parse(home.body, home.url, home.content_type)), *addresses]
        usable = [url for url in links if not is_trap(url) and url != canonical_url(home.url)]
        pages = await self._pages(likely_posts_of(scope, usable)[:_MAX_SAMPLE], home)
        found = own_accounts(page for page in pages if page is not None)
        if len(found) < 2:
            found = _on_its_own(home)
        if not found:
            return None
        feed = Feed(url=home.url, format=NO_FEED, home=home.url, entries=tuple(entry for _, entry in found))
        return Evidence(pages=tuple(found), feed=feed)

    async def _pages(self, urls: list[str], home: Page) -> list[Page | None]:
        """The pages, a few before all others: they show whether the host spells its addresses in another way."""
        first = await asyncio.gather(*(self._page(url, home) for url in urls[:_FIRST]))
        others = await asyncio.gather(*(self._page(url, home) for url in urls[_FIRST:]))
        return [*first, *others]

    async def _page(self, url: str, home: Page) -> Page | None:
        """The page at the address; where its host is gone, the page at the same path of the blog's own host."""
        page = await self._try(url)
        if page is None and urlsplit(url).netloc != urlsplit(home.url).netloc:
            own = urlsplit(home.url)
            page = await self._try(urlsplit(url)._replace(scheme=own.scheme, netloc=own.netloc).geturl())
        return page

    async def _try(self, url: str) -> Page | None:
        try:
            page = await fetch_page(self.crawler, self.slashes.spelled(url))
        except PosterityError as problem:
            self.reject(rejection(problem, url))
            return None
        return page if self.usable(page) else None


def _on_its_own(home: Page) -> list[tuple[Page, FeedEntry]]:
    """The page with what can be read off it without rules, if it is a post; the front page of a host never is."""
    document = parse(home.body, home.url, home.content_type)
    kind, confidence = kind_of_page(document)
    if kind != "post" or confidence < _SURELY_A_POST or not urlsplit(home.url).path.strip("/"):
        return []
    return [
        (home, FeedEntry(link=home.url, title=post.title, content=post.html, published=post.published))
        for post in extract_posts(document, context=Context(fetched_at=home.fetched_at))[:1]
    ]
