"""What stands around the nodes of a page: the tags, what the parts are called, and what was learned of their names.

All that is known of an element holds for everything below it. Handing it down node by node costs a step of Python for
each; jumping to the parent, then to its parent's parent, then four up, costs a few array operations for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from posterity.extract.hybrid.block_kinds import KIND_NAMES
from posterity.extract.hybrid.block_names import joined_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from posterity.dom import Tree
    from posterity.extract.hybrid.block_names import NameTable
    from posterity.extract.hybrid.block_tags import Tags

Numbers: TypeAlias = "NDArray[np.floating[Any]]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"

_EVERY_KIND = np.arange(len(KIND_NAMES)).reshape(-1, 1)


class Surroundings:
    """What elements are called around some nodes, each known by the elements around it and itself.

    Only names that stand around one of these nodes are read: an icon's or a link's says nothing of any block.
    """

    __slots__ = ("kinds", "path")

    def __init__(self, tree: Tree, tags: Tags, nodes: Indices, table: NameTable) -> None:
        named = _names(tree, tags, nodes)
        meanings = list(map(table.meaning, named.values()))
        at = np.fromiter(named, np.intp, len(named))
        scores = np.zeros(len(tree))
        scores[at] = [score for _, score in meanings]
        # The elements around a node that are called something, innermost by kind.
        self.kinds = Kinds(at, np.array([bits for bits, _ in meanings], np.intp), tags)
        # The learned scores of the names around a node: sum, lowest, highest.
        self.path: Numbers = _path(scores, tags.jumps)


class Kinds:
    """The innermost elements around a node by the kind of part they are called."""

    __slots__ = ("_known", "_owner", "_table")

    def __init__(self, named: Indices, bits: Indices, tags: Tags) -> None:
        called, bits = named[bits > 0], bits[bits > 0]
        # Nodes with the same owner, an element that is called something, are in the same parts: it has a column in
        # the table, and a row for each kind. Number 0 is nobody.
        self._owner: Indices = np.zeros(len(tags.parents), np.intp)
        self._owner[called] = np.arange(1, len(called) + 1)
        for jump in tags.jumps:
            # In document order the innermost of all around a node is the last.
            np.maximum(self._owner, self._owner[jump], out=self._owner)
        self._owner[tags.left_out] = 0
        self._table: Indices = np.full((len(KIND_NAMES), len(called) + 1), -1, np.intp)
        self._table[:, 1:] = np.where(bits >> _EVERY_KIND & 1, called, -1)
        outer = np.append(0, self._owner[tags.parents[called]])
        while outer.any():
            np.maximum(self._table, self._table[:, outer], out=self._table)
            outer = outer[outer]
        self._known: dict[int, dict[int, int]] = {}

    def __getitem__(self, node: int) -> dict[int, int]:
        """Return the elements around a node, by kind."""
        owner = int(self._owner[node])
        if owner not in self._known:
            elements = enumerate(self._table[:, owner].tolist())
            self._known[owner] = {kind: element for kind, element in elements if element >= 0}
        return self._known[owner]

    def innermost(self, nodes: Indices) -> Indices:
        """Return a row for each kind: the element around each node, or -1."""
        return self._table[:, self._owner[nodes]]


def _names(tree: Tree, tags: Tags, nodes: Indices) -> dict[int, str]:
    """Return the elements around the nodes that have names, with these."""
    before = np.append(0, np.cumsum(np.bincount(nodes, minlength=len(tree))))
    heard = (before[tags.ends] > before[:-1]) & tags.nameable
    attrs = tree.attrs
    return {
        node: names for node in np.flatnonzero(heard).tolist() if attrs[node] and (names := joined_names(attrs[node]))
    }


def _path(scores: Numbers, jumps: list[Indices]) -> Numbers:
    total, low, high = scores.copy(), np.minimum(scores, 0), np.maximum(scores, 0)
    for jump in jumps:
        total += total[jump]
        np.minimum(low, low[jump], out=low)
        np.maximum(high, high[jump], out=high)
    return np.array((total, low, high), np.float32).T
