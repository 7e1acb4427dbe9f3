"""Converts the HTML of CommonMark's examples to Markdown and back, and counts how many survive the round trip.

    python -m tools.spec_round_trip commonmark.json [--show N]

The file is the list of examples that CommonMark publishes with its specification; markdown-it-py's source distribution
contains it. Equal means the same elements in the same order, with the same links and words; <p> elements are ignored,
because they only distinguish loose from tight lists. Sections on raw HTML are skipped, since records contain none.
markdownify and html2text are also measured if they are installed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from markdown_it import MarkdownIt

from posterity.dom import markdown_of, parse

BASE = "https://blog.example/"
_RAW_HTML = ("HTML blocks", "Raw HTML")


def ours(html: str) -> str:
    """Return the Markdown of a record."""
    return markdown_of(parse(f"<body>{html}</body>", BASE).tree, BASE)


def candidates() -> dict[str, Callable[[str], str]]:
    """Return the converters by name: Posterity's, and the installed tools."""
    found: dict[str, Callable[[str], str]] = {"posterity": ours}
    if find_spec("markdownify"):
        from markdownify import markdownify  # type: ignore[import-not-found, unused-ignore]

        found["markdownify"] = markdownify
    if find_spec("html2text"):
        from html2text import html2text  # type: ignore[import-not-found, unused-ignore]

        found["html2text"] = html2text
    return found


def outline(html: str) -> list[str]:
    """Return the elements and words of an HTML fragment in order, without <p> elements."""
    tree = parse(f"<body>{html}</body>").tree
    out: list[str] = []
    for node, tag in enumerate(tree.tag):
        if tag == "#text":
            out += tree.text[node].split()
        elif tag != "p":
            attrs = tree.attrs[node]
            link = attrs.get("href") or attrs.get("src")
            out.append(f"<{tag} {unquote(urljoin(BASE, link)) if link else ''} {attrs.get('class') or ''}>")
    return out


def differing(examples: list[dict[str, Any]], convert: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the HTML and Markdown of the examples that differ after the round trip."""
    render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
    found = ((example["html"], convert(example["html"])) for example in examples)
    return [(html, markdown) for html, markdown in found if outline(html) != outline(render(markdown))]


def main() -> None:
    """Print how many examples are equal after the round trip."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="so many examples of ours that differ")
    arguments = parser.parse_args()
    examples = [
        example
        for example in json.loads(arguments.examples.read_text(encoding="utf-8"))
        if example["section"] not in _RAW_HTML and example["html"].strip()
    ]
    for name, convert in candidates().items():
        wrong = differing(examples, convert)
        print(f"{name}: {len(examples) - len(wrong)} of {len(examples)} equal")
        for html, markdown in wrong[: arguments.show if name == "posterity" else 0]:
            print(f"  {html!r}\n  {markdown!r}")


if __name__ == "__main__":
    main()
