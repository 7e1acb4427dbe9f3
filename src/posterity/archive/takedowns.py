"""The list of takedowns, and the recognition of texts on it, whatever their source.

The list has no text. It has names (the post, the comment, the author) and marks: digests of eight consecutive words, of
which one in four is kept. The marks identify copies under other URLs, which are not stored, and responses that show the
text, such as feeds and front pages, which are not written to WARC.
"""

from __future__ import annotations

import hashlib
import html
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable
from heapq import nsmallest
from typing import Literal

import msgspec
from sqlalchemy import Connection, func, select

from posterity.archive.database import Database, write_rows
from posterity.archive.schema import forgotten
from posterity.archive.search_index import folded
from posterity.archive.warc_reader import decoded_body
from posterity.model import Comment, Post
from posterity.urls import canonical_url, post_id

ForgottenKind = Literal["post", "comment", "author"]


class Forgotten(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of the log: what was taken down, when, why, how much was removed, and the marks of its text."""

    kind: ForgottenKind
    name: str
    at: str
    reason: str
    removed: dict[str, int]
    marks: tuple[str, ...] = ()


class _Removed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON in the column `removed`; archives of earlier versions have only the counts."""

    counts: dict[str, int]
    marks: tuple[str, ...] = ()


class TakedownList:
    """The list of takedowns, checked for every post before it is stored."""

    def __init__(self, names: dict[str, set[str]], marks: frozenset[str]) -> None:
        self._names = names
        self._marks = marks

    def has_post(self, post: Post) -> bool:
        """Return whether the post, a copy of it or one of its authors was taken down."""
        if not self._names:
            return False
        by_author = any(author_key(name) in self._names["author"] for name in post.authors)
        return post.id in self._names["post"] or by_author or self._is_copy(post.text)

    def has_url(self, url: str) -> bool:
        """Return whether the post with this URL was taken down."""
        return bool(self._names) and post_id(canonical_url(url)) in self._names["post"]

    def without_comments(self, post: Post) -> Post:
        """Return the post without the comments that were taken down."""
        if not self._names:
            return post
        kept = tuple(comment for comment in post.comments if not self._has_comment(post, comment))
        return post if len(kept) == len(post.comments) else msgspec.structs.replace(post, comments=kept)

    def is_shown(self, body: bytes, mime: str | None, content_encoding: str = "") -> bool:
        """Return whether a response shows a text that was taken down."""
        if not self._marks or not is_textual(mime):
            return False
        return not self._marks.isdisjoint(_all_marks(_plain_text(decoded_body(body, content_encoding))))

    def _has_comment(self, post: Post, comment: Comment) -> bool:
        by_author = comment.author is not None and author_key(comment.author) in self._names["author"]
        is_named = comment_key(post.id, comment.id) in self._names["comment"]
        return by_author or is_named or self._is_copy(comment.text)

    def _is_copy(self, text: str) -> bool:
        """Return whether at least half of a text was taken down, which is more than a quotation."""
        marks = text_marks(text) if self._marks else frozenset()
        return bool(marks) and 2 * len(marks & self._marks) >= len(marks)


class CurrentTakedowns:
    """The list of takedowns for a writer: a post may be taken down during a harvest."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._count = 0
        self._list = TakedownList({}, frozenset())
        self.has_grown()

    def has_grown(self) -> bool:
        """Return whether something was taken down since the last call, and reload the list if so."""
        with self._database.reading() as connection:
            count = connection.scalar(select(func.count()).select_from(forgotten)) or 0
            if count == self._count:
                return False
            self._count, self._list = count, takedown_list(connection)
        return True

    def is_shown(self, body: bytes, mime: str | None, content_encoding: str = "") -> bool:
        """Return whether a response shows a text that was taken down."""
        return self._list.is_shown(body, mime, content_encoding)


def author_key(name: str) -> str:
    """Return an author's name as in the list: without case, accents and extra spaces."""
    return " ".join(folded(name).split())


def comment_key(post_id: str, comment_id: str) -> str:
    """Return the name of a comment in the list."""
    return f"{post_id}#{comment_id}"


def takedown_list(connection: Connection) -> TakedownList:
    """Return the current list."""
    names: dict[str, set[str]] = defaultdict(set)
    marks: set[str] = set()
    for row in connection.execute(select(forgotten.c.kind, forgotten.c.name, forgotten.c.removed)):
        names[row.kind].add(row.name)
        marks.update(_removal_of(row.removed).marks)
    return TakedownList(names, frozenset(marks))


def write_forgotten(connection: Connection, entry: Forgotten) -> None:
    """Add an entry to the list; a name that is on it already gets the new reason and keeps its marks."""
    same = (forgotten.c.kind == entry.kind) & (forgotten.c.name == entry.name)
    known = connection.scalar(select(forgotten.c.removed).where(same))
    marks = {*entry.marks, *(_removal_of(known).marks if known else ())}
    column = msgspec.json.encode(_Removed(entry.removed, tuple(sorted(marks)))).decode()
    row = {"kind": entry.kind, "name": entry.name, "at": entry.at, "reason": entry.reason, "removed": column}
    write_rows(connection, forgotten, [row])


def takedown_log(connection: Connection) -> list[Forgotten]:
    """Return every entry, oldest first."""
    rows = connection.execute(select(forgotten).order_by(forgotten.c.at, forgotten.c.kind, forgotten.c.name))
    found = ((row, _removal_of(row.removed)) for row in rows)
    return [
        Forgotten(kind=row.kind, name=row.name, at=row.at, reason=row.reason, removed=was.counts, marks=was.marks)
        for row, was in found
    ]


def _removal_of(column: str) -> _Removed:
    if '"counts":' in column:
        return msgspec.json.decode(column, type=_Removed)
    return _Removed(msgspec.json.decode(column, type=dict[str, int]))


_MARK_WORDS = 8
_MAX_MARKS = 256  # of one text
_SAMPLE = 0b11  # marks begin at words whose checksum has these bits unset: one in four, the same words in every text
# In scripts without spaces, each character counts as a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


def text_marks(text: str) -> frozenset[str]:
    """Return the marks of a text; none if it has fewer than eight words."""
    return frozenset(nsmallest(_MAX_MARKS, set(_all_marks(text))))


def _all_marks(text: str) -> Iterable[str]:
    words = _WORD.findall(text.casefold())
    for place in range(len(words) - _MARK_WORDS + 1):
        if not zlib.crc32(words[place].encode("utf-8", "replace")) & _SAMPLE:
            piece = " ".join(words[place : place + _MARK_WORDS]).encode("utf-8", "replace")
            yield hashlib.blake2b(piece, digest_size=8).hexdigest()


_TAG = re.compile(r"<[^<>]{0,2000}>|<!\[CDATA\[|\]\]>")
_NO_LETTER = re.compile(r"[\W_]+")
_PROBE_LETTERS = 80
_MIN_LETTERS = 40  # shorter texts also occur on unrelated pages


def is_textual(mime: str | None) -> bool:
    """Return whether a response of this type can show text."""
    return any(word in (mime or "") for word in ("html", "xml", "json", "text/", "rss", "atom"))


def probes(text: str) -> list[str]:
    """Return pieces of the text, for `shows`, that occur in no other text; none for a very short text."""
    letters = _letters(text)
    if len(letters) < _MIN_LETTERS:
        return []
    starts = sorted({0, max(0, len(letters) // 2 - _PROBE_LETTERS // 2), max(0, len(letters) - _PROBE_LETTERS)})
    return [letters[start : start + _PROBE_LETTERS] for start in starts]


def shows(body: bytes, pieces: list[str]) -> bool:
    """Return whether a page, feed or JSON response shows one of these pieces of text."""
    if not pieces:
        return False
    letters = _letters(_plain_text(body))
    return any(piece in letters for piece in pieces)


def _plain_text(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    if "\\u" in text or "\\n" in text:
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text.replace("\\n", "\n"))
    # Feeds contain escaped HTML, whose tags appear only after the first round.
    for _ in range(2):
        text = html.unescape(_TAG.sub(" ", text))
    return _TAG.sub(" ", text)


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text).lower()
