"""What became of a post: its earlier revisions, when it went away, came back or moved."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from difflib import SequenceMatcher
from typing import Literal

import msgspec
from sqlalchemy import Connection, insert, select, update

from posterity.archive.database import date_key, write_rows
from posterity.archive.schema import events, posts, revisions
from posterity.model import Media, Post, Provenance, from_json, to_json

Outcome = Literal["new", "changed", "same", "forgotten"]


def fingerprint(post: Post) -> str:
    """Return a digest of the whole record but for its revision and the times and places of its provenance."""
    evidence = {field: _undated(origin) for field, origin in sorted(post.provenance.items())}
    return hashlib.sha256(to_json(msgspec.structs.replace(post, revision=1, provenance=evidence))).hexdigest()[:32]


def is_same_content(left: Post, right: Post) -> bool:
    """Tell whether a reader would see the same post.

    How a field was found is no content, nor is the language that the text is taken for. Neither is a picture that one
    of the two harvests did not download, nor the date that one of them did not find; a picture or a date that both
    have and that differs is.
    """
    return _content(with_gaps_filled(left, right)) == _content(with_gaps_filled(right, left))


def with_gaps_filled(post: Post, other: Post) -> Post:
    """Return the post with the date and the files of the other where it has none."""
    post = with_files_of(post, other)
    if post.published is not None or other.published is None:
        return post
    provenance = {**post.provenance}
    if "published" in other.provenance:
        provenance["published"] = other.provenance["published"]
    return msgspec.structs.replace(
        post, published=other.published, published_precision=other.published_precision, provenance=provenance
    )


def with_files_of(post: Post, other: Post) -> Post:
    """Return the post with the local files of the other's media where its own are missing."""
    known = {medium.url: medium for medium in other.media if medium.file}
    if not known:
        return post
    return msgspec.structs.replace(post, media=tuple(_with_file(medium, known) for medium in post.media))


def changed_fields(old: Post, new: Post) -> tuple[str, ...]:
    """Return the names of the fields whose content differs, in the order of the model."""
    left, right = _content(with_gaps_filled(old, new)), _content(with_gaps_filled(new, old))
    return tuple(name for name in Post.__struct_fields__ if getattr(left, name) != getattr(right, name))


def _content(post: Post) -> Post:
    return msgspec.structs.replace(post, revision=1, provenance={}, language=None, language_declared=None)


def _with_file(medium: Media, known: dict[str, Media]) -> Media:
    twin = known.get(medium.url)
    if medium.file or twin is None:
        return medium
    return msgspec.structs.replace(medium, file=twin.file, digest=twin.digest, mime=twin.mime)


def _undated(origin: Provenance) -> Provenance:
    # As a number of one type: 1 comes back from the database as 1.0, and a digest has to stay the same.
    return Provenance(method=origin.method, rule=origin.rule, confidence=float(origin.confidence))


EventKind = Literal["gone", "back", "moved"]


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """One state of a post; `changed` names the fields that differ from the state before."""

    revision: int
    seen_at: datetime
    changed: tuple[str, ...]
    post: Post


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to the page of a post; `detail` is the HTTP status or the new URL."""

    at: datetime
    kind: EventKind
    detail: str


class History(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one post, oldest first."""

    revisions: tuple[Revision, ...]
    events: tuple[Event, ...]


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """A post that is kept although its blog no longer shows it."""

    id: str
    url: str
    title: str | None
    gone_at: datetime
    status: int


def write_revision(connection: Connection, old: Post) -> None:
    """Keep the state of a post that is about to be replaced."""
    seen_at = connection.scalar(select(posts.c.seen_at).where(posts.c.id == old.id))
    row = {"post_id": old.id, "revision": old.revision, "seen_at": seen_at, "document": to_json(old).decode()}
    connection.execute(insert(revisions), row)


def history_of(connection: Connection, post: Post) -> History:
    """The states and events of a stored post."""
    query = select(revisions).where(revisions.c.post_id == post.id).order_by(revisions.c.revision)
    states = [(row.seen_at, from_json(row.document, Post)) for row in connection.execute(query)]
    states.append((connection.scalar(select(posts.c.seen_at).where(posts.c.id == post.id)) or "", post))
    found = connection.execute(select(events).where(events.c.post_id == post.id).order_by(events.c.at, events.c.kind))
    return History(
        revisions=tuple(
            Revision(
                revision=state.revision,
                seen_at=datetime.fromisoformat(seen_at),
                changed=changed_fields(states[index - 1][1], state) if index else (),
                post=state,
            )
            for index, (seen_at, state) in enumerate(states)
        ),
        events=tuple(Event(at=datetime.fromisoformat(row.at), kind=row.kind, detail=row.detail) for row in found),
    )


def write_gone(connection: Connection, post_id: str, status: int, at: datetime) -> None:
    """Put up a tombstone, unless there is one."""
    tombstone = {"gone_at": date_key(at), "gone_status": status, "stamp": _now()}
    changed = connection.execute(update(posts).where(posts.c.id == post_id, posts.c.gone_at.is_(None)), tombstone)
    if changed.rowcount:
        _write_event(connection, post_id, at, "gone", str(status))


def write_back(connection: Connection, post_id: str, at: datetime) -> None:
    """Take the tombstone of a post away, if there is one."""
    tombstone = {"gone_at": None, "gone_status": None, "stamp": _now()}
    changed = connection.execute(update(posts).where(posts.c.id == post_id, posts.c.gone_at.is_not(None)), tombstone)
    if changed.rowcount:
        _write_event(connection, post_id, at, "back", "")


def write_moved(connection: Connection, old: Post, new: Post, at: datetime) -> None:
    """Let the old URL lead to the new post."""
    connection.execute(update(posts).where(posts.c.id == old.id), {"moved_to": new.id, "stamp": _now()})
    _write_event(connection, old.id, at, "moved", new.url)


def tombstones_of(connection: Connection, blog_id: str) -> list[Tombstone]:
    """The posts that the blog no longer shows, the latest gone first."""
    query = select(posts).where(posts.c.blog_id == blog_id, posts.c.gone_at.is_not(None))
    return [
        Tombstone(
            id=row.id, url=row.url, title=row.title, gone_at=datetime.fromisoformat(row.gone_at), status=row.gone_status
        )
        for row in connection.execute(query.order_by(posts.c.gone_at.desc(), posts.c.id))
    ]


def _now() -> str:
    """When the archive stores the event, which may be long after it happened."""
    return date_key(datetime.now(UTC))


def _write_event(connection: Connection, post_id: str, at: datetime, kind: EventKind, detail: str) -> None:
    write_rows(connection, events, [{"post_id": post_id, "at": date_key(at), "kind": kind, "detail": detail}])


_WORD = re.compile(r"\S+|\s+")


class Piece(msgspec.Struct, frozen=True):
    """A run of words that both texts have, that was taken out, or that was put in."""

    kind: Literal["same", "out", "in"]
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """Return both texts as one sequence: without what was put in it is the old, without what was taken out the new."""
    left, right = _WORD.findall(old), _WORD.findall(new)
    pieces: list[Piece] = []
    for step, start, stop, new_start, new_stop in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if step == "equal":
            pieces.append(Piece("same", "".join(left[start:stop])))
            continue
        if stop > start:
            pieces.append(Piece("out", "".join(left[start:stop])))
        if new_stop > new_start:
            pieces.append(Piece("in", "".join(right[new_start:new_stop])))
    return pieces
