"""What stands around the nodes of a page: the tags, what the parts are called, and what was learned of their names.

All that is known of an element holds for everything below it. Handing it down node by node costs a step of Python for
each; jumping to the parent, then to its parent's parent, then four up, costs a few array operations for all of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from posterity.extract.hybrid.block_names import joined_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from posterity.dom import Tree
    from posterity.extract.hybrid.block_names import NameTable
    from posterity.extract.hybrid.block_tags import Tags

Numbers: TypeAlias = "NDArray[np.floating[Any]]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"


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
        self.kinds = Kinds({node: bits for node, (bits, _) in zip(named, meanings, strict=True) if bits}, tags)
        # The learned scores of the names around a node: sum, lowest, highest.
        self.path: Numbers = _path(scores, tags.jumps)


class Kinds:
    """The innermost elements around a node by the kind of part they are called, as {kind: element}."""

    __slots__ = ("_known", "_owners", "owners")

    def __init__(self, called: dict[int, int], tags: Tags) -> None:
        # Nodes with the same owner are in the same parts.
        self.owners: Indices = _owners(np.fromiter(called, np.intp, len(called)), tags)
        self._owners: list[int] = self.owners.tolist()
        self._known: dict[int, dict[int, int]] = {0: {}}
        parents = tags.parents.take(list(called)).tolist() if called else []
        for (node, bits), parent in zip(called.items(), parents, strict=True):
            around = self._known[self._owners[parent]]
            self._known[node] = around | dict.fromkeys(_set_bits(bits), node)

    def __getitem__(self, node: int) -> dict[int, int]:
        return self._known[self._owners[node]]


def _names(tree: Tree, tags: Tags, nodes: Indices) -> dict[int, str]:
    """Return the elements around the nodes that have names, with these."""
    before = np.append(0, np.cumsum(np.bincount(nodes, minlength=len(tree))))
    heard = (before[tags.ends] > before[:-1]) & tags.nameable
    attrs = tree.attrs
    return {
        node: names for node in np.flatnonzero(heard).tolist() if attrs[node] and (names := joined_names(attrs[node]))
    }


def _owners(called: Indices, tags: Tags) -> Indices:
    """Return for every node the innermost element around it that is called something: in document order, the last."""
    owners: Indices = np.zeros(len(tags.parents), np.intp)
    owners[called] = called
    for jump in tags.jumps:
        np.maximum(owners, owners[jump], out=owners)
    owners[tags.left_out] = 0
    return owners


def _path(scores: Numbers, jumps: list[Indices]) -> Numbers:
    total, low, high = scores.copy(), np.minimum(scores, 0), np.maximum(scores, 0)
    for jump in jumps:
        total += total[jump]
        np.minimum(low, low[jump], out=low)
        np.maximum(high, high[jump], out=high)
    return np.array((total, low, high), np.float32).T


@cache
def _set_bits(bits: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(bits.bit_length()) if bits >> bit & 1)
