"""From chosen blocks to one element and what is left out below it, from which text, HTML and Markdown are read."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from posterity.extract.hybrid.block_kinds import KIND_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Tree
    from posterity.extract.hybrid.blocks import Blocks

# Parts whose pictures are icons, faces or other people's: named so, they are no pictures of the article.
_ICONS = frozenset(
    KIND_NAMES.index(kind)
    for kind in ("comment", "side", "navigation", "foot", "share", "related", "about", "advert", "sign_up", "notice")
)


class Cut:
    """The blocks of a page divided into kept and lost ones."""

    def __init__(self, blocks: Blocks, kept: Sequence[bool]) -> None:
        self._blocks, self._tree, self._kept = blocks, blocks.tree, kept
        self._kept_before = list(accumulate(kept, initial=0))
        self.node = self._smallest()
        self.left_out = frozenset(self._lost_texts() | self._lost_pictures())

    def _keeps(self, node: int) -> int:
        """How many blocks of an element are kept."""
        before, ends = self._blocks.before, self._tree.end
        return self._kept_before[before[ends[node]]] - self._kept_before[before[node]]

    def _smallest(self) -> int:
        """The smallest element around all that is kept, with wrappers that add pictures at most."""
        blocks, tree = self._blocks, self._tree
        numbers = [number for number, kept in enumerate(self._kept) if kept]
        last = blocks.spots[numbers[-1]][-1]
        node = blocks.holder[numbers[0]]
        while tree.end[node] <= last:
            node = tree.parent[node]
        before, ends = blocks.before, tree.end
        wide = before[ends[node]] - before[node]
        while (around := tree.parent[node]) > 0 and tree.tag[around] != "body":
            if before[ends[around]] - before[around] != wide:
                break
            node = around
        return node

    def _lost_texts(self) -> set[int]:
        """The largest elements below the node that have words and keep none, else single texts."""
        blocks, tree = self._blocks, self._tree
        lost: set[int] = set()
        passed = first = blocks.before[self.node]
        for number in range(first, blocks.before[tree.end[self.node]]):
            if self._kept[number] or number < passed:
                continue
            element = blocks.holder[number]
            if self._keeps(element) or element <= self.node:
                lost.update(self._largest_inline(spot, element) for spot in blocks.spots[number])
                continue
            while (around := tree.parent[element]) > self.node and not self._keeps(around):
                element = around
            lost.add(element)
            passed = blocks.before[tree.end[element]]
        return lost

    def _largest_inline(self, spot: int, holder: int) -> int:
        """The largest element around a text that is in one block with it: a <font> may hold all blocks of a page."""
        parents = self._tree.parent
        while (around := parents[spot]) != holder and around > self.node and not self._keeps(around):
            spot = around
        return spot

    def _lost_pictures(self) -> set[int]:
        """Elements without words that are named after something else than the article, such as a row of share icons."""
        tree, kinds = self._tree, self._blocks.kinds
        around = kinds[self.node]
        lost: set[int] = set()
        for node in range(self.node + 1, tree.end[self.node]):
            if tree.tag[node] != "img":
                continue
            for bit, named in kinds[node].items():
                if bit in _ICONS and named > around.get(bit, self.node) and not self._keeps(named):
                    lost.add(named)
        return lost


def path_with_names(tree: Tree, node: int) -> str:
    """Return the path of an element, its id or classes behind it, for people who ask why."""
    attrs = tree.attrs[node]
    name = f"#{attrs['id']}" if attrs.get("id") else "".join(f".{token}" for token in tree.classes(node)[:3])
    return f"{tree.path(node)} {name}".strip()
