"""Statistics of an archive: counts by blog, month, author, tag and language, and lists of posts.

Every query here uses an index or the rows of one blog, so that an archive of a hundred thousand posts is as quick as
a small one. Pages of lists start at a key, not at an offset: the last page costs as much as the first, and a harvest in
between shifts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select, text, tuple_

from posterity.archive import schema
from posterity.archive.archive import Archive
from posterity.archive.captures import captures_of_blog
from posterity.archive.database import ABSENT_DATE, date_key
from posterity.archive.posts import stored_posts
from posterity.archive.schema import comments, events, media, post_media, posts, reports, search_entries
from posterity.archive.search import Filters, LabelCounts, spellings, time_limit
from posterity.archive.search_index import POST_POSITION, label_pattern, label_terms, match_expression
from posterity.model import Post

# The position in the write-ahead log, on a primary server and on a standby.
_POSTGRES_VERSION = (
    "SELECT CAST(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() "
    "ELSE pg_current_wal_insert_lsn() END AS text)"
)


class BlogCount(msgspec.Struct, frozen=True, kw_only=True):
    """The number of posts of a blog, and the dates of the first and the latest."""

    posts: int = 0
    first: str | None = None
    latest: str | None = None


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """The number of posts and comments of one month, such as "2024-11"."""

    month: str
    posts: int = 0
    comments: int = 0


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """The months of a blog, oldest first, and the number of its comments, including undated ones."""

    months: tuple[Month, ...] = ()
    comments: int = 0


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """The authors, tags and languages of a blog, most frequent first, each with the number of posts."""

    authors: tuple[tuple[str, int], ...] = ()
    tags: tuple[tuple[str, int], ...] = ()
    languages: tuple[tuple[str, int], ...] = ()


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A stored medium and the post that shows it."""

    file: str
    mime: str | None
    url: str
    post_id: str
    post_title: str | None


def blog_counts(archive: Archive, *blog_ids: str) -> dict[str, BlogCount]:
    """Return the counts of every blog, or of these, by id; a blog without posts is left out."""
    dated = func.nullif(posts.c.published, ABSENT_DATE)
    query = select(posts.c.blog_id, func.count(), func.min(dated), func.max(dated))
    fits = [posts.c.blog_id.in_(blog_ids)] if blog_ids else []
    with archive.database.reading() as connection:
        moved = _counts(connection.execute(_MOVED.where(*fits).group_by(posts.c.blog_id)))
        return {
            blog_id: BlogCount(posts=count - moved.get(blog_id, 0), first=first, latest=latest)
            for blog_id, count, first, latest in connection.execute(query.where(*fits).group_by(posts.c.blog_id))
        }


# A post that moved is stored under both URLs but is one post. Moves are counted by the few events, because
# `posts.moved_to` is stored behind the texts and slow to read for all posts.
_MOVED = select(posts.c.blog_id, func.count()).join_from(events, posts).where(events.c.kind == "moved")


def blog_count(archive: Archive, blog_id: str) -> BlogCount:
    """Return the counts of one blog."""
    return blog_counts(archive, blog_id).get(blog_id, BlogCount())


def gone_count(archive: Archive, blog_id: str) -> int:
    """Return the number of a blog's posts that it no longer shows."""
    went = select(events.c.post_id).where(events.c.kind == "gone")
    query = select(func.count(posts.c.gone_at)).where(posts.c.id.in_(went), posts.c.blog_id == blog_id)
    with archive.database.reading() as connection:
        return connection.scalar(query) or 0


class ChangeWatch:
    """A cheap check whether an archive has changed since the last call."""

    def __init__(self, archive: Archive) -> None:
        # PRAGMA data_version counts the changes of other connections, so this connection is used for nothing else.
        self._connection = archive.database.engine.raw_connection() if archive.database.is_sqlite else None
        self._archive = archive
        self._version: object = None

    def has_changed(self) -> bool:
        """Return whether the archive has been written to; on PostgreSQL, it may have been another database."""
        version = self.version()
        changed = bool(version != self._version)
        self._version = version
        return changed

    def version(self) -> Hashable:
        """Return a value that differs after a write."""
        if self._connection is None:
            with self._archive.database.reading() as connection:
                return str(connection.scalar(text(_POSTGRES_VERSION)))
        cursor = self._connection.cursor()
        version: tuple[int] = cursor.execute("PRAGMA data_version").fetchone()
        cursor.close()
        return version

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


def latest_reports(archive: Archive, known: dict[str, str] | None = None) -> dict[str, tuple[str, str]]:
    """Return the start of every blog's latest harvest and its report as JSON, except for those that are `known`."""
    latest = select(reports.c.blog_id, func.max(reports.c.started_at).label("at")).group_by(reports.c.blog_id)
    with archive.database.reading() as connection:
        moments = {row.blog_id: row.at for row in connection.execute(latest)}
        wanted = {blog: at for blog, at in moments.items() if (known or {}).get(blog) != at}
        found = {}
        for blog, at in wanted.items():
            fits = (reports.c.blog_id == blog) & (reports.c.started_at == at)
            found[blog] = (at, connection.scalar(select(reports.c.document).where(fits)) or "{}")
    return found


def activity_of(archive: Archive, blog_id: str) -> Activity:
    """Return the numbers of posts and comments of a blog by month; months without any are left out."""
    month = func.substr(posts.c.published, 1, 7)
    comment_month = func.substr(comments.c.published, 1, 7)
    counted = select(comment_month, func.count()).join_from(posts, comments, comments.c.post_id == posts.c.id)
    with archive.database.reading() as connection:
        own = posts.c.blog_id == blog_id
        if connection.execute(_MOVED.where(own).group_by(posts.c.blog_id)).first() is not None:
            own &= posts.c.moved_to.is_(None)  # read only if needed, see `_MOVED`
        dated = own & (posts.c.published < ABSENT_DATE)
        written = _counts(connection.execute(select(month, func.count()).where(dated).group_by(month)))
        commented = _counts(connection.execute(counted.where(own).group_by(comment_month)))
    total = sum(commented.values())
    commented.pop(None, None)  # comments without a date
    months = tuple(
        Month(month=name, posts=written.get(name, 0), comments=commented.get(name, 0))
        for name in sorted(written.keys() | commented.keys())
    )
    return Activity(months=months, comments=total)


def labels_of(archive: Archive, blog_id: str, most: int = 24) -> Labels:
    """Return the most frequent authors, tags and languages of a blog, in the spelling of one of its posts."""
    # Posts that moved are not in the index, so `posts.moved_to`, which is slow to read, is not needed.
    columns = (search_entries.c.post_id, search_entries.c.authors, search_entries.c.tags, search_entries.c.language)
    query = select(*columns).join_from(posts, search_entries, search_entries.c.post_id == posts.c.id)
    with archive.database.reading() as connection:
        of_blog = query.where(posts.c.blog_id == blog_id, search_entries.c.position == POST_POSITION)
        rows = connection.execute(of_blog).all()
        authors, tags = LabelCounts(rows, 1), LabelCounts(rows, 2)
        spelled = spellings(connection, authors.examples(most) | tags.examples(most))
    return Labels(
        authors=tuple((spelled.get(name, name), count) for name, count in authors.counts.most_common(most)),
        tags=tuple((spelled.get(name, name), count) for name, count in tags.counts.most_common(most)),
        languages=tuple(Counter(row[3] for row in rows if row[3]).most_common(most)),
    )


def pictures_of(archive: Archive, blog_id: str, limit: int, offset: int = 0) -> list[Picture]:
    """Return the stored pictures of a blog, those of the latest posts first."""
    query = (
        select(media.c.file, media.c.mime, post_media.c.url, posts.c.id, posts.c.title)
        .join_from(posts, post_media, post_media.c.post_id == posts.c.id)
        .join(media, media.c.digest == post_media.c.digest)
        .where(posts.c.blog_id == blog_id, media.c.mime.like("image/%"))
        .order_by(posts.c.published.desc(), posts.c.id, post_media.c.position)
    )
    with archive.database.reading() as connection:
        return [
            Picture(file=file, mime=mime, url=url, post_id=post_id, post_title=title)
            for file, mime, url, post_id, title in connection.execute(query.limit(limit).offset(offset))
        ]


def media_type(archive: Archive, file: str) -> str | None:
    """Return the MIME type of a stored media file; None if there is no such file."""
    with archive.database.reading() as connection:
        row = connection.execute(select(media.c.mime).where(media.c.file == file).limit(1)).first()
    return None if row is None else row.mime or "application/octet-stream"


def _counts(rows: Iterable[Any]) -> dict[Any, int]:
    return {name: count for name, count in rows}  # noqa: C416 - rows are no pairs to dict()


def latest_confidences(archive: Archive, blog_id: str, count: int = 8) -> list[float]:
    """Return the confidence of the texts of a blog's latest posts, the newest first."""
    query = select(posts.c.document).where(posts.c.blog_id == blog_id, posts.c.published < ABSENT_DATE)
    with archive.database.reading() as connection:
        rows = connection.execute(query.order_by(posts.c.published.desc(), posts.c.id.desc()).limit(count)).all()
    found = (msgspec.json.decode(row.document).get("provenance", {}).get("text") for row in rows)
    return [origin["confidence"] for origin in found if origin]


class BlogStats(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one blog; dates are those of its first and its latest post."""

    id: str
    url: str
    posts: int
    comments: int
    gone: int
    first: str | None
    latest: str | None


class ArchiveStats(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of an archive."""

    location: str
    version: int
    blogs: int
    posts: int
    comments: int
    revisions: int
    gone: int
    captures: int
    warc_files: int
    warc_bytes: int
    media_files: int
    media_bytes: int
    media_missing: int
    database_bytes: int
    by_blog: tuple[BlogStats, ...]


def archive_stats(archive: Archive) -> ArchiveStats:
    """Return the counts of the whole archive."""
    folder = archive.folder
    shared_bytes = sum(file.bytes for file in folder.shared.all("warc")) if folder.shared is not None else 0
    with archive.database.reading() as connection:
        missing = select(func.count()).select_from(schema.post_media).where(schema.post_media.c.digest.is_(None))
        return ArchiveStats(
            location=archive.location,
            version=schema.VERSION,
            blogs=row_count(connection, schema.blogs),
            posts=row_count(connection, schema.posts),
            comments=row_count(connection, schema.comments),
            revisions=row_count(connection, schema.revisions),
            gone=connection.scalar(select(func.count(schema.posts.c.gone_at))) or 0,
            captures=row_count(connection, schema.captures),
            warc_files=len(folder.warc_files()),
            warc_bytes=sum(path.stat().st_size for path in folder.warc.rglob("*") if path.is_file()) + shared_bytes,
            media_files=row_count(connection, schema.media),
            media_bytes=int(connection.scalar(select(func.sum(schema.media.c.bytes))) or 0),
            media_missing=connection.scalar(missing) or 0,
            database_bytes=database_bytes(archive, connection),
            by_blog=tuple(_blog_stats(connection)),
        )


def row_count(connection: Connection, table: Table) -> int:
    """Return the number of rows of a table."""
    return connection.scalar(select(func.count()).select_from(table)) or 0


def database_bytes(archive: Archive, connection: Connection) -> int:
    """Return the size of the database on disk, in bytes."""
    if archive.database.is_sqlite:
        return sum(path.stat().st_size for path in archive.folder.root.glob("posterity.db*"))
    return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _blog_stats(connection: Connection) -> list[BlogStats]:
    posts, comments = schema.posts.c, schema.comments.c
    dated = func.nullif(posts.published, ABSENT_DATE)
    columns = (posts.blog_id, func.count(), func.count(posts.gone_at), func.min(dated), func.max(dated))
    counted = {row[0]: row for row in connection.execute(select(*columns).group_by(posts.blog_id))}
    by_post = select(posts.blog_id, func.count()).join_from(schema.comments, schema.posts, comments.post_id == posts.id)
    comments_of = {row[0]: row[1] for row in connection.execute(by_post.group_by(posts.blog_id))}
    found = []
    for blog in connection.execute(select(schema.blogs).order_by(schema.blogs.c.url)):
        names = ("posts", "gone", "first", "latest")
        row = dict(zip(names, counted.get(blog.id, (None, 0, 0, None, None))[1:], strict=True))
        found.append(BlogStats(id=blog.id, url=blog.url, comments=comments_of.get(blog.id, 0), **row))
    return found


class LoggedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request; `waited_s` is the time since the previous response of the host, None for its first."""

    url: str
    answered_at: datetime
    status: int
    bytes: int
    waited_s: float | None = None


def requests_to(archive: Archive, blog_id: str) -> Iterator[LoggedRequest]:
    """Yield the requests that harvests and updates of the blog made, oldest first; `bytes` are those kept in WARC."""
    with archive.database.reading() as connection:
        captures = [one for one in captures_of_blog(connection, blog_id) if one.kind in ("response", "revisit")]
    last: dict[str, datetime] = {}
    for capture in sorted(captures, key=lambda one: (one.fetched_at, one.file, one.offset)):
        at = datetime.fromisoformat(capture.fetched_at)
        host = urlsplit(capture.url).netloc
        waited_s = round((at - last[host]).total_seconds(), 3) if host in last else None
        last[host] = at
        size = capture.length
        yield LoggedRequest(url=capture.url, answered_at=at, status=capture.status, bytes=size, waited_s=waited_s)


Position = tuple[str, str]  # a position in an order: a time as text, and the id


class PostLine(msgspec.Struct, frozen=True, kw_only=True):
    """A post in a list: without its article and its comments.

    `seen_at` is when this state was stored, `stamp` when the archive last stored a change of the post, `gone_at` when
    the blog stopped showing it, `moved_to` the id of the post to which it moved.
    """

    id: str
    url: str
    blog: str | None
    title: str | None
    authors: tuple[str, ...]
    published: datetime | None
    language: str | None
    tags: tuple[str, ...]
    revision: int
    seen_at: datetime
    gone_at: datetime | None
    stamp: str
    moved_to: str | None = None


def newest_posts(
    archive: Archive, filters: Filters, limit: int, after: Position | None = None, *, gone: bool = True
) -> tuple[list[PostLine], Position | None]:
    """Return a page of posts, newest first and undated ones last, and the position of the next page."""
    with archive.database.reading() as connection, time_limit(connection):
        query, published = _filter_query(connection, filters, gone=gone)
        rows: list[Row[Any]] = []
        if after is None or after[0] < ABSENT_DATE:
            dated = query.where(published < ABSENT_DATE)
            if after is not None:
                dated = dated.where(tuple_(published, posts.c.id) < after)
            rows = list(connection.execute(dated.order_by(published.desc(), posts.c.id.desc()).limit(limit)))
            after = None
        if len(rows) < limit:
            undated = query.where(published == ABSENT_DATE)
            if after is not None:
                undated = undated.where(posts.c.id > after[1])
            rows += connection.execute(undated.order_by(posts.c.id).limit(limit - len(rows)))
    last = (rows[-1].published, rows[-1].id) if len(rows) == limit else None
    return [_line(row) for row in rows], last


def stamped_posts(
    archive: Archive, limit: int, *, after: Position | None = None, since: str = "", until: str = "~",
    blog_id: str | None = None, newest_first: bool = False, moved: bool = False,
) -> tuple[list[PostLine], Position | None]:  # fmt: skip
    """Return a page of posts in the order of their `stamp`, and the position of the next page.

    `since` and `until` are inclusive, in the form of `date_key`. With `moved`, posts that moved are included.
    """
    query = select(posts).where(posts.c.stamp >= since, posts.c.stamp <= until)
    if not moved:
        query = query.where(posts.c.moved_to.is_(None))
    if blog_id is not None:
        query = query.where(posts.c.blog_id == blog_id)
    order = tuple_(posts.c.stamp, posts.c.id)
    if after is not None:
        query = query.where(order < after if newest_first else order > after)
    columns = (posts.c.stamp.desc(), posts.c.id.desc()) if newest_first else (posts.c.stamp, posts.c.id)
    with archive.database.reading() as connection:
        rows = list(connection.execute(query.order_by(*columns).limit(limit)))
    last = (rows[-1].stamp, rows[-1].id) if len(rows) == limit else None
    return [_line(row) for row in rows], last


def earliest_stamp(archive: Archive) -> str | None:
    """Return the earliest `stamp` of all posts, or None."""
    with archive.database.reading() as connection:
        found: str | None = connection.scalar(select(func.min(posts.c.stamp)))
        return found


def line_of(archive: Archive, post_id: str) -> PostLine | None:
    """Return one post as in a list, or None."""
    with archive.database.reading() as connection:
        return _first(connection, select(posts).where(posts.c.id == post_id))


def posts_with(archive: Archive, ids: list[str]) -> dict[str, Post]:
    """Return whole posts by their ids, in one query."""
    with archive.database.reading() as connection:
        return {post.id: post for post in stored_posts(connection, posts.c.id.in_(ids))}


def neighbours(archive: Archive, line: PostLine) -> tuple[PostLine | None, PostLine | None]:
    """Return the posts of the same blog before and after this one, or None."""
    if line.published is None:
        return None, None
    place = (date_key(line.published), line.id)
    order = tuple_(posts.c.published, posts.c.id)
    fits = (posts.c.blog_id == line.blog, posts.c.published < ABSENT_DATE, posts.c.moved_to.is_(None))
    base = select(posts).where(*fits)
    with archive.database.reading() as connection:
        earlier = base.where(order < place).order_by(posts.c.published.desc(), posts.c.id.desc())
        later = base.where(order > place).order_by(posts.c.published, posts.c.id)
        return _first(connection, earlier), _first(connection, later)


def _first(connection: Connection, query: Select[Any]) -> PostLine | None:
    row = connection.execute(query.limit(1)).first()
    return None if row is None else _line(row)


# If an author or a tag has fewer posts, all are looked up and sorted: some 50 ms. If it has more, reading posts in
# order soon finds enough.
_FEW_LABELLED = 10_000
_WITH_WORDS = {
    "sqlite": """SELECT e.post_id FROM search_index f JOIN search_entries e ON e.id = f.rowid
    WHERE search_index MATCH :label_words AND e.position = -1""",
    "postgresql": """SELECT e.post_id FROM search_entries e
    WHERE e.words @@ CAST(:label_words AS tsquery) AND e.position = -1""",
}


def _filter_query(connection: Connection, filters: Filters, *, gone: bool) -> tuple[Select[Any], ColumnElement[str]]:
    """Return the query, and the date to order by: an expression if using its index would be slower."""
    published: ColumnElement[str] = posts.c.published
    where: list[ColumnElement[bool]] = [posts.c.moved_to.is_(None)]
    if filters.blog_id is not None:
        where.append(posts.c.blog_id == filters.blog_id)
    if filters.language is not None:
        where.append((posts.c.language == filters.language) | posts.c.language.startswith(filters.language + "-"))
    if filters.since is not None:
        where += [posts.c.published >= date_key(filters.since), posts.c.published < ABSENT_DATE]
    if filters.until is not None:
        where.append(posts.c.published < date_key(filters.until))
    if not gone:
        where.append(posts.c.gone_at.is_(None))
    query = select(posts).where(*where)
    wanted = [(search_entries.c.authors, filters.author), (search_entries.c.tags, filters.tag)]
    if filters.author or filters.tag:
        query = query.join(search_entries, search_entries.c.post_id == posts.c.id)
        query = query.where(search_entries.c.position == POST_POSITION)
        for column, name in wanted:
            query = query.where(column.like(label_pattern(name), escape="!")) if name else query
    if terms := label_terms(filters.author, filters.tag):
        words = {"label_words": match_expression(connection, terms)}
        labelled = _WITH_WORDS[connection.dialect.name]
        few = text(f"SELECT count(*) FROM ({labelled} LIMIT {_FEW_LABELLED}) found")  # noqa: S608 - constants of ours
        if (connection.scalar(few, words) or 0) < _FEW_LABELLED:
            query = query.where(posts.c.id.in_(text(labelled).bindparams(**words)))
            published = func.coalesce(posts.c.published, "")
    return query, published


# The fields of a line whose columns have the same name and type.
_AS_STORED = ("id", "url", "title", "language", "revision", "stamp", "moved_to")


def _line(row: Row[Any]) -> PostLine:
    facts = msgspec.json.decode(row.document)
    return PostLine(
        **{name: getattr(row, name) for name in _AS_STORED},
        blog=row.blog_id,
        authors=tuple(facts.get("authors", ())),
        published=msgspec.convert(facts["published"], datetime) if facts.get("published") else None,
        tags=tuple(facts.get("tags", ())),
        seen_at=datetime.fromisoformat(row.seen_at),
        gone_at=datetime.fromisoformat(row.gone_at) if row.gone_at else None,
    )
