"""Keeps the full-text index in step with the posts: an FTS5 table on SQLite, a tsvector column on PostgreSQL.

The FTS5 table is contentless: the words of a post are not stored a second time, so taking a row out of the index
needs the same words that were put in. They follow from the stored post alone (`_columns`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, text

from posterity.archive.columns import date_key
from posterity.archive.schema import search_entries
from posterity.archive.search_words import folded, index_words, spaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from posterity.model import Post

POST_POSITION = -1
# Every index has the columns title, body, author, tags; PostgreSQL calls them by weight.
WEIGHTS = {"title": "A", "tags": "B", "author": "C", "body": "D"}
_MAX_POSITION = 16_383  # PostgreSQL counts words no further, and takes at most 256 places of one word
_MAX_PLACES = 255
_MAX_WORD = 500  # a word of PostgreSQL has at most 2 KB
_MAX_VECTOR_BYTES = 900_000  # a tsvector holds at most a megabyte

_CREATE = {
    "sqlite": (
        """CREATE VIRTUAL TABLE search_index USING fts5(
            title, body, author, tags, content='', tokenize = "unicode61 remove_diacritics 2")""",
        "INSERT INTO search_index(search_index, rank) VALUES ('rank', 'bm25(8.0, 1.0, 2.0, 4.0)')",
    ),
    "postgresql": (
        "ALTER TABLE search_entries ADD COLUMN words tsvector",
        "CREATE INDEX search_entries_words ON search_entries USING gin (words)",
    ),
}
_FTS_INSERT = text(
    "INSERT INTO search_index(rowid, title, body, author, tags) VALUES (:id, :title, :body, :author, :tags)"
)
_FTS_DELETE = text(
    "INSERT INTO search_index(search_index, rowid, title, body, author, tags) "
    "VALUES ('delete', :id, :title, :body, :author, :tags)"
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
    pairs = [(_entry(post, position), _columns(post, position)) for post in some for position in _positions(post)]
    if not pairs:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(_VECTOR_INSERT, [entry | {"words": _vector(columns)} for entry, columns in pairs])
        return
    # The transaction holds the write lock, so nobody else takes the same numbers.
    first = (connection.scalar(select(func.max(search_entries.c.id))) or 0) + 1
    numbered = list(enumerate(pairs, first))
    connection.execute(insert(search_entries), [{"id": number} | entry for number, (entry, _) in numbered])
    connection.execute(_FTS_INSERT, [{"id": number} | columns for number, (_, columns) in numbered])


def remove_from_index(connection: Connection, stored: Iterable[Post]) -> None:
    """Take posts and their comments out of the index; they must be given as they are stored."""
    for post in stored:
        entries = select(search_entries.c.id, search_entries.c.position).where(search_entries.c.post_id == post.id)
        if connection.dialect.name == "sqlite":
            rows = [{"id": row.id} | _columns(post, row.position) for row in connection.execute(entries)]
            if rows:
                connection.execute(_FTS_DELETE, rows)
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


def _positions(post: Post) -> range:
    return range(POST_POSITION, len(post.comments))


def _entry(post: Post, position: int) -> dict[str, Any]:
    comment = post.comments[position] if position != POST_POSITION else None
    return {
        "post_id": post.id,
        "position": position,
        "blog_id": post.blog,
        "language": post.language,
        "published": date_key(comment.published if comment else post.published),
        "authors": labels(([comment.author] if comment.author else []) if comment else post.authors),
        "tags": labels((*post.tags, *post.categories)),
    }


def _columns(post: Post, position: int) -> dict[str, str]:
    """The words of an entry. What this returns for a post must never change without a migration."""
    if position == POST_POSITION:
        tags = (*post.tags, *post.categories)
        return _spaced(post.title or "", post.text, "\n".join(post.authors), "\n".join(tags))
    comment = post.comments[position]
    return _spaced("", comment.text, comment.author or "", "")


def _spaced(title: str, body: str, author: str, tags: str) -> dict[str, str]:
    return {"title": spaced(title), "body": spaced(body), "author": spaced(author), "tags": spaced(tags)}


def _vector(columns: dict[str, str]) -> str:
    """The words with their places and weights as PostgreSQL writes a tsvector."""
    places: dict[str, list[str]] = defaultdict(list)
    position = size = 0
    for name, weight in WEIGHTS.items():
        for word in index_words(columns[name].replace("\x00", " ")):
            position += 1
            size += len(word.encode()) + 8 if word not in places else 8
            if size > _MAX_VECTOR_BYTES or len(word) > _MAX_WORD:
                continue
            if len(places[word]) < _MAX_PLACES:
                places[word].append(f"{min(position, _MAX_POSITION)}{weight}")
        position += 1  # a phrase never runs from one column into the next
    return " ".join(f"'{word}':{','.join(found)}" for word, found in places.items())
