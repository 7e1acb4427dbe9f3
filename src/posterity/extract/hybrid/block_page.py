"""The blocks of one page as arrays: their sizes, the elements around them, and which stand in elements of one kind.

Sums over any element are differences of running sums over blocks, so an element of any size costs the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_surroundings import Indices, Numbers
    from posterity.extract.hybrid.blocks import Blocks

LEVELS = 6  # elements around a block that are looked at, each strictly larger than the one before


class Page:
    """A page's blocks with the running sums over them, and the chain of ever larger elements around each."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        texts = blocks.texts
        self.chars: Numbers = np.fromiter(map(len, texts), np.float32, len(texts))
        self.links: Numbers = np.minimum(blocks.links, self.chars).astype(np.float32)
        self.low: Indices = blocks.counts[:-1]
        self.high: Indices = blocks.counts[blocks.ends]
        self.holders: Indices = np.array(blocks.holder, np.intp)
        # A row for each level: the element around each block.
        self.chain: Indices = self._chain(blocks.parents)
        # A row for each kind of part: the innermost element around each block that is called so, or -1.
        self.innermost: Indices = blocks.kinds.innermost(self.holders)
        self.total = float(self.chars.sum())

    def _chain(self, parents: Indices) -> Indices:
        """Return for each level the element around each block; equal in size to none of the levels below."""
        wide = self.high - self.low
        top = np.where(wide == wide[parents], parents, np.arange(len(parents)))
        for _ in range(7):  # 2 ** 7 wrappers around the same text are more than any page has
            top = top[top]
        above = parents[top]
        chain = np.empty((LEVELS, len(self.holders)), np.intp)
        chain[0] = self.holders
        for level in range(1, LEVELS):
            chain[level] = above[chain[level - 1]]
        return chain

    def sums(self, values: Numbers) -> Numbers:
        """Return the running sums of a value over the blocks, for `within`."""
        sums = np.zeros(len(values) + 1, np.float32)
        sums[1:] = np.cumsum(values, dtype=np.float64)
        return sums

    def within(self, sums: Numbers, nodes: Indices) -> Numbers:
        """Return the sum of a value over the blocks inside each node."""
        inside: Numbers = sums[self.high[nodes]] - sums[self.low[nodes]]
        return inside

    @cached_property
    def alike(self) -> Indices:
        """A number for each block, the same for blocks whose element and parent have the same tags and classes."""
        tags, attrs = self.blocks.tree.tag, self.blocks.tree.attrs
        # Items of a list have the same parent, which is looked at once.
        around = self.blocks.parents[self.holders].tolist()
        called = {node: (tags[node], attrs[node].get("class")) for node in set(around)}
        known: dict[tuple[object, ...], int] = {}
        numbers = [
            known.setdefault((tags[holder], attrs[holder].get("class"), called[parent]), len(known))
            for holder, parent in zip(self.blocks.holder, around, strict=True)
        ]
        return np.array(numbers, np.intp)
