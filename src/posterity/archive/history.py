"""The history of a post: its earlier revisions, and when it was deleted, came back or moved."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from html import escape
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import Connection, insert, or_, select, update

from posterity import clock
from posterity.archive.database import date_key, document_columns, write_rows
from posterity.archive.schema import events, posts, revisions
from posterity.model import Comment, Media, Post, Provenance, from_json, to_json
from posterity.text.normal_form import one_line

Outcome = Literal["new", "changed", "same", "forgotten"]
# How far two dates of the same day may be apart, by their precision.
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_SPANS = {precision: timedelta(days) for precision, days in _DAYS.items()}


def fingerprint(post: Post) -> str:
    """Return a digest of the record without its revision and the times and places of its provenance."""
    # Always a float: 1 comes back from the database as 1.0, and the digest must not change.
    evidence = {
        field: Provenance(method=origin.method, rule=origin.rule, confidence=float(origin.confidence))
        for field, origin in sorted(post.provenance.items())
    }
    content = to_json(msgspec.structs.replace(post, revision=1, provenance=evidence))
    for name in _LATER:
        content = content.replace(f',"{name}":null'.encode(), b"", 1)
    return hashlib.sha256(content).hexdigest()[:32]


# Fields that records did not have before version 0.5. Digests of records without them are as before.
_LATER = ("subtitle", "series", "reading_minutes", "cover")


# Fields that readers see. The others are derived from these or depend on the theme.
_VISIBLE = ("title", "authors", "published", "modified", "text", "media", "comments")
# Fields that a page may lack after a change of theme, although the post still has them.
_KEPT = (
    "title", "subtitle", "authors", "modified", "language", "language_declared", "tags", "categories", "series",
    "license", "summary", "reading_minutes", "cover",
)  # fmt: skip
_PICTURE_SIZE = re.compile(r"-\d{1,5}x\d{1,5}(?=\.\w{1,5}$)")


def is_same_content(left: Post, right: Post) -> bool:
    """Return whether readers would see the same post: its title, authors, dates, text, media and comments.

    White space and provenance do not count, nor does anything that only one of the two pages has: an image that one
    harvest did not download, a byline that the new theme leaves out, the time of day.
    """
    return not visible_changes(left, right)


def visible_changes(old: Post, new: Post) -> tuple[str, ...]:
    """Return the names of the fields that differ for readers, in the order of the model."""
    left, right = with_gaps_filled(old, new), with_gaps_filled(new, old)
    differs = {name: _visible_value(name, left) != _visible_value(name, right) for name in _VISIBLE}
    # A medium may have been replaced by another one at the same URL.
    known = {medium.url: medium.digest for medium in left.media if medium.digest}
    digests = ((medium.digest, known.get(medium.url, medium.digest)) for medium in right.media)
    differs["media"] |= any(digest and before != digest for digest, before in digests)
    # A page may show this date for the first time because of its theme; a feed has it because of an edit.
    origin = new.provenance.get("modified")
    differs["modified"] = old.modified != new.modified and origin is not None and origin.method == "feed-entry"
    return tuple(name for name in _VISIBLE if differs[name])


def with_gaps_filled(post: Post, other: Post) -> Post:
    """Return the post with what only the other one has: authors, tags, language, time of day, zones, media files."""
    post = with_files_of(post, other)
    fields = {name: getattr(other, name) for name in _KEPT if not getattr(post, name) and getattr(other, name)}
    sources = {*fields}
    comments = _with_zones_of(post.comments, other.comments)
    if comments != post.comments:
        fields["comments"] = comments
    if _is_less_precise(post, other):
        fields |= {"published": other.published, "published_precision": other.published_precision}
        sources.add("published")
    if not fields:
        return post
    origins = {name: other.provenance[name] for name in sorted(sources) if name in other.provenance}
    return msgspec.structs.replace(post, **fields, provenance={**post.provenance, **origins})


def _with_zones_of(comments: tuple[Comment, ...], others: tuple[Comment, ...]) -> tuple[Comment, ...]:
    """Return the comments with the time zones of the others, because themes may show times without a zone."""
    known = {(comment.author, one_line(comment.text)): comment.published for comment in others if comment.published}

    def with_zone(comment: Comment) -> Comment:
        date, other = comment.published, known.get((comment.author, one_line(comment.text)))
        if date is None or other is None or date.utcoffset() or date.replace(tzinfo=None) != other.replace(tzinfo=None):
            return comment
        return msgspec.structs.replace(comment, published=other)

    return tuple(map(with_zone, comments)) if known else comments


def _is_less_precise(post: Post, other: Post) -> bool:
    """Return whether the other post has the same date more exactly, or has a date at all.

    "3 years ago" means a later date at every reading: of two such dates that may be the same, the earlier is kept.
    """
    if post.published is None or other.published is None:
        return other.published is not None
    span, other_span = (_SPANS.get(each.published_precision or "minute", timedelta()) for each in (post, other))
    if abs(post.published - other.published) >= span or span < other_span:
        return False
    return other_span < span or (span > _SPANS["day"] and other.published < post.published)


def with_files_of(post: Post, other: Post) -> Post:
    """Return the post with the local files of the other's media where its own are missing."""
    known = {medium.url: medium for medium in other.media if medium.file}
    if not known:
        return post
    return msgspec.structs.replace(post, media=tuple(_with_file(medium, known) for medium in post.media))


def changed_fields(old: Post, new: Post) -> tuple[str, ...]:
    """Return the names of all fields whose content differs, in the order of the model."""
    left, right = _content(with_gaps_filled(old, new)), _content(with_gaps_filled(new, old))
    return tuple(name for name in Post.__struct_fields__ if getattr(left, name) != getattr(right, name))


def _content(post: Post) -> Post:
    """Return the post without what is not content; white space that readers see differs in text and Markdown, too."""
    html = "".join(post.html.split()) if post.html else post.html
    comments = tuple(msgspec.structs.replace(comment, html=_bare(comment.html)) for comment in post.comments)
    plain = {"html": html, "comments": comments, "language": None, "language_declared": None}
    return msgspec.structs.replace(post, revision=1, provenance={}, **plain)


_WRAPPER = re.compile(r"</?(?:div|li|section|article|span)\b[^<>]*>")


def _bare(html: str | None) -> str:
    """Return the markup of a comment without white space and the elements that a theme puts around it."""
    return "".join(_WRAPPER.sub("", html or "").split())


def _visible_value(name: str, post: Post) -> object:
    value = getattr(post, name)
    match name:
        case "title" | "text":
            return one_line(value or "")
        case "media":
            # A cover that the article does not show may be the choice of the theme; earlier versions did not store it.
            shown = post.cover is None or escape(post.cover) in (post.html or "")
            return {_file_name(medium) for medium in value if shown or medium.url != post.cover}
        case "comments":
            # Ids change with the software; the order changes with a setting.
            return sorted((comment.author or "", one_line(comment.text)) for comment in value)
    return value


def _file_name(medium: Media) -> str:
    """Return the path of a file without the picture's size, which themes choose, and the host, which may change."""
    if medium.is_embed:
        return medium.url
    path = medium.url.partition("?")[0].partition("://")[2].partition("/")[2]
    return _PICTURE_SIZE.sub("", path)


def _with_file(medium: Media, known: dict[str, Media]) -> Media:
    stored = known.get(medium.url)
    if medium.file or stored is None:
        return medium
    return msgspec.structs.replace(medium, file=stored.file, digest=stored.digest, mime=stored.mime)


EventKind = Literal["gone", "back", "moved"]
# Why a post has a new state: it was edited, its comments changed, or the same page was extracted again with other
# rules.
RevisionKind = Literal["first", "edited", "commented", "reextracted"]
_REVISION = "revision {}"  # the event whose detail is the kind of this revision


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """One state of a post; `changed` names the fields that differ from the state before."""

    revision: int
    seen_at: datetime
    changed: tuple[str, ...]
    post: Post
    kind: RevisionKind = "edited"


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event of the page of a post; `detail` is the HTTP status, or both URLs."""

    at: datetime
    kind: EventKind
    detail: str


class History(msgspec.Struct, frozen=True, kw_only=True):
    """All states and events of one post, oldest first."""

    revisions: tuple[Revision, ...]
    events: tuple[Event, ...]


class EarlierStates(msgspec.Struct, frozen=True, kw_only=True):
    """The history of a post without its present state, for exports; `seen_at` and `kind` are those of that state."""

    seen_at: datetime
    kind: RevisionKind
    revisions: tuple[Revision, ...] = ()
    events: tuple[Event, ...] = ()


class GoneSince(msgspec.Struct, frozen=True, kw_only=True):
    """When a blog stopped showing a post, and the HTTP status of the response that showed this."""

    at: datetime
    status: int


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """A post that is kept although its blog no longer shows it."""

    id: str
    url: str
    title: str | None
    gone_at: datetime
    status: int


def write_revision(connection: Connection, old: Post, new: Post, at: datetime) -> None:
    """Store the state of a post that is about to be replaced, and the kind of change that replaces it."""
    seen_at = connection.scalar(select(posts.c.seen_at).where(posts.c.id == old.id))
    row = {"post_id": old.id, "revision": old.revision, "seen_at": seen_at, **document_columns(old)}
    connection.execute(insert(revisions), row)
    _write_event(connection, old.id, at, _REVISION.format(old.revision + 1), _kind_of_change(old, new))


def _kind_of_change(old: Post, new: Post) -> RevisionKind:
    changes = visible_changes(old, new)
    if changes == ("comments",):
        return "commented"
    return "reextracted" if all(_is_of_one_page(field, old, new) for field in changes) else "edited"


def _is_of_one_page(field: str, old: Post, new: Post) -> bool:
    """Return whether both values of a field were read from the same stored page."""
    origins = (post.provenance.get(field) or post.provenance.get("text") for post in (old, new))
    pages = [origin.warc if origin else None for origin in origins]
    return pages[0] is not None and pages[0] == pages[1]


def history_of(connection: Connection, post: Post) -> History:
    """Return the states and events of a stored post."""
    query = select(revisions).where(revisions.c.post_id == post.id).order_by(revisions.c.revision)
    states = [(row.seen_at, from_json(row.document, Post)) for row in connection.execute(query)]
    states.append((connection.scalar(select(posts.c.seen_at).where(posts.c.id == post.id)) or "", post))
    rows = connection.execute(select(events).where(events.c.post_id == post.id).order_by(events.c.at, events.c.kind))
    found = rows.all()
    kinds = {row.kind: row.detail for row in found}
    return History(
        revisions=tuple(
            _revision(state, seen_at, states[index - 1][1] if index else None, kinds)
            for index, (seen_at, state) in enumerate(states)
        ),
        events=tuple(
            Event(at=datetime.fromisoformat(row.at), kind=row.kind, detail=row.detail)
            for row in found
            if row.kind in get_args(EventKind)
        ),
    )


def _revision(state: Post, seen_at: str, before: Post | None, kinds: Mapping[str, Any]) -> Revision:
    """Return a state as a `Revision`; the kind of change is derived if an earlier version did not store it."""
    moment = datetime.fromisoformat(seen_at)
    if before is None:
        return Revision(revision=state.revision, seen_at=moment, changed=(), post=state, kind="first")
    return Revision(
        revision=state.revision,
        seen_at=moment,
        changed=visible_changes(before, state) or changed_fields(before, state),
        post=state,
        kind=kinds.get(_REVISION.format(state.revision)) or _kind_of_change(before, state),
    )


def earlier_states(history: History) -> EarlierStates:
    """Return the history without the present state of the post."""
    *before, now = history.revisions
    return EarlierStates(seen_at=now.seen_at, kind=now.kind, revisions=tuple(before), events=history.events)


def write_earlier_states(connection: Connection, post: Post, earlier: EarlierStates, at: datetime) -> None:
    """Store the history of a post from another archive, if this one has none."""
    own = select(revisions.c.revision).where(revisions.c.post_id == post.id).limit(1)
    if post.revision != 1 or connection.scalar(own) is not None:
        return
    rows = [
        {
            "post_id": post.id,
            "revision": number,
            "seen_at": date_key(state.seen_at),
            **document_columns(msgspec.structs.replace(state.post, id=post.id, revision=number)),
        }
        for number, state in enumerate(earlier.revisions, 1)
    ]
    if rows:
        connection.execute(insert(revisions), rows)
    row = {"revision": len(rows) + 1, "seen_at": date_key(earlier.seen_at), "stamp": date_key(at)}
    connection.execute(update(posts).where(posts.c.id == post.id), row)
    kinds = [*((state.seen_at, state.kind) for state in earlier.revisions), (earlier.seen_at, earlier.kind)]
    for number, (moment, kind) in enumerate(kinds, 1):
        if number > 1:
            _write_event(connection, post.id, moment, _REVISION.format(number), kind)
    for event in earlier.events:
        _write_event(connection, post.id, event.at, event.kind, event.detail)


def write_gone(connection: Connection, post_id: str, status: int, at: datetime) -> None:
    """Mark the post as deleted, unless it is marked already."""
    tombstone = {"gone_at": date_key(at), "gone_status": status, "stamp": _now()}
    if connection.execute(update(posts).where(posts.c.id == post_id, posts.c.gone_at.is_(None)), tombstone).rowcount:
        _write_event(connection, post_id, at, "gone", str(status))


def write_restored(connection: Connection, post_id: str, at: datetime) -> None:
    """Remove the mark of a deleted post, if it has one."""
    tombstone = {"gone_at": None, "gone_status": None, "stamp": _now()}
    if connection.execute(update(posts).where(posts.c.id == post_id, posts.c.gone_at.is_not(None)), tombstone).rowcount:
        _write_event(connection, post_id, at, "back", "")


def write_moved(connection: Connection, old: Post, new: Post, at: datetime) -> None:
    """Make the old post, and posts that moved to it, point to the new one."""
    moved = or_(posts.c.id == old.id, posts.c.moved_to == old.id)
    connection.execute(update(posts).where(moved), {"moved_to": new.id, "stamp": _now()})
    _write_event(connection, new.id, at, "moved", f"{old.url} to {new.url}")


def move_history(connection: Connection, old: Post, new: Post, *, keeps_last: bool) -> None:
    """Give the states and events of one post to another that is the same post at another URL.

    With `keeps_last`, the last state of the old post is kept; otherwise, it counts as the first one of the new post.
    """
    before = connection.scalar(select(posts.c.seen_at).where(posts.c.id == old.id)) or ""
    shift = old.revision - (not keeps_last)
    own = connection.execute(select(revisions).where(revisions.c.post_id == new.id)).all()
    for row in sorted(own, key=lambda row: -row.revision):
        fits = (revisions.c.post_id == new.id) & (revisions.c.revision == row.revision)
        connection.execute(update(revisions).where(fits), {"revision": row.revision + shift})
    connection.execute(update(revisions).where(revisions.c.post_id == old.id), {"post_id": new.id})
    connection.execute(update(events).where(events.c.post_id == old.id), {"post_id": new.id})
    if keeps_last:
        last = {"post_id": new.id, "revision": old.revision, "seen_at": before, **document_columns(old)}
        connection.execute(insert(revisions), last)
    elif not own:
        connection.execute(update(posts).where(posts.c.id == new.id), {"seen_at": before})


def merged_comments(before: tuple[Comment, ...], now: tuple[Comment, ...], expected: int | None) -> tuple[Comment, ...]:
    """Return the current comments if they are as many as the feed lists or as before; otherwise merge both."""
    if len(now) >= (len(before) if expected is None else expected):
        return now
    found = {comment.id: comment for comment in now}
    words = {(comment.author, one_line(comment.text)) for comment in now}  # ids change with the software
    kept = [
        found.pop(comment.id, comment)
        for comment in before
        if comment.id in found or (comment.author, one_line(comment.text)) not in words
    ]
    return (*kept, *found.values())


def tombstones_of(connection: Connection, blog_id: str) -> list[Tombstone]:
    """Return the posts that the blog no longer shows, the most recently deleted first."""
    query = select(posts).where(posts.c.blog_id == blog_id, posts.c.gone_at.is_not(None))
    rows = connection.execute(query.order_by(posts.c.gone_at.desc(), posts.c.id))
    gone = ((row, datetime.fromisoformat(row.gone_at)) for row in rows)
    return [Tombstone(id=row.id, url=row.url, title=row.title, gone_at=at, status=row.gone_status) for row, at in gone]


def _now() -> str:
    """Return the time at which the archive stores an event, which may be long after it happened."""
    return date_key(clock.now())


def _write_event(connection: Connection, post_id: str, at: datetime, kind: str, detail: str) -> None:
    write_rows(connection, events, [{"post_id": post_id, "at": date_key(at), "kind": kind, "detail": detail}])


_WORD = re.compile(r"\S+|\s+")


class Piece(msgspec.Struct, frozen=True):
    """A run of words that both texts contain, that was removed ("out") or that was added ("in")."""

    kind: Literal["same", "out", "in"]
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """Return both texts as one sequence: without added pieces it is the old text, without removed ones the new."""
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
