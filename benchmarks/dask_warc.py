"""Measures the extraction of crawl files on Dask with one worker, two, and two of which one is killed during the run.

    .venv/bin/python benchmarks/dask_warc.py --mb 2000           20 files of 100 MB of WARC
    .venv/bin/python benchmarks/dask_warc.py --mb 300 --file-mb 25

Generated sites have five pages of about 30 kB, one in ten is a blog with a feed, and pages are distributed over all
files at random. All runs use the command `posterity extract`, and must give the same bytes. MB are uncompressed.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import random
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from many_sites import Response, record, responses_of  # type: ignore[import-not-found]

PAGE_BYTES = 32_000  # the mean of real blogs in docs/scale.md
_SITES_A_BLOG = 10  # one site in ten is a blog, since most sites of a crawl are not
_WAIT_S = 600.0


class Crawl(NamedTuple):
    """Crawl files, with their numbers of responses and uncompressed MB."""

    folder: Path
    files: int
    responses: int
    megabytes: float


def made_crawl(folder: Path, megabytes: int, file_megabytes: int) -> Crawl:
    """Write sites up to this many MB, with their pages randomly distributed over all files."""
    rng = random.Random(1)
    files = max(2, megabytes // file_megabytes)
    responses = size = sites = 0
    with ExitStack() as stack:
        streams = [stack.enter_context((folder / f"crawl-{file:04}.warc.gz").open("wb")) for file in range(files)]
        while size < megabytes * 1_000_000:
            site = 2 * sites + (sites % _SITES_A_BLOG == 0)  # sites with odd numbers have a feed
            for response in responses_of(site, rng):
                plain = record(responses, _of_real_size(response, site))
                rng.choice(streams).write(gzip.compress(plain, 6, mtime=0))
                responses += 1
                size += len(plain)
            sites += 1
    return Crawl(folder, files, responses, size / 1e6)


def _of_real_size(response: Response, site: int) -> Response:
    """Pad a page to a realistic size with styles and a list of links."""
    if response.kind != "text/html":
        return response
    missing = PAGE_BYTES - len(response.body)
    rules = (f".w{site}-{number}{{margin:{number % 9}px;color:#{number:06x}}}" for number in range(missing // 80))
    links = "".join(
        f'<li class="cat-item cat-item-{number}"><a href="/category/{number}/">Category {number}</a></li>'
        for number in range(missing // 150)
    )
    body = response.body.replace("</head>", f"<style>{''.join(rules)}</style></head>", 1)
    return response._replace(body=body.replace("<footer", f'<aside class="widget"><ul>{links}</ul></aside><footer', 1))


@contextmanager
def dask(program: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def extract(crawl: Crawl, out: Path, *options: str) -> subprocess.Popen[str]:
    names = [f"{crawl.folder}/*.warc.gz", "--blogs-only", "--format", "parquet", "--out", str(out)]
    command = [sys.executable, "-m", "posterity", "extract", *names, *options]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def on_dask(crawl: Crawl, folder: Path, out: Path, workers: int, *, kill_at: int | None = None) -> float:
    """Return the seconds; with `kill_at`, the first worker is killed once this many partitions exist."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    scheduler = f"tcp://127.0.0.1:{port}"
    worker = (scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
    with ExitStack() as stack:
        stack.enter_context(dask("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"))
        started = [stack.enter_context(dask("worker", *worker)) for _ in range(workers)]
        _wait_for_workers(scheduler, workers)
        begun = time.perf_counter()
        running = extract(crawl, out, "--engine", "dask", "--scheduler", scheduler)
        if kill_at is not None:
            while len(list(out.glob("posts/*.parquet"))) < kill_at and running.poll() is None:
                time.sleep(0.05)
            if running.poll() is not None:
                raise SystemExit("The corpus was there before a worker could be killed.")
            started[0].kill()
        return _ended(running, begun)


def _wait_for_workers(scheduler: str, workers: int) -> None:
    from distributed import Client

    with Client(scheduler, timeout=_WAIT_S) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(workers, timeout=_WAIT_S)


def _ended(running: subprocess.Popen[str], begun: float) -> float:
    _, output = running.communicate()
    seconds = time.perf_counter() - begun
    if running.returncode:
        raise SystemExit(output[-2000:])
    print(f"  {output.strip().splitlines()[-1]}", flush=True)
    return seconds


def digest(folder: Path) -> str:
    """Return one digest of all names and contents below a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            total.update(f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=2_000)
    parser.add_argument("--file-mb", type=int, default=100)
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "warc").mkdir()
        crawl = made_crawl(folder / "warc", options.mb, options.file_mb)
        packed = sum(path.stat().st_size for path in crawl.folder.iterdir()) / 1e6
        print(
            f"{crawl.files} files: {crawl.responses:,} responses, {crawl.megabytes:,.0f} MB, packed {packed:,.0f} MB",
            flush=True,
        )
        begun = time.perf_counter()
        cpu_s = used_s()
        print_run("local processes", _ended(extract(crawl, folder / "local"), begun), used_s() - cpu_s, crawl)
        expected = digest(folder / "local")
        for what, workers, kill_at in (
            ("Dask, 1 worker", 1, None),
            ("Dask, 2 workers", 2, None),
            ("Dask, 2 workers, one killed", 2, 40),
        ):
            out = folder / f"dask-{workers}-{kill_at}"
            cpu_s = used_s()
            print_run(what, on_dask(crawl, folder, out, workers, kill_at=kill_at), used_s() - cpu_s, crawl)
            if digest(out) != expected:
                raise SystemExit(f"{what}: other bytes than those of the local processes.")
        print("All corpora have the same bytes.")


def used_s() -> float:
    """Return the CPU time of all finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def print_run(what: str, seconds: float, cpu_s: float, crawl: Crawl) -> None:
    print(
        f"{what}: {seconds:.0f} s, {cpu_s:.0f} s of one core, {crawl.megabytes / seconds:.1f} MB a second; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
