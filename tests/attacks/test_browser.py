"""Pages that hog the browser are given up within their limits, and other pages are still rendered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Response, Web

from posterity.config import CrawlSettings, RenderSettings, Settings
from posterity.crawl.run import harvest
from posterity.errors import BrowserMissing, PageTooCostly, Unreachable
from posterity.render.chromium import browser_executable
from posterity.render.pool import BrowserPool

# Small, so that a test is quick; an idle page takes about 100 MB.
LIMITS = RenderSettings(pages=1, page_mb=400, browser_mb=1500, unresponsive_s=3, page_timeout_s=120)
WORDS = "<p>Some words about salt and bread, and then some more.</p>"

ENDLESS = {
    "loop": "while (true) {}",
    "late loop": "setTimeout(() => { while (true) {} }, 30)",
    "alerts in a loop": "while (true) alert('a')",
    "frames that loop": "setInterval(() => { let f = document.createElement('iframe'); "
    "f.srcdoc = '<script>while (true) {}</' + 'script>'; document.body.append(f) }, 1)",
}
GROWING = {
    "elements": "const grow = () => { for (let i = 0; i < 20000; i++) document.body.append(Object.assign("
    "document.createElement('p'), {textContent: 'x'.repeat(200)})); setTimeout(grow, 0) }; grow()",
    "buffers": "const kept = []; setInterval(() => kept.push(new Uint8Array(5e7).fill(1)), 1); await_rest()",
    "canvases": "const kept = []; setInterval(() => { let c = document.createElement('canvas'), x = c.getContext('2d');"
    "c.width = c.height = 8000; x.fillRect(0, 0, 8000, 8000); x.getImageData(0, 0, 8000, 8000); kept.push(c) }, 0);"
    "await_rest()",
    "blobs": "const text = 'y'.repeat(3e7), kept = []; setInterval(() => kept.push(URL.createObjectURL("
    "new Blob([text + kept.length]))), 1); await_rest()",
}
# Pending requests keep a visit open, so that the page has time to grow.
_AWAIT_REST = "const await_rest = () => setInterval(() => fetch('/more?' + Math.random()), 10);"
HARMLESS = {
    "windows": "const open_more = () => { for (let i = 0; i < 20; i++) window.open('/loop'); setTimeout(open_more, 1)"
    "}; open_more()",
    "alerts": "setInterval(() => { alert('a'); confirm('b'); prompt('c') }, 0)",
    "unload": "onbeforeunload = event => event.preventDefault(); addEventListener('unload', () => { while (1) {} })",
    "downloads": "setInterval(() => { let a = document.createElement('a'); a.href = URL.createObjectURL("
    "new Blob(['x'.repeat(1e5)])); a.download = 'x.bin'; a.click() }, 5)",
    "history": "setInterval(() => history.pushState(0, '', '/h' + Math.random()), 0)",
}


def page(script: str) -> Response:
    return Response(f"<!doctype html><html><body>{WORDS}<script>{_AWAIT_REST}{script}</script></body></html>")


@pytest.fixture(scope="module")
def web(serve: Callable[[dict[str, Response]], Web]) -> Web:
    try:
        browser_executable()
    except BrowserMissing as problem:
        pytest.skip(str(problem))
    return serve({"/good": Response(f"<p>Good.</p>{WORDS}"), "/loop": page("while (true) {}")})


def visited(web: Web, script: str) -> tuple[str, str, float]:
    """The results of the hostile page and of the next one, and the time of the first."""
    web.responses["/bad"] = page(script)

    async def use() -> tuple[str, str, float]:
        async with BrowserPool(LIMITS, [web.base_url]) as pool:
            await pool.render(f"{web.base_url}/good")
            began = time.monotonic()
            try:
                outcome = (await pool.render(f"{web.base_url}/bad")).html
            except PageTooCostly as problem:
                outcome = str(problem)
            took_s = time.monotonic() - began
            return outcome, (await pool.render(f"{web.base_url}/good")).html, took_s

    return asyncio.run(use())


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS)
def test_endless_script_is_ended_long_before_the_page_times_out(web: Web, script: str) -> None:
    outcome, after, took_s = visited(web, script)
    assert "does not respond in the browser for 3 seconds" in outcome
    assert "Good." in after
    assert took_s < LIMITS.page_timeout_s


@pytest.mark.parametrize("script", GROWING.values(), ids=GROWING)
def test_page_that_takes_more_and_more_memory_is_ended(web: Web, script: str) -> None:
    outcome, after, _ = visited(web, script)
    # On a slow machine, the page may be found unresponsive first.
    reasons = ("takes more than 400 MB of memory", "does not respond", "crashed the browser")
    assert any(reason in outcome for reason in reasons), outcome
    assert "Good." in after


@pytest.mark.parametrize("script", HARMLESS.values(), ids=HARMLESS)
def test_windows_dialogs_and_downloads_disturb_neither_the_page_nor_the_next_one(web: Web, script: str) -> None:
    outcome, after, _ = visited(web, script)
    assert "salt and bread" in outcome
    assert "Good." in after


def test_page_that_goes_elsewhere_again_and_again_is_given_up(web: Web) -> None:
    web.responses["/away"] = page("setTimeout(() => location.href = '/away?' + Math.random(), 1)")

    async def use() -> str:
        async with BrowserPool(LIMITS, [web.base_url]) as pool:
            try:
                await pool.render(f"{web.base_url}/away")
            except Unreachable as problem:
                return f"given up: {problem}"
            return "rendered"

    assert asyncio.run(use()).startswith(("given up", "rendered"))


def test_blog_that_takes_the_browser_for_itself_is_read_without(web: Web, tmp_path: Path) -> None:
    paths = [f"/2024/0{number}/post/" for number in range(1, 8)]
    items = "".join(f"<item><title>Post {path[6:8]}</title><link>{web.base_url}{path}</link></item>" for path in paths)
    feed = f"<rss version='2.0'><channel><title>Blog</title><link>{web.base_url}/</link>{items}</channel></rss>"
    head = "<link rel=alternate type='application/rss+xml' href='/feed.xml'>"
    web.responses |= {"/feed.xml": Response(feed, "application/rss+xml"), "/robots.txt": Response("", "text/plain")}
    for path in ["/", *paths]:
        text = "".join(f"<p>{path} {number} {WORDS * 3}</p>" for number in range(4))
        web.responses[path] = Response(
            f"<html><head>{head}<title>Post {path[6:8]}</title></head><body><article><h1>Post {path[6:8]}</h1>{text}"
            "</article><script>while (true) {}</script></body></html>"
        )
    render = RenderSettings(pages=1, unresponsive_s=2, max_failures=2)
    crawl = CrawlSettings(delay_s=0, retries=0, render="always")
    report = harvest(f"{web.base_url}/", tmp_path / "archive", settings=Settings(crawl=crawl, render=render))
    assert report.posts == len(paths)
    notes = [note for note in report.notes if "2 pages in a row could not be rendered" in note]
    assert len(notes) == 1
    assert "does not respond in the browser for 2 seconds" in notes[0]
