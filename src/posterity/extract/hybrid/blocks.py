"""The blocks of a page: runs of text between the places where a browser begins a new line, and what is around them.

A block is what a reader sees as one paragraph, list item, heading, cell or line. Where lines begin is told from the
tags alone, for the whole page at once; only texts with words in them are looked at one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.block_surroundings import Surroundings
from posterity.extract.hybrid.block_tags import Tags

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.extract.hybrid.block_names import NameTable
    from posterity.extract.hybrid.block_surroundings import Indices, Numbers


class Blocks:
    """Blocks in reading order as parallel lists, and what is known of the elements around them (by node)."""

    __slots__ = (
        "before", "counts", "ends", "holder", "kinds", "links", "parents", "path", "pictures", "places", "said",
        "spots", "texts", "tree",
    )  # fmt: skip

    def __init__(self, tree: Tree, table: NameTable) -> None:
        self.tree = tree
        tags = Tags(tree)
        # Of each node: its parent (the root's is itself), its end, the tags around it as bits.
        self.parents, self.ends, self.places = tags.parents, tags.ends, tags.places
        line_of = tags.lines()
        spots, line_of_spot = tags.words.tolist(), line_of[tags.words]
        pieces = list(map(tree.text.__getitem__, spots))
        sizes = np.fromiter(map(len, map(str.strip, pieces)), np.intp, len(pieces))
        solid = sizes > 0
        lines = _distinct(line_of_spot[solid])
        # How many blocks began before each node, and before the end.
        self.counts: Indices = _counted_before(lines, line_of)
        self.before: list[int] = self.counts.tolist()
        first, last = np.searchsorted(line_of_spot, lines), np.searchsorted(line_of_spot, lines, "right")
        # Of each block: its text nodes, its words, the characters of them that are links, its innermost element.
        runs = list(zip(first.tolist(), last.tolist(), strict=True))
        self.spots: list[list[int]] = [spots[start:stop] for start, stop in runs]
        self.texts: list[str] = [" ".join("".join(pieces[start:stop]).split()) for start, stop in runs]
        linked = np.flatnonzero(solid & tags.linked(tags.words))
        block_of_linked = np.searchsorted(lines, line_of_spot[linked])
        self.links: Indices = np.bincount(block_of_linked, sizes[linked], len(lines)).astype(np.intp)
        holders = tags.holders(tags.words[first])
        self.holder: list[int] = holders.tolist()
        # What was learned of the words of each block, if it is short.
        self.said: list[float] = list(map(table.opinion, self.texts))
        # Pictures by the number of blocks before them.
        self.pictures: list[int] = [self.before[node] for node in tags.pictures.tolist()]
        # Of each holder, picture and what is around them: the elements around it that are called something, innermost
        # by kind; the learned scores of the names around it (sum, lowest, highest).
        around = Surroundings(tree, tags, np.concatenate((holders, tags.pictures)), table)
        self.kinds = around.kinds
        self.path: Numbers = around.path

    def __len__(self) -> int:
        return len(self.texts)


def _distinct(ordered: Indices) -> Indices:
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def _counted_before(lines: Indices, line_of: Indices) -> Indices:
    begun = np.zeros(line_of[-1] + 2, np.intp)
    begun[lines + 1] = 1
    counted: Indices = np.cumsum(begun)[line_of]
    return counted
