"""The format `parquet`: tables of posts, comments and blogs, for pandas, R, DuckDB and Spark.

The columns are those of `archive/tables.py`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from posterity.archive.tables import BATCH, blog_row, comment_rows, post_row, schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from posterity.export.selection import Source
    from posterity.model import Post


def write_parquet(source: Source, out: Path) -> None:
    """Write `posts.parquet`, `comments.parquet` and `blogs.parquet` into the folder."""
    out.mkdir()
    write_tables(source.posts, out)
    with _table(out, "blogs") as add_blog:
        for blog in source.blogs:
            add_blog(blog_row(blog))


def write_tables(posts: Iterable[Post], out: Path) -> None:
    """Write `posts.parquet` and `comments.parquet` into an existing folder; the same posts give the same bytes."""
    with _table(out, "posts") as add_post, _table(out, "comments") as add_comment:
        for post in posts:
            add_post(post_row(post))
            for row in comment_rows(post):
                add_comment(row)


@contextmanager
def _table(folder: Path, name: str) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield the function that adds a row to a Parquet file; rows are written in batches."""
    schema = schemas()[name]
    rows: list[dict[str, Any]] = []
    with pq.ParquetWriter(folder / f"{name}.parquet", schema, compression="zstd") as writer:

        def flush() -> None:
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                rows.clear()

        def add(row: dict[str, Any]) -> None:
            rows.append(row)
            if len(rows) >= BATCH:
                flush()

        yield add
        flush()
