"""Measures the speed of feed rules, as ratios in one run on one core: learning, and extraction of all fields.

python benchmarks/feed_rules.py [FOLDER]    FOLDER contains blogs as NAME/site and NAME/truth.json; by default, the
                                            bundled blog is measured

Prints the time of extracting all fields by rules alone (`rules.extract`, including parsing), relative to
lxml.html.fromstring and trafilatura on the same pages ("fields": bare_extraction with metadata; "text": its default,
only text); the same for the default method, which also examines the page for fields without a rule; learning from 15
entries relative to trafilatura extracting their pages and fields once; the growth of learning time with the size and
number of pages; and the peak memory of learning. Caches are cleared before every measurement.
"""

from __future__ import annotations

import logging
import sys
import tracemalloc
import warnings
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import lxml.html
import msgspec
import trafilatura

from posterity.demo.blog import SiteOptions
from posterity.demo.server import build
from posterity.discover.feed import read_feed
from posterity.dom import parse
from posterity.dom.media import absolute
from posterity.errors import PosterityError
from posterity.evaluate.datasets import blog_site
from posterity.extraction import extract
from posterity.extraction.feed import learn
from posterity.learning.evidence import matched_pages
from posterity.model import Feed, FeedEntry
from posterity.text.dates.reading import forget_texts
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENTRIES = 15
REPEATS = 5
BASE = "http://blog.example"
Blog = tuple[str, Feed, dict[str, str]]


def main(folder: Path | None) -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    blogs = list(_real_blogs(folder)) if folder else [_bundled_blog()]
    for name, feed, pages in blogs[:1]:
        print(f"warming up on {name}")
        learn(feed, pages)
    _speed(blogs)
    _growth()
    _memory()


def _speed(blogs: list[Blog]) -> None:
    print(
        f"\n{'blog':20}{'pages':>6}{'KB':>6}{'parse/lxml':>12}{'extract/lxml':>14}{'fields/extract':>16}"
        f"{'text/extract':>14}{'hybrid/lxml':>13}{'learn/fields':>14}"
    )
    sums = [0.0] * 7
    for name, feed, pages in blogs:
        try:
            rules = learn(feed, pages)
        except PosterityError:
            continue
        items = list(pages.items())
        # Bytes, as received from the network, so that decoding is included.
        bodies = [(url, html.encode()) for url, html in items]
        times = [
            _best(lambda: [lxml.html.fromstring(body) for _, body in bodies]),  # noqa: B023
            _best(lambda: [parse(body, url) for url, body in bodies]),  # noqa: B023
            _best(lambda: [rules.extract(body, url) for url, body in bodies]),  # noqa: B023
            _best(lambda: [extract(body, url, rules=rules) for url, body in bodies], 2),  # noqa: B023
            _best(lambda: [_with_fields(url, html) for url, html in items], 2),  # noqa: B023
            _best(lambda: [trafilatura.extract(html) for _, html in items], 2),  # noqa: B023
            _best(lambda: learn(feed, pages), 2),  # noqa: B023
        ]
        sums = [total + time for total, time in zip(sums, times, strict=True)]
        size = sum(len(body) for _, body in bodies) // len(bodies) // 1000
        print(f"{name:20}{len(items):6}{size:6}{_ratios(times)}")
    print(f"{'all':20}{'':12}{_ratios(sums)}")


def _ratios(times: list[float]) -> str:
    lxml_s, parse_s, extract_s, hybrid_s, fields_s, text_s, learn_s = times
    by_rules = (
        f"{parse_s / lxml_s:12.2f}{extract_s / lxml_s:14.2f}{fields_s / extract_s:16.1f}{text_s / extract_s:14.1f}"
    )
    return f"{by_rules}{hybrid_s / lxml_s:13.2f}{learn_s / fields_s:14.2f}"


def _with_fields(url: str, html: str) -> object:
    return trafilatura.bare_extraction(html, url=url, with_metadata=True)


def _growth() -> None:
    print("\nlearning by size of page (15 pages); flat milliseconds a KB: linear")
    for paragraphs in (20, 80, 320, 1280):
        feed, pages = _made_blog(ENTRIES, paragraphs)
        kilobytes = sum(map(len, pages.values())) / 1000
        time_ms = 1000 * _best(lambda: learn(feed, pages), 2)  # noqa: B023
        print(f"  {kilobytes / len(pages):8.0f} KB a page {time_ms:9.0f} ms {time_ms / kilobytes:8.3f} ms a KB")
    print("learning by number of pages (80 paragraphs); flat milliseconds a page: linear")
    for number in (5, 10, 20, 40):
        feed, pages = _made_blog(number, 80)
        time_ms = 1000 * _best(lambda: learn(feed, pages), 2)  # noqa: B023
        print(f"  {number:8} pages    {time_ms:9.0f} ms {time_ms / number:8.2f} ms a page")


def _memory() -> None:
    print("\npeak memory of learning (80 paragraphs); bounded by the documents that are kept, not by all pages")
    for number in (5, 10, 20, 40):
        feed, pages = _made_blog(number, 80)
        tracemalloc.start()
        learn(feed, pages)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"  {number:8} pages    {peak / 1e6:9.2f} MB")


def _best(run: Callable[[], object], repeats: int = REPEATS) -> float:
    times = []
    for _ in range(repeats):
        forget_texts()
        absolute.cache_clear()
        canonical_url.cache_clear()
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


def _made_blog(pages: int, paragraphs: int) -> tuple[Feed, dict[str, str]]:
    """Return a generated blog whose posts have this many paragraphs, with different words in every post."""
    entries, bodies = [], {}
    for page in range(pages):
        words = [f"word{page}x{number % 997}" for number in range(paragraphs * 40)]
        text = "".join(f"<p>{' '.join(words[start : start + 40])}</p>" for start in range(0, len(words), 40))
        url = f"{BASE}/{page}/"
        entries.append(FeedEntry(link=url, title=f"On tides {page}", content=text))
        bodies[url] = (
            f"<html><body><nav>{'<a href=/x>menu</a>' * 30}</nav><h1 class=title>On tides {page}</h1>"
            f"<div class=entry>{text}</div><div class=side>{'<p>About this blog</p>' * 20}</div></body></html>"
        )
    return Feed(url=f"{BASE}/feed/", format="rss20", entries=tuple(entries)), bodies


def _bundled_blog() -> Blog:
    site = build(SiteOptions(base_url=BASE, feed_format="json", feed_entries=ENTRIES))
    path = next(path for path in site if "json" in path)
    feed = read_feed(site[path].body, BASE + path)
    linked = {entry.link for entry in feed.entries}
    return "bundled", feed, {post.url: site[post.path].body.decode() for post in site.truth if post.url in linked}


def _real_blogs(folder: Path) -> Iterator[Blog]:
    for truth in sorted(folder.glob("*/truth.json")):
        site = blog_site(truth.parent)
        if site.evidence is None:
            continue
        pages = {**site.evidence.pages, **{sample.url: sample.html for sample in site.samples}}
        pairs = matched_pages(site.evidence.feed.entries, pages)[:ENTRIES]
        if len(pairs) >= 5:
            feed = msgspec.structs.replace(site.evidence.feed, entries=tuple(entry for _, entry in pairs))
            yield truth.parent.name, feed, {url: pages[url] for url, _ in pairs}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
