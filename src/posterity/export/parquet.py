"""The format `parquet`: tables of posts, comments and blogs, for pandas, R, DuckDB and Spark.

The columns are those of `archive/tables.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from posterity.archive.tables import BATCH, blog_row, comment_rows, post_row, schemas

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from posterity.export.selection import Source
    from posterity.model import Post


def write_parquet(source: Source, out: Path) -> None:
    """Write `posts.parquet`, `comments.parquet` and `blogs.parquet` into the folder."""
    out.mkdir()
    write_tables(source.posts, out)
    with _Table(out, "blogs") as blogs:
        for blog in source.blogs:
            blogs.add(blog_row(blog))


def write_tables(posts: Iterable[Post], out: Path) -> None:
    """Write `posts.parquet` and `comments.parquet` into an existing folder; the same posts give the same bytes."""
    with _Table(out, "posts") as post_table, _Table(out, "comments") as comment_table:
        for post in posts:
            post_table.add(post_row(post))
            for row in comment_rows(post):
                comment_table.add(row)


class _Table:
    """A Parquet file to which rows are written in batches."""

    def __init__(self, folder: Path, name: str) -> None:
        self._schema = schemas()[name]
        self._writer = pq.ParquetWriter(folder / f"{name}.parquet", self._schema, compression="zstd")
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
        if len(self._rows) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()
