"""The parts of a heading: a headline often has a line above it in the same element, or one below it.

News sites call the line above a kicker and put it into <h1> as an element of its own; what is read out as one sentence
are two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.tree import TEXT
from posterity.extract.hybrid.choice import Candidate
from posterity.extract.hybrid.marks import names_of, title_marks
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Tree

_MAX_PARTS = 6
# Elements that set a part apart, and those that only change how words look.
_KINDS = {TEXT: "text", "span": "span", "div": "block", "p": "block", "small": "small", "a": "link", "strong": "strong"}


def heading_parts(tree: Tree, node: int, key: str) -> Iterator[Candidate]:
    """Yield the parts of a heading whose letters and digits are `key`; nothing when it is of one piece."""
    parts = _parts(tree, node)
    if not 1 < len(parts) <= _MAX_PARTS:
        return
    tag, longest = tree.tag[node], max(len(text) for _, text in parts)
    for place, (child, text) in enumerate(parts):
        part_key = letters_and_digits(text)
        if part_key and part_key != key:
            where = "first" if place == 0 else "last" if place == len(parts) - 1 else "inner"
            size = "longest" if len(text) == longest else "shorter"
            kind = _KINDS.get(tree.tag[child], "inline")
            marks = (f"part {mark}" for mark in title_marks(names_of(tree.attrs[child])))
            yield Candidate(text, part_key, (f"{tag} part", f"{where} part", f"{size} {kind} part", *marks), node)


def _parts(tree: Tree, node: int) -> list[tuple[int, str]]:
    """The children with text, of the outermost element that has several."""
    while True:
        parts = [(child, text) for child in tree.children(node) if (text := one_line(tree.plain(child)))]
        if len(parts) != 1 or tree.tag[parts[0][0]] == TEXT:
            return parts
        node = parts[0][0]
