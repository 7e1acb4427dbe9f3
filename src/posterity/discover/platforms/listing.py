"""The listing of a platform (posts and their total), and the protocol that every platform follows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from datetime import datetime
from typing import NamedTuple, Protocol, TypeAlias

import msgspec

from posterity.discover.platforms import values
from posterity.discover.sitemap import Sitemap, read_sitemap
from posterity.dom import Document

MAX_PAGES = 500  # list pages of one blog: 50,000 posts with a hundred per page
_MAX_MISSES = 2  # pages in a row


class ListedPost(msgspec.Struct, frozen=True, kw_only=True):
    """A post in a platform's list; dates are aware and in UTC."""

    url: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    published: datetime | None = None
    updated: datetime | None = None
    comment_count: int | None = None


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """All posts that a platform listed, and the total that it claims.

    `failed_pages` are list pages that should have had posts but could not be fetched or read.
    """

    posts: tuple[ListedPost, ...] = ()
    total: int | None = None
    failed_pages: tuple[str, ...] = ()


class ChangeList(msgspec.Struct, frozen=True, kw_only=True):
    """A list of posts by last change: the URL of its only request, and the function that reads the response.

    A blog has it if the harvest could read `first_page`, the first page of the platform's list of all posts.
    """

    first_page: str
    url: str
    read: Callable[[bytes], list[ListedPost]]


# Yields the URL of the next list page and is sent its body, or None if it could not be fetched.
Steps: TypeAlias = "Generator[str, bytes | None, Listing]"


class Platform(Protocol):
    """A blogging platform that publicly lists the posts of a blog."""

    name: str

    def detect(self, home: Document) -> bool:
        """Return whether the home page is on this platform, by its URL and markup."""
        ...

    def listing(self, home: Document) -> Steps:
        """Walk at most `MAX_PAGES` list pages of the blog; never raises because of their contents."""
        ...


def post_of(
    item: object, url: str | None, *, title: str = "title", published: str, updated: str, comments: str = ""
) -> ListedPost | None:
    """Return the post of an item, whose members are given as paths ("title.rendered"); None without a URL."""
    if not url:
        return None
    return ListedPost(
        url=url,
        title=values.text_of_html(values.member(item, *title.split("."))),
        published=values.moment_of(values.member(item, *published.split("."))),
        updated=values.moment_of(values.member(item, *updated.split("."))),
        comment_count=values.count_of(values.member(item, *comments.split("."))) if comments else None,
    )


class ListedPosts:
    """The posts found so far, without duplicate URLs, in the order of the list."""

    def __init__(self) -> None:
        self._posts: dict[str, ListedPost] = {}
        self.total: int | None = None
        self.items = 0  # including unreadable ones, because offsets count them
        self.failed: list[str] = []

    def add(self, posts: Iterable[ListedPost | None]) -> bool:
        """Add the posts of one list page, None for unreadable ones; return whether any was new."""
        before = len(self._posts)
        for post in posts:
            self.items += 1
            if post is not None:
                self._posts.setdefault(post.url, post)
        return len(self._posts) > before

    @property
    def is_complete(self) -> bool:
        """Whether the claimed total has been reached."""
        return self.total is not None and self.items >= self.total

    def listing(self) -> Listing:
        """Return the posts found so far as a `Listing`."""
        return Listing(posts=tuple(self._posts.values()), total=self.total, failed_pages=tuple(self.failed))


class NumberedPage(NamedTuple):
    """The posts of a list page requested by offset, and the blog's total."""

    posts: list[ListedPost | None]
    total: int | None


def walk_by_number(
    page_at: Callable[[int], str | None], read: Callable[[bytes | None, str], NumberedPage | None], size: int
) -> Steps:
    """Walk list pages by offset up to the total. A failed page is skipped if earlier pages gave the total."""
    found = ListedPosts()
    before, misses = 0, 0
    for _ in range(MAX_PAGES):
        url = page_at(before)
        if url is None:
            break
        page = read((yield url), url)
        if page is None:
            found.failed.append(url)
            misses += 1
            before += size
            if found.total is None or before >= found.total or misses > _MAX_MISSES:
                break
            continue
        misses, found.total = 0, page.total
        before += len(page.posts)
        if not found.add(page.posts) or (page.total and before >= page.total):
            break
    return found.listing()


def walk_sitemaps(
    urls: Iterable[str | None],
    is_post: Callable[[str, str | None, str], bool],
    is_wanted: Callable[[str], bool] = lambda _: True,
) -> Steps:
    """List the posts in these sitemaps and the sitemaps that they name, for platforms without another list.

    `is_post` gets a URL, its `lastmod` and the URL of the sitemap; `is_wanted` gets the URL of a sitemap.
    """
    found = ListedPosts()
    queue = [url for url in urls if url]
    known = set(queue)
    for asked, place in enumerate(queue):  # grows in the loop
        if asked >= MAX_PAGES:
            break
        body = yield place
        sitemap = read_sitemap(body or b"", place) or Sitemap()
        if not sitemap.pages and not sitemap.sitemaps:
            found.failed.append(place)
        pages = ((url, changed) for url, changed in sitemap.pages.items() if values.host_of(url))
        found.add(ListedPost(url=url, updated=values.moment_of(at)) for url, at in pages if is_post(url, at, place))
        new = [url for url in sitemap.sitemaps if values.host_of(url) and url not in known and is_wanted(url)]
        known.update(new)
        queue += new
    return found.listing()
