"""Measures how fast the archive writes and searches.

    python benchmarks/archive_speed.py write [POSTS]
    python benchmarks/archive_speed.py search [POSTS] [FOLDER]

`write` stores 10,000 posts with 50,000 comments, compared with plain executemany of the same rows into the same tables.
Both run alternately in this process on the same disk, three times; the figure is the ratio of the medians. The plain
side gets prepared tuples and also fills the tables of the search index, so the difference is the cost of creating rows,
comparing them with stored ones, and SQLAlchemy.

`search` runs 300 queries on 100,000 posts with as many comments, on SQLite. Words follow Zipf's law. A query has one to
three of them, rare and common alike, and every third query has a filter. FOLDER keeps the archive for the next run.
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
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.archive import Archive, Filters, open_archive
from posterity.archive.posts import BATCH, comment_rows, media_rows, post_row
from posterity.archive.search_index import columns_of, entries_of
from posterity.model import Comment, Post, Provenance

if TYPE_CHECKING:
    from collections.abc import Iterator

PART = 10_000
ENTRY = ("id", "post_id", "position", "blog_id", "language", "published", "authors", "tags")
INDEX = ("rowid", "title", "body", "author", "tags", "accented")
START = datetime(2005, 1, 1, tzinfo=UTC)


Spent = tuple[float, float]  # wall-clock seconds and CPU seconds


def now() -> Spent:
    return time.perf_counter(), time.process_time()


def since(started: Spent) -> Spent:
    return time.perf_counter() - started[0], time.process_time() - started[1]


def vocabulary(size: int = 30_000) -> tuple[list[str], list[float]]:
    """Return words of random letters, with weights by Zipf's law."""
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
            id=f"p{number:016x}",
            url=f"https://blog{number % 40}.example/{number}/",
            blog=f"b{number % 40}",
            title=text(6),
            authors=(text(2),),
            published=START + timedelta(hours=number),
            language="en",
            tags=(text(1), text(1)),
            text=text(words),
            html=f"<p>{text(words)}</p>",
            markdown=text(words),
            comments=tuple(Comment(id=f"c{place}", author=text(2), text=text(40)) for place in range(comments)),
            provenance={name: Provenance(method="feed", rule=".entry", confidence=0.93) for name in ("title", "text")},
        )
        for number in range(count)
    ]


def bare_rows(posts: list[Post]) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of every table in their stored form."""
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
        table: f"INSERT INTO {table} ({', '.join(rows[f'{table}:columns'][0])}) "
        f"VALUES ({', '.join('?' * len(rows[table][0]))})"
        for table in tables
    }
    started = now()
    for part in range(0, size, BATCH):  # as many transactions as `Archive.put_posts`
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


def measure_writing(size: int) -> None:
    posts = made_posts(size)
    rows = bare_rows(posts)
    unsearched = {table: found for table, found in rows.items() if not table.startswith("search")}
    bare, ours, without_search = [], [], []
    root = Path(tempfile.mkdtemp(prefix="archive-write-"))
    try:
        for turn in range(3):
            bare.append(write_bare(root / f"bare{turn}", rows, size))
            ours.append(write_ours(root / f"ours{turn}", posts))
            without_search.append(write_bare(root / f"without{turn}", unsearched, size))
    finally:
        shutil.rmtree(root)
    print(f"{size} posts, {size * 5} comments")
    for name, part in (("clock", 0), ("processor", 1)):
        left, right = (statistics.median(spent[part] for spent in side) for side in (ours, bare))
        rest = statistics.median(spent[part] for spent in without_search)
        print(f"{name:10} ours {left:6.2f} s   bare executemany {right:6.2f} s   ratio {left / right:.2f}", end="")
        print(f"   (bare, without the search index: {rest:.2f} s)")


def many_posts(count: int) -> Iterator[Post]:
    """Yield posts, generated in batches of ten thousand to limit memory."""
    for part in range(0, count, PART):
        for number, post in enumerate(made_posts(min(PART, count - part), comments=1, seed=part + 2)):
            yield msgspec.structs.replace(
                post, id=f"{part}-{post.id}", published=START + timedelta(hours=part + number)
            )


def queries(count: int) -> Iterator[tuple[str, Filters]]:
    rng = random.Random(3)
    known, _ = vocabulary()
    filters = [
        Filters(blog_id="b7"),
        Filters(since=START + timedelta(days=900), until=START + timedelta(days=1400)),
        Filters(language="en"),
    ]
    for number in range(count):
        # Uniform in the logarithm of the rank, so that common and rare words are equally represented.
        words = [known[int(len(known) ** rng.random()) - 1] for _ in range(rng.randint(1, 3))]
        yield " ".join(words), filters[number // 3 % 3] if number % 3 == 0 else Filters()


def measure(archive: Archive) -> None:
    spent: dict[str, list[float]] = {"all": [], "filtered": [], "plain": []}
    hits = 0
    for query, filters in queries(300):
        started = time.perf_counter()
        hits += len(archive.search(query, filters))
        taken = (time.perf_counter() - started) * 1000
        spent["all"].append(taken)
        spent["plain" if filters == Filters() else "filtered"].append(taken)
    for name, times in spent.items():
        ranked = sorted(times)
        late = ranked[len(ranked) * 95 // 100]
        print(
            f"{name:10} {len(times)} queries: median {statistics.median(times):.1f} ms, 95th percentile {late:.1f} ms"
        )
    print(f"{hits} hits")


def measure_searching(size: int, kept: Path | None) -> None:
    folder = kept or Path(tempfile.mkdtemp(prefix="archive-search-"))
    try:
        with open_archive(folder, create=True) as archive:
            if next(archive.posts(), None) is None:
                archive.put_posts(many_posts(size))
            measure(archive)
    finally:
        if kept is None:
            shutil.rmtree(folder)


def main() -> None:
    what, *rest = sys.argv[1:] or ["write"]
    if what == "write":
        measure_writing(int(rest[0]) if rest else 10_000)
    else:
        measure_searching(int(rest[0]) if rest else 100_000, Path(rest[1]) if len(rest) > 1 else None)


if __name__ == "__main__":
    main()
