"""Measures whether the rendered layout (visibility, columns, font sizes) would improve `hybrid`, on real blogs.

python benchmarks/rendered_blocks.py FOLDER [POSTS]   FOLDER has blogs with site/ and truth.json; POSTS of each (2)

Every post is loaded in Chromium from its folder, without network, and each element is annotated with its box, font size
and visibility. `hybrid` then extracts the unchanged page, the page without invisible elements, and the page without
elements beside the column of its own result. Titles are also compared with the largest text of that column. The results
are in docs/experiments/rendered.md.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from lxml import html as lxml_html
from playwright.sync_api import Error, Page, Route, sync_playwright

from posterity.dom import parse
from posterity.extraction.method import Context, method_named
from posterity.render.chromium import browser_executable
from posterity.text.normal_form import letters_and_digits, token_f1, word_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MARK = "data-box"  # left, right, font size, visible
WIDTH, HEIGHT = 1280, 900
LOAD_MS = 15_000
SETTLE_MS = 300  # fonts and layout after the load event
BOXES = """() => {
  for (const one of document.body.querySelectorAll('*')) {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    const seen = style.display !== 'none' && style.visibility !== 'hidden' && style.opacity !== '0'
      && (style.display === 'contents' || one.getClientRects().length > 0) && box.right > -500;
    one.setAttribute('data-box', [box.left, box.right, parseFloat(style.fontSize), seen ? 1 : 0].join(','));
  }
}"""
UNSEEN = ("script", "style", "template", "noscript")  # never rendered, but hybrid reads the metadata in them
LONGEST_TITLE = 200
LARGEST_MIN = 1.15  # minimum font size of a headline, relative to running text


def run(root: Path, posts: int) -> None:
    scores: dict[str, list[float]] = defaultdict(list)
    read = method_named("hybrid")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_executable(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for folder in sorted(root.iterdir()):
            for url, gold, markup in _rendered(page, folder, posts):
                for name, value in _scores(read, url, gold, markup):
                    scores[name].append(value)
        browser.close()
    for name, values in scores.items():
        print(f"{name:34} {sum(values) / len(values):.4f}  ({len(values)} posts)")


def _rendered(page: Page, folder: Path, posts: int) -> Iterator[tuple[str, dict[str, Any], str]]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    site, base = folder / "site", truth["base_url"].rstrip("/")
    known = [post for post in truth["posts"] if post.get("text") and (site / str(post.get("file"))).is_file()]
    files = {base + post["path"]: site / post["file"] for post in known}

    def serve(route: Route) -> None:
        asked = urlsplit(route.request.url)
        file = files.get(route.request.url) or site / unquote(asked.path).lstrip("/")
        if asked.netloc == urlsplit(base).netloc and file.is_file():
            route.fulfill(path=file, content_type="text/html; charset=utf-8" if file in files.values() else None)
        else:
            route.abort()

    page.route("**/*", serve)
    for post in known[:: max(1, len(known) // posts)][:posts]:
        url = base + post["path"]
        try:
            page.goto(url, timeout=LOAD_MS)
            page.wait_for_timeout(SETTLE_MS)
            page.evaluate(BOXES)
            yield url, post, page.content()
        except Error as problem:
            print(f"{url}: {str(problem).splitlines()[0]}", file=sys.stderr)
    page.unroute("**/*")


def _scores(
    read: Callable[..., tuple[Any, ...]], url: str, gold: dict[str, Any], markup: str
) -> Iterator[tuple[str, float]]:
    wanted = word_counts(gold["text"])
    found = read(parse(markup, url), Context())
    text, title = (found[0].text, found[0].title) if found else ("", None)
    column = _column(markup, text)
    visible = _without(markup, lambda box: not box[3])
    beside = _without(markup, lambda box: box[3] > 0 and (box[1] <= column[0] or box[0] >= column[1]))
    for name, changed in (("as it is", None), ("invisible parts removed", visible), ("other columns removed", beside)):
        again = found if changed is None else read(parse(changed, url), Context())
        if changed is not None:
            yield f"text changes, {name}", float((again[0].text if again else "") != text)
        yield f"article, {name}", token_f1(word_counts(again[0].text if again else ""), wanted)
        if gold.get("title"):
            yield f"title, {name}", _same(again[0].title if again else None, gold["title"])
        if gold.get("comments") is not None:
            given = len(again[0].comments) if again else 0
            yield f"number of comments, {name}", float(given == len(gold["comments"]))
    if gold.get("title"):
        yield "title, largest text of the column", _same(_largest(markup, column), gold["title"])
        yield (
            "title, either of the two (bound)",
            max(_same(title, gold["title"]), _same(_largest(markup, column), gold["title"])),
        )


def _same(given: str | None, wanted: str) -> float:
    return float(letters_and_digits(given or "") == letters_and_digits(wanted))


def _box(element: Any) -> tuple[float, float, float, float]:
    left, right, font, seen = map(float, (element.get(MARK) or "0,0,0,1").split(","))
    return left, right, font, seen


def _column(markup: str, text: str) -> tuple[float, float]:
    """Return the left and right edges of the result's lines, by a majority vote weighted by letters."""
    lines = {letters_and_digits(line) for line in text.splitlines()}
    edges: dict[tuple[float, float], int] = defaultdict(int)
    for element in lxml_html.fromstring(markup).iter("p", "li", "pre", "blockquote", "div", "td"):
        letters = letters_and_digits(element.text_content())
        left, right, _, seen = _box(element)
        if seen and letters in lines:
            edges[left, right] += len(letters)
    return max(edges, key=lambda one: edges[one], default=(0.0, float(WIDTH)))


def _without(markup: str, leave_out: Callable[[tuple[float, float, float, float]], bool]) -> str:
    tree = lxml_html.fromstring(markup)
    for element in list(tree.iter()):
        if element.tag not in UNSEEN and element.get(MARK) and leave_out(_box(element)):
            element.drop_tree()
    changed: str = lxml_html.tostring(tree, encoding="unicode")
    return changed


def _largest(markup: str, column: tuple[float, float]) -> str | None:
    """Return the text with the largest font that overlaps the column, if it is larger than running text."""
    best: tuple[float, str] | None = None
    for element in lxml_html.fromstring(markup).iter("h1", "h2", "h3", "h4", "a", "div", "span", "p", "td"):
        left, right, font, seen = _box(element)
        words = " ".join(element.text_content().split())
        fits = seen and words and len(words) < LONGEST_TITLE and right > column[0] and left < column[1]
        if fits and (best is None or font > best[0]):
            best = (font, words)
    return best[1] if best and best[0] >= LARGEST_MIN * 16 else None


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    run(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2)
