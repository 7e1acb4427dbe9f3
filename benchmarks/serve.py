"""Measures the server with a large archive: response times, and many concurrent readers during a harvest.

    python benchmarks/serve.py                          200 blogs, 100,000 posts, 200 readers
    python benchmarks/serve.py --posts 5000 --readers 50
    python benchmarks/serve.py --archive FOLDER         keep the archive there, or reuse it
    python benchmarks/serve.py --datasette COMMAND      also measure datasette with the same rows

Times of pages are from Server-Timing, without the network. Readers are concurrent connections that request one page
after the other, while a blog on loopback is harvested into the same archive. datasette needs a separate environment:
python -m venv ds && ds/bin/pip install datasette. With 100,000 posts it does not finish the requests of 200 readers in
minutes, so it gets fewer; the ratio compares CPU time per request.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING

import httpx

from posterity.archive import open_archive
from posterity.demo.server import serving
from posterity.model import Blog, Comment, HarvestReport, Post, Provenance, SourceCount
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Words with the frequencies of a natural language (Zipf): the n-th is 1/n as frequent as the first.
WORDS = [
    f"{first}{second}{third}" for first in "kltsmnrb" for second in "aeiou" for third in ("st", "ld", "rn", "m", "ne")
]
WORDS += [f"{first}{second}" for first in WORDS for second in ("a", "ing", "ed", "er", "o", "y", "um", "ix", "al")]
WEIGHTS = [1 / (rank + 1) for rank in range(len(WORDS))]
START = datetime(2005, 1, 1, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blogs", type=int, default=200)
    parser.add_argument("--posts", type=int, default=100_000)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--requests", type=int, default=20, help="of each reader")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--datasette", help="its command; left out without one")
    parser.add_argument("--datasette-readers", type=int, default=10)
    parser.add_argument("--datasette-requests", type=int, default=10, help="of each reader")
    parser.add_argument("--archive", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = given.archive or Path(folder) / "archive"
        if not archive.exists():
            began = time.perf_counter()
            fill(archive, given.blogs, given.posts)
            print(
                f"archive of {given.blogs} blogs and {given.posts:,} posts made in {time.perf_counter() - began:.0f} s"
            )
        with server(archive, given.processes) as (base_url, process):
            measure_pages(base_url)
            ours_ms = asyncio.run(measure_readers(base_url, process, given.readers, given.requests))
            if given.datasette:
                load = given.datasette_readers, given.datasette_requests
                theirs_ms = asyncio.run(measure_datasette(given.datasette, archive, base_url, *load))
                print(f"datasette takes {theirs_ms / ours_ms:.1f} times the processor time for a request")


def fill(archive: Path, blogs: int, posts: int) -> None:
    rng = random.Random(1)
    with open_archive(archive, create=True) as store:
        for number in range(blogs):
            url = f"https://blog{number}.example/"
            now = datetime.now(UTC)
            store.put_blog(Blog(id=blog_id(url), url=url, title=f"The {WORDS[number]} {number}", harvested_at=now))
            some = posts // blogs
            store.put_posts(made_post(url, index, rng) for index in range(some))
            store.put_report(
                HarvestReport(
                    blog=blog_id(url), url=url, started_at=now, ended_at=now, ended_because="done", posts=some,
                    sources=(SourceCount(source="feed", listed=some, new=some),),
                )
            )  # fmt: skip


def made_post(blog: str, index: int, rng: random.Random) -> Post:
    url = f"{blog}{index}/"
    text = " ".join(rng.choices(WORDS, WEIGHTS, k=300))
    return Post(
        id=post_id(url), url=url, canonical_url=url, blog=blog_id(blog), title=" ".join(rng.choices(WORDS, k=4)),
        authors=(rng.choice(("Ann", "Ben", "Cleo")),),
        published=START + timedelta(days=index * 7, hours=rng.random()),
        published_precision="minute", language="en", tags=tuple(rng.sample(WORDS, 2)), text=text, markdown=text,
        html=f"<p>{text}</p>", comments=tuple(
            Comment(id=str(number), author="Dora", published=START + timedelta(days=index * 7), text="Well said.")
            for number in range(index % 3)
        ),
        provenance={"text": Provenance(method="feed", rule="div.entry", confidence=0.97)},
    )  # fmt: skip


@contextmanager
def server(archive: Path, processes: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "posterity", "serve", "-q", "--archive", str(archive), "--port", str(port)]
    # Without updates of the generated blogs, which do not exist and would distort the measurement.
    command += ["--allow", "127.0.0.1", "--delay", "0", "--no-updates", "--processes", str(processes)]
    process = subprocess.Popen(command)
    try:
        base_url = f"http://127.0.0.1:{port}"
        print(f"server ready after {wait_for(base_url + '/health', process):.1f} s")
        yield base_url, process
    finally:
        process.terminate()
        process.wait()


def cpu_s(process: subprocess.Popen[bytes]) -> float:
    """Return the CPU time of a server and its reader processes so far; a running harvest is not included."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(stat.parent.name) == process.pid or (
                int(fields[1]) == process.pid and b"posterity.serve.app" in (stat.parent / "cmdline").read_bytes()
            ):
                total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def wait_for(url: str, process: subprocess.Popen[bytes]) -> float:
    """Wait for the server to respond, and return the seconds this took."""
    began = time.perf_counter()
    while True:
        if process.poll() is not None:
            sys.exit("the server ended")
        try:
            httpx.get(url, timeout=120)
            return time.perf_counter() - began
        except httpx.TransportError:
            time.sleep(0.2)


def measure_pages(base_url: str) -> None:
    with httpx.Client(base_url=base_url, timeout=120) as client:
        blog = client.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
        post = client.get("/api/v1/posts?limit=1").json()["items"][0]["id"]
        places = {
            "first page": "/", "blog": f"/blogs/{blog}", "post": f"/posts/{post}",
            "search": f"/search?q={WORDS[30]}+{WORDS[80]}", "common word": f"/search?q={WORDS[0]}",
            "posts": "/api/v1/posts", "feed": "/feed.atom", "oai": "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        }  # fmt: skip
        print(f"{'page':<12} {'median ms':>9} {'worst ms':>9}")
        for name, path in places.items():
            # Requests with a cookie bypass the cache.
            times = [server_ms(client.get(path, headers={"Cookie": "fresh=1"})) for _ in range(15)]
            print(f"{name:<12} {statistics.median(times):>9.1f} {max(times):>9.1f}")


def server_ms(response: httpx.Response) -> float:
    response.raise_for_status()
    return float(response.headers["server-timing"].rpartition("=")[2])


class Load:
    """The results of readers: response times and errors."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.problems: list[str] = []

    def print(self, name: str, took_s: float, processor_s: float) -> float:
        """Print the figures of one server; return the CPU milliseconds per request."""
        ordered = sorted(self.seconds)
        p50, p99 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.99))
        print(
            f"{name:<12} {len(ordered):>6} requests in {took_s:5.1f} s: {len(ordered) / took_s:6.1f}/s, "
            f"median {p50 * 1000:5.0f} ms, p99 {p99 * 1000:5.0f} ms, {len(self.problems)} errors, "
            f"{processor_s * 1000 / len(ordered):.1f} ms of processor time each"
        )
        print(*list(dict.fromkeys(self.problems))[:5], sep="\n", end="")
        return processor_s * 1000 / len(ordered)


async def measure_readers(base_url: str, process: subprocess.Popen[bytes], readers: int, requests: int) -> float:
    """Let readers request the usual mix of pages while a blog is harvested into the same archive."""
    paths = usual_mix(base_url)
    with serving() as blog, httpx.Client(base_url=base_url, timeout=300) as client:
        job = client.post("/api/v1/jobs", json={"kind": "harvest", "url": f"{blog.base_url}/"}).json()["id"]
        before = cpu_s(process)
        load, seconds = await read_all(base_url, paths, readers, requests)
        processor_s = cpu_s(process) - before
        status = client.get(f"/api/v1/jobs/{job}").json()
        while status["state"] in ("waiting", "running"):
            await asyncio.sleep(0.5)
            status = client.get(f"/api/v1/jobs/{job}").json()
    each_ms = load.print("posterity", seconds, processor_s)
    print(f"the harvest beside them: {status['state']}, {status['progress'].get('posts')} posts")
    return each_ms


async def measure_datasette(command: str, archive: Path, base_url: str, readers: int, requests: int) -> float:
    """Let readers request the same rows from datasette."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    paths = [datasette_path(path) for path in usual_mix(base_url)]
    process = subprocess.Popen([command, "serve", str(archive / "posterity.db"), "--port", str(port)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/-/versions.json", process)
        before = cpu_s(process)
        load, seconds = await read_all(url, paths, readers, requests)
        processor_s = cpu_s(process) - before
    finally:
        process.terminate()
        process.wait()
    return load.print("datasette", seconds, processor_s)


def usual_mix(base_url: str) -> list[str]:
    """Return a thousand paths: posts, blogs, searches, the home page, API lists and feeds."""
    rng = random.Random(2)
    with httpx.Client(base_url=base_url, timeout=120) as client:
        blogs = [line["blog"]["id"] for line in client.get("/api/v1/blogs?limit=500").json()["items"]]
        posts = []
        for blog in rng.sample(blogs, min(20, len(blogs))):
            posts += [post["id"] for post in client.get(f"/api/v1/posts?blog={blog}&limit=200").json()["items"]]
    kinds: dict[str, Callable[[], str]] = {
        "post": lambda: f"/posts/{rng.choice(posts)}",
        "blog": lambda: f"/blogs/{rng.choice(blogs)}",
        "search": lambda: f"/search?q={rng.choices(WORDS, WEIGHTS)[0]}",
        "first": lambda: "/",
        "list": lambda: f"/api/v1/posts?blog={rng.choice(blogs)}",
        "feed": lambda: "/feed.atom",
    }
    shares = (35, 25, 12, 13, 10, 5)
    return [kinds[kind]() for kind in rng.choices(list(kinds), shares, k=1000)]


def datasette_path(path: str) -> str:
    """Return the path in datasette with the same rows."""
    place, _, word = path.partition("?q=")
    newest = "_sort_desc=published&_nocount=1&_nofacet=1"
    match place.partition("?")[0].split("/")[1:]:
        case ["posts", post]:
            return f"/posterity/posts/{post}"
        case ["blogs", blog]:
            return f"/posterity/posts?blog_id={blog}&_size=40&{newest}"
        case ["search"]:
            sql = "select rowid, rank from search_index where search_index match :q order by rank limit 20"
            return f"/posterity.json?sql={sql.replace(' ', '+')}&q={word}"
        case [""]:
            return "/posterity"
        case ["api", *_]:
            return f"/posterity/posts.json?blog_id={path.rpartition('=')[2]}&_size=50&{newest}"
        case _:
            return "/posterity/posts.json?_size=30&_sort_desc=stamp&_nocount=1"


async def read_all(base_url: str, paths: list[str], readers: int, requests: int) -> tuple[Load, float]:
    load = Load()
    began = time.perf_counter()
    await asyncio.gather(*(reader(base_url, paths, number, requests, load) for number in range(readers)))
    return load, time.perf_counter() - began


async def reader(base_url: str, paths: list[str], number: int, requests: int, load: Load) -> None:
    """Request one page after the other on one connection, with minimal work for the client."""
    host, _, port = base_url.removeprefix("http://").partition(":")
    stream, out = await asyncio.open_connection(host, int(port), limit=2**22)
    rng = random.Random(number)
    for _ in range(requests):
        path = rng.choice(paths)
        began = time.perf_counter()
        try:
            out.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: */*\r\n\r\n".encode())
            head = (await stream.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = re.search(r"content-length: (\d+)", head)
            if length:
                await stream.readexactly(int(length[1]))
            elif "chunked" in head:
                await stream.readuntil(b"\r\n0\r\n\r\n")
            if " 200 " not in head.partition("\r\n")[0]:
                load.problems.append(f"{head.partition(chr(13))[0]} {path}")
        except (OSError, asyncio.IncompleteReadError) as problem:
            load.problems.append(f"{problem!r} {path}")
            stream, out = await asyncio.open_connection(host, int(port), limit=2**22)
        load.seconds.append(time.perf_counter() - began)
    out.close()


if __name__ == "__main__":
    main()
