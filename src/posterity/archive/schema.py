"""The tables of an archive: the columns that queries use, and every record whole as JSON.

A post lies in `posts` as its document without text and comments, which have columns of their own, so that nothing
is stored twice and everything comes back as it was. Times are UTC text that sorts by time. URLs can be longer than
what PostgreSQL takes into a sorted index, so theirs are hash indexes there.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text

from posterity.archive.database import Key, Words

VERSION = 8

metadata = MetaData()
# Indexes of URLs. They are named here and not by an option of theirs, for which SQLAlchemy would load its whole support
# of PostgreSQL, a fifth of a second, also for an archive in a folder.
HASHED_ON_POSTGRES = ("posts_by_url", "posts_by_canonical_url", "captures_of_url")

facts = Table("facts", metadata, Column("name", Key, primary_key=True), Column("value", Text, nullable=False))

blogs = Table(
    "blogs",
    metadata,
    Column("id", Key, primary_key=True),
    Column("url", Key, nullable=False),
    Column("document", Text, nullable=False),
    Column("digest", Key),
)

rule_sets = Table(
    "rule_sets",
    metadata,
    Column("blog_id", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("document", Text, nullable=False),
    Column("digest", Key),
)

posts = Table(
    "posts",
    metadata,
    Column("id", Key, primary_key=True),
    Column("blog_id", Key),
    Column("url", Key, nullable=False),
    Column("canonical_url", Key),
    Column("published", Key, nullable=False),
    Column("language", Key),
    Column("revision", Integer, nullable=False),
    Column("fingerprint", Key, nullable=False),
    Column("seen_at", Key, nullable=False),
    Column("title", Words),
    Column("text", Words, nullable=False),
    Column("document", Text, nullable=False),
    Column("gone_at", Key),
    Column("gone_status", Integer),
    Column("moved_to", Key),
    # When the archive last had news of the post: stored, edited, gone, back or moved. Lists by it never miss any.
    Column("stamp", Key, nullable=False, server_default=""),
    Index("posts_by_stamp", "stamp", "id"),
    Index("posts_in_order", "published", "id"),
    Index("posts_of_blog", "blog_id", "published", "id"),
    Index("posts_by_url", "url"),
    Index("posts_by_canonical_url", "canonical_url"),
)

comments = Table(
    "comments",
    metadata,
    Column("post_id", Key, ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("id", Words, nullable=False),
    Column("parent", Words),
    Column("author", Words),
    Column("author_url", Words),
    Column("published", Text),
    Column("text", Words, nullable=False),
    Column("html", Words),
    Column("type", Text),
)

reports = Table(
    "reports",
    metadata,
    Column("blog_id", Key, primary_key=True),
    Column("started_at", Key, primary_key=True),
    Column("document", Text, nullable=False),
    Column("digest", Key),
)

# `url` is the URL, or its digest if it is too long for a key; the document has it whole.
seen = Table(
    "seen",
    metadata,
    Column("blog_id", Key, primary_key=True),
    Column("url", Key, primary_key=True),
    Column("status", Integer, nullable=False),
    Column("document", Text, nullable=False),
)

captures = Table(
    "captures",
    metadata,
    Column("record_id", Key, primary_key=True),
    Column("kind", Key, nullable=False),
    Column("blog_id", Key),
    Column("url", Key, nullable=False),
    Column("fetched_at", Key, nullable=False),
    Column("status", Integer, nullable=False),
    Column("mime", Key),
    Column("digest", Key, nullable=False),
    Column("file", Key, nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    Index("captures_of_url", "url"),
    Index("captures_of_file", "file", "offset"),
)

media = Table(
    "media",
    metadata,
    Column("digest", Key, primary_key=True),
    Column("file", Key, nullable=False),
    Column("mime", Key),
    Column("bytes", BigInteger, nullable=False),
    Column("url", Key, nullable=False),
    Column("stored_at", Key, nullable=False),
)

post_media = Table(
    "post_media",
    metadata,
    Column("post_id", Key, ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("url", Words, nullable=False),
    Column("digest", Key),
    Index("post_media_by_digest", "digest"),
)

revisions = Table(
    "revisions",
    metadata,
    Column("post_id", Key, ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("seen_at", Key, nullable=False),
    Column("document", Text, nullable=False),
    Column("digest", Key),
)
# Tables whose documents `verify` compares with the digest beside them.
WITH_DIGEST = (blogs, rule_sets, reports, revisions)

events = Table(
    "events",
    metadata,
    Column("post_id", Key, ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Key, primary_key=True),
    Column("kind", Key, primary_key=True),
    Column("detail", Text, nullable=False),
)

forgotten = Table(
    "forgotten",
    metadata,
    Column("kind", Key, primary_key=True),
    Column("name", Key, primary_key=True),
    Column("at", Key, nullable=False),
    Column("reason", Text, nullable=False),
    Column("removed", Text, nullable=False),
)

# `position` is the comment's, or -1 for the post itself. On PostgreSQL the words lie in the row, on SQLite in an
# FTS5 table beside it, under the same id.
search_entries = Table(
    "search_entries",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("post_id", Key, ForeignKey("posts.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("blog_id", Key),
    Column("language", Key),
    Column("published", Key, nullable=False),
    Column("authors", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Index("search_entries_of_post", "post_id"),
)
