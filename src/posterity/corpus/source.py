"""What an export is made of: posts, the blogs they are of, the archive behind them, and the state it is in."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.archive import Archive
    from posterity.model import Blog, Post

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"  # reproducible-builds.org: the time that a build should claim


class Source:
    """Posts that are read once, from first to last; `made_at` stands for "now" in whatever is written."""

    def __init__(
        self, archive: Archive, posts: Iterable[Post], blogs: tuple[Blog, ...], made_at: datetime, part: str = ""
    ) -> None:
        self.archive = archive
        self.part = part
        self.posts = posts
        self.blogs = blogs
        self.made_at = made_at
        self._by_id = {blog.id: blog for blog in blogs}

    def of(self, posts: Iterable[Post], blogs: tuple[Blog, ...], part: str = "") -> Source:
        """The same source with other posts; `part` names which of the blog's they are, such as those of a year."""
        return Source(self.archive, posts, blogs, self.made_at, part or self.part)

    def blog_of(self, post: Post) -> Blog | None:
        """The blog of a post, if it is known."""
        return self._by_id.get(post.blog or "")

    @property
    def name(self) -> str:
        """What the whole is called: the blog's title, or how many blogs there are."""
        if len(self.blogs) == 1:
            return blog_title(self.blogs[0])
        return f"{len(self.blogs)} blogs"

    @property
    def title(self) -> str:
        """The name, and which part of it this is."""
        return f"{self.name}, {self.part}" if self.part else self.name

    @property
    def language(self) -> str | None:
        """The language, if all blogs have the same."""
        languages = {blog.language for blog in self.blogs}
        return languages.pop() if len(languages) == 1 else None


def blog_title(blog: Blog) -> str:
    """Return the title of a blog, or its host."""
    return blog.title or urlsplit(blog.url).netloc


def newest_state(blogs: Iterable[Blog]) -> datetime:
    """Return when the blogs were last looked at, or what $SOURCE_DATE_EPOCH says: an export names no other time.

    So the same archive gives the same bytes whenever it is exported.
    """
    if said := os.environ.get(_EPOCH_VARIABLE):
        try:
            return datetime.fromtimestamp(int(said), UTC)
        except (ValueError, OverflowError, OSError) as problem:
            raise InputError(f"${_EPOCH_VARIABLE} is {said!r}, not a number of seconds since 1970.") from problem
    times = [time for blog in blogs for time in (blog.harvested_at, blog.updated_at) if time is not None]
    return max(times, default=_EPOCH).astimezone(UTC).replace(microsecond=0)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a manifest says of one blog."""

    id: str
    url: str
    title: str | None = None
    feed_url: str | None = None
    language: str | None = None
    harvested_at: datetime | None = None
    updated_at: datetime | None = None
    posts: int = 0
    comments: int = 0
