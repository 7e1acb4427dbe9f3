"""Posts in the archive: stored in batches, found by id or address, streamed in order of publication."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import ColumnElement, delete, func, insert, or_, select, tuple_, update

from posterity.archive.columns import date_key
from posterity.archive.forgotten import takedown_list
from posterity.archive.history import write_back, write_moved, write_revision
from posterity.archive.post_rows import comment_rows, media_rows, post_of, post_row
from posterity.archive.sameness import Outcome, is_same_content, with_gaps_filled
from posterity.archive.schema import comments, post_media, posts
from posterity.archive.search_index import add_to_index, remove_from_index
from posterity.archive.upsert import lock_blog
from posterity.errors import NotInArchive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from posterity.model import Post

BATCH = 500  # posts a transaction: large enough to pay for its commit, small enough that others wait for milliseconds
Place = tuple[str, str]  # of a post in the order of publication: date and id


def batches(some: Iterable[Post]) -> Iterator[list[Post]]:
    """Yield the posts in groups in which no id comes twice."""
    batch: dict[str, Post] = {}
    for post in some:
        if post.id in batch or len(batch) == BATCH:
            yield list(batch.values())
            batch = {}
        batch[post.id] = post
    if batch:
        yield list(batch.values())


def write_posts(
    connection: Connection, batch: Sequence[Post], seen_at: datetime, *, alive: bool = True
) -> list[Outcome]:
    """Store posts of different ids and return what became of each.

    `alive`: the blog shows them now, so a tombstone goes away; a record made again from an old page proves nothing.
    """
    # Two harvests of one blog must not store the same new post at the same moment.
    for blog in sorted({post.blog or "" for post in batch}):
        lock_blog(connection, blog)
    taken_down = takedown_list(connection)
    known = _known_posts(connection, [post.id for post in batch])
    added: list[tuple[Post, dict[str, Any]]] = []
    outcomes: list[Outcome] = []
    for whole in batch:
        if taken_down.has_post(whole):
            outcomes.append("forgotten")
            continue
        post = msgspec.structs.replace(taken_down.without_comments(whole), revision=1)
        row = post_row(post, date_key(seen_at))
        if post.id in known:
            outcomes.append(_write_again(connection, post, row["fingerprint"], known[post.id], seen_at, alive=alive))
        else:
            added.append((post, row))
            outcomes.append("new")
    if added:
        connection.execute(insert(posts), [row for _, row in added])
        _write_parts(connection, [post for post, _ in added])
    return outcomes


def post_named(connection: Connection, name: str) -> Post:
    """The post with this id or address, or the one that it moved to; none raises `NotInArchive`."""
    for fits in (posts.c.id == name, or_(posts.c.url == name, posts.c.canonical_url == name)):
        query = select(posts.c.id, posts.c.moved_to).where(fits).order_by(posts.c.moved_to.is_not(None), posts.c.id)
        row = connection.execute(query.limit(1)).first()
        if row is not None:
            (post,) = stored_posts(connection, posts.c.id == (row.moved_to or row.id))
            return post
    total = connection.scalar(select(func.count()).select_from(posts))
    raise NotInArchive(f"There is no post {name!r} among the {total} in the archive. Try `posterity search`.")


def has_post_at(connection: Connection, url: str) -> bool:
    """Tell whether the address is a stored post's."""
    fits = or_(posts.c.url == url, posts.c.canonical_url == url)
    return connection.execute(select(posts.c.id).where(fits).limit(1)).first() is not None


def posts_after(
    connection: Connection, blog_id: str | None, after: Place | None, *, gone: bool = True
) -> list[tuple[Place, Post]]:
    """The next posts in order of publication, each with its place in that order; none when the end is reached."""
    where: list[ColumnElement[bool]] = [posts.c.moved_to.is_(None)]
    if blog_id is not None:
        where.append(posts.c.blog_id == blog_id)
    if not gone:
        where.append(posts.c.gone_at.is_(None))
    if after is not None:
        where.append(tuple_(posts.c.published, posts.c.id) > after)
    rows = connection.execute(select(posts).where(*where).order_by(posts.c.published, posts.c.id).limit(BATCH)).all()
    return [((row.published, row.id), post) for row, post in zip(rows, _with_comments(connection, rows), strict=True)]


def stored_posts(connection: Connection, fits: ColumnElement[bool]) -> list[Post]:
    """The posts whose rows fit, moved ones too."""
    rows = connection.execute(select(posts).where(fits).order_by(posts.c.published, posts.c.id)).all()
    return list(_with_comments(connection, rows))


def rewrite_post(connection: Connection, old: Post, new: Post, seen_at: datetime | None) -> None:
    """Put the record in place of the stored one; without a time, that of the stored one stays."""
    row = post_row(new, date_key(seen_at))
    if seen_at is None:
        del row["seen_at"], row["stamp"]
    remove_from_index(connection, [old])
    connection.execute(update(posts).where(posts.c.id == old.id), row)
    for table in (comments, post_media):
        connection.execute(delete(table).where(table.c.post_id == old.id))
    _write_parts(connection, [new])


def move_post(connection: Connection, old_name: str, new_name: str, at: datetime) -> None:
    """Let the address of one stored post lead to another."""
    old, new = post_named(connection, old_name), post_named(connection, new_name)
    if old.id != new.id:
        remove_from_index(connection, [old])
        write_moved(connection, old, new, at)


def _write_again(
    connection: Connection, post: Post, fingerprint: str, known: Row[Any], seen_at: datetime, *, alive: bool
) -> Outcome:
    """Store a post whose id is known."""
    if alive and known.moved_to is not None:
        _return_to_old_address(connection, post.id, seen_at)
    if alive and known.gone_at is not None:
        write_back(connection, post.id, seen_at)
    if known.fingerprint == fingerprint:
        return "same"
    (old,) = stored_posts(connection, posts.c.id == post.id)
    new = with_gaps_filled(post, old)
    if is_same_content(old, new):
        # The content was first seen when it was first stored; only the evidence is better now.
        rewrite_post(connection, old, msgspec.structs.replace(new, revision=old.revision), None)
        return "same"
    write_revision(connection, old)
    rewrite_post(connection, old, msgspec.structs.replace(new, revision=old.revision + 1), seen_at)
    return "changed"


def _return_to_old_address(connection: Connection, post_id: str, at: datetime) -> None:
    connection.execute(update(posts).where(posts.c.id == post_id), {"moved_to": None, "stamp": date_key(at)})
    add_to_index(connection, stored_posts(connection, posts.c.id == post_id))


def _known_posts(connection: Connection, ids: list[str]) -> dict[str, Row[Any]]:
    columns: list[Any] = [posts.c.id, posts.c.fingerprint, posts.c.gone_at, posts.c.moved_to]
    return {row.id: row for row in connection.execute(select(*columns).where(posts.c.id.in_(ids)))}


def _write_parts(connection: Connection, some: Sequence[Post]) -> None:
    """Store what lies outside of the rows of new posts: comments, media, words to search."""
    for table, rows_of in ((comments, comment_rows), (post_media, media_rows)):
        rows = [row for post in some for row in rows_of(post)]
        if rows:
            connection.execute(insert(table), rows)
    add_to_index(connection, some)


def _with_comments(connection: Connection, rows: Sequence[Row[Any]]) -> Iterator[Post]:
    ids = [row.id for row in rows]
    query = select(comments).where(comments.c.post_id.in_(ids)).order_by(comments.c.post_id, comments.c.position)
    found = {key: list(group) for key, group in groupby(connection.execute(query), key=lambda row: row.post_id)}
    for row in rows:
        yield post_of(row, found.get(row.id, ()))
