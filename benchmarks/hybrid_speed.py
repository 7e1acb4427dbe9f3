"""Measures `posterity.extract` without rules, with all fields and parsing, compared with trafilatura on the same pages.

python benchmarks/hybrid_speed.py FOLDER [--pages N] [--passes N]

Takes every n-th page of each PAGES.jsonl.xz in the folder, always the same, N in total. The tools alternate over all
pages, so that other load affects both equally. Times are CPU times, the best pass of each page. "First" is a page that
the process has not seen before, after warming up on other pages: each pass runs in a forked copy. "Again" is a page
whose names and dates are cached, as after the first pages of a blog. Trafilatura is measured twice: its default only
returns text; `bare_extraction(html, url, with_metadata=True)` also title, author, date and tags, as Posterity always
does.
"""

from __future__ import annotations

import argparse
import json
import logging
import lzma
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import TYPE_CHECKING

import trafilatura

import posterity
from posterity.dom import parse
from posterity.extraction.comments import comments_of_page
from posterity.extraction.hybrid.article import article_on
from posterity.extraction.hybrid.posts import fields_on
from posterity.extraction.method import Context
from posterity.extraction.record import article_fields

if TYPE_CHECKING:
    from collections.abc import Callable

WARM_UP = 10
PARTS = ("parse and tree", "article", "text, HTML, Markdown", "title, author, date", "comments")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=120)
    parser.add_argument("--passes", type=int, default=3)
    given = parser.parse_args()
    logging.disable(logging.ERROR)
    pages, others = _sample(given.folder, given.pages)
    for url, html in others:
        posterity.extract(html, url)
        _text_alone(url, html)
        _with_fields(url, html)
    first = _best([_in_a_copy(pages) for _ in range(given.passes)])
    again = _best([_times(pages) for _ in range(given.passes + 1)][1:])
    print(f"{len(pages)} pages, {sum(len(html) for _, html in pages) // len(pages) // 1000} KB on average")
    print(f"{'ms a page':14}{'posterity':>12}{'trafilatura, text alone':>28}{'trafilatura, with its fields':>34}")
    for name, (ours, *theirs) in (("first", first), ("again", again)):
        for measure, of in (("mean", mean), ("median", median)):
            cells = (f"{of(times) * 1e3:16.2f} ({_quicker(measure, ours, times):.2f} times)" for times in theirs)
            print(f"{f'{name} {measure}':14}{of(ours) * 1e3:12.2f}{''.join(f'{cell:>31}' for cell in cells)}")
    print(
        "parts of ours, ms a page (again):",
        ", ".join(f"{name} {ms:.2f}" for name, ms in _parts(pages, given.passes).items()),
    )


def _quicker(measure: str, ours: list[float], theirs: list[float]) -> float:
    """Return how many times faster Posterity is: on all pages together, or on the median page."""
    if measure == "mean":
        return mean(theirs) / mean(ours)
    return median(their / our for our, their in zip(ours, theirs, strict=True))


def _sample(folder: Path, count: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the pages to measure and a few others for warming up, evenly from all files of the folder."""
    files = sorted(folder.glob("*.jsonl.xz"))
    chosen: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for file in files:
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            pages = [(page.get("url") or "", page["html"]) for page in map(json.loads, lines) if page.get("html")]
        each = max(1, len(files) and round(count / len(files)))
        step = max(1, len(pages) // each)
        chosen += pages[::step][:each]
        others += pages[step // 2 :: step][: WARM_UP if step > 1 else 0]
    return chosen, others


def _ours(url: str, html: str) -> object:
    return posterity.extract(html, url)


def _text_alone(_: str, html: str) -> object:
    return trafilatura.extract(html)


def _with_fields(url: str, html: str) -> object:
    return trafilatura.bare_extraction(html, url=url or None, with_metadata=True)


def _in_a_copy(pages: list[tuple[str, str]]) -> list[list[float]]:
    """Run `_times` in a forked copy of this process, so that its caches are discarded."""
    with get_context("fork").Pool(1) as copies:
        return copies.apply(_times, (pages,))


def _times(pages: list[tuple[str, str]]) -> list[list[float]]:
    return [[_seconds(tool, *page) for page in pages] for tool in (_ours, _text_alone, _with_fields)]


def _best(passes: list[list[list[float]]]) -> list[list[float]]:
    return [[min(times) for times in zip(*tool, strict=True)] for tool in zip(*passes, strict=True)]


def _seconds(tool: Callable[[str, str], object], url: str, html: str) -> float:
    started = process_time()
    tool(url, html)
    return process_time() - started


def _parts(pages: list[tuple[str, str]], passes: int) -> dict[str, float]:
    """Return the milliseconds per page of each part, from the best pass of each page."""
    best = [[min(times) for times in zip(*(_part_times(*page) for _ in range(passes)), strict=True)] for page in pages]
    return {name: mean(times) * 1e3 for name, times in zip(PARTS, zip(*best, strict=True), strict=True)}


def _part_times(url: str, html: str) -> list[float]:
    marks = [process_time()]
    document = parse(html, url)
    tree = document.tree
    marks.append(process_time())
    article = article_on(document)
    marks.append(process_time())
    if article is not None:
        article_fields(tree, document.base_url, article.node, article.left_out)
        marks.append(process_time())
        fields_on(document, article, Context())
        marks.append(process_time())
        comments_of_page(tree, document.base_url)
        marks.append(process_time())
    times = [end - start for start, end in pairwise(marks)]
    return times + [0.0] * (len(PARTS) - len(times))


if __name__ == "__main__":
    main()
