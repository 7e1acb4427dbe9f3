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
_MAY_BE_LEFT_OUT = (
    "script style template title head noscript iframe object svg math select datalist button form input textarea"
).split()
# What a theme writes there speaks of the page as a whole.
_NAMELESS = ("html", "body")
# Further bits of a node's tag, behind those of the places.
INLINE, WORDS, PICTURE, _DOUBTFUL, _UNNAMED = (1 << len(PLACES) + bit for bit in range(5))
_PLACE_BITS = (1 << len(PLACES)) - 1


class _TagBits(dict[str, int]):
    """Tags with their bits; an unknown tag has none, which makes it a block without a meaning."""

    def __missing__(self, tag: str) -> int:
        return 0


_TAG_BITS = _TagBits()
for _bit, _tags in [
    *((1 << _bit, [_tag]) for _bit, _tag in enumerate(PLACES)),
    (INLINE, _INLINE), (WORDS, [TEXT]), (PICTURE, ["img"]), (_DOUBTFUL, _MAY_BE_LEFT_OUT), (_UNNAMED, _NAMELESS),
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
        named, styled = _attributed(tree)
        self.left_out: Flags = self._left_out(tree, styled)
        jumps = _jumps(self.parents)
        # The tags around a node and its own, as bits.
        self.places: Indices = self.bits & _PLACE_BITS
        self.places[0] = 0
        for jump in jumps:
            self.places |= self.places[jump]
        meanings = [table.meaning(names) for names in named.values()]
        at = np.fromiter(named, np.intp, len(named))
        kinds, scores = np.zeros(size, np.intp), np.zeros(size)
        kinds[at] = [bits for bits, _ in meanings]
        scores[at] = [score for _, score in meanings]
        silent = self.left_out | (self.bits & _UNNAMED > 0)
        silent[0] = True
        kinds[silent], scores[silent] = 0, 0.0
        # The elements around a node that are called something, innermost by kind.
        self.kinds: list[dict[int, int]] = self._innermost(kinds, jumps)
        # The learned scores of the names around a node: sum, lowest, highest.
        self.path: Numbers = _path(scores, jumps)

    def _left_out(self, tree: Tree, styled: list[int]) -> Flags:
        """Which nodes are no part of what a reader reads, or below one that is not."""
        left_out: Flags = np.zeros(len(tree), bool)
        # Few elements can be left out: the others are not worth a call.
        passed, ends = 0, tree.end
        for node in sorted({*np.flatnonzero(self.bits & _DOUBTFUL).tolist(), *styled}):
            if node >= passed and (tree.tag[node] == "title" or is_left_out(tree, node)):
                passed = ends[node]
                left_out[node:passed] = True
        return left_out

    def _innermost(self, kinds: Indices, jumps: list[Indices]) -> list[dict[int, int]]:
        # In document order the innermost of several elements around a node is the last.
        owner = np.where(kinds > 0, np.arange(len(kinds)), 0)
        for jump in jumps:
            np.maximum(owner, owner[jump], out=owner)
        owner[self.left_out] = 0
        known: dict[int, dict[int, int]] = {0: {}}
        called = np.flatnonzero(kinds)
        outer = owner[self.parents[called]].tolist()
        for node, around, bits in zip(called.tolist(), outer, kinds[called].tolist(), strict=True):
            known[node] = known[around] | dict.fromkeys(_set_bits(bits), node)
        return list(map(known.__getitem__, owner.tolist()))


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
