"""Posts in the archive: stored in batches, found by id or URL, streamed in order of publication."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, tuple_, update

from posterity.archive import history
from posterity.archive.database import date_key, lock_blog
from posterity.archive.schema import comments, post_media, posts
from posterity.archive.search_index import add_to_index, empty_index, remove_from_index
from posterity.archive.takedowns import takedown_list
from posterity.errors import InputError, NotInArchive
from posterity.model import Comment, Post, from_json, to_json

_OF_COMMENTS = ("id", "parent", "author", "author_url", "published", "text", "html")


def post_row(post: Post, seen_at: str) -> dict[str, Any]:
    """Return the row of a post; text and comments are stored outside its document."""
    try:
        document = to_json(msgspec.structs.replace(post, text="", comments=())).decode()
        digest = history.fingerprint(post)
    except UnicodeError as problem:
        raise InputError(
            f"The post {post.url!r} contains an unpaired surrogate and cannot be stored: {problem}."
        ) from problem
    return {
        "id": post.id, "blog_id": post.blog, "url": post.url, "canonical_url": post.canonical_url,
        "published": date_key(post.published), "language": post.language, "revision": post.revision,
        "fingerprint": digest, "seen_at": seen_at, "stamp": seen_at, "title": post.title, "text": post.text,
        "document": document,
    }  # fmt: skip


def comment_rows(post: Post) -> list[dict[str, Any]]:
    """Return the rows of the comments of a post, in reading order."""
    rows = []
    for position, comment in enumerate(post.comments):
        row = {name: getattr(comment, name) for name in _OF_COMMENTS}
        row |= {"published": msgspec.to_builtins(comment.published), "type": comment.type or None}
        rows.append({"post_id": post.id, "position": position, **row})
    return rows


def media_rows(post: Post) -> list[dict[str, Any]]:
    """Return the rows of the media of a post; an embed has no file and would be listed as missing."""
    return [
        {"post_id": post.id, "position": position, "url": medium.url, "digest": medium.digest}
        for position, medium in enumerate(post.media)
        if medium.digest or not medium.is_embed
    ]


def post_of(row: Row[Any], comments: Iterable[Row[Any]]) -> Post:
    """Return the post that is stored in these rows."""
    post = from_json(row.document, Post)
    found = tuple(_comment_of(comment) for comment in comments)
    return msgspec.structs.replace(post, text=row.text, comments=found, revision=row.revision)


def _comment_of(row: Row[Any]) -> Comment:
    found = {name: getattr(row, name) for name in _OF_COMMENTS}
    return msgspec.convert(found | ({"type": row.type} if row.type else {}), Comment)


BATCH = 500  # posts per transaction: enough to justify its commit, few enough that others wait for milliseconds
Position = tuple[str, str]  # a position in the order of publication: date and id


def batches(some: Iterable[Post]) -> Iterator[list[Post]]:
    """Yield the posts in groups without repeated ids."""
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
) -> list[history.Outcome]:
    """Store posts with different ids and return the outcome of each.

    `alive` means that the blog shows them now, which removes tombstones; records from old pages do not prove that.
    """
    # Two harvests of one blog must not store the same new post concurrently.
    for blog in sorted({post.blog or "" for post in batch}):
        lock_blog(connection, blog)
    taken_down = takedown_list(connection)
    ids = [post.id for post in batch]
    columns: list[Any] = [posts.c.id, posts.c.fingerprint, posts.c.gone_at, posts.c.moved_to]
    known = {row.id: row for row in connection.execute(select(*columns).where(posts.c.id.in_(ids)))}
    added: list[tuple[Post, dict[str, Any]]] = []
    outcomes: list[history.Outcome] = []
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
    """Return the post with this id or URL, or the one to which it moved; raise `NotInArchive` if there is none."""
    for fits in (posts.c.id == name, or_(posts.c.url == name, posts.c.canonical_url == name)):
        query = select(posts.c.id, posts.c.moved_to).where(fits).order_by(posts.c.moved_to.is_not(None), posts.c.id)
        if (row := connection.execute(query.limit(1)).first()) is not None:
            (post,) = stored_posts(connection, posts.c.id == (row.moved_to or row.id))
            return post
    total = connection.scalar(select(func.count()).select_from(posts))
    raise NotInArchive(f"There is no post {name!r} among the {total} in the archive. Try `posterity search`.")


def has_post_at(connection: Connection, url: str) -> bool:
    """Return whether there is a stored post with this URL."""
    fits = or_(posts.c.url == url, posts.c.canonical_url == url)
    return connection.execute(select(posts.c.id).where(fits).limit(1)).first() is not None


def posts_after(
    connection: Connection, blog_id: str | None, after: Position | None, *, gone: bool = True
) -> list[tuple[Position, Post]]:
    """Return the next posts in order of publication, each with its position; an empty list at the end."""
    where: list[ColumnElement[bool]] = [posts.c.moved_to.is_(None)]
    if blog_id is not None:
        where.append(posts.c.blog_id == blog_id)
    if not gone:
        where.append(posts.c.gone_at.is_(None))
    if after is not None:
        where.append(tuple_(posts.c.published, posts.c.id) > after)
    rows = connection.execute(select(posts).where(*where).order_by(posts.c.published, posts.c.id).limit(BATCH)).all()
    return [((row.published, row.id), post) for row, post in zip(rows, _with_comments(connection, rows), strict=True)]


def posts_in_batches(connection: Connection) -> Iterator[list[Post]]:
    """Yield all posts in order of publication, some hundred at a time."""
    after = None
    while batch := posts_after(connection, None, after):
        yield [post for _, post in batch]
        after = batch[-1][0]


def index_all_posts(connection: Connection) -> None:
    """Rebuild the search index from the stored posts."""
    empty_index(connection)
    for batch in posts_in_batches(connection):
        add_to_index(connection, batch)


def stored_posts(connection: Connection, fits: ColumnElement[bool]) -> list[Post]:
    """Return the posts whose rows fit, including those that moved."""
    rows = connection.execute(select(posts).where(fits).order_by(posts.c.published, posts.c.id)).all()
    return list(_with_comments(connection, rows))


def rewrite_post(connection: Connection, old: Post, new: Post, seen_at: datetime | None) -> None:
    """Replace the stored record; without `seen_at`, its times are kept."""
    row = post_row(new, date_key(seen_at))
    if seen_at is None:
        del row["seen_at"], row["stamp"]
    remove_from_index(connection, [old])
    connection.execute(update(posts).where(posts.c.id == old.id), row)
    for table in (comments, post_media):
        connection.execute(delete(table).where(table.c.post_id == old.id))
    _write_parts(connection, [new])


def take_over_history(
    connection: Connection,
    post_id: str,
    earlier: history.EarlierStates | None,
    gone: history.GoneSince | None,
    at: datetime,
) -> None:
    """Store what another archive has of a stored post: its earlier states, and when it was deleted."""
    stored = stored_posts(connection, posts.c.id == post_id)
    if not stored:  # it was taken down, or is stored under another id
        return
    taken_down = takedown_list(connection)
    if earlier is not None and not any(taken_down.has_post(state.post) for state in earlier.revisions):
        without = taken_down.without_comments
        states = tuple(msgspec.structs.replace(state, post=without(state.post)) for state in earlier.revisions)
        history.write_earlier_states(connection, stored[0], msgspec.structs.replace(earlier, revisions=states), at)
    if gone is not None:
        history.write_gone(connection, post_id, gone.status, gone.at)


def move_post(connection: Connection, old_name: str, new_name: str, at: datetime) -> None:
    """Make one stored post point to another, which takes over its history and the fields that only it had."""
    old, new = post_named(connection, old_name), post_named(connection, new_name)
    if old.id == new.id:
        return
    comments = history.merged_comments(old.comments, new.comments, None)
    whole = msgspec.structs.replace(history.with_gaps_filled(new, old), comments=comments)
    changed = bool(history.visible_changes(old, whole))
    revision = old.revision + new.revision - (not changed)
    history.move_history(connection, old, new, keeps_last=changed)
    rewrite_post(connection, new, msgspec.structs.replace(whole, revision=revision), None)
    remove_from_index(connection, [old])
    history.write_moved(connection, old, new, at)


def _write_again(
    connection: Connection, post: Post, digest: str, known: Row[Any], seen_at: datetime, *, alive: bool
) -> history.Outcome:
    """Store a post whose id is known."""
    if alive and known.moved_to is not None:
        connection.execute(update(posts).where(posts.c.id == post.id), {"moved_to": None, "stamp": date_key(seen_at)})
        add_to_index(connection, stored_posts(connection, posts.c.id == post.id))
    if alive and known.gone_at is not None:
        history.write_restored(connection, post.id, seen_at)
    if known.fingerprint == digest:
        return "same"
    (old,) = stored_posts(connection, posts.c.id == post.id)
    new = history.with_gaps_filled(post, old)
    if history.is_same_content(old, new):
        # The content was first seen when it was first stored; only the provenance is better now.
        rewrite_post(connection, old, msgspec.structs.replace(new, revision=old.revision), None)
        return "same"
    history.write_revision(connection, old, new, seen_at)
    rewrite_post(connection, old, msgspec.structs.replace(new, revision=old.revision + 1), seen_at)
    return "changed"


def _write_parts(connection: Connection, some: Sequence[Post]) -> None:
    """Store the parts of new posts that are outside their rows: comments, media, search words."""
    for table, rows_of in ((comments, comment_rows), (post_media, media_rows)):
        if rows := [row for post in some for row in rows_of(post)]:
            connection.execute(insert(table), rows)
    add_to_index(connection, some)


def _with_comments(connection: Connection, rows: Sequence[Row[Any]]) -> Iterator[Post]:
    ids = [row.id for row in rows]
    query = select(comments).where(comments.c.post_id.in_(ids)).order_by(comments.c.post_id, comments.c.position)
    found = {key: list(group) for key, group in groupby(connection.execute(query), key=lambda row: row.post_id)}
    for row in rows:
        yield post_of(row, found.get(row.id, ()))
