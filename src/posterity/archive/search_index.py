"""Keeps the full-text index in step with the posts: an FTS5 table on SQLite, a tsvector column on PostgreSQL.

The FTS5 table is contentless: the words of a post are not stored a second time, so taking a row out of the index
needs the same words that were put in. They follow from the stored post alone (`columns_of`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from sqlalchemy import Connection, delete, func, select, text

from posterity.archive.database import date_key
from posterity.archive.schema import search_entries
from posterity.model import Post

# Han, Hiragana, Katakana: no spaces between words.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_QUERY_PART = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')


class Term(msgspec.Struct, frozen=True):
    """Words that stand side by side; with `prefix` the last may go on. `role` says whether they must be there."""

    words: tuple[str, ...]
    prefix: bool = False
    role: Literal["and", "or", "not"] = "and"


def folded(text: str) -> str:
    """Return the text without case and accents."""
    if text.isascii():
        return text.lower()
    combining = unicodedata.combining
    return "".join([char for char in unicodedata.normalize("NFKD", text.casefold()) if not combining(char)])


def index_words(text: str) -> list[str]:
    """Return the words of a text in order, as the index knows them."""
    return _WORD.findall(folded(text))


def spaced(text: str) -> str:
    """Return the text with spaces around every character that is a word of its own."""
    try:
        text.encode("latin-1")  # ten times as fast as looking for what cannot be there
    except UnicodeEncodeError:
        return _UNSPACED_CHARACTER.sub(r" \g<0> ", text)
    return text


def query_terms(query: str) -> list[Term]:
    """Return the terms of a query: words that must all be there, "phrases", -without, one OR another, prefix*."""
    terms: list[Term] = []
    alternative = False
    for match in _QUERY_PART.finditer(query):
        typed = match["phrase"] if match["word"] is None else match["word"]
        if typed == "OR" and match["word"] is not None and terms:
            alternative = True
            continue
        words = tuple(index_words(typed))
        if not words:
            continue
        role: Literal["and", "or", "not"] = "not" if match["minus"] else ("or" if alternative else "and")
        terms.append(Term(words, prefix=match["word"] is not None and typed.endswith("*"), role=role))
        alternative = False
    return terms


def alternatives(terms: list[Term]) -> list[list[Term]]:
    """Return the terms that must be there, each group a list of which one suffices."""
    groups: list[list[Term]] = []
    for term in terms:
        if term.role == "or" and groups:
            groups[-1].append(term)
        elif term.role != "not":
            groups.append([term])
    return groups


POST_POSITION = -1
Entry = tuple[str, int, str | None, str | None, str, str, str]
Columns = tuple[str, str, str, str]  # title, body, author, tags
_ENTRY_NAMES = ("post_id", "position", "blog_id", "language", "published", "authors", "tags")
_WEIGHTS = "ADCB"  # what PostgreSQL calls those columns
_MAX_POSITION = 16_383  # PostgreSQL counts words no further, and takes at most 256 places of one word
_MAX_PLACES = 255
_MAX_WORD = 500  # a word of PostgreSQL has at most 2 KB
_MAX_VECTOR_BYTES = 900_000  # a tsvector holds at most a megabyte

_CREATE = {
    "sqlite": (
        """CREATE VIRTUAL TABLE search_index USING fts5(
            title, body, author, tags, content='', tokenize = "unicode61 remove_diacritics 2")""",
        "INSERT INTO search_index(search_index, rank) VALUES ('rank', 'bm25(8.0, 1.0, 2.0, 4.0)')",
        # A batch of posts goes to the index in one piece: a sixth faster than in the default pieces of a megabyte.
        "INSERT INTO search_index(search_index, rank) VALUES ('hashsize', 33554432)",
    ),
    "postgresql": (
        "ALTER TABLE search_entries ADD COLUMN words tsvector",
        "CREATE INDEX search_entries_words ON search_entries USING gin (words)",
    ),
}
# Rows go to the driver as tuples: they are the many, and building each into a dictionary for SQLAlchemy and out of it
# again costs as much as writing it.
_ENTRY_INSERT = (
    "INSERT INTO search_entries (id, post_id, position, blog_id, language, published, authors, tags) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_FTS_INSERT = "INSERT INTO search_index(rowid, title, body, author, tags) VALUES (?, ?, ?, ?, ?)"
_FTS_DELETE = (
    "INSERT INTO search_index(search_index, rowid, title, body, author, tags) VALUES ('delete', ?, ?, ?, ?, ?)"
)
_VECTOR_INSERT = text(
    "INSERT INTO search_entries (post_id, position, blog_id, language, published, authors, tags, words) "
    "VALUES (:post_id, :position, :blog_id, :language, :published, :authors, :tags, CAST(:words AS tsvector))"
)


def create_index(connection: Connection) -> None:
    """Make the index beside its table of entries."""
    for statement in _CREATE[connection.dialect.name]:
        connection.execute(text(statement))


def add_to_index(connection: Connection, some: Sequence[Post]) -> None:
    """Put posts and their comments into the index."""
    entries = [entry for post in some for entry in entries_of(post)]
    words = [columns_of(post, position) for post in some for position in range(POST_POSITION, len(post.comments))]
    if not entries:
        return
    if connection.dialect.name == "postgresql":
        rows = [dict(zip(_ENTRY_NAMES, entry, strict=True)) for entry in entries]
        connection.execute(
            _VECTOR_INSERT, [row | {"words": _vector(text)} for row, text in zip(rows, words, strict=True)]
        )
        return
    # The transaction holds the write lock, so no other process takes the same numbers.
    first = (connection.scalar(select(func.max(search_entries.c.id))) or 0) + 1
    connection.exec_driver_sql(_ENTRY_INSERT, [(number, *entry) for number, entry in enumerate(entries, first)])
    connection.exec_driver_sql(_FTS_INSERT, [(number, *columns) for number, columns in enumerate(words, first)])


def remove_from_index(connection: Connection, stored: Iterable[Post]) -> None:
    """Take posts and their comments out of the index; they must be given as they are stored."""
    for post in stored:
        entries = select(search_entries.c.id, search_entries.c.position).where(search_entries.c.post_id == post.id)
        if connection.dialect.name == "sqlite":
            rows = [(row.id, *columns_of(post, row.position)) for row in connection.execute(entries)]
            if rows:
                connection.exec_driver_sql(_FTS_DELETE, rows)
        connection.execute(delete(search_entries).where(search_entries.c.post_id == post.id))


def empty_index(connection: Connection) -> None:
    """Take everything out of the index."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("INSERT INTO search_index(search_index) VALUES ('delete-all')"))
    connection.execute(delete(search_entries))


def settle_index(connection: Connection) -> None:
    """Merge the index into one piece, so that nothing remains of words that were taken out."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("INSERT INTO search_index(search_index) VALUES ('optimize')"))


def labels(values: Iterable[str]) -> str:
    """Return names as the filters find them: each on a line of its own, without case and accents."""
    lines = "\n".join(" ".join(folded(value).replace("\x00", " ").split()) for value in values)
    return f"\n{lines}\n" if lines else ""


def label_pattern(name: str) -> str:
    """Return the LIKE pattern, with ! as escape, of rows whose `labels` have this name."""
    return "%" + labels([name]).replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%"


def entries_of(post: Post) -> list[Entry]:
    """Return the rows of a post and its comments, without their numbers."""
    tags = labels((*post.tags, *post.categories))
    rows: list[Entry] = [
        (post.id, POST_POSITION, post.blog, post.language, date_key(post.published), labels(post.authors), tags)
    ]
    for position, comment in enumerate(post.comments):
        authors = labels([comment.author]) if comment.author else ""
        rows.append((post.id, position, post.blog, post.language, date_key(comment.published), authors, tags))
    return rows


def columns_of(post: Post, position: int) -> Columns:
    """Return the words of an entry. What this returns for a post must never change without a migration."""
    if position == POST_POSITION:
        tags = "\n".join((*post.tags, *post.categories))
        return spaced(post.title or ""), spaced(post.text), spaced("\n".join(post.authors)), spaced(tags)
    comment = post.comments[position]
    return "", spaced(comment.text), spaced(comment.author or ""), ""


def _vector(columns: Columns) -> str:
    """The words with their places and weights as PostgreSQL writes a tsvector."""
    places: dict[str, list[str]] = defaultdict(list)
    position = size = 0
    for text_of, weight in zip(columns, _WEIGHTS, strict=True):
        for word in index_words(text_of.replace("\x00", " ")):
            position += 1
            size += len(word.encode()) + 8 if word not in places else 8
            if size > _MAX_VECTOR_BYTES or len(word) > _MAX_WORD:
                continue
            if len(places[word]) < _MAX_PLACES:
                places[word].append(f"{min(position, _MAX_POSITION)}{weight}")
        position += 1  # a phrase never runs from one column into the next
    return " ".join(f"'{word}':{','.join(found)}" for word, found in places.items())
