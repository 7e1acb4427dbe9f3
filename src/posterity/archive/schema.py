"""The tables of an archive: the columns that queries use, and every complete record as JSON.

A row of `posts` has the document without text and comments, which have columns and rows of their own, so that nothing
is stored twice and records come back unchanged. Times are UTC text that sorts chronologically. URLs can be longer than
PostgreSQL allows in a B-tree index, so their indexes are hash indexes there.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import TypeEngine

from posterity.archive.database import AnyText, Key

VERSION = 8

metadata = MetaData()
# Indexes of URLs. They are listed here, because an option of the index would make SQLAlchemy load all of its PostgreSQL
# support: a fifth of a second, even for an archive in a folder.
HASHED_ON_POSTGRES = ("posts_by_url", "posts_by_canonical_url", "captures_of_url")


def _key(name: str, kind: TypeEngine[Any] = Key) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False)


def _needed(name: str, kind: TypeEngine[Any] = Key) -> Column[Any]:
    return Column(name, kind, nullable=False)


def _post_id(*, is_key: bool = True) -> Column[Any]:
    return Column("post_id", Key, ForeignKey("posts.id", ondelete="CASCADE"), primary_key=is_key, nullable=False)


def _table(name: str, *columns: Column[Any] | Index) -> Table:
    return Table(name, metadata, *columns)


def _table_of_documents(name: str, *columns: Column[Any]) -> Table:
    """Define a table whose documents `verify` compares with the digest beside them."""
    return _table(name, *columns, _needed("document", Text()), Column("digest", Key))


facts = _table("facts", _key("name"), _needed("value", Text()))
blogs = _table_of_documents("blogs", _key("id"), _needed("url"))
rule_sets = _table_of_documents("rule_sets", _key("blog_id"), _key("version", Integer()))
reports = _table_of_documents("reports", _key("blog_id"), _key("started_at"))
posts = _table(
    "posts",
    _key("id"), Column("blog_id", Key), _needed("url"), Column("canonical_url", Key), _needed("published"),
    Column("language", Key), _needed("revision", Integer()), _needed("fingerprint"), _needed("seen_at"),
    Column("title", AnyText), _needed("text", AnyText()), _needed("document", Text()),
    Column("gone_at", Key), Column("gone_status", Integer), Column("moved_to", Key),
    # When the archive last stored a change of the post: new, edited, gone, back or moved. Lists in its order miss none.
    Column("stamp", Key, nullable=False, server_default=""),
    Index("posts_by_stamp", "stamp", "id"), Index("posts_in_order", "published", "id"),
    Index("posts_of_blog", "blog_id", "published", "id"), Index("posts_by_url", "url"),
    Index("posts_by_canonical_url", "canonical_url"),
)  # fmt: skip
comments = _table(
    "comments", _post_id(), _key("position", Integer()), _needed("id", AnyText()), Column("parent", AnyText),
    Column("author", AnyText), Column("author_url", AnyText), Column("published", Text), _needed("text", AnyText()),
    Column("html", AnyText), Column("type", Text),
)  # fmt: skip
revisions = _table_of_documents("revisions", _post_id(), _key("revision", Integer()), _needed("seen_at"))
WITH_DIGEST = (blogs, rule_sets, reports, revisions)
events = _table("events", _post_id(), _key("at"), _key("kind"), _needed("detail", Text()))
# `url` is the URL, or its digest if it is too long for a key; the document has the whole URL.
seen = _table("seen", _key("blog_id"), _key("url"), _needed("status", Integer()), _needed("document", Text()))
captures = _table(
    "captures", _key("record_id"), _needed("kind"), Column("blog_id", Key), _needed("url"), _needed("fetched_at"),
    _needed("status", Integer()), Column("mime", Key), _needed("digest"), _needed("file"),
    _needed("offset", BigInteger()), _needed("length", BigInteger()),
    Index("captures_of_url", "url"), Index("captures_of_file", "file", "offset"),
)  # fmt: skip
media = _table(
    "media", _key("digest"), _needed("file"), Column("mime", Key), _needed("bytes", BigInteger()), _needed("url"),
    _needed("stored_at"),
)  # fmt: skip
post_media = _table(
    "post_media", _post_id(), _key("position", Integer()), _needed("url", AnyText()), Column("digest", Key),
    Index("post_media_by_digest", "digest"),
)  # fmt: skip
forgotten = _table(
    "forgotten", _key("kind"), _key("name"), _needed("at"), _needed("reason", Text()), _needed("removed", Text())
)
# `position` is the comment's, or -1 for the post itself. On PostgreSQL the words are in the row, on SQLite in an
# FTS5 table beside it, under the same id.
search_entries = _table(
    "search_entries", Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    _post_id(is_key=False), _needed("position", Integer()), Column("blog_id", Key), Column("language", Key),
    _needed("published"), _needed("authors", Text()), _needed("tags", Text()),
    Index("search_entries_of_post", "post_id"),
)  # fmt: skip
