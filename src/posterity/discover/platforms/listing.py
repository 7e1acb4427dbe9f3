"""What a platform lists: posts, how many there are in all, and the protocol that every platform follows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from datetime import datetime
from typing import Protocol, TypeAlias

import msgspec

from posterity.dom import Document

MAX_PAGES = 500  # list pages of one blog: 50,000 posts where a page holds a hundred


class ListedPost(msgspec.Struct, frozen=True, kw_only=True):
    """A post as a platform lists it; the dates are aware and in UTC."""

    url: str
    title: str | None = None
    published: datetime | None = None
    updated: datetime | None = None
    comment_count: int | None = None


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """All posts that a platform listed, and the number of posts that it claims to have.

    `failed_pages` are list pages that could not be fetched or read although there should have been posts on them.
    """

    posts: tuple[ListedPost, ...] = ()
    total: int | None = None
    failed_pages: tuple[str, ...] = ()


class ChangeList(msgspec.Struct, frozen=True, kw_only=True):
    """A list of posts in the order of their last change: `url` in one request, `read` for the body of its response.

    A blog has it where the harvest could read `first_page`, the first page of the platform's list of all posts.
    """

    first_page: str
    url: str
    read: Callable[[bytes], list[ListedPost]]


# Yields the URL of the next list page and receives its body, or None where it could not be fetched.
Steps: TypeAlias = "Generator[str, bytes | None, Listing]"


class Platform(Protocol):
    """A blogging platform with a public way to list the posts of a blog."""

    name: str

    def detect(self, home: Document) -> bool:
        """Return whether the home page is of this platform, by its URL and its markup alone."""
        ...

    def listing(self, home: Document) -> Steps:
        """Walk the list pages of the blog: at most `MAX_PAGES`, and never an exception because of what they hold."""
        ...


class ListedPosts:
    """The posts found so far, each URL once, in the order of the list."""

    def __init__(self) -> None:
        self._posts: dict[str, ListedPost] = {}
        self.total: int | None = None
        self.items = 0  # on the list pages, readable or not: what an offset counts
        self.failed: list[str] = []

    def add(self, posts: Iterable[ListedPost | None]) -> bool:
        """Add what could be read of one list page; return whether a post was new."""
        before = len(self._posts)
        for post in posts:
            self.items += 1
            if post is not None:
                self._posts.setdefault(post.url, post)
        return len(self._posts) > before

    @property
    def is_complete(self) -> bool:
        """Whether as many items came as the platform claims to have."""
        return self.total is not None and self.items >= self.total

    def listing(self) -> Listing:
        """Return the result."""
        return Listing(posts=tuple(self._posts.values()), total=self.total, failed_pages=tuple(self.failed))
