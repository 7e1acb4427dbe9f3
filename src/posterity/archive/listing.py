"""Posts as lists that people leaf through: filtered, a page at a time, the newest first or by when they came.

A page begins where the one before ended (a place in the order, not a number), so that leafing through a hundred
thousand posts costs the same at the end as at the beginning, and a harvest in between shifts nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, func, select, tuple_

from posterity.archive.database import ABSENT_DATE, date_key
from posterity.archive.posts import stored_posts
from posterity.archive.schema import posts, search_entries
from posterity.archive.search_index import POST_POSITION, label_pattern

if TYPE_CHECKING:
    from posterity.archive.archive import Archive
    from posterity.archive.search import Filters
    from posterity.model import Post

Place = tuple[str, str]  # in an order: a time as text, and the id


class PostLine(msgspec.Struct, frozen=True, kw_only=True):
    """A post as lists show it: without its article and its comments.

    `seen_at` is when this state was stored, `stamp` when the archive last had news of the post, `gone_at` when the blog
    ceased to show it, `moved_to` the id of the post that it became.
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
    archive: Archive, filters: Filters, limit: int, after: Place | None = None, *, gone: bool = True
) -> tuple[list[PostLine], Place | None]:
    """A page of posts, the latest published first and those without a date last, and where the next page begins."""
    with archive.database.reading() as connection:
        rows: list[Row[Any]] = []
        if after is None or after[0] < ABSENT_DATE:
            dated = _filtered(filters, gone=gone).where(posts.c.published < ABSENT_DATE)
            if after is not None:
                dated = dated.where(tuple_(posts.c.published, posts.c.id) < after)
            rows = list(connection.execute(dated.order_by(posts.c.published.desc(), posts.c.id.desc()).limit(limit)))
            after = None
        if len(rows) < limit:
            undated = _filtered(filters, gone=gone).where(posts.c.published == ABSENT_DATE)
            if after is not None:
                undated = undated.where(posts.c.id > after[1])
            rows += connection.execute(undated.order_by(posts.c.id).limit(limit - len(rows)))
    last = (rows[-1].published, rows[-1].id) if len(rows) == limit else None
    return [_line(row) for row in rows], last


def stamped_posts(
    archive: Archive, limit: int, *, after: Place | None = None, since: str = "", until: str = "~",
    blog_id: str | None = None, newest_first: bool = False, moved: bool = False,
) -> tuple[list[PostLine], Place | None]:  # fmt: skip
    """A page of posts by when the archive last had news of them, and where the next page begins.

    `since` counts, `until` counts too; both are times as `date_key` writes them. With `moved` come those too that live
    on as another post.
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
    """When the archive had its first news, as text."""
    with archive.database.reading() as connection:
        found: str | None = connection.scalar(select(func.min(posts.c.stamp)))
        return found


def line_of(archive: Archive, post_id: str) -> PostLine | None:
    """One post as lists show it."""
    with archive.database.reading() as connection:
        row = connection.execute(select(posts).where(posts.c.id == post_id)).first()
    return None if row is None else _line(row)


def posts_with(archive: Archive, ids: list[str]) -> dict[str, Post]:
    """Whole posts by their ids, all at once."""
    with archive.database.reading() as connection:
        return {post.id: post for post in stored_posts(connection, posts.c.id.in_(ids))}


def neighbours(archive: Archive, line: PostLine) -> tuple[PostLine | None, PostLine | None]:
    """The posts of the same blog before and after this one."""
    if line.published is None:
        return None, None
    place = (date_key(line.published), line.id)
    order = tuple_(posts.c.published, posts.c.id)
    base = select(posts).where(
        posts.c.blog_id == line.blog, posts.c.published < ABSENT_DATE, posts.c.moved_to.is_(None)
    )
    with archive.database.reading() as connection:
        earlier = base.where(order < place).order_by(posts.c.published.desc(), posts.c.id.desc())
        later = base.where(order > place).order_by(posts.c.published, posts.c.id)
        return _first(connection, earlier), _first(connection, later)


def _first(connection: Connection, query: Select[Any]) -> PostLine | None:
    row = connection.execute(query.limit(1)).first()
    return None if row is None else _line(row)


def _filtered(filters: Filters, *, gone: bool) -> Select[Any]:
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
    return query


def _line(row: Row[Any]) -> PostLine:
    facts = msgspec.json.decode(row.document)
    return PostLine(
        id=row.id,
        url=row.url,
        blog=row.blog_id,
        title=row.title,
        authors=tuple(facts.get("authors", ())),
        published=msgspec.convert(facts["published"], datetime) if facts.get("published") else None,
        language=row.language,
        tags=tuple(facts.get("tags", ())),
        revision=row.revision,
        seen_at=datetime.fromisoformat(row.seen_at),
        gone_at=datetime.fromisoformat(row.gone_at) if row.gone_at else None,
        stamp=row.stamp,
        moved_to=row.moved_to,
    )
