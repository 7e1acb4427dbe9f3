"""How long a search takes at 100,000 posts on SQLite.

    python benchmarks/archive_search.py [POSTS] [FOLDER]

Words follow Zipf's law, queries are drawn from the same words: one to three of them, rare and common alike, every
third query with a filter. FOLDER keeps the archive for the next run.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from archive_write import START, made_posts, vocabulary

from posterity.archive import Archive, Filters, open_archive
from posterity.model import Post

PART = 10_000


def many_posts(count: int) -> Iterator[Post]:
    """Posts in parts of ten thousand, so that they need not all be in memory."""
    import msgspec

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
        # Even over the logarithm of the rank: as many questions for the 30 most common words as for the rarest 20,000.
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
        print(
            f"{name:10} {len(times)} queries: median {statistics.median(times):.1f} ms, 95th percentile {ranked[len(ranked) * 95 // 100]:.1f} ms"
        )
    print(f"{hits} hits")


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    kept = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    folder = kept or Path(tempfile.mkdtemp(prefix="archive-search-"))
    try:
        with open_archive(folder, create=True) as archive:
            if next(archive.posts(), None) is None:
                archive.put_posts(many_posts(size))
            measure(archive)
    finally:
        if kept is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
