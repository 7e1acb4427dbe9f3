"""How quick the server is with a large archive, and whether many readers and a harvest disturb each other.

    python benchmarks/serve.py                          200 blogs, 100,000 posts, 200 readers
    python benchmarks/serve.py --posts 5000 --readers 50
    python benchmarks/serve.py --archive FOLDER         keep the archive there, and use it again

Times are the server's own (Server-Timing), without the network. Readers are connections that ask for pages one after
the other, as many at once as there are readers, while a blog on loopback is harvested into the same archive.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING

import httpx

from posterity.archive import open_archive
from posterity.demo.server import serving
from posterity.model import Blog, Comment, HarvestReport, Post, Provenance, SourceCount, blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Iterator

# Words as frequent as those of a language (Zipf): the hundredth comes a hundredth as often as the first.
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
    parser.add_argument("--requests", type=int, default=10, help="of each reader")
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
        with server(archive) as base_url:
            measure_pages(base_url)
            asyncio.run(measure_readers(base_url, given.readers, given.requests))


def fill(archive: Path, blogs: int, posts: int) -> None:
    dice = random.Random(1)
    with open_archive(archive, create=True) as store:
        for number in range(blogs):
            url = f"https://blog{number}.example/"
            now = datetime.now(UTC)
            store.put_blog(Blog(id=blog_id(url), url=url, title=f"The {WORDS[number]} {number}", harvested_at=now))
            some = posts // blogs
            store.put_posts(made_post(url, index, dice) for index in range(some))
            store.put_report(
                HarvestReport(
                    blog=blog_id(url), url=url, started_at=now, ended_at=now, ended_because="done", posts=some,
                    sources=(SourceCount(source="feed", listed=some, new=some),),
                )
            )  # fmt: skip


def made_post(blog: str, index: int, dice: random.Random) -> Post:
    url = f"{blog}{index}/"
    text = " ".join(dice.choices(WORDS, WEIGHTS, k=300))
    return Post(
        id=post_id(url), url=url, canonical_url=url, blog=blog_id(blog), title=" ".join(dice.choices(WORDS, k=4)),
        authors=(dice.choice(("Ann", "Ben", "Cleo")),),
        published=START + timedelta(days=index * 7, hours=dice.random()),
        published_precision="minute", language="en", tags=tuple(dice.sample(WORDS, 2)), text=text, markdown=text,
        html=f"<p>{text}</p>", comments=tuple(
            Comment(id=str(number), author="Dora", published=START + timedelta(days=index * 7), text="Well said.")
            for number in range(index % 3)
        ),
        provenance={"text": Provenance(method="feed", rule="div.entry", confidence=0.97)},
    )  # fmt: skip


@contextmanager
def server(archive: Path) -> Iterator[str]:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "posterity", "serve", "-q", "--archive", str(archive), "--port", str(port)]
    process = subprocess.Popen([*command, "--allow", "127.0.0.1", "--delay", "0"])
    try:
        base_url = f"http://127.0.0.1:{port}"
        began = time.perf_counter()
        while True:
            try:
                httpx.get(f"{base_url}/health", timeout=120)
                break
            except httpx.TransportError:
                time.sleep(0.2)
        print(f"server ready after {time.perf_counter() - began:.1f} s")
        yield base_url
    finally:
        process.terminate()
        process.wait()


def measure_pages(base_url: str) -> None:
    with httpx.Client(base_url=base_url, timeout=120) as client:
        blog = client.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
        post = client.get("/api/v1/posts?limit=1").json()["items"][0]["id"]
        places = {
            "first page": "/", "blog": f"/blogs/{blog}", "post": f"/posts/{post}",
            "search": f"/search?q={WORDS[30]}+{WORDS[80]}",
            "posts": "/api/v1/posts", "feed": "/feed.atom", "oai": "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        }  # fmt: skip
        print(f"{'page':<12} {'median ms':>9} {'worst ms':>9}")
        for name, path in places.items():
            times = [server_ms(client.get(path)) for _ in range(15)]
            print(f"{name:<12} {statistics.median(times):>9.1f} {max(times):>9.1f}")


def server_ms(answer: httpx.Response) -> float:
    answer.raise_for_status()
    return float(answer.headers["server-timing"].rpartition("=")[2])


async def measure_readers(base_url: str, readers: int, requests: int) -> None:
    with serving() as blog:
        limits = httpx.Limits(max_connections=readers)
        async with httpx.AsyncClient(base_url=base_url, timeout=300, limits=limits) as client:
            lines = (await client.get("/api/v1/blogs?limit=500")).json()["items"]
            paths = [
                "/",
                f"/search?q={WORDS[300]}",
                "/api/v1/posts",
                *(f"/blogs/{line['blog']['id']}" for line in lines[:20]),
            ]
            wish = {"kind": "harvest", "url": f"{blog.base_url}/"}
            job = (await client.post("/api/v1/jobs", json=wish)).json()["id"]
            began = time.perf_counter()
            first_page: list[float] = []
            problems = await asyncio.gather(
                *(reader(client, paths, number, requests, first_page) for number in range(readers))
            )
            seconds = time.perf_counter() - began
            status = (await client.get(f"/api/v1/jobs/{job}")).json()
            while status["state"] in ("waiting", "running"):
                await asyncio.sleep(0.5)
                status = (await client.get(f"/api/v1/jobs/{job}")).json()
            total = readers * requests
            wrong = sum(map(len, problems))
            print(f"{readers} readers, {total} requests in {seconds:.1f} s ({total / seconds:.0f}/s), {wrong} errors")
            print(f"their first pages, waiting included: median {statistics.median(first_page):.0f} ms")
            print(f"the harvest beside them: {status['state']}, {status['progress'].get('posts')} posts")
            print(*dict.fromkeys(one for some in problems for one in some), sep="\n", end="")


async def reader(
    client: httpx.AsyncClient, paths: list[str], number: int, requests: int, first_page: list[float]
) -> list[str]:
    problems = []
    for turn in range(requests):
        try:
            answer = await client.get(paths[(number + turn) % len(paths)])
            if answer.url.path == "/":
                first_page.append(server_ms(answer))
            if answer.status_code != 200:
                problems.append(f"{answer.status_code} {answer.url.path} {answer.text[:200]}")
        except httpx.HTTPError as problem:
            problems.append(repr(problem))
    return problems


if __name__ == "__main__":
    main()
