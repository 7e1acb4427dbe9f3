"""Which posts of an archive a corpus holds, and the forms in which corpora write their dates."""

from __future__ import annotations

import os
from datetime import UTC, datetime
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


EVERYTHING = Selection()


def blog_by_blog(archive: Archive, selection: Selection) -> Selection:
    """Return the selection with every blog named, so that the posts of each come together."""
    return selection if selection.blogs else msgspec.structs.replace(selection, blogs=_all_ids(archive))


def select_posts(archive: Archive, selection: Selection) -> Iterator[Post]:
    """Stream the posts, blog by blog where blogs are named, by time of publication, those without last."""
    yield from (post for post in _of_blogs(archive, selection.blogs) if selection.fits(post))


def _of_blogs(archive: Archive, names: tuple[str, ...]) -> Iterator[Post]:
    if not names:
        yield from archive.posts()
        return
    # Two names may mean one blog, and its posts come once.
    for blog_id in dict.fromkeys(archive.blog(name).id for name in names):
        yield from archive.posts_of(blog_id)


def _all_ids(archive: Archive) -> tuple[str, ...]:
    return tuple(blog.id for blog in archive.blogs())


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"  # reproducible-builds.org: the time that a build should claim


class Source:
    """Posts that are read once, from first to last; `made_at` stands for "now" in whatever is written."""

    def __init__(
        self,
        archive: Archive,
        posts: Iterable[Post],
        blogs: tuple[Blog, ...],
        made_at: datetime,
        part: str = "",
        *,
        raw_cells: bool = False,
        history: bool = False,
    ) -> None:
        self.archive = archive
        self.part = part
        # Whether a table may hold cells that a spreadsheet runs as formulas.
        self.raw_cells = raw_cells
        # Whether earlier revisions are written too.
        self.history = history
        self._gone: dict[str, dict[str, GoneSince]] = {}
        self.posts = posts
        self.blogs = blogs
        self.made_at = made_at
        self._by_id = {blog.id: blog for blog in blogs}

    def of(self, posts: Iterable[Post], blogs: tuple[Blog, ...], part: str = "") -> Source:
        """The same source with other posts; `part` names which of the blog's they are, such as those of a year."""
        part = part or self.part
        return Source(self.archive, posts, blogs, self.made_at, part, raw_cells=self.raw_cells, history=self.history)

    def gone_since(self, post: Post) -> GoneSince | None:
        """Since when the blog no longer shows the post; None when it does."""
        from posterity.archive.history import GoneSince  # the core has no archive

        blog = post.blog or ""
        if blog not in self._gone:
            stones = self.archive.tombstones(blog) if blog else []
            self._gone[blog] = {stone.id: GoneSince(at=stone.gone_at, status=stone.status) for stone in stones}
        return self._gone[blog].get(post.id)

    def earlier_states(self, post: Post) -> EarlierStates | None:
        """The history of the post, if it was asked for and there is any."""
        from posterity.archive.history import earlier_states  # the core has no archive

        if not self.history:
            return None
        found = earlier_states(self.archive.history(post.id))
        return found if found.revisions or found.events else None

    def blog_of(self, post: Post) -> Blog | None:
        """The blog of a post, if it is known."""
        return self._by_id.get(post.blog or "")

    @property
    def name(self) -> str:
        """What the whole is called: the blog's title, or how many blogs there are."""
        if len(self.blogs) == 1:
            return blog_title(self.blogs[0])
        return count_of(len(self.blogs), "blog")

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
    """Return when the blogs were last visited, or $SOURCE_DATE_EPOCH: an export holds no other time.

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
    """Return the ISO 8601 form of a date, or None."""
    if moment is None:
        return None
    if precision in ("month", "year"):
        return f"{moment:%Y-%m}" if precision == "month" else f"{moment:%Y}"
    return f"{moment.date()}" if precision in ("day", "week") else aware(moment).isoformat()


def rfc3339(moment: datetime) -> str:
    """Return a moment as Atom and JSON Feed require it: seconds and zone always there."""
    whole = aware(moment)
    return whole.isoformat(timespec="microseconds" if whole.microsecond else "seconds")


def utc_stamp(moment: datetime) -> str:
    """Return a moment in UTC to the second, with a Z."""
    try:
        return f"{aware(moment).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
    except OverflowError:  # the first and the last day that datetime knows
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
