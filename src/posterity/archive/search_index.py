"""Keeps the full-text index in sync with the posts: an FTS5 table on SQLite, a tsvector column on PostgreSQL.

Both get words that `text.search_words` has folded and separated, and neither changes them: FTS5's tokeniser `ascii`
only splits at spaces. The FTS5 table is contentless, so the words of a post are not stored twice, but removing a row
from the index requires the words that were added. They can be derived from the stored post (`columns_of`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, cast

import msgspec
from sqlalchemy import Connection, delete, func, select, text

from posterity.archive.database import date_key
from posterity.archive.schema import search_entries
from posterity.model import Post
from posterity.text.search_words import with_clitics, words_and_accents

_FIELDS = {"author": "author", "tag": "tags", "title": "title"}
WORDS_OF_QUERY = re.compile(
    r'(?P<minus>-?)(?:(?P<field>author|tag|title):(?=[^\s]))?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))', re.IGNORECASE
)
Column = Literal["title", "author", "tags"]


class Term(msgspec.Struct, frozen=True):
    """Adjacent words; with `prefix`, the last is a prefix. `role` is whether they must occur.

    `accented` are those typed with accents, which must occur with them; `column` is where the words must be, anywhere
    if it is None. `forms` are alternatives to a single word.
    """

    words: tuple[str, ...]
    prefix: bool = False
    role: Literal["and", "or", "not"] = "and"
    accented: tuple[str, ...] = ()
    column: Column | None = None
    forms: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """The words in all their forms."""
        return (self.words, *((form,) for form in self.forms))


def folded(text: str) -> str:
    """Return a name without case and accents, as in entries of the index and in the list of takedowns."""
    if text.isascii():
        return text.lower()
    combining = unicodedata.combining
    return "".join([char for char in unicodedata.normalize("NFKD", text.casefold()) if not combining(char)])


def query_terms(query: str) -> list[Term]:
    """Return the terms of a query.

    All words must occur; "phrases", -without, one OR another, prefix*, author:NAME, tag:NAME, title:WORD.
    """
    terms: list[Term] = []
    alternative = False
    for match in WORDS_OF_QUERY.finditer(query):
        typed = match["phrase"] if match["word"] is None else match["word"]
        if match[0] == "OR" and terms:
            alternative = True
            continue
        words, accented = words_and_accents(typed)
        if not words:
            continue
        term = Term(
            tuple(words),
            prefix=match["word"] is not None and typed.endswith("*"),
            role="not" if match["minus"] else ("or" if alternative else "and"),
            accented=tuple(accented),
            column=cast("Column", _FIELDS[match["field"].lower()]) if match["field"] else None,
            forms=tuple(with_clitics(words[0])) if len(words) == 1 else (),
        )
        terms.append(term)
        alternative = False
    return terms


def label_terms(author: str | None, tag: str | None) -> list[Term]:
    """Return terms of every post with this author and tag: candidates, which `label_pattern` then checks."""
    named: tuple[tuple[Column, str | None], ...] = (("author", author), ("tags", tag))
    words = [(column, words_and_accents(name)[0]) for column, name in named if name]
    return [Term(tuple(found), column=column) for column, found in words if found]


def alternatives(terms: list[Term]) -> list[list[Term]]:
    """Return the required terms in groups; one term of each group is enough."""
    groups: list[list[Term]] = []
    for term in terms:
        if term.role == "or" and groups:
            groups[-1].append(term)
        elif term.role != "not":
            groups.append([term])
    return groups


def match_expression(connection: Connection, terms: list[Term]) -> str:
    """Return the terms as an expression for the full-text index of the database."""
    if connection.dialect.name == "sqlite":
        wanted = " AND ".join(f"({' OR '.join(map(_fts5_term, group))})" for group in alternatives(terms))
        unwanted = " OR ".join(_fts5_term(term) for term in terms if term.role == "not")
        return f"({wanted}) NOT ({unwanted})" if unwanted else wanted
    groups = [f"({' | '.join(map(_tsquery_term, group))})" for group in alternatives(terms)]
    return " & ".join(groups + [f"!({_tsquery_term(term)})" for term in terms if term.role == "not"])


def _fts5_term(term: Term) -> str:
    # Words from `search_words` contain neither quotes nor operators.
    star = "*" if term.prefix else ""
    column = f"{term.column} : " if term.column else ""
    accented = [f'accented : "{word}"{star}' for word in term.accented]
    spelled = " OR ".join(f'{column}"{" ".join(words)}"{star}' for words in term.spellings)
    return "(" + " AND ".join([f"({spelled})", *accented]) + ")"


def _tsquery_term(term: Term) -> str:
    star = "*" if term.prefix else ""
    weight = WEIGHTS[term.column] if term.column else ""
    spelled = " | ".join(f"({_tsquery_phrase(words, star, weight)})" for words in term.spellings)
    accented = [f"'{word}'" + (star and f":{star}") for word in term.accented]
    return "(" + " & ".join([f"({spelled})", *accented]) + ")"


def _tsquery_phrase(words: tuple[str, ...], star: str, weight: str) -> str:
    labels = [weight] * (len(words) - 1) + [star + weight]
    return " <-> ".join(f"'{word}'" + (label and f":{label}") for word, label in zip(words, labels, strict=True))


POST_POSITION = -1
Entry = tuple[str, int, str | None, str | None, str, str, str]
Columns = tuple[str, str, str, str, str]  # title, body, author, tags, and the words of all of them that have accents
_ENTRY_NAMES = ("post_id", "position", "blog_id", "language", "published", "authors", "tags")
RANK_WEIGHTS = "8.0, 1.0, 2.0, 4.0, 0.0"  # of these columns in the rank of a hit on SQLite
WEIGHTS = {"title": "A", "body": "D", "author": "C", "tags": "B"}  # PostgreSQL's weights for those columns
_MAX_POSITION = 16_383  # PostgreSQL's largest position of a word; it stores at most 256 positions per word
_MAX_PLACES = 255
_MAX_WORD = 500  # a word of PostgreSQL has at most 2 KB
_MAX_VECTOR_BYTES = 900_000  # a tsvector has at most a megabyte

_CREATE = {
    "sqlite": (
        """CREATE VIRTUAL TABLE search_index USING fts5(
            title, body, author, tags, accented, content='', tokenize = 'ascii')""",
        f"INSERT INTO search_index(search_index, rank) VALUES ('rank', 'bm25({RANK_WEIGHTS})')",  # noqa: S608 - a constant of ours
        # A batch of posts is written to the index at once: a sixth faster than in the default pieces of a megabyte.
        "INSERT INTO search_index(search_index, rank) VALUES ('hashsize', 33554432)",
    ),
    "postgresql": (
        "ALTER TABLE search_entries ADD COLUMN words tsvector",
        "CREATE INDEX search_entries_words ON search_entries USING gin (words)",
    ),
}
# Rows are passed to the driver as tuples: there are many, and converting each to a dictionary for SQLAlchemy and back
# costs as much as writing it.
_ENTRY_INSERT = (
    "INSERT INTO search_entries (id, post_id, position, blog_id, language, published, authors, tags) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_FTS_INSERT = "INSERT INTO search_index(rowid, title, body, author, tags, accented) VALUES (?, ?, ?, ?, ?, ?)"
_FTS_DELETE = (
    "INSERT INTO search_index(search_index, rowid, title, body, author, tags, accented) "
    "VALUES ('delete', ?, ?, ?, ?, ?, ?)"
)
_VECTOR_INSERT = text(
    "INSERT INTO search_entries (post_id, position, blog_id, language, published, authors, tags, words) "
    "VALUES (:post_id, :position, :blog_id, :language, :published, :authors, :tags, CAST(:words AS tsvector))"
)


def create_index(connection: Connection) -> None:
    """Create the index for the table of entries."""
    for statement in _CREATE[connection.dialect.name]:
        connection.execute(text(statement))


def add_to_index(connection: Connection, some: Sequence[Post]) -> None:
    """Add posts and their comments to the index."""
    entries = [entry for post in some for entry in entries_of(post)]
    words = [columns_of(post, position) for post in some for position in range(POST_POSITION, len(post.comments))]
    if not entries:
        return
    if connection.dialect.name == "postgresql":
        named = (dict(zip(_ENTRY_NAMES, entry, strict=True)) for entry in entries)
        rows = [row | {"words": _vector(text)} for row, text in zip(named, words, strict=True)]
        connection.execute(_VECTOR_INSERT, rows)
        return
    # The transaction holds the write lock, so no other process uses the same ids.
    first = (connection.scalar(select(func.max(search_entries.c.id))) or 0) + 1
    connection.exec_driver_sql(_ENTRY_INSERT, [(number, *entry) for number, entry in enumerate(entries, first)])
    connection.exec_driver_sql(_FTS_INSERT, [(number, *columns) for number, columns in enumerate(words, first)])


def remove_from_index(connection: Connection, stored: Iterable[Post]) -> None:
    """Remove posts and their comments from the index; they must be passed as stored."""
    for post in stored:
        entries = select(search_entries.c.id, search_entries.c.position).where(search_entries.c.post_id == post.id)
        if connection.dialect.name == "sqlite":
            rows = [(row.id, *columns_of(post, row.position)) for row in connection.execute(entries)]
            if rows:
                connection.exec_driver_sql(_FTS_DELETE, rows)
        connection.execute(delete(search_entries).where(search_entries.c.post_id == post.id))


def empty_index(connection: Connection) -> None:
    """Remove everything from the index."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("INSERT INTO search_index(search_index) VALUES ('delete-all')"))
    connection.execute(delete(search_entries))


def merge_index(connection: Connection) -> None:
    """Merge the index into one segment, so that nothing remains of removed words."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("INSERT INTO search_index(search_index) VALUES ('optimize')"))


# The words of the index. FTS5 has a table of them. PostgreSQL can only count all words of all rows, so there words are
# looked up one by one, and listed from some of the rows that contain one.
_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary USING fts5vocab('main', 'search_index', 'row')"
_COUNTED = 1_000
_LISTED = 5_000
_LISTED_ROWS = 300
_WORD_COUNTS = {
    "sqlite": """
    SELECT v.term AS word, v.doc AS count FROM json_each(:words) w JOIN temp.search_vocabulary v ON v.term = w.value""",
    "postgresql": f"""
    SELECT w.word, (SELECT count(*) FROM (SELECT 1 FROM search_entries e
        WHERE e.words @@ CAST(quote_literal(w.word) AS tsquery) LIMIT {_COUNTED}) found) AS count
    FROM json_array_elements_text(CAST(:words AS json)) w(word)""",  # noqa: S608 - a constant of ours
}
_WORDS_BEGINNING = {
    "sqlite": f"""
    SELECT term AS word, doc AS count FROM temp.search_vocabulary
    WHERE term >= :beginning AND term < :beyond LIMIT {_LISTED}""",  # noqa: S608 - a constant of ours
    "postgresql": f"""
    SELECT lexeme AS word, count(*) AS count FROM
        (SELECT e.words FROM search_entries e WHERE e.words @@ CAST(quote_literal(:beginning) || ':*' AS tsquery)
         LIMIT {_LISTED_ROWS}) AS listed, unnest(listed.words)
    WHERE lexeme COLLATE "C" >= :beginning AND lexeme COLLATE "C" < :beyond GROUP BY lexeme""",  # noqa: S608 - as above
}


def word_counts(connection: Connection, words: Iterable[str]) -> dict[str, int]:
    """Return the number of posts and comments that contain each of these words; words in none are left out."""
    return _count_rows(connection, _WORD_COUNTS, {"words": msgspec.json.encode(sorted(words)).decode()})


def words_beginning(connection: Connection, beginning: str) -> dict[str, int]:
    """Return the words of the index with this prefix, each with the number of posts and comments that contain it."""
    beyond = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    return _count_rows(connection, _WORDS_BEGINNING, {"beginning": beginning, "beyond": beyond})


def _count_rows(connection: Connection, statements: dict[str, str], values: dict[str, str]) -> dict[str, int]:
    if connection.dialect.name == "sqlite":
        connection.execute(text(_VOCABULARY))
    rows = connection.execute(text(statements[connection.dialect.name]), values)
    return {word: count for word, count in rows if count}


def labels(values: Iterable[str]) -> str:
    """Return names in the form that filters match: one per line, without case and accents."""
    lines = "\n".join(" ".join(folded(value).replace("\x00", " ").split()) for value in values)
    return f"\n{lines}\n" if lines else ""


def label_pattern(name: str) -> str:
    """Return the LIKE pattern, with ! as escape, of rows whose `labels` contain this name."""
    return "%" + labels([name]).replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%"


def entries_of(post: Post) -> list[Entry]:
    """Return the rows of a post and its comments, without their ids."""
    tags = labels((*post.tags, *post.categories))
    rows: list[Entry] = [
        (post.id, POST_POSITION, post.blog, post.language, date_key(post.published), labels(post.authors), tags)
    ]
    for position, comment in enumerate(post.comments):
        authors = labels([comment.author]) if comment.author else ""
        rows.append((post.id, position, post.blog, post.language, date_key(comment.published), authors, tags))
    return rows


def columns_of(post: Post, position: int) -> Columns:
    """Return the words of an entry. The result for a post must never change without a migration."""
    if position == POST_POSITION:
        tags = "\n".join((*post.tags, *post.categories))
        texts = (post.title or "", post.text, "\n".join(post.authors), tags)
    else:
        comment = post.comments[position]
        texts = ("", comment.text, comment.author or "", "")
    found = [words_and_accents(text) for text in texts]
    title, body, author, tags = (" ".join(words) for words, _ in found)
    return title, body, author, tags, " ".join(word for _, accented in found for word in accented)


def _vector(columns: Columns) -> str:
    """Return the words with their positions and weights in the syntax of a tsvector."""
    places: dict[str, list[str]] = defaultdict(list)
    position = size = 0
    for words, weight in zip(columns, (*WEIGHTS.values(), "D"), strict=True):
        for word in words.split(" "):
            position += 1
            size += len(word.encode()) + 8 if word not in places else 8
            if size > _MAX_VECTOR_BYTES or len(word) > _MAX_WORD:
                continue
            if word and len(places[word]) < _MAX_PLACES:
                places[word].append(f"{min(position, _MAX_POSITION)}{weight}")
        position += 1  # a phrase never spans two columns
    return " ".join(f"'{word}':{','.join(found)}" for word, found in places.items())
