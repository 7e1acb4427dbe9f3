"""Pages per second of a harvest, against plain Scrapy that fetches the same addresses and makes nothing of them.

A blog of many posts is served on loopback by a process of its own. The harvest learns, extracts, writes WARC and stores
records, durably; plain Scrapy only downloads. Both have the same concurrency and no delay. Run it alone:

    python benchmarks/crawl_rate.py --posts 600
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

WORDS = "tide bread radio harbour lamp stone letter winter paper garden engine river salt copper morning".split()
PLAIN = """
import sys, time, scrapy
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
began = time.monotonic()
process.start()
print(time.monotonic() - began)
"""


def site(count: int, base: str) -> dict[str, tuple[str, str]]:
    """Return the paths of a blog with this many posts, each with its type and body."""
    chance = random.Random(1)
    menu = "".join(f'<li><a href="/about/{word}/">{word}</a></li>' for word in WORDS)
    posts = {}
    for number in range(count):
        path = f"/20{10 + number % 14}/{1 + number % 12:02}/post-{number}/"
        text = "".join(f"<p>{' '.join(chance.choices(WORDS, k=60))} {number}.</p>" for _ in range(8))
        posts[path] = (f"The {chance.choice(WORDS)} of day {number}", text)
    pages = {path: ("text/html", post_page(title, text, menu)) for path, (title, text) in posts.items()}
    items = "".join(
        f"<item><title>{title}</title><link>{base}{path}</link><description><![CDATA[{text}]]></description></item>"
        for path, (title, text) in list(posts.items())[:10]
    )
    pages["/feed/"] = ("text/xml", f'<rss version="2.0"><channel><title>B</title>{items}</channel></rss>')
    places = "".join(f"<url><loc>{base}{path}</loc></url>" for path in posts)
    pages["/sitemap.xml"] = (
        "text/xml",
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>',
    )
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed/">'
    pages["/"] = ("text/html", f"<html><head><title>B</title>{feed}</head><body><ul>{menu}</ul></body></html>")
    return pages


def post_page(title: str, text: str, menu: str) -> str:
    return (
        f"<html><head><title>{title}</title></head><body><ul>{menu}</ul><article><h1 class=t>{title}</h1>"
        f'<div class="body">{text}</div></article><div class="foot">{menu}</div></body></html>'
    )


def serve(count: int, out: Connection) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            kind, body = pages.get(self.path, ("text/plain", ""))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    base = f"http://127.0.0.1:{server.server_port}"
    pages = site(count, base)
    out.send((base, list(pages)))
    server.serve_forever()


def harvested(base: str, folder: str) -> tuple[float, int, int]:
    command = [sys.executable, "-m", "posterity", "harvest", f"{base}/", "--delay", "0", "--json", "--archive"]
    ended = subprocess.run([*command, f"{folder}/archive"], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    report = lines[-1]["report"]
    from datetime import datetime

    began, over = (datetime.fromisoformat(report[name]) for name in ("started_at", "ended_at"))
    return (over - began).total_seconds(), report["requests"], report["posts"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=600)
    count: int = parser.parse_args().posts
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(count, there), daemon=True)
    server.start()
    base, paths = here.recv()
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/urls.txt", "w", encoding="utf-8") as urls:  # noqa: PTH123
            urls.write("\n".join(base + path for path in paths))
        plain = subprocess.run(
            [sys.executable, "-c", PLAIN, f"{folder}/urls.txt"], capture_output=True, text=True, check=True
        )
        plain_s = float(plain.stdout)
        seconds, requests, posts = harvested(base, folder)
    server.terminate()
    plain_rate, rate = len(paths) / plain_s, requests / seconds
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"plain Scrapy  {len(paths)} pages in {plain_s:.1f} s, {plain_rate:.1f} pages/s")
    print(f"posterity     {requests} requests, {posts} posts in {seconds:.1f} s, {rate:.1f} pages/s")
    print(f"ratio         {rate / plain_rate:.2f}   peak memory of any process {peak_mb:.0f} MB")


if __name__ == "__main__":
    main()
