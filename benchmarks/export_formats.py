"""Measures time and memory of every export format, on two archives of generated posts, one ten times as large.

    .venv/bin/python benchmarks/export_formats.py                       100,000 posts, and 10,000
    .venv/bin/python benchmarks/export_formats.py --posts 5000 wxr tei

Memory must not grow with the number of posts: the last column is the peak of the large archive relative to that of the
small one. Posts have comments and links to each other, but no images. Only with --pages are there raw pages for warc
and wacz, which is slow: every page is written to disk before the next.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from posterity.archive import open_archive
from posterity.export.formats import FORMATS
from posterity.model import Blog, Comment, Post
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = "https://blog.example/"
START = datetime(2004, 1, 1, 9, 30, tzinfo=UTC)
SENTENCES = (
    "The tide was out and the harbour smelled of rope and diesel.",
    "Nobody had told the gulls, who stood in a row and waited.",
    "We counted the boats twice and came to different numbers.",
    "It is said that the bell rings by itself before a storm.",
)


def generated(count: int) -> Iterator[Post]:
    """Yield posts of about 250 words with two comments each."""
    for number in range(count):
        url = f"{HOME}{2004 + number % 20}/post-{number}/"
        other = f"{HOME}{2004 + (number // 2) % 20}/post-{number // 2}/"
        paragraphs = [" ".join(SENTENCES[(number + place) % 4] for place in range(6)) for _ in range(4)]
        text = "\n\n".join(paragraphs)
        html = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs) + f'<p><a href="{other}">before</a></p>'
        comments = tuple(
            Comment(
                id=f"c{number}-{place}",
                parent=f"c{number}-0" if place else None,
                author=f"Reader {number % 97}",
                published=START + timedelta(hours=number),
                text=SENTENCES[place],
                html=f"<p>{SENTENCES[place]}</p>",
            )
            for place in range(2)
        )
        yield Post(
            id=post_id(url), url=url, canonical_url=url, blog=blog_id(HOME), title=f"Post number {number}",
            authors=(f"Author {number % 7}",), published=START + timedelta(hours=number),
            published_precision="minute", language="en", tags=(f"tag-{number % 300}",), text=f"{text}\n\nbefore",
            markdown=f"{text}\n\n[before]({other})", html=html, links=(other,), comments=comments,
        )  # fmt: skip


def make_archive(folder: Path, count: int, *, pages: bool) -> None:
    with open_archive(folder, create=True) as archive:
        archive.put_blog(Blog(id=blog_id(HOME), url=HOME, title="Benchmark", language="en", harvested_at=START))
        archive.put_posts(generated(count))
        if pages:
            with archive.warc_writer(blog_id(HOME)) as writer:
                for post in generated(count):
                    body = (post.html or "").encode()
                    headers = [("Content-Type", "text/html")]
                    writer.write_exchange(
                        url=post.url, status=200, response_headers=headers, body=body, fetched_at=START
                    )


class Run(NamedTuple):
    """The cost of an export. On a busy machine, CPU seconds are more reliable than wall-clock time."""

    seconds: float
    core_seconds: float
    peak_mb: float
    written_mb: float


def measured(archive: Path, format_name: str, folder: Path) -> Run:
    """Export an archive in a separate process."""
    out = folder / "out"
    command = [sys.executable, "-m", "posterity", "export", str(out), "--format", format_name, "--force", "-q"]
    begin = time.perf_counter()
    process = subprocess.Popen([*command, "--archive", str(archive)])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{format_name} ended with {os.waitstatus_to_exitcode(status)}")
    seconds = time.perf_counter() - begin
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, size_of(str(out)) / 1e6)


def size_of(path: str) -> int:
    """Return the bytes of a file or folder, without keeping a list of paths.

    The memory of this process counts in the peak of its children, which are measured from the fork on.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - Path objects for 100,000 files would take memory
        return os.path.getsize(path)  # noqa: PTH202
    with os.scandir(path) as entries:
        return sum(size_of(entry.path) for entry in entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", default=[name for name in FORMATS if name not in ("warc", "wacz")])
    parser.add_argument("--posts", type=int, default=100_000)
    parser.add_argument("--pages", action="store_true", help="raw pages too, for warc and wacz")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = (options.posts // 10, options.posts)
        for size in sizes:
            maker = get_context("spawn").Process(
                target=make_archive, args=(folder / str(size), size), kwargs={"pages": options.pages}
            )
            maker.start()
            maker.join()
        columns = f"{'format':10} {'posts':>8} {'seconds':>8} {'of a core':>9} {'posts a core second':>19}"
        print(f"{columns} {'MB out':>8} {'peak MB':>8} {'growth':>7}")
        for format_name in options.formats:
            peaks = []
            for size in sizes:
                run = measured(folder / str(size), format_name, folder)
                peaks.append(run.peak_mb)
                row = f"{format_name:10} {size:8} {run.seconds:8.1f} {run.core_seconds:9.1f}"
                row += f" {size / run.core_seconds:19.0f} {run.written_mb:8.1f} {run.peak_mb:8.0f}"
                print(f"{row} {run.peak_mb / peaks[0]:7.2f}", flush=True)


if __name__ == "__main__":
    main()
