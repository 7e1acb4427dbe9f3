"""Measures how fast a large crawl is grouped by site, in MB of uncompressed WARC per second and core, and its memory.

Generates a crawl with pages of many sites in arbitrary order, groups it with one process and with one per processor,
and reads all pages back, site by site. The thesis's script sorted 85 files of 100 MB in 185 minutes: 0.77 MB/s
(document 002, section 3.4).

    python benchmarks/group_warc.py                       1,000 MB, compressed
    python benchmarks/group_warc.py --mb 200 --plain
"""

from __future__ import annotations

import argparse
import gzip
import random
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from posterity.engine import processors
from posterity.importer.grouping import BUCKETS, Spool, group_crawl

if TYPE_CHECKING:
    from collections.abc import Iterator

SITES = 3_000
THESIS_MB_S = 0.77
_TEMPLATE = b"<html><head><title>%d</title></head><body><nav>%s</nav><article>%s</article></body></html>"


def records(megabytes: int) -> Iterator[bytes]:
    """Yield records of pages up to this many MB."""
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 10))) for _ in range(5_000)]
    bodies = [
        _TEMPLATE % (number, b"<a href='/'>home</a>" * 40, " ".join(rng.choices(words, k=size)).encode())
        for number in range(400)
        for size in (rng.randint(300, 8_000),)
    ]
    made = number = 0
    while made < megabytes * 1_000_000:
        number += 1
        body = rng.choice(bodies)
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        record = (
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%032x>\r\n"
            b"WARC-Date: 2021-04-05T06:07:08Z\r\n"
            b"WARC-Target-URI: http://site%d.example/%d/\r\nContent-Type: application/http; msgtype=response\r\n"
            b"Content-Length: %d\r\n\r\n%s\r\n\r\n"
        ) % (number, rng.randrange(SITES), number, len(answer), answer)
        made += len(record)
        yield record


def made_crawl(path: Path, megabytes: int) -> float:
    """Write the crawl; return its uncompressed MB."""
    total = 0
    with path.open("wb") as file:
        for record in records(megabytes):
            total += len(record)
            file.write(gzip.compress(record, 6, mtime=0) if path.suffix == ".gz" else record)
    return total / 1e6


def read_back(spool: Spool) -> int:
    """Read all pages bucket by bucket; return their total size."""
    return sum(len(spool.page(response).body) for bucket in range(BUCKETS) for response in spool.responses(bucket))


def measured(crawl: Path, megabytes: float, workers: int, folder: Path) -> None:
    spool_folder = folder / f"by-{workers}"
    spool_folder.mkdir()
    begin, cpu = time.perf_counter(), cpu_seconds()
    grouped = group_crawl([crawl], spool_folder, workers=workers)
    seconds, cpu = time.perf_counter() - begin, cpu_seconds() - cpu
    begin = time.perf_counter()
    read_back(grouped.spool)
    back = time.perf_counter() - begin
    grouped.spool.close()
    print(
        f"processes {workers}: {grouped.response_count:,} responses grouped at {megabytes / seconds:.0f} MB/s, "
        f"{megabytes / cpu:.0f} MB per second of one core ({megabytes / cpu / THESIS_MB_S:.0f} times the thesis's); "
        f"read back by site at {megabytes / back:.0f} MB/s"
    )


def cpu_seconds() -> float:
    """Return the CPU time of this process and its finished children, which is more reliable on a busy machine."""
    used = [resource.getrusage(kind) for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_mb() -> float:
    """Return the peak memory of this process or any of its children, whichever is larger."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) / unit


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--mb", type=int, default=1_000, help="uncompressed MB of the crawl")
    options.add_argument("--plain", action="store_true", help="a .warc file instead of .warc.gz")
    chosen = options.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        crawl = folder / ("crawl.warc" if chosen.plain else "crawl.warc.gz")
        megabytes = made_crawl(crawl, chosen.mb)
        print(f"{crawl.name}: {megabytes:,.0f} MB, {crawl.stat().st_size / 1e6:,.0f} MB on disk, {SITES:,} sites")
        for workers in sorted({1, processors()}):
            measured(crawl, megabytes, workers, folder)
        print(f"largest process: {peak_mb():.0f} MB of memory")


if __name__ == "__main__":
    main()
