"""A post's page: the record beside its outlined archived page, its history, and the correction of rules by pointing."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from posterity.archive.history import Piece, word_diff
from posterity.archive.overview import line_of, neighbours
from posterity.errors import NotInArchive, UnreadablePage
from posterity.model import Comment
from posterity.serve.api.responses import FORMS, written_posts
from posterity.serve.middleware import Framing, Writer
from posterity.serve.problems import Problem
from posterity.serve.replay.frame import empty_frame, frame
from posterity.serve.rule_correction import page_of_post
from posterity.serve.services import ServicesDep
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)
_DIFF_CHARS = 60_000
_CONTEXT_WORDS = 25
_DEEPEST = 10  # levels of replies, the maximum of WordPress
# The first fields in the table of provenance, in order.
_FIELDS = ("title", "subtitle", "authors", "published", "modified", "text", "tags", "series", "comments", "license")


class CommentThread(msgspec.Struct, frozen=True):
    """A comment and its replies."""

    comment: Comment
    replies: tuple[CommentThread, ...]


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """A revision of a post, and how its text differs from the previous one."""

    revision: int
    seen_at: object
    changed: tuple[str, ...]
    kind: str
    title: str | None
    pieces: tuple[Piece, ...]


@router.get("/posts/{post_id}")
def post(request: Request, services: ServicesDep, post_id: str) -> Response:
    """Show a record and its page side by side."""
    archive = services.archive
    with archive.database.snapshot():
        history = archive.history(post_id)
        found = history.revisions[-1].post
        line = line_of(archive, found.id)
        assert line is not None
        earlier, later = neighbours(archive, line)
        blog = archive.blog(found.blog) if found.blog else None
        captures = archive.captures(found.url)
    names = dict.fromkeys((*_FIELDS, *found.provenance))
    edits = []
    for before, after in pairwise(history.revisions):
        pieces = word_diff(before.post.text[:_DIFF_CHARS], after.post.text[:_DIFF_CHARS])
        edits.append(
            Edit(
                revision=after.revision, seen_at=after.seen_at, changed=after.changed, kind=after.kind,
                title=after.post.title, pieces=tuple(_shorten(pieces)),
            )
        )  # fmt: skip
    return page(
        request,
        "post.html",
        post=found,
        line=line,
        blog=blog,
        earlier=earlier,
        later=later,
        captures=captures,
        files={medium.url: medium.file for medium in found.media if medium.file},
        threads=threads(found.comments),
        trackbacks=sum(comment.is_trackback for comment in found.comments),
        edits=list(reversed(edits)),
        origins=[(name, found.provenance[name]) for name in names if name in found.provenance],
        events=history.events,
        forms=list(FORMS),
    )


@router.get("/posts/{post_id}/record")
def record(services: ServicesDep, post_id: str, form: Annotated[str, Query(max_length=20)] = "json") -> Response:
    """Download the record in one of the forms that the interface gives by Accept."""
    if form not in FORMS:
        raise Problem(404, f"There is no form {form!r}. Choose one of: {', '.join(FORMS)}.")
    chosen = FORMS[form]
    name = f'attachment; filename="{post_id}.{chosen.ending}"'
    text = written_posts((services.archive.post(post_id),), chosen)
    return Response(text, media_type=chosen.media_type, headers={"Content-Disposition": name})


@router.get("/posts/{post_id}/page")
def archived_page(services: ServicesDep, post_id: str, _: Framing) -> Response:
    """Return the archived page for the frame, with the parts of the record outlined."""
    return _framed_page(services, post_id, select=False)


@router.get("/posts/{post_id}/correct")
def correct_rule(
    request: Request,
    services: ServicesDep,
    post_id: str,
    _: Writer,
    field: Annotated[str, Query(max_length=20)] = "title",
) -> Response:
    """Show the page to point at, for visitors who may correct rules."""
    found = services.archive.post(post_id)
    if found.blog is None or services.archive.rules(found.blog) is None:
        raise Problem(404, "There are no rules for this blog that could be corrected.")
    return page(request, "correct.html", post=found, blog=services.archive.blog(found.blog), field=field)


@router.get("/posts/{post_id}/correct/page")
def page_to_correct(services: ServicesDep, post_id: str, _: Framing) -> Response:
    """Return the archived page for the frame, with our own script, which reports the element that was pointed at."""
    return _framed_page(services, post_id, select=True)


def _framed_page(services: ServicesDep, post_id: str, *, select: bool) -> Response:
    found = services.archive.post(post_id)
    rules = services.archive.rules(found.blog) if found.blog else None
    try:
        stored = page_of_post(services.archive, found)
        return frame(services.framer, stored, [found], rules, archive=services.settings.archive, select=select)
    except (NotInArchive, UnreadablePage) as problem:
        return empty_frame(str(problem))


def threads(comments: tuple[Comment, ...]) -> list[CommentThread]:
    """Return comments as trees; comments with an unknown parent or in a cycle of parents are at the top level.

    Replies below `_DEEPEST` levels are flattened: blogs do not nest deeper either, and a thread may have thousands.
    """
    known = {comment.id for comment in comments}
    below: dict[str | None, list[Comment]] = defaultdict(list)
    for comment in comments:
        below[comment.parent if comment.parent in known else None].append(comment)
    seen: set[str] = set()

    def replies(comment: Comment) -> list[Comment]:
        found = [reply for reply in below[comment.id] if reply.id not in seen]
        seen.update(reply.id for reply in found)
        return found

    def thread(comment: Comment, level: int) -> CommentThread:
        if level < _DEEPEST:
            return CommentThread(comment, tuple([thread(reply, level + 1) for reply in replies(comment)]))
        under, waiting = [], replies(comment)[::-1]
        while waiting:
            under.append(CommentThread(waiting.pop(), ()))
            waiting += replies(under[-1].comment)[::-1]
        return CommentThread(comment, tuple(under))

    seen.update(comment.id for comment in below[None])
    found = [thread(comment, 1) for comment in below[None]]
    return found + [CommentThread(comment, ()) for comment in comments if comment.id not in seen]


def _shorten(pieces: list[Piece]) -> list[Piece]:
    """Shorten long unchanged runs to the words next to a change; empty without changes."""
    if all(piece.kind == "same" for piece in pieces):
        return []
    found = []
    for place, piece in enumerate(pieces):
        words = piece.text.split(" ")
        if piece.kind == "same" and len(words) > 2 * _CONTEXT_WORDS:
            head = " ".join(words[:_CONTEXT_WORDS]) if place else ""
            tail = " ".join(words[-_CONTEXT_WORDS:]) if place < len(pieces) - 1 else ""
            found.append(Piece("same", f"{head} … {tail}"))
        else:
            found.append(piece)
    return found
