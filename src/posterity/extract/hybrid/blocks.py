"""The blocks of a page: runs of text between the places where a browser begins a new line, and what is around them.

A block is what a reader sees as one paragraph, list item, heading, cell or line. Where lines begin is told from the
tags alone, for the whole page at once; only texts with words in them are looked at one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.block_surroundings import INLINE, PICTURE, PLACES, WORDS, Surroundings

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.extract.hybrid.block_names import NameTable
    from posterity.extract.hybrid.block_surroundings import Flags, Indices, Numbers

_LINK = 1 << PLACES.index("a")


class Blocks:
    """Blocks in reading order as parallel lists, and what is known of the elements around them (by node)."""

    __slots__ = (
        "before", "ends", "holder", "kinds", "links", "parents", "path", "pictures", "places", "said", "spots", "texts",
        "tree",
    )  # fmt: skip

    def __init__(self, tree: Tree, table: NameTable) -> None:
        around = Surroundings(tree, table)
        self.tree = tree
        # Of each node: its parent (the root's is itself) and its end; the tags around it as bits; the elements around
        # it that are called something, innermost by kind; the learned scores of the names around it (sum, lowest,
        # highest).
        self.parents, self.ends = around.parents, around.ends
        self.places: Indices = around.places
        self.kinds = around.kinds
        self.path: Numbers = around.path
        seen = ~around.left_out
        line_of = _lines(around, seen)
        words = np.flatnonzero((around.bits & WORDS > 0) & seen)
        spots, line_of_spot = words.tolist(), line_of[words]
        solid = _solid(tree, spots)
        lines = _distinct(line_of_spot[solid])
        # How many blocks began before each node, and before the end.
        self.before: list[int] = _counted_before(lines, line_of).tolist()
        first, last = np.searchsorted(line_of_spot, lines), np.searchsorted(line_of_spot, lines, "right")
        # Of each block: its text nodes, its words, the characters of them that are links, its innermost element.
        self.spots: list[list[int]] = [spots[low:high] for low, high in zip(first.tolist(), last.tolist(), strict=True)]
        self.texts: list[str] = [_words(tree.text, run) for run in self.spots]
        self.holder: list[int] = _holders(around, words[first]).tolist()
        linked = solid & (around.places[words] & _LINK > 0)
        self.links: list[int] = self._linked(words[linked], np.searchsorted(lines, line_of_spot[linked]))
        # What was learned of the words of each block, if it is short.
        self.said: list[float] = list(map(table.opinion, self.texts))
        # Pictures by the number of blocks before them.
        self.pictures: list[int] = [
            self.before[node] for node in np.flatnonzero((around.bits & PICTURE > 0) & seen).tolist()
        ]

    def __len__(self) -> int:
        return len(self.texts)

    def _linked(self, spots: Indices, blocks: Indices) -> list[int]:
        texts = self.tree.text
        chars = [len(texts[spot].strip()) for spot in spots.tolist()]
        sums = np.bincount(blocks, chars, minlength=len(self.texts)).astype(np.intp).tolist()
        return [min(count, len(text)) for count, text in zip(sums, self.texts, strict=True)]


def _lines(around: Surroundings, seen: Flags) -> Indices:
    """Return the number of the line that each node stands in; elements that are not inline begin and end lines."""
    blocks = np.flatnonzero((around.bits & (INLINE | WORDS) == 0) & seen)
    breaks = np.zeros(len(seen) + 1, bool)
    breaks[blocks] = breaks[around.ends[blocks]] = breaks[-1] = True
    return np.cumsum(breaks)


def _solid(tree: Tree, spots: list[int]) -> Flags:
    """Tell which of these texts have words."""
    texts = map(tree.text.__getitem__, spots)
    return np.fromiter((text != "" and not text.isspace() for text in texts), bool, len(spots))


def _distinct(ordered: Indices) -> Indices:
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def _counted_before(lines: Indices, line_of: Indices) -> Indices:
    begun = np.zeros(line_of[-1] + 2, np.intp)
    begun[lines + 1] = 1
    counted: Indices = np.cumsum(begun)[line_of]
    return counted


def _words(texts: list[str], run: list[int]) -> str:
    joined = texts[run[0]] if len(run) == 1 else "".join([texts[spot] for spot in run])
    return " ".join(joined.split())


def _holders(around: Surroundings, spots: Indices) -> Indices:
    """Return the innermost element around each text that is not inline."""
    holders = around.parents[spots]
    while (inline := around.bits[holders] & INLINE > 0).any():
        holders = np.where(inline, around.parents[holders], holders)
    return holders
