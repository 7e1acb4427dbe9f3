"""Takedown: permanently removes a post, a comment or everything by an author from rows, search, media and WARC.

A takedown is recorded before anything is removed, and the record stays until everything is gone: an interrupted
takedown is finished when the archive is opened the next time (`finish_takedowns`). From the start, what is removed is
on a list (`forgotten`), so that later harvests do not store it again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import delete, or_, select, update

from posterity import clock
from posterity.archive import captures, schema, takedowns
from posterity.archive.archive import Archive
from posterity.archive.database import date_key, document_columns, translated, write_rows
from posterity.archive.folder import lock_file
from posterity.archive.history import history_of
from posterity.archive.maintenance import compact_archive, remove_backups, write_takedowns
from posterity.archive.media import media_file
from posterity.archive.posts import post_named, rewrite_post, stored_posts
from posterity.archive.search_index import POST_POSITION, label_pattern, remove_from_index
from posterity.archive.warc_reader import decoded_body, record_at
from posterity.archive.warc_writer import SCREENSHOT, wipe_records
from posterity.errors import NotInArchive
from posterity.model import Comment, Post, from_json, to_json

_UNDER_WAY = "takedown under way: "


def forget_post(archive: Archive, name: str, reason: str) -> takedowns.Forgotten:
    """Remove the post with this id or URL."""
    with _takedown_lock(archive):
        return _forget_post(archive, name, reason)


def forget_comment(archive: Archive, post_name: str, comment_id: str, reason: str) -> takedowns.Forgotten:
    """Remove one comment and the raw pages that show it; the post is kept."""
    with _takedown_lock(archive):
        return _forget_comment(archive, post_name, comment_id, reason)


def forget_author(archive: Archive, author: str, reason: str) -> takedowns.Forgotten:
    """Remove every post by the author, alone or with others, and every comment; case and accents are ignored."""
    with _takedown_lock(archive):
        return _forget_author(archive, author, reason)


@contextmanager
def _takedown_lock(archive: Archive, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of takedowns; without `wait`, raise `BlockingIOError` if another takedown is running."""
    path = archive.folder.root / "takedown.lock"
    with translated(str(path)):
        handle = path.open("ab")
    with handle:
        lock_file(handle, wait=wait)
        yield


def _forget_post(archive: Archive, name: str, reason: str) -> takedowns.Forgotten:
    with archive.database.reading() as connection:
        post = post_named(connection, name)
        earlier = stored_posts(connection, schema.posts.c.moved_to == post.id)
    media = tuple(medium.file for medium in post.media if medium.file)
    takedown = Takedown(kind="post", name=post.id, post=post.id, reason=reason, media=media)
    # A harvest that finds the post at its old URL must not store it again.
    _begin(archive, takedown, [post.id, *(old.id for old in earlier)], _marks(archive, [post], [post.text]))
    return _end(archive, takedown, _remove_post(archive, post))


def _forget_comment(archive: Archive, post_name: str, comment_id: str, reason: str) -> takedowns.Forgotten:
    post = archive.database.read(post_named, post_name)
    if all(comment.id != comment_id for comment in post.comments):
        known = ", ".join(comment.id for comment in post.comments[:10]) or "none"
        raise NotInArchive(f"The post {post.url} has no comment {comment_id!r}. Its comments: {known}.")
    key = takedowns.comment_key(post.id, comment_id)
    takedown = Takedown(kind="comment", name=key, post=post.id, comment=comment_id, reason=reason)
    texts = [comment.text for comment in post.comments if comment.id == comment_id]
    _begin(archive, takedown, [key], _marks(archive, [], texts))
    return _end(archive, takedown, _remove_comments(archive, post, lambda comment: comment.id == comment_id))


def _forget_author(archive: Archive, author: str, reason: str) -> takedowns.Forgotten:
    key = takedowns.author_key(author)
    written = _posts_by(archive, key)
    if not written and not _posts_with_comments_by(archive, key):
        raise NotInArchive(
            f"There is no post and no comment by {author!r} in the archive. Write the name exactly as it is displayed."
        )
    media = tuple(medium.file for post in written for medium in post.media if medium.file)
    takedown = Takedown(kind="author", name=key, reason=reason, media=media)
    commented = (comment for post in _posts_with_comments_by(archive, key) for comment in post.comments)
    texts = [comment.text for comment in commented if takedowns.author_key(comment.author or "") == key]
    _begin(archive, takedown, [key], _marks(archive, written, [*(post.text for post in written), *texts]))
    removed: Counter[str] = Counter()
    for post in written:
        removed += _remove_post(archive, post)
    for post in _posts_with_comments_by(archive, key):
        removed += _remove_comments(archive, post, lambda comment: takedowns.author_key(comment.author or "") == key)
    return _end(archive, takedown, removed)


class Takedown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A takedown in progress; `media` are the files that may have to be removed."""

    kind: takedowns.ForgottenKind
    name: str
    reason: str
    post: str = ""
    comment: str = ""
    media: tuple[str, ...] = ()

    @property
    def row_name(self) -> str:
        """The name of its row in the table of facts."""
        return f"{_UNDER_WAY}{self.kind} {self.name}"


def finish_takedowns(archive: Archive) -> int:
    """Finish interrupted takedowns and return their number; those of other running processes are left alone."""
    if not _under_way(archive):
        return 0
    try:
        with _takedown_lock(archive, wait=False):
            found = _under_way(archive)
            for takedown in found:
                _finish(archive, takedown)
            return len(found)
    except BlockingIOError:
        return 0


def _under_way(archive: Archive) -> list[Takedown]:
    with archive.database.reading() as connection:
        query = select(schema.facts.c.value).where(schema.facts.c.name.startswith(_UNDER_WAY, autoescape=True))
        return [from_json(value, Takedown) for value in connection.scalars(query)]


def _finish(archive: Archive, takedown: Takedown) -> None:
    # Files whose rows are already removed cannot be found otherwise.
    with archive.database.reading() as connection:
        used = {row.file for row in connection.execute(select(schema.media.c.file))}
    for file in set(takedown.media) - used:
        path = media_file(archive.folder, file)
        with translated(str(path)):
            archive.folder.remove(path)
    try:
        if takedown.kind == "post":
            _forget_post(archive, takedown.post, takedown.reason)
        elif takedown.kind == "comment":
            _forget_comment(archive, takedown.post, takedown.comment, takedown.reason)
        else:
            _forget_author(archive, takedown.name, takedown.reason)
    except NotInArchive:  # all rows had been removed
        _end(archive, takedown, Counter())


def _marks(archive: Archive, written: list[Post], texts: Iterable[str]) -> tuple[str, ...]:
    """Return marks that identify the texts, without those that other posts of the same blogs have too."""
    own = {mark for text in texts for mark in takedowns.text_marks(text)}
    ids = {post.id for post in written}
    for blog_id in {post.blog for post in written if post.blog}:
        for other in archive.posts_of(blog_id):
            if other.id not in ids:
                own -= takedowns.text_marks(other.text)
    return tuple(sorted(own))


def _begin(archive: Archive, takedown: Takedown, names: Iterable[str], marks: tuple[str, ...]) -> None:
    at = date_key(clock.now())
    with archive.database.writing() as connection:
        write_rows(connection, schema.facts, [{"name": takedown.row_name, "value": to_json(takedown).decode()}])
        for name in names:
            kind, reason = takedown.kind, takedown.reason
            entry = takedowns.Forgotten(kind=kind, name=name, at=at, reason=reason, removed={}, marks=marks)
            takedowns.write_forgotten(connection, entry)
    # Also in a file, so that a database rebuilt from WARC files does not bring back what was taken down.
    write_takedowns(archive)


def _end(archive: Archive, takedown: Takedown, removed: Counter[str]) -> takedowns.Forgotten:
    at, counts = date_key(clock.now()), dict(sorted(removed.items()))
    entry = takedowns.Forgotten(kind=takedown.kind, name=takedown.name, at=at, reason=takedown.reason, removed=counts)
    archive.database.write(takedowns.write_forgotten, entry)
    remove_backups(archive)
    for blog in archive.blogs():
        archive.keep_history(blog.id)
    # Deleted rows stay readable in the free pages of a database file until it is rewritten.
    compact_archive(archive)
    with archive.database.writing() as connection:
        connection.execute(delete(schema.facts).where(schema.facts.c.name == takedown.row_name))
    return entry


def _posts_by(archive: Archive, key: str) -> list[Post]:
    entries = schema.search_entries.c
    with archive.database.reading() as connection:
        by_author = entries.authors.like(label_pattern(key), escape="!")
        candidates = select(entries.post_id).where(entries.position == POST_POSITION, by_author)
        ids = [row.post_id for row in connection.execute(candidates)]
        return stored_posts(connection, schema.posts.c.id.in_(ids))


def _posts_with_comments_by(archive: Archive, key: str) -> list[Post]:
    comments = schema.comments.c
    with archive.database.reading() as connection:
        authors = connection.execute(select(comments.author).where(comments.author.is_not(None)).distinct())
        names = [row.author for row in authors if takedowns.author_key(row.author) == key]
        ids = {row.post_id for row in connection.execute(select(comments.post_id).where(comments.author.in_(names)))}
        return stored_posts(connection, schema.posts.c.id.in_(sorted(ids)))


def _remove_post(archive: Archive, post: Post) -> Counter[str]:
    removed = Counter(posts=1, comments=len(post.comments))
    media = _media_of_this_post_alone(archive, post)
    with archive.database.reading() as connection:
        earlier = stored_posts(connection, schema.posts.c.moved_to == post.id)
        states = [state.post for one in (post, *earlier) for state in history_of(connection, one).revisions]
    urls = {url for state in states for url in (state.url, state.canonical_url) if url}
    removed["records"] += _wipe(archive, post, urls | {url for url, _ in media}, [state.text for state in states])
    with archive.database.writing() as connection:
        remove_from_index(connection, [post])
        moved = schema.posts.c.moved_to == post.id
        connection.execute(delete(schema.posts).where(or_(schema.posts.c.id == post.id, moved)))
        for _, digest in media:
            connection.execute(delete(schema.media).where(schema.media.c.digest == digest))
    digests = {digest for _, digest in media}
    files = {medium.file for medium in post.media if medium.file and medium.digest in digests}
    for file in sorted(files):
        path = media_file(archive.folder, file)
        with translated(str(path)):
            archive.folder.remove(path)
    removed["media"] += len(files)
    return removed


def _remove_comments(archive: Archive, post: Post, is_wanted: Callable[[Comment], bool]) -> Counter[str]:
    """Remove the comments from the post and all its revisions."""
    kept = tuple(comment for comment in post.comments if not is_wanted(comment))
    texts = [comment.text for comment in post.comments if is_wanted(comment)]
    urls = {post.url, post.canonical_url or post.url}
    removed = Counter(comments=len(texts), records=_wipe(archive, post, urls, texts))
    with archive.database.writing() as connection:
        rewrite_post(connection, post, msgspec.structs.replace(post, comments=kept), None)
        revisions = schema.revisions.c
        for row in connection.execute(select(schema.revisions).where(revisions.post_id == post.id)).all():
            old = from_json(row.document, Post)
            clean = msgspec.structs.replace(old, comments=tuple(c for c in old.comments if not is_wanted(c)))
            same = (revisions.post_id == post.id) & (revisions.revision == row.revision)
            connection.execute(update(schema.revisions).where(same), document_columns(clean))
    return removed


def _wipe(archive: Archive, post: Post, urls: set[str], texts: Iterable[str]) -> int:
    """Replace the raw records of these URLs, and others that show the texts, by tombstones; return their number."""
    with archive.database.reading() as connection:
        named = sorted(urls | {SCREENSHOT + url for url in urls})
        chosen = {capture.record_id: capture for capture in captures.captures_of_urls(connection, named)}
        others = captures.captures_of_blog(connection, post.blog) if post.blog else []
    pieces = [piece for text in texts for piece in takedowns.probes(text)]
    shown = [capture for capture in others if capture.record_id not in chosen and _shows(archive, capture, pieces)]
    # Revisit records refer to a removed record, so they are removed with it.
    urls_shown = sorted({capture.url for capture in shown})
    with archive.database.reading() as connection:
        repeats = [c for c in captures.captures_of_urls(connection, urls_shown) if c.kind == "revisit"]
    digests = {capture.digest for capture in shown}
    chosen |= {c.record_id: c for c in [*shown, *(c for c in repeats if c.digest in digests)]}
    return _wipe_captures(archive, list(chosen.values()))


def _shows(archive: Archive, capture: captures.Capture, pieces: list[str]) -> bool:
    if not pieces or capture.kind == "revisit" or not takedowns.is_textual(capture.mime):
        return False
    path = archive.folder.warc_path(capture.file)
    if not path.exists():
        return False
    record = record_at(path, capture.offset)
    return takedowns.shows(decoded_body(record.payload, record.http_header("content-encoding")), pieces)


def _wipe_captures(archive: Archive, some: list[captures.Capture]) -> int:
    by_file: dict[str, dict[int, str]] = defaultdict(dict)
    for capture in some:
        by_file[capture.file][capture.offset] = capture.record_id
    wiped = 0
    for file, places in sorted(by_file.items()):
        path = archive.folder.warc_path(file)
        if path.exists():
            wiped += wipe_records(path, places)
            archive.folder.put_back(path)
        with archive.database.writing() as connection:
            captures.remove_captures(connection, places.values())
            rest = captures.captures_of_file(connection, file)
        if path.exists() and path.parent == archive.folder.warc:
            captures.write_cdxj(path, rest)
    return wiped


def _media_of_this_post_alone(archive: Archive, post: Post) -> list[tuple[str, str]]:
    """Return URLs and digests of the media that no other post uses."""
    uses = schema.post_media.c
    own = [(medium.url, medium.digest) for medium in post.media if medium.digest]
    with archive.database.reading() as connection:
        query = select(uses.digest).where(uses.digest.in_([digest for _, digest in own]), uses.post_id != post.id)
        shared = {row.digest for row in connection.execute(query)}
    return [(url, digest) for url, digest in own if digest not in shared]
