"""The list of what was taken down: what stands on it is never stored again, however often it is harvested."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

import msgspec
from sqlalchemy import select

from posterity.archive.schema import forgotten
from posterity.archive.search_words import folded
from posterity.archive.upsert import write_rows
from posterity.model import post_id
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from posterity.model import Comment, Post

ForgottenKind = Literal["post", "comment", "author"]


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the log: what was taken down, when, why, and how much was removed."""

    kind: ForgottenKind
    name: str
    at: str
    reason: str
    removed: dict[str, int]


class TakedownList:
    """The list, as it is asked for every post that is about to be stored."""

    def __init__(self, names: dict[str, set[str]]) -> None:
        self._names = names

    def has_post(self, post: Post) -> bool:
        """Tell whether the post, or somebody who wrote it, was taken down."""
        if not self._names:
            return False
        return post.id in self._names["post"] or any(author_key(name) in self._names["author"] for name in post.authors)

    def has_address(self, url: str) -> bool:
        """Tell whether the post with this address was taken down."""
        return bool(self._names) and post_id(canonical_url(url)) in self._names["post"]

    def without_comments(self, post: Post) -> Post:
        """Return the post without the comments that were taken down."""
        if not self._names:
            return post
        kept = tuple(comment for comment in post.comments if not self._has_comment(post, comment))
        return post if len(kept) == len(post.comments) else msgspec.structs.replace(post, comments=kept)

    def _has_comment(self, post: Post, comment: Comment) -> bool:
        by_author = comment.author is not None and author_key(comment.author) in self._names["author"]
        return by_author or comment_key(post.id, comment.id) in self._names["comment"]


def author_key(name: str) -> str:
    """Return an author's name as the list writes it: without case, accents and spare spaces."""
    return " ".join(folded(name).split())


def comment_key(post_id: str, comment_id: str) -> str:
    """Return a comment's name as the list writes it."""
    return f"{post_id}#{comment_id}"


def takedown_list(connection: Connection) -> TakedownList:
    """The list as it stands."""
    names: dict[str, set[str]] = defaultdict(set)
    for row in connection.execute(select(forgotten.c.kind, forgotten.c.name)):
        names[row.kind].add(row.name)
    return TakedownList(names)


def write_forgotten(connection: Connection, entry: Forgotten) -> None:
    """Put something on the list; a name that stands on it already gets the new reason."""
    row = msgspec.structs.asdict(entry) | {"removed": msgspec.json.encode(entry.removed).decode()}
    write_rows(connection, forgotten, [row])


def takedown_log(connection: Connection) -> list[Forgotten]:
    """Every entry, in the order of time."""
    rows = connection.execute(select(forgotten).order_by(forgotten.c.at, forgotten.c.kind, forgotten.c.name))
    return [
        Forgotten(
            kind=row.kind, name=row.name, at=row.at, reason=row.reason,
            removed=msgspec.json.decode(row.removed, type=dict[str, int]),
        )
        for row in rows
    ]  # fmt: skip
