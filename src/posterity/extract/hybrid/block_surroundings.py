"""What stands around every node of a page: the tags, what the parts are called, and what was learned of their names.

All that is known of an element holds for everything below it. Handing it down node by node costs a step of Python for
each; jumping to the parent, then to its parent's parent, then four up, costs a few array operations for all of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from posterity.dom.document import TEXT
from posterity.dom.walk import is_left_out
from posterity.extract.hybrid.block_names import joined_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from posterity.dom import Tree
    from posterity.extract.hybrid.block_names import NameTable

Numbers: TypeAlias = "NDArray[np.floating[Any]]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"

# Elements whose tag says what part of the page they are, by the bit that all below them carry.
PLACES = (
    "article main nav aside footer header section figure blockquote pre table li h1 h2 h3 h4 h5 h6 p dl td th a b "
    "strong figcaption em"
).split()
_INLINE = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr picture source nobr"
).split()
# What is never read; a form is, if the whole page stands in it.
_UNREAD = (
    "script style template title head noscript iframe object svg math select datalist button input textarea"
).split()
# What a theme writes there speaks of the page as a whole.
_NAMELESS = ("html", "body")
# Further bits of a node's tag, behind those of the places.
INLINE, WORDS, PICTURE, _LEFT_OUT, _FORM, _UNNAMED = (1 << len(PLACES) + bit for bit in range(6))
_PLACE_BITS = (1 << len(PLACES)) - 1


class _TagBits(dict[str, int]):
    """Tags with their bits; an unknown tag has none, which makes it a block without a meaning."""

    def __missing__(self, tag: str) -> int:
        return 0


_TAG_BITS = _TagBits()
for _bit, _tags in [
    *((1 << _bit, [_tag]) for _bit, _tag in enumerate(PLACES)),
    (INLINE, _INLINE), (WORDS, [TEXT]), (PICTURE, ["img"]), (_LEFT_OUT, _UNREAD), (_FORM, ["form"]),
    (_UNNAMED, _NAMELESS),
]:  # fmt: skip
    for _tag in _tags:
        _TAG_BITS[_tag] = _TAG_BITS[_tag] | _bit


class Surroundings:
    """For every node: its tag's bits, whether it is left out, the tags around it, and who is called what around it."""

    __slots__ = ("bits", "ends", "kinds", "left_out", "parents", "path", "places")

    def __init__(self, tree: Tree, table: NameTable) -> None:
        size = len(tree)
        self.parents: Indices = np.maximum(np.fromiter(tree.parent, np.intp, size), 0)
        self.ends: Indices = np.fromiter(tree.end, np.intp, size)
        self.bits: Indices = np.fromiter(map(_TAG_BITS.__getitem__, tree.tag), np.intp, size)
        jumps = _jumps(self.parents)
        # The tags around a node and its own, as bits.
        self.places: Indices = self.bits & _PLACE_BITS
        self.places[0] = 0
        for jump in jumps:
            self.places |= self.places[jump]
        named, styled = _attributed(tree)
        # Which nodes are no part of what a reader reads, or below one that is not.
        self.left_out: Flags = self._left_out(tree, styled)
        kinds, scores = self._meanings(named, table)
        # The elements around a node that are called something, innermost by kind.
        self.kinds = Kinds(self._owners(kinds, jumps), kinds, tree.parent)
        # The learned scores of the names around a node: sum, lowest, highest.
        self.path: Numbers = _path(scores, jumps)

    def _left_out(self, tree: Tree, styled: list[int]) -> Flags:
        # Few elements can be left out: the others are not worth a call.
        doubtful = np.flatnonzero(self.bits & _FORM).tolist() + styled
        unread = self.bits & _LEFT_OUT > 0
        unread[[node for node in doubtful if is_left_out(tree, node)]] = True
        tops = np.flatnonzero(unread)
        size = len(self.bits) + 1
        inside = np.cumsum(np.bincount(tops, minlength=size) - np.bincount(self.ends[tops], minlength=size))
        return inside[:-1] > 0

    def _meanings(self, named: dict[int, str], table: NameTable) -> tuple[Indices, Numbers]:
        """What the names of each element itself mean: the kinds of part as bits, and the learned score."""
        kinds, scores = np.zeros(len(self.bits), np.intp), np.zeros(len(self.bits))
        silent = self.left_out | (self.bits & _UNNAMED > 0)
        silent[0] = True
        at = np.fromiter(named, np.intp, len(named))
        at = at[~silent[at]]
        meanings = list(map(table.meaning, map(named.__getitem__, at.tolist())))
        kinds[at] = [bits for bits, _ in meanings]
        scores[at] = [score for _, score in meanings]
        return kinds, scores

    def _owners(self, kinds: Indices, jumps: list[Indices]) -> Indices:
        """For every node, the innermost element around it that is called something: in document order, the last."""
        owners = np.where(kinds > 0, np.arange(len(kinds)), 0)
        for jump in jumps:
            np.maximum(owners, owners[jump], out=owners)
        owners[self.left_out] = 0
        return owners


class Kinds:
    """The innermost elements around a node by the kind of part they are called, as {kind: element}."""

    __slots__ = ("_bits", "_known", "_owners", "_parents", "owners")

    def __init__(self, owners: Indices, kinds: Indices, parents: list[int]) -> None:
        # Nodes with the same owner are in the same parts.
        self.owners: Indices = owners
        self._owners: list[int] = owners.tolist()
        self._bits, self._parents = kinds, parents
        self._known: dict[int, dict[int, int]] = {0: {}}

    def __getitem__(self, node: int) -> dict[int, int]:
        owner = self._owners[node]
        return self._known[owner] if owner in self._known else self._found(owner)

    def _found(self, owner: int) -> dict[int, int]:
        path = []
        while owner not in self._known:
            path.append(owner)
            owner = self._owners[self._parents[owner]]
        found = self._known[owner]
        for element in reversed(path):
            found = self._known[element] = found | dict.fromkeys(_set_bits(int(self._bits[element])), element)
        return found


def _attributed(tree: Tree) -> tuple[dict[int, str], list[int]]:
    """Return the elements that have names, with these, and those whose attributes may hide them."""
    named: dict[int, str] = {}
    styled: list[int] = []
    for node, attrs in enumerate(tree.attrs):
        if attrs:
            if "style" in attrs or "hidden" in attrs:
                styled.append(node)
            if names := joined_names(attrs):
                named[node] = names
    return named, styled


def _jumps(parents: Indices) -> list[Indices]:
    """Return for every node the ancestor one up, two up, four up and so on, until all have arrived at the root."""
    jumps = []
    while parents.any():
        jumps.append(parents)
        parents = parents[parents]
    return jumps


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
