"""Measures pages per second of a harvest of many blogs, compared with plain Scrapy that fetches the same URLs.

A separate process serves the bundled blog on many ports. `posterity harvest -i` harvests all of them: it learns rules,
extracts, writes WARC files and stores records durably. Then plain Scrapy, with as many processes and the same
concurrency, fetches exactly the same URLs without processing them. There are no delays, images or browsers. Start-up
time counts on both sides, but both run on one blog first, untimed, so that Python has compiled their modules. On a busy
machine, the ratio of CPU times is more reliable. Run it alone:

    python benchmarks/crawl_rate.py --blogs 100 --workers 2
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PLACE = "http://blog.invalid"
PLAIN = """
import sys, scrapy
from scrapy.crawler import CrawlerProcess

class Plain(scrapy.Spider):
    name = "plain"
    start_urls = [line.strip() for line in open(sys.argv[1])]
    def parse(self, response):
        pass

process = CrawlerProcess({
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4, "CONCURRENT_REQUESTS": 8, "DOWNLOAD_DELAY": 0, "LOG_ENABLED": False,
    "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Plain)
process.start()
"""


def serve(blogs: int, out: Connection) -> None:
    """Serve the bundled blog on many ports; send the requested URLs whenever a message arrives on the pipe."""
    asyncio.run(_serve(blogs, out))


async def _serve(blogs: int, out: Connection) -> None:
    from posterity.demo.blog import SiteOptions
    from posterity.demo.server import build

    pages = build(SiteOptions(base_url=PLACE))
    asked: list[str] = []

    async def response(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        base = f"http://127.0.0.1:{writer.get_extra_info('sockname')[1]}"
        while line := await reader.readline():
            path = line.split()[1].decode()
            while (await reader.readline()).strip():
                pass
            asked.append(base + path)
            found = pages.get(path)
            body = found.body.replace(PLACE.encode(), base.encode()) if found else b""
            kind = found.content_type if found else "text/plain"
            status = "200 OK" if found else "404 Not Found"
            head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
        writer.close()

    servers = [await asyncio.start_server(response, "127.0.0.1", 0) for _ in range(blogs)]
    out.send([f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/" for server in servers])
    while await asyncio.to_thread(out.recv):
        out.send(list(asked))
        asked.clear()


def harvested(urls: list[str], workers: int, folder: str) -> tuple[float, int]:
    """Return the seconds of a harvest of all blogs, and the number of stored posts."""
    listed = Path(folder, "blogs.txt")
    listed.write_text("\n".join(urls), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "posterity",
        "harvest",
        "-i",
        str(listed),
        "--workers",
        str(workers),
        "--delay",
        "0",
    ]
    command += ["--no-media", "--render", "never", "--json", "--archive", f"{folder}/archive"]
    began = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment(folder))
    seconds = time.monotonic() - began
    events = map(json.loads, ended.stdout.splitlines())
    return seconds, sum(event["report"]["posts"] for event in events if event["event"] == "ended")


def environment(folder: str) -> dict[str, str]:
    """Return the environment of both sides: bytecode is cached, in this folder only."""
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return ours | {"PYTHONPYCACHEPREFIX": f"{folder}/compiled"}


def fetch_with_scrapy(urls: list[str], workers: int, folder: str) -> float:
    """Return the seconds of plain Scrapy for the URLs, divided among processes by blog."""
    hosts = sorted({url.split("/")[2] for url in urls})
    began = time.monotonic()
    running = []
    for number in range(workers):
        listed = Path(folder, f"addresses-{number}.txt")
        mine = set(hosts[number::workers])
        listed.write_text("\n".join(url for url in urls if url.split("/")[2] in mine), encoding="utf-8")
        running.append(subprocess.Popen([sys.executable, "-c", PLAIN, str(listed)], env=environment(folder)))
    for process in running:
        process.wait()
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blogs", type=int, default=100)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(options.blogs + 1, there), daemon=True)
    server.start()
    first, *urls = here.recv()
    with tempfile.TemporaryDirectory() as folder:
        harvested([first], 1, folder)
        fetch_with_scrapy([first], 1, folder)
        here.send("forget it")
        here.recv()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds, posts = harvested(urls, options.workers, folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        here.send("what was asked for?")
        requested: list[str] = here.recv()
        plain_s = fetch_with_scrapy(requested, options.workers, folder)
        last = resource.getrusage(resource.RUSAGE_CHILDREN)
    server.terminate()
    count = len(requested)
    cpu_s, plain_cpu_s = _cpu(after) - _cpu(before), _cpu(last) - _cpu(after)
    print(f"{options.blogs} blogs, {options.workers} processes, {count} requests, {posts} posts")
    print(f"plain Scrapy  {plain_s:.1f} s, {count / plain_s:.1f} pages/s, {plain_cpu_s:.1f} s of processor time")
    print(f"posterity     {seconds:.1f} s, {count / seconds:.1f} pages/s, {cpu_s:.1f} s of processor time")
    print(
        f"ratio         {plain_s / seconds:.2f} of the rate, {plain_cpu_s / cpu_s:.2f} by processor time"
        f"   peak memory of a process {after.ru_maxrss / 1024:.0f} MB"
    )


def _cpu(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
