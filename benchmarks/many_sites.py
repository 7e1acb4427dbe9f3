"""Measures `extract` and `import` on a crawl of thousands of sites in arbitrary order: rate, memory, disk, damage.

    .venv/bin/python benchmarks/many_sites.py                    3,000 sites of 5 pages, every other one with a feed
    .venv/bin/python benchmarks/many_sites.py --sites 300 --damaged 0

Every generated site has a home page and four posts. All responses are shuffled, and some records are damaged. Memory is
that of the largest process; disk is the peak size of $TMPDIR and the final size of the archive.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

POSTS = 4
WORDS = "tide rope gull harbour bell storm bread radio swift lamp kettle ladder river stone letter winter".split()


class Response(NamedTuple):
    """A generated response: URL, content type and body."""

    url: str
    kind: str
    body: str


def responses_of(site: int, rng: random.Random) -> Iterator[Response]:
    """Yield the responses of one site: its home page, its posts, and its feed if the number is odd."""
    home = f"http://site{site}.example/"
    texts = [[" ".join(rng.choices(WORDS, k=60)) + "." for _ in range(5)] for _ in range(POSTS)]
    titles = [" ".join(rng.choices(WORDS, k=4)).capitalize() for _ in range(POSTS)]
    links = [f"{home}2021/0{number + 1}/{titles[number].lower().replace(' ', '-')}/" for number in range(POSTS)]
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed/">' if site % 2 else ""
    menu = "".join(f'<li><a href="{link}">{title}</a></li>' for link, title in zip(links, titles, strict=True))

    def page(title: str, inside: str) -> str:
        return (
            f"<!doctype html><html><head><title>{title} | Site {site}</title>{feed}</head><body><header><h1>"
            f'<a href="/">Site {site}</a></h1><nav><ul>{menu}</ul></nav></header><main>{inside}</main>'
            f'<footer class="f{site % 7}">All rights of site {site} reserved</footer></body></html>'
        )

    yield Response(home, "text/html", page("Home", f"<ul>{menu}</ul>"))
    items = ""
    for number, (link, title, text) in enumerate(zip(links, titles, texts, strict=True), 1):
        html = "".join(f"<p>{paragraph}</p>" for paragraph in text)
        when = f'<time datetime="2021-0{number}-05T06:07:08Z">5.{number}.2021</time>'
        article = f'<article><h2 class="title">{title}</h2>{when}<div class="entry">{html}</div></article>'
        yield Response(link, "text/html", page(title, article))
        date = f"0{number} Mar 2021 06:07:08 GMT"
        inside = f"<title>{title}</title><link>{link}</link><pubDate>{date}</pubDate>"
        items += f"<item>{inside}<description><![CDATA[{html}]]></description></item>"
    if feed:
        rss = f'<rss version="2.0"><channel><title>Site {site}</title><link>{home}</link>{items}</channel></rss>'
        yield Response(f"{home}feed/", "application/rss+xml", rss)


def record(number: int, response: Response) -> bytes:
    body = response.body.encode()
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {response.kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
        f"WARC-Date: 2021-09-05T06:07:08Z\r\nWARC-Target-URI: {response.url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def made_crawl(path: Path, sites: int, damaged: int) -> tuple[int, float]:
    """Write the crawl; return its numbers of responses and uncompressed MB."""
    rng = random.Random(1)
    responses = [response for site in range(sites) for response in responses_of(site, rng)]
    rng.shuffle(responses)
    broken = set(rng.sample(range(len(responses)), damaged))
    size = 0
    with path.open("wb") as out:
        for number, response in enumerate(responses):
            plain = record(number, response)
            size += len(plain)
            packed = bytearray(gzip.compress(plain, 6, mtime=0))
            if number in broken:
                middle = len(packed) // 2
                packed[middle : middle + 8] = b"\xff" * 8
            out.write(packed)
    return len(responses), size / 1e6


class Run(NamedTuple):
    """The cost of a command."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    disk_mb: float
    output: Path


def measured(arguments: list[str], folder: Path) -> Run:
    """Run a command of Posterity with a separate $TMPDIR, and record its peak size."""
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    out = folder / "out.txt"
    largest, over = [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            largest[0] = max(largest[0], size_mb(scratch))

    watcher = threading.Thread(target=watch)
    watcher.start()
    begin = time.perf_counter()
    with out.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "posterity", *arguments],
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=os.environ | {"TMPDIR": str(scratch)},
        )
        _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    over.set()
    watcher.join()
    if status:
        raise SystemExit(out.read_text()[-2000:])
    # This process must stay small: its memory counts in the peak of its children, measured from the fork on.
    cpu = usage.ru_utime + usage.ru_stime
    return Run(seconds, cpu, usage.ru_maxrss / 1024, largest[0], out)


def size_mb(folder: Path) -> float:
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            try:
                size += (Path(place) / name).stat().st_size
            except OSError:
                continue  # deleted in the meantime
    return size / 1e6


def print_run(what: str, run: Run, responses: int, megabytes: float) -> None:
    print(
        f"{what}: {run.seconds:.0f} s, {run.cpu_seconds:.0f} s of one core, that is {responses / run.cpu_seconds:.0f} "
        f"responses or {megabytes / run.cpu_seconds:.1f} MB a second; largest process {run.peak_mb:.0f} MB; "
        f"in $TMPDIR at most {run.disk_mb:.0f} MB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=3_000)
    parser.add_argument("--damaged", type=int, default=20, help="records to damage")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        crawl, archive = folder / "crawl.warc.gz", folder / "archive"
        with ProcessPoolExecutor(1, get_context("spawn")) as maker:
            responses, megabytes = maker.submit(made_crawl, crawl, options.sites, options.damaged).result()
        packed = crawl.stat().st_size / 1e6
        print(
            f"{options.sites:,} sites: {responses:,} responses, {megabytes:.0f} MB, packed {packed:.0f} MB", flush=True
        )
        run = measured(["extract", str(crawl), "--format", "jsonl"], folder)
        print_run("extract", run, responses, megabytes)
        records, damaged = extracted(run.output)
        print(f"  {records:,} records; {len(damaged)} damaged ones left out, {damaged[:1]}")
        run = measured(["import", str(crawl), "--archive", str(archive), "--json"], folder)
        print_run("import", run, responses, megabytes)
        blogs, posts, broken = imported(run.output)
        print(f"  {blogs:,} blogs with {posts:,} posts; archive {size_mb(archive):.0f} MB; {broken} damaged records")


def extracted(output: Path) -> tuple[int, list[str]]:
    """Return the number of records from `extract`, and its messages about damaged ones."""
    records, damaged = 0, []
    with output.open() as lines:
        for line in lines:
            records += line.startswith("{")
            if "a damaged record" in line:
                damaged.append(line.strip())
    return records, damaged


def imported(events: Path) -> tuple[int, int, int]:
    """Return the numbers of blogs, posts and damaged records in the events of an import."""
    blogs = posts = damaged = 0
    with events.open() as lines:
        for event in map(json.loads, lines):
            damaged += len(event.get("damaged", ()))
            if event["event"] == "imported":
                blogs += 1
                posts += event["report"]["posts"]
    return blogs, posts, damaged


if __name__ == "__main__":
    main()
