"""Posts, comments and blogs as Arrow tables, for Parquet files, pandas and Polars.

Times are in UTC. `published_precision` is "day" where only the day is known, and "week", "month"
or "year" where less is. pyarrow is the extra "parquet".
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any

import msgspec

from posterity.model import Blog, Media, Post
from posterity.model.post import aware

# Rows in memory until they are written; bounds the memory, whatever the number of posts.
BATCH = 500


@cache
def schemas() -> dict[str, Any]:
    """Return the Arrow schemas of the tables `posts`, `comments` and `blogs`."""
    import pyarrow as pa

    text, whole, moment, words = pa.string(), pa.int32(), pa.timestamp("us", tz="UTC"), pa.list_(pa.string())
    medium = pa.struct([(name, text) for name in Media.__struct_fields__])
    origin = pa.struct([("method", text), ("rule", text), ("confidence", pa.float64()), ("warc", text), ("at", moment)])
    posts = pa.schema(
        [
            ("id", text), ("url", text), ("canonical_url", text), ("blog", text), ("title", text), ("authors", words),
            ("published", moment), ("published_precision", text), ("modified", moment), ("language", text),
            ("language_declared", text), ("tags", words), ("categories", words), ("license", text), ("summary", text),
            ("text", text), ("markdown", text), ("html", text), ("media", pa.list_(medium)), ("links", words),
            ("revision", whole), ("comment_count", whole), ("provenance", pa.map_(text, origin)), ("subtitle", text),
            ("series", text), ("cover", text), ("reading_minutes", whole),
        ]
    )  # fmt: skip
    comments = pa.schema(
        [
            ("post_id", text), ("position", whole), ("id", text), ("parent", text), ("author", text),
            ("author_url", text), ("published", moment), ("text", text), ("html", text),
            ("type", text),
        ]
    )  # fmt: skip
    blogs = pa.schema(
        [
            ("id", text), ("url", text), ("title", text), ("feed_url", text), ("language", text),
            ("harvested_at", moment), ("updated_at", moment),
        ]
    )  # fmt: skip
    return {"posts": posts, "comments": comments, "blogs": blogs}


BLOG_COLUMNS = ("id", "url", "title", "feed_url", "language", "harvested_at", "updated_at")


def post_row(post: Post) -> dict[str, Any]:
    """Return the row of a post."""
    return {name: getattr(post, name) for name in schemas()["posts"].names if hasattr(post, name)} | {
        "published": _utc(post.published),
        "modified": _utc(post.modified),
        "media": [msgspec.structs.asdict(medium) for medium in post.media],
        "comment_count": len(post.comments),
        "provenance": [
            (field, msgspec.structs.asdict(origin) | {"at": _utc(origin.at)})
            for field, origin in post.provenance.items()
        ],
    }


def comment_rows(post: Post) -> list[dict[str, Any]]:
    """Return the rows of the comments of a post, in reading order."""
    return [
        {"post_id": post.id, "position": position}
        | msgspec.structs.asdict(comment)
        | {"published": _utc(comment.published), "type": comment.type or "comment"}
        for position, comment in enumerate(post.comments)
    ]


def blog_row(blog: Blog) -> dict[str, Any]:
    """Return the row of a blog."""
    row = {name: getattr(blog, name) for name in BLOG_COLUMNS}
    return row | {"harvested_at": _utc(blog.harvested_at), "updated_at": _utc(blog.updated_at)}


def arrow_table(name: str, rows: Iterable[dict[str, Any]]) -> Any:
    """Return the rows as a `pyarrow.Table` with the schema of this name."""
    import pyarrow as pa

    schema, waiting = schemas()[name], iter(rows)
    tables = (pa.Table.from_pylist(some, schema=schema) for some in iter(lambda: list(islice(waiting, BATCH)), []))
    return pa.Table.from_batches((batch for table in tables for batch in table.to_batches()), schema=schema)


def _utc(moment: datetime | None) -> datetime | None:
    return aware(moment) if moment is not None else None
