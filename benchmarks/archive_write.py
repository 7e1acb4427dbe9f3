"""Writing 10,000 posts with their comments, against bare executemany of the same rows into the same tables.

    python benchmarks/archive_write.py [POSTS]

Both sides run in this process on the same disk, in turn, three times; the figure is the ratio of the medians. The
bare side gets its rows ready-made, as tuples, and also fills the tables of the search index, so that what is
compared is what we add: making the rows, comparing with what is stored, and SQLAlchemy.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from posterity.archive import open_archive
from posterity.archive.post_rows import comment_rows, media_rows, post_row
from posterity.archive.posts import BATCH
from posterity.archive.search_index import columns_of, entries_of
from posterity.model import Comment, Post, Provenance

ENTRY = ("id", "post_id", "position", "blog_id", "language", "published", "authors", "tags")
INDEX = ("rowid", "title", "body", "author", "tags")
START = datetime(2005, 1, 1, tzinfo=UTC)


Spent = tuple[float, float]  # seconds on the clock, and of the processor


def now() -> Spent:
    return time.perf_counter(), time.process_time()


def since(started: Spent) -> Spent:
    return time.perf_counter() - started[0], time.process_time() - started[1]


def vocabulary(size: int = 30_000) -> tuple[list[str], list[float]]:
    """Words of random letters with the frequencies of Zipf's law."""
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyzäéß", k=rng.randint(2, 11))) for _ in range(size)]
    return words, [1 / rank for rank in range(1, size + 1)]


def made_posts(count: int, comments: int = 5, words: int = 300, seed: int = 2) -> list[Post]:
    rng = random.Random(seed)
    known, weights = vocabulary()
    pool = rng.choices(known, weights, k=2_000_000)

    def text(length: int) -> str:
        start = rng.randrange(len(pool) - length)
        return " ".join(pool[start : start + length])

    return [
        Post(
            id=f"p{number:016x}", url=f"https://blog{number % 40}.example/{number}/", blog=f"b{number % 40}", title=text(6),
            authors=(text(2),), published=START + timedelta(hours=number), language="en", tags=(text(1), text(1)),
            text=text(words), html=f"<p>{text(words)}</p>", markdown=text(words),
            comments=tuple(Comment(id=f"c{place}", author=text(2), text=text(40)) for place in range(comments)),
            provenance={name: Provenance(method="feed", rule=".entry", confidence=0.93) for name in ("title", "text")},
        )
        for number in range(count)
    ]  # fmt: skip


def bare_rows(posts: list[Post]) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every table as they end up there."""
    rows: dict[str, list[dict[str, Any]]] = {
        "posts": [],
        "comments": [],
        "post_media": [],
        "search_entries": [],
        "search_index": [],
    }
    number = 0
    for post in posts:
        rows["posts"].append(post_row(post, "2024-01-01T00:00:00.000000Z"))
        rows["comments"] += comment_rows(post)
        rows["post_media"] += media_rows(post)
        for entry in entries_of(post):
            number += 1
            rows["search_entries"].append(dict(zip(ENTRY, (number, *entry), strict=True)))
            rows["search_index"].append(dict(zip(INDEX, (number, *columns_of(post, entry[1])), strict=True)))
    return {table: [tuple(row.values()) for row in found] for table, found in rows.items() if found} | {
        f"{table}:columns": [tuple(found[0])] for table, found in rows.items() if found
    }


def write_bare(folder: Path, rows: dict[str, list[tuple[Any, ...]]], size: int) -> Spent:
    open_archive(folder, create=True).close()
    connection = sqlite3.connect(folder / "posterity.db", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    tables = [table for table in rows if ":" not in table]
    statements = {
        table: f"INSERT INTO {table} ({', '.join(rows[f'{table}:columns'][0])}) VALUES ({', '.join('?' * len(rows[table][0]))})"
        for table in tables
    }
    started = now()
    for part in range(0, size, BATCH):  # as many transactions as we make
        connection.execute("BEGIN IMMEDIATE")
        for table in tables:
            share = len(rows[table]) // size
            connection.executemany(statements[table], rows[table][part * share : (part + BATCH) * share])
        connection.execute("COMMIT")
    spent = since(started)
    connection.close()
    return spent


def write_ours(folder: Path, posts: list[Post]) -> Spent:
    with open_archive(folder, create=True) as archive:
        started = now()
        archive.put_posts(posts)
        return since(started)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    posts = made_posts(size)
    rows = bare_rows(posts)
    bare, ours = [], []
    root = Path(tempfile.mkdtemp(prefix="archive-write-"))
    try:
        for turn in range(3):
            bare.append(write_bare(root / f"bare{turn}", rows, size))
            ours.append(write_ours(root / f"ours{turn}", posts))
    finally:
        shutil.rmtree(root)
    print(f"{size} posts, {size * 5} comments")
    for name, part in (("clock", 0), ("processor", 1)):
        left, right = (statistics.median(spent[part] for spent in side) for side in (ours, bare))
        print(f"{name:10} ours {left:6.2f} s   bare executemany {right:6.2f} s   ratio {left / right:.2f}")


if __name__ == "__main__":
    main()
