"""Measures pages per second of the browser pool, compared with bare Playwright (`goto` and `content()`).

A separate process serves a blog rendered by scripts on loopback: a page, a script, a stylesheet and posts as JSON. The
pool waits until a page is idle, handles banners and buttons, scrolls, reads frames, records responses, and blocks
requests to private IP addresses; bare Playwright does none of this. Both use the same browser, flags and number of open
pages. They alternate, and the result is the median of the ratios. Run it alone:

    python benchmarks/render_rate.py --pages 4 --visits 80 --rounds 3
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from playwright.async_api import async_playwright

from posterity.config import RenderSettings
from posterity.render.chromium import FLAGS, WITHOUT_PICTURES, browser_executable
from posterity.render.pool import BrowserPool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from multiprocessing.connection import Connection

SHELL = (
    b'<!doctype html><html><head><title>Drawn</title><link rel=stylesheet href="/style.css"></head><body><div id=app>'
    b'</div><script src="/app.js"></script></body></html>'
)
APP = b"""fetch('/data' + location.pathname).then(answer => answer.json()).then(post => {
    document.getElementById('app').innerHTML = `<article><h1>${post.title}</h1>${post.text}</article>
    <section class=comments>${post.comments.map(c => `<div class=comment><b>${c.author}</b><p>${c.text}</p></div>`)
        .join('')}
    </section>`;
});"""
STYLE = b"body { max-width: 40em; margin: auto } h1 { font-size: 2em } .comment { border-top: 1px solid }"
WORDS = "tide bread radio harbour lamp stone letter winter paper garden engine river salt copper morning ".split()


def post(number: int) -> bytes:
    paragraph = " ".join(WORDS[(number + place) % len(WORDS)] for place in range(90))
    comments = [{"author": f"Reader {place}", "text": paragraph[:200]} for place in range(number % 20)]
    return json.dumps({"title": f"Post {number}", "text": f"<p>{paragraph}</p>" * 8, "comments": comments}).encode()


class Handler(BaseHTTPRequestHandler):
    """The blog."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send the page, its script, its stylesheet, or the data of a post."""
        kind, body = "text/html", SHELL
        if self.path == "/app.js":
            kind, body = "text/javascript", APP
        elif self.path == "/style.css":
            kind, body = "text/css", STYLE
        elif self.path.startswith("/data/"):
            kind, body = "application/json", post(int(self.path.rpartition("/")[2]))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "max-age=60" if self.path in ("/app.js", "/style.css") else "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """Server for browsers, which may close connections at any time."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore closed connections; any other error is a bug in this file."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def serve(out: Connection) -> None:
    server = Server(("127.0.0.1", 0), Handler)
    out.send(server.server_port)
    server.serve_forever()


async def bare(urls: list[str], pages: int) -> float:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=browser_executable(), args=[*FLAGS, *WITHOUT_PICTURES, "--no-sandbox"]
        )
        context = await browser.new_context()
        waiting = list(urls)

        async def work() -> None:
            page = await context.new_page()
            while waiting:
                await page.goto(waiting.pop())
                await page.content()

        return await timed(lambda: asyncio.gather(*(work() for _ in range(pages))), browser.close)


async def pooled(urls: list[str], pages: int) -> float:
    pool = BrowserPool(RenderSettings(pages=pages), urls[:1])
    await pool.render(urls[0])  # start the browser before measuring, as in `bare`

    async def whole() -> None:
        rendered = await asyncio.gather(*map(pool.render, urls))
        assert all("<article>" in one.html for one in rendered)

    return await timed(whole, pool.close)


async def timed(work: Callable[[], Awaitable[object]], end: Callable[[], Awaitable[object]]) -> float:
    began = time.monotonic()
    await work()
    taken = time.monotonic() - began
    await end()
    return taken


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=4, help="pages open at a time")
    options.add_argument("--visits", type=int, default=80)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(there,), daemon=True)
    server.start()
    base = f"http://127.0.0.1:{here.recv()}"
    urls = [f"{base}/{number}" for number in range(given.visits)]
    ratios = []
    for _ in range(given.rounds):
        plain, ours = asyncio.run(bare(urls, given.pages)), asyncio.run(pooled(urls, given.pages))
        ratios.append(plain / ours)
        print(f"bare {given.visits / plain:6.1f} pages/s   pool {given.visits / ours:6.1f}   ratio {plain / ours:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f} with {given.pages} pages")
    server.terminate()


if __name__ == "__main__":
    main()
