"""A post as one row and its comments as rows of their own, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from posterity.archive.columns import date_key
from posterity.archive.sameness import fingerprint
from posterity.errors import InputError
from posterity.model import Comment, Post, from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Row


def post_row(post: Post, seen_at: str) -> dict[str, Any]:
    """Return the row of a post; text and comments lie outside of its document."""
    try:
        document = to_json(msgspec.structs.replace(post, text="", comments=())).decode()
        mark = fingerprint(post)
    except UnicodeError as problem:
        raise InputError(f"The post {post.url!r} holds half a character and cannot be stored: {problem}.") from problem
    return {
        "id": post.id,
        "blog_id": post.blog,
        "url": post.url,
        "canonical_url": post.canonical_url,
        "published": date_key(post.published),
        "language": post.language,
        "revision": post.revision,
        "fingerprint": mark,
        "seen_at": seen_at,
        "stamp": seen_at,
        "title": post.title,
        "text": post.text,
        "document": document,
    }


def comment_rows(post: Post) -> list[dict[str, Any]]:
    """Return the rows of the comments of a post, in reading order."""
    return [
        {
            "post_id": post.id,
            "position": position,
            "id": comment.id,
            "parent": comment.parent,
            "author": comment.author,
            "author_url": comment.author_url,
            "published": msgspec.to_builtins(comment.published),
            "text": comment.text,
            "html": comment.html,
        }
        for position, comment in enumerate(post.comments)
    ]


def media_rows(post: Post) -> list[dict[str, Any]]:
    """Return the rows of the media of a post."""
    return [
        {"post_id": post.id, "position": position, "url": medium.url, "digest": medium.digest}
        for position, medium in enumerate(post.media)
    ]


def post_of(row: Row[Any], comments: Iterable[Row[Any]]) -> Post:
    """Return the post that was stored as these rows."""
    post = from_json(row.document, Post)
    found = tuple(_comment_of(comment) for comment in comments)
    return msgspec.structs.replace(post, text=row.text, comments=found, revision=row.revision)


def _comment_of(row: Row[Any]) -> Comment:
    fields = ("id", "parent", "author", "author_url", "published", "text", "html")
    return msgspec.convert({name: getattr(row, name) for name in fields}, Comment)
