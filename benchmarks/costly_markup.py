"""Measures Lexbor on markup with quadratic parsing time, with and without Posterity's guard.

    python benchmarks/costly_markup.py [COUNT]     COUNT repetitions of each pattern, default 20,000

`parser` is Lexbor alone, `posterity` is `parse` with the guard in `dom/source.py`. Each runs in a separate process that
is killed after ten seconds. The last page is 50 MB of ordinary markup.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

LIMIT_S = 10
PARAGRAPH = "<p class='c'>Words with a <a href='/x'>link</a> and <b>more</b> of them, to the end of the line.</p>\n"


def shapes(n: int) -> dict[str, str]:
    numbers = range(n)
    return {
        "options of a select": "<select>" + "<option value=1>x</option>" * n + "</select>",
        "open <font>, paragraphs": "".join(f"<p><font id={i}>x" for i in numbers),
        "open <b> in closed blocks": "".join(f"<div><b id={i}>x</div>" for i in numbers),
        "<font> across <object>": "".join(f"<font id={i}><object></font></object>" for i in numbers),
        "attributes of an element": "<p " + " ".join(f"a{i}=1" for i in numbers) + ">x",
        "attributes, some with '>'": "<p " + " ".join(f"a{i}='>'" if i % 200 == 0 else f"a{i}" for i in numbers) + ">x",
        "<body> again and again": "".join(f"<body a{i}=1>" for i in numbers),
        "elements inside each other": "<div>" * n,
        "blocks far below": "<span>" * 10_000 + "<li>x" * n,
        "different tags": "".join(f"<x{i}>y</x{i}>" for i in range(5 * n)),
        "different attributes": "".join(f"<p a{i}=1>y" for i in range(5 * n)),
        "text between rows": "<table>" + "x<tr><td>y</td></tr>" * (10 * n),
        "ordinary, 50 MB": "<body>" + PARAGRAPH * (50_000_000 // len(PARAGRAPH)),
    }


def by_parser(name: str, n: int, responses: Queue[str]) -> None:
    from selectolax.lexbor import LexborHTMLParser

    body = shapes(n)[name].encode()
    start = time.perf_counter()
    LexborHTMLParser(body)
    responses.put(f"{time.perf_counter() - start:.2f} s")


def by_posterity(name: str, n: int, responses: Queue[str]) -> None:
    from posterity.dom import parse
    from posterity.errors import PosterityError

    body, refused = shapes(n)[name].encode(), ""
    start = time.perf_counter()
    try:
        parse(body)
    except PosterityError as problem:
        refused = f"  {problem}"
    responses.put(f"{time.perf_counter() - start:.2f} s{refused}")


def timed(run: object, name: str, n: int) -> str:
    responses: Queue[str] = multiprocessing.Queue()
    process = multiprocessing.Process(target=run, args=(name, n, responses))  # type: ignore[arg-type]
    process.start()
    process.join(LIMIT_S)
    if process.is_alive():
        process.kill()
        process.join()
        return f"> {LIMIT_S} s"
    return responses.get(timeout=1) if process.exitcode == 0 else "out of memory"


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(f"{'':28}{'size':>9}  {'parser':14}posterity")
    for name, markup in shapes(n).items():
        size = f"{len(markup) // 1000} KB"
        print(f"{name:28}{size:>9}  {timed(by_parser, name, n):14}{timed(by_posterity, name, n)}", flush=True)


if __name__ == "__main__":
    main()
