"""Measures bte, wc-single and wc-multi: time relative to readability-lxml, growth with page size, and word scores.

    python benchmarks/methods_wc.py speed SET.jsonl.xz...    time per page, relative to readability-lxml in this run
    python benchmarks/methods_wc.py growth                   time per kilobyte on pages of 10 KB to 5 MB
    python benchmarks/methods_wc.py scores SET.jsonl.xz      precision, recall and F1 of words against the gold texts

A set is a file of JSON lines in the format of `posterity evaluate`: id, url, html, gold. Times include parsing and all
fields of the record, in CPU time, the best of three. `growth` prints a table, and plots methods_wc.png if matplotlib is
installed.
"""

from __future__ import annotations

import json
import lzma
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from posterity.dom import Document, parse
from posterity.extraction import Context, method_named
from posterity.extraction.wc_multi import reference_page
from posterity.text.normal_form import word_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

METHODS = ("bte", "wc-single", "wc-multi")
SPEED_PAGES = 100
SIZES_KB = (10, 30, 100, 300, 1000, 3000, 5000)
MODES: dict[str, dict[str, bool]] = {
    "wc-multi": {},
    "wc-multi F": {"fromtarget": True},
    "wc-multi P": {"prune": True},
    "wc-multi R": {"sparse": True},
    "wc-multi PR": {"prune": True, "sparse": True},
    "wc-multi PF": {"prune": True, "fromtarget": True},
}
Page = dict[str, Any]


def pages_of(path: str) -> Iterator[Page]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def best_of_three(work: Callable[..., object], *arguments: object) -> float:
    def once() -> float:
        start = time.process_time()
        work(*arguments)
        return time.process_time() - start

    return min(once() for _ in range(3))


def by_method(name: str, html: str, reference: Document) -> object:
    return method_named(name)(parse(html), Context(reference=reference))


def by_readability(html: str) -> object:
    from readability import Document as Readable  # a peer, not a dependency: pip install readability-lxml

    try:
        return Readable(html).summary()
    except Exception:  # noqa: BLE001 (it rejects empty pages with various exceptions; the time still counts)
        return None


def speed(paths: list[str]) -> None:
    each = SPEED_PAGES // len(paths)
    chosen = [page["html"] for path in paths for page in every_nth(list(pages_of(path)), each)]
    print(f"{len(chosen)} pages, {sum(map(len, chosen)) / len(chosen) / 1000:.0f} kB on average")
    # Warm up both, since the first page would include the time for importing modules.
    reference = parse(chosen[0], "https://reference.example/")
    by_readability(chosen[0])
    peer = sum(best_of_three(by_readability, html) for html in chosen)
    print(f"{'readability-lxml':18}{1000 * peer / len(chosen):8.2f} ms a page")
    for name in METHODS:
        ours = sum(best_of_three(by_method, name, html, reference) for html in chosen)
        print(f"{name:18}{1000 * ours / len(chosen):8.2f} ms a page {ours / peer:8.3f} of readability-lxml")


def every_nth(pages: list[Page], wanted: int) -> list[Page]:
    return pages[:: max(1, len(pages) // wanted)][:wanted]


def grown_page(size_kb: int, seed: str) -> str:
    """Return a generated post page of about this size; menu, article and comments grow together."""
    unit = (
        "<li><a href='/{0}/{1}'>{0} link {1}</a></li>",
        "<p>The {0} of paragraph {1} goes on for a <b>while</b>, with a <a href='/{1}'>link</a> and an end.</p>",
        "<div class=comment><cite>reader {1}</cite><p>I have read about {0} {1} and agree.</p></div>",
    )
    parts: list[list[str]] = [[], [], []]
    length = count = 0
    while length < 1000 * size_kb:
        for part, pattern in zip(parts, unit, strict=True):
            part.append(pattern.format(seed, count))
            length += len(part[-1])
        count += 1
    menu, article, comments = map("".join, parts)
    return f"<html><body><ul>{menu}</ul><div id=post><h1>{seed}</h1>{article}</div><div>{comments}</div></body></html>"


def growth() -> None:
    print(f"{'size':>8}" + "".join(f"{name:>24}" for name in METHODS))
    curves: dict[str, list[float]] = defaultdict(list)
    for size_kb in SIZES_KB:
        html, reference = grown_page(size_kb, "harbour"), parse(grown_page(size_kb, "bread"))
        row = f"{size_kb:5} KB"
        for name in METHODS:
            seconds = best_of_three(by_method, name, html, reference)
            curves[name].append(seconds)
            row += f"{1000 * seconds:13.1f} ms {1e6 * seconds / size_kb:5.0f} us/KB"
        print(row)
    draw(curves)


def draw(curves: dict[str, list[float]]) -> None:
    try:
        from matplotlib import pyplot as plt  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return
    for name, seconds in curves.items():
        plt.loglog(SIZES_KB, seconds, marker="o", label=name)
    plt.xlabel("page size, KB")
    plt.ylabel("seconds a page")
    plt.legend()
    plt.savefig(Path(__file__).with_suffix(".png"))


def scores(path: str) -> None:
    """Print mean scores; omitted pages only count in their own column. wc-multi needs sites of two or more pages."""
    sites: dict[str, list[tuple[Page, Document]]] = defaultdict(list)
    for page in pages_of(path):
        if page["gold"].get("body"):
            sites[urlsplit(page["url"] or page["id"]).netloc].append((page, parse(page["html"], page["url"] or "")))
    everything = [(page, document, None) for site in sites.values() for page, document in site]
    compared = [
        (page, document, reference)
        for site in sites.values()
        for page, document in site
        if (reference := reference_page([other for _, other in site], document)) is not None
    ]
    for label, rows in (("alone", everything), ("with a reference page", compared)):
        print(f"{len(rows)} pages {label:26}{'precision':>10}{'recall':>10}{'F1':>10}{'omitted':>10}")
        for name, method, options in _runs(alone=label == "alone"):
            _print_scores(name, [_scored(row, method, options) for row in rows])


def _runs(*, alone: bool) -> Iterator[tuple[str, str, dict[str, bool]]]:
    yield from (("bte", "bte", {}), ("wc-single", "wc-single", {}), ("wc-single R", "wc-single", {"sparse": True}))
    if not alone:
        yield from ((name, "wc-multi", options) for name, options in MODES.items())


def _scored(
    row: tuple[Page, Document, Document | None], method: str, options: dict[str, bool]
) -> tuple[float, float, float] | None:
    page, document, reference = row
    found = method_named(method)(document, Context(reference=reference, options=options))
    if options.get("sparse") and not found:
        return None
    left, right = word_counts(found[0].text if found else ""), word_counts(page["gold"]["body"])
    common = (left & right).total()
    if not common:
        return 0.0, 0.0, 0.0
    return common / left.total(), common / right.total(), 2 * common / (left.total() + right.total())


def _print_scores(name: str, responses: list[tuple[float, float, float] | None]) -> None:
    given = [response for response in responses if response is not None]
    means = [sum(column) / len(given) for column in zip(*given, strict=True)] if given else []
    print(f"{name:36}" + "".join(f"{100 * mean:10.2f}" for mean in means) + f"{len(responses) - len(given):10}")


if __name__ == "__main__":
    command, *arguments = sys.argv[1:] or ["help"]
    if command == "speed" and arguments:
        speed(arguments)
    elif command == "growth":
        growth()
    elif command == "scores" and len(arguments) == 1:
        scores(arguments[0])
    else:
        sys.exit(__doc__)
