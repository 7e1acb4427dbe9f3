"""Apache Parquet: a folder with a table of posts and a table of comments, for pandas, R, DuckDB and Spark.

Times are in UTC. `published_precision` is "day" where only the day is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from posterity.export.selection import aware
from posterity.model import Media

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from posterity.export.selection import Source
    from posterity.model import Post

# Rows that are held until they are written: what memory the export takes, whatever the number of posts.
_BATCH = 500
_TIME = pa.timestamp("us", tz="UTC")
_WORDS = pa.list_(pa.string())
_MEDIUM = pa.struct([(name, pa.string()) for name in Media.__struct_fields__])
_ORIGIN = pa.struct(
    [("method", pa.string()), ("rule", pa.string()), ("confidence", pa.float64()), ("warc", pa.string()), ("at", _TIME)]
)

POSTS = pa.schema(
    [
        ("id", pa.string()), ("url", pa.string()), ("canonical_url", pa.string()), ("blog", pa.string()),
        ("title", pa.string()), ("authors", _WORDS), ("published", _TIME), ("published_precision", pa.string()),
        ("modified", _TIME), ("language", pa.string()), ("language_declared", pa.string()),
        ("tags", _WORDS), ("categories", _WORDS),
        ("license", pa.string()), ("summary", pa.string()), ("text", pa.string()), ("markdown", pa.string()),
        ("html", pa.string()), ("media", pa.list_(_MEDIUM)), ("links", _WORDS), ("revision", pa.int32()),
        ("comment_count", pa.int32()), ("provenance", pa.map_(pa.string(), _ORIGIN)),
    ]
)  # fmt: skip
COMMENTS = pa.schema(
    [
        ("post_id", pa.string()), ("position", pa.int32()), ("id", pa.string()), ("parent", pa.string()),
        ("author", pa.string()), ("author_url", pa.string()), ("published", _TIME), ("text", pa.string()),
        ("html", pa.string()),
    ]
)  # fmt: skip


def write_parquet(source: Source, out: Path) -> None:
    """Write `posts.parquet` and `comments.parquet` into the folder."""
    out.mkdir()
    with _Table(out / "posts.parquet", POSTS) as posts, _Table(out / "comments.parquet", COMMENTS) as comments:
        for post in source.posts:
            posts.add(_post_row(post))
            for row in _comment_rows(post):
                comments.add(row)


class _Table:
    """Rows, written in groups."""

    def __init__(self, path: Path, schema: Any) -> None:
        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()


def _post_row(post: Post) -> dict[str, Any]:
    row = {name: getattr(post, name) for name in POSTS.names if hasattr(post, name)}
    return row | {
        "published": _utc(post.published),
        "modified": _utc(post.modified),
        "media": [msgspec.structs.asdict(medium) for medium in post.media],
        "comment_count": len(post.comments),
        "provenance": [
            (field, msgspec.structs.asdict(origin) | {"at": _utc(origin.at)})
            for field, origin in post.provenance.items()
        ],
    }


def _comment_rows(post: Post) -> list[dict[str, Any]]:
    return [
        {"post_id": post.id, "position": position}
        | msgspec.structs.asdict(comment)
        | {"published": _utc(comment.published)}
        for position, comment in enumerate(post.comments)
    ]


def _utc(moment: datetime | None) -> datetime | None:
    return aware(moment) if moment is not None else None
