"""Measures Lexbor (through selectolax) and lxml on the same pages in one run: the figures of docs/decisions/0001.

    python benchmarks/parse_tree.py                  the pages of the bundled blog
    python benchmarks/parse_tree.py PATH...          HTML files, folders of them, or .tar.xz of them
    python benchmarks/parse_tree.py --depth          how parse time grows with the depth of a page

Four operations are measured: `parse` (text to tree), `flatten` (the whole tree into the lists of `posterity.dom.Tree`),
`select` (all elements with a class of the page, with the library's selectors) and `text` (all text below the root).
Times are sums over all pages of the best of three. It also prints how often the two trees differ. html5lib, which also
builds a browser's tree, is included if it is installed.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tarfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lxml.html
from selectolax.lexbor import LexborHTMLParser

from posterity.demo.server import build
from posterity.dom.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OPERATIONS = ("parse", "flatten", "select", "text")
DEPTHS = (2_500, 5_000, 10_000, 20_000)
_SUFFIXES = (".html", ".htm")
# Pages per folder or archive, evenly spaced, so that a large blog does not dominate.
_PAGES_EACH = 40


class Lexbor:
    """selectolax's Lexbor parser, used as in `posterity.dom`."""

    name = "lexbor"

    def parse(self, html: str) -> Any:
        """Return the tree of the page."""
        return LexborHTMLParser(html.encode())

    def flatten(self, tree: Any) -> object:
        """Return all nodes as lists."""
        return Tree(tree.root)

    def select(self, tree: Any, token: str) -> int:
        """Return the number of elements with the class."""
        return len(tree.css(f".{token}"))

    def select_tag(self, tree: Any, tag: str) -> int:
        """Return the number of elements with the tag."""
        return len(tree.css(tag))

    def text(self, tree: Any) -> str:
        """Return all text."""
        return str(tree.root.text())


class Lxml:
    """lxml.html with XPath."""

    name = "lxml"
    _by_class = lxml.etree.XPath("//*[contains(concat(' ', normalize-space(@class), ' '), $token)]")

    def __init__(self) -> None:
        self._parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)

    def parse(self, html: str) -> Any:
        """Return the tree of the page."""
        return lxml.html.document_fromstring(html.encode(), parser=self._parser)

    def flatten(self, tree: Any) -> object:
        """Return all nodes as lists."""
        return lxml_lists(tree)

    def select(self, tree: Any, token: str) -> int:
        """Return the number of elements with the class."""
        return len(self._by_class(tree, token=f" {token} "))

    def select_tag(self, tree: Any, tag: str) -> int:
        """Return the number of elements with the tag."""
        return sum(1 for _ in tree.iter(tag))

    def text(self, tree: Any) -> str:
        """Return all text."""
        return str(tree.text_content())


class Html5lib(Lxml):
    """html5lib's parser with lxml's tree, so that only the parse differs."""

    name = "html5lib"

    def parse(self, html: str) -> Any:
        """Return the tree of the page."""
        import html5lib  # type: ignore[import-not-found,import-untyped,unused-ignore]

        return html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False).getroot()


def lxml_lists(root: Any) -> tuple[list[str], list[int], list[int], list[dict[str, str]], list[str]]:
    """Return the lists of `posterity.dom.Tree` for an lxml tree, in which text is not a node but part of elements."""
    tags: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    attrs: list[dict[str, str]] = []
    texts: list[str] = []
    none: dict[str, str] = {}

    def add(tag: str, parent: int, attributes: dict[str, str], text: str) -> None:
        tags.append(tag)
        parents.append(parent)
        ends.append(len(tags))
        attrs.append(attributes)
        texts.append(text)

    parent = -1
    for event, node in lxml.etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            add(node.tag, parent, dict(node.attrib), "")
            parent = len(tags) - 1
            if node.text:
                add("#text", parent, none, node.text)
        else:
            if event == "end":
                ends[parent] = len(tags)
                parent = parents[parent]
            if node.tail and parent >= 0:
                add("#text", parent, none, node.tail)
    return tags, parents, ends, attrs, texts


def demo_pages() -> Iterator[str]:
    for _, resource in sorted(build().items()):
        if resource.content_type.startswith("text/html"):
            yield resource.body.decode()


def pages_at(path: Path) -> Iterator[str]:
    """Yield the pages of a file, a folder or an archive; archives in a folder are sampled separately."""
    if path.is_dir():
        for packed in sorted(path.glob("*.tar.xz")):
            yield from pages_at(packed)
        files = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES)
        yield from (file.read_text("utf-8", "replace") for file in spread(files))
    elif path.name.endswith(".tar.xz"):
        with tarfile.open(path) as archive:
            members = sorted((m for m in archive if m.isfile() and m.name.endswith(_SUFFIXES)), key=lambda m: m.name)
            for member in spread(members):
                stream = archive.extractfile(member)
                if stream is not None:
                    yield stream.read().decode("utf-8", "replace")
    else:
        yield path.read_text("utf-8", "replace")


def is_feed(page: str) -> bool:
    """Return whether a page is a feed: mirrors also store feeds as .html files."""
    return any(root in page[:500] for root in ("<rss", "<feed", "<rdf:RDF"))


def spread(entries: list[Any]) -> list[Any]:
    return entries[:: max(1, -(-len(entries) // _PAGES_EACH))]


def measured(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def common_class(html: str) -> str:
    """Return the page's most frequent class that needs no escaping in CSS, or "none"."""
    tokens: Counter[str] = Counter()
    for value in LexborHTMLParser(html.encode()).css("[class]"):
        tokens.update((value.attributes.get("class") or "").split())
    names = (name for name, _ in tokens.most_common() if name.isascii() and name.isidentifier())
    return next(names, "none")


def costs(library: Any, html: str, token: str) -> dict[str, float]:
    tree = library.parse(html)
    return {
        "parse": measured(lambda: library.parse(html)),
        "flatten": measured(lambda: library.flatten(tree)),
        "select": measured(lambda: library.select(tree, token)),
        "text": measured(lambda: library.text(tree)),
    }


def totals(libraries: list[Any], pages: list[str]) -> dict[str, dict[str, float]]:
    """Return the seconds over all pages. The libraries alternate on each page, so that load affects all equally."""
    sums = {library.name: dict.fromkeys((*OPERATIONS, "all four"), 0.0) for library in libraries}
    for html in pages:
        token = common_class(html)
        for library in libraries:
            for operation, seconds in costs(library, html, token).items():
                sums[library.name][operation] += seconds
                sums[library.name]["all four"] += seconds
    return sums


def compare(pages: list[str]) -> None:
    kilobytes = sum(len(html.encode()) for html in pages) / 1000
    print(f"{len(pages)} pages, {kilobytes / len(pages):.0f} kB on average; ms a page, and as a share of lxml's time\n")
    print(f"{'':10}" + "".join(f"{operation:>18}" for operation in (*OPERATIONS, "all four")))
    sums = totals([Lxml(), Lexbor(), *_installed()], pages)
    for name, row in sums.items():
        cells = (f"{1000 * cost / len(pages):9.3f}{cost / sums['lxml'][key]:8.2f}x" for key, cost in row.items())
        print(f"{name:10}" + "".join(cells))
    other = sum(differs(html) for html in pages)
    print(f"\nlxml and Lexbor build another tree of elements on {other} of {len(pages)} pages")


def differs(html: str) -> bool:
    """Return whether the elements of the body, with their parents, differ between the two."""
    return body_shape(Lexbor().flatten(Lexbor().parse(html))) != body_shape(lxml_lists(Lxml().parse(html)))


def body_shape(lists: Any) -> list[tuple[str, str]]:
    """Return (tag, parent's tag) of the elements in the body, in order; <tbody>, which parsers may add, is ignored."""
    tags, parents = (lists.tag, lists.parent) if isinstance(lists, Tree) else lists[:2]
    start = tags.index("body") + 1 if "body" in tags else len(tags)
    return [
        (tag, _parent_tag(tags, parents, node))
        for node, tag in enumerate(tags[start:], start)
        if tag not in ("#text", "tbody")
    ]


def _parent_tag(tags: list[str], parents: list[int], node: int) -> str:
    parent = parents[node]
    while parent >= 0 and tags[parent] == "tbody":
        parent = parents[parent]
    return tags[parent] if parent >= 0 else ""


def depths() -> None:
    print("nested <div>: ms to parse, and how many levels are in the tree; lxml is told to accept huge trees")
    print(f"{'levels':>8}{'lxml':>20}{'lexbor':>20}")
    for levels in DEPTHS:
        html = "<div>" * levels + "text" + "</div>" * levels
        print(f"{levels:8}" + "".join(deep_cell(library, html) for library in (Lxml(), Lexbor())))


def deep_cell(library: Any, html: str) -> str:
    ms = 1000 * measured(lambda: library.parse(html))
    return f"{ms:11.1f} {library.select_tag(library.parse(html), 'div'):8}"


def _installed() -> list[Any]:
    import importlib.util

    return [Html5lib()] if importlib.util.find_spec("html5lib") else []


def main() -> None:
    parser = argparse.ArgumentParser(description="Lexbor beside lxml on the same pages.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--depth", action="store_true", help="measure deep pages instead")
    arguments = parser.parse_args()
    gc.disable()  # a collection would distort a measurement
    if arguments.depth:
        depths()
        return
    pages = [page for path in arguments.paths for page in pages_at(path)] if arguments.paths else list(demo_pages())
    pages = [page for page in pages if page.strip() and not is_feed(page)]
    if not pages:
        sys.exit("There is no HTML page at the paths given.")
    compare(pages)


if __name__ == "__main__":
    main()
