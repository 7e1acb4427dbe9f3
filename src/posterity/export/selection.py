"""The posts of an export (`select_posts`), what writers receive (`Source`), and the date formats they share."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.errors import InputError
from posterity.extraction.selection import Selection
from posterity.model.post import Precision, aware
from posterity.text.normal_form import count_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.archive import Archive
    from posterity.archive.history import EarlierStates, GoneSince
    from posterity.model import Blog, Post

ALL_POSTS = Selection()


def blog_by_blog(archive: Archive, selection: Selection) -> Selection:
    """Return the selection with every blog named, so that its posts are grouped by blog."""
    if selection.blogs:
        return selection
    return msgspec.structs.replace(selection, blogs=tuple(blog.id for blog in archive.blogs()))


def select_posts(archive: Archive, selection: Selection) -> Iterator[Post]:
    """Yield the posts in order of publication, undated ones last; grouped by blog if the selection names blogs."""
    # Two names may refer to the same blog.
    ids = dict.fromkeys(archive.blog(name).id for name in selection.blogs)
    found = chain.from_iterable(map(archive.posts_of, ids)) if ids else archive.posts()
    yield from filter(selection.fits, found)


_EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"  # reproducible-builds.org: the time of a reproducible build


@dataclass(eq=False)
class Source:
    """The input of a format's writer: posts that can be iterated once, and facts about them.

    `made_at` is used wherever a format needs the current time. `part` names the part of a split export, such as a year.
    """

    archive: Archive
    posts: Iterable[Post]
    blogs: tuple[Blog, ...]
    made_at: datetime
    part: str = ""
    _: KW_ONLY
    # Whether a table may contain cells that a spreadsheet runs as formulas.
    raw_cells: bool = False
    # Whether earlier revisions are written too.
    history: bool = False
    _gone: dict[str, dict[str, GoneSince]] = field(default_factory=dict, init=False)

    def of(self, posts: Iterable[Post], blogs: tuple[Blog, ...], part: str = "") -> Source:
        """Return a source with other posts and otherwise the same settings."""
        return replace(self, posts=posts, blogs=blogs, part=part or self.part)

    def gone_since(self, post: Post) -> GoneSince | None:
        """Return since when the blog no longer shows the post; None if it still does."""
        from posterity.archive.history import GoneSince  # not part of the core installation

        blog = post.blog or ""
        if blog not in self._gone:
            tombstones = self.archive.tombstones(blog) if blog else []
            self._gone[blog] = {each.id: GoneSince(at=each.gone_at, status=each.status) for each in tombstones}
        return self._gone[blog].get(post.id)

    def earlier_states(self, post: Post) -> EarlierStates | None:
        """Return the history of the post, if the export includes it and there is any."""
        from posterity.archive.history import earlier_states  # not part of the core installation

        if not self.history:
            return None
        found = earlier_states(self.archive.history(post.id))
        return found if found.revisions or found.events else None

    def blog_of(self, post: Post) -> Blog | None:
        """Return the blog of a post, if it is known."""
        return self._by_id.get(post.blog or "")

    @cached_property
    def _by_id(self) -> dict[str, Blog]:
        return {blog.id: blog for blog in self.blogs}

    @property
    def name(self) -> str:
        """The blog's title, or the number of blogs."""
        if len(self.blogs) == 1:
            return blog_title(self.blogs[0])
        return count_of(len(self.blogs), "blog")

    @property
    def title(self) -> str:
        """The name, followed by that of the part."""
        return f"{self.name}, {self.part}" if self.part else self.name

    @property
    def language(self) -> str | None:
        """The language of the blogs, if they all have the same."""
        languages = {blog.language for blog in self.blogs}
        return languages.pop() if len(languages) == 1 else None


def blog_title(blog: Blog) -> str:
    """Return the title of a blog, or its host."""
    return blog.title or urlsplit(blog.url).netloc


def newest_state(blogs: Iterable[Blog]) -> datetime:
    """Return the time of the last visit to the blogs, or $SOURCE_DATE_EPOCH.

    Exports contain no other time, so the same archive always gives the same bytes.
    """
    if epoch := os.environ.get(_EPOCH_VARIABLE):
        try:
            return datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError) as problem:
            raise InputError(f"${_EPOCH_VARIABLE} is {epoch!r}, not a number of seconds since 1970.") from problem
    times = [time for blog in blogs for time in (blog.harvested_at, blog.updated_at) if time is not None]
    return max(times, default=datetime(1970, 1, 1, tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)


class BlogFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a manifest about one blog."""

    id: str
    url: str
    title: str | None = None
    feed_url: str | None = None
    language: str | None = None
    harvested_at: datetime | None = None
    updated_at: datetime | None = None
    posts: int = 0
    comments: int = 0


def written_date(moment: datetime | None, precision: Precision | None) -> str | None:
    """Return the date in ISO 8601, no more exact than its precision; None without a date."""
    if moment is None:
        return None
    if precision in ("month", "year"):
        return f"{moment:%Y-%m}" if precision == "month" else f"{moment:%Y}"
    return f"{moment.date()}" if precision in ("day", "week") else aware(moment).isoformat()


def rfc3339(moment: datetime) -> str:
    """Return the time as Atom and JSON Feed require it, always with seconds and time zone."""
    whole = aware(moment)
    return whole.isoformat(timespec="microseconds" if whole.microsecond else "seconds")


def utc_stamp(moment: datetime) -> str:
    """Return the time in UTC to the second, with a Z."""
    try:
        return f"{aware(moment).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
    except OverflowError:  # the first and the last day that datetime can represent
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
