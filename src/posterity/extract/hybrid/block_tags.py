"""What the tags of a page tell of every node: where lines begin, what is never read, and what it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posterity.dom.forms import is_real_form
from posterity.dom.tree import TEXT
from posterity.text.remembered import Remembered

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.extract.hybrid.block_surroundings import Flags, Indices

# Elements whose tag says what part of the page they are, by the bit that all below them carry.
PLACES = (
    "article main nav aside footer header section figure blockquote pre table li h1 h2 h3 h4 h5 h6 p dl td th a b "
    "strong figcaption em"
).split()
_INLINE_TAGS = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr picture source nobr"
).split()
# What is never read; a form is, if the whole page stands in it.
_UNREAD_TAGS = (
    "script style template title head noscript iframe object svg math select datalist button input textarea"
).split()
# What a theme calls these speaks of the page as a whole.
_WHOLE_PAGE = ["html", "body"]
_INLINE, _WORDS, _PICTURE, _UNREAD, _FORM, _NAMELESS = (1 << len(PLACES) + bit for bit in range(6))
_PLACE_BITS = (1 << len(PLACES)) - 1
_LINK = 1 << PLACES.index("a")


_MEANT: dict[str, int] = {}
for _bit, _tags in [
    *((1 << _bit, [_tag]) for _bit, _tag in enumerate(PLACES)),
    (_INLINE, _INLINE_TAGS), (_WORDS, [TEXT]), (_PICTURE, ["img"]), (_UNREAD, _UNREAD_TAGS), (_FORM, ["form"]),
    (_NAMELESS, _WHOLE_PAGE),
]:  # fmt: skip
    for _tag in _tags:
        _MEANT[_tag] = _MEANT.get(_tag, 0) | _bit
# An unknown tag has no bits, which makes it a block without a meaning.
_TAG_BITS: Remembered[str, int] = Remembered(lambda tag: _MEANT.get(tag, 0))


class Tags:
    """The nodes of a tree as arrays, by node, and as lists of the nodes that are something."""

    __slots__ = ("_bits", "ends", "jumps", "left_out", "nameable", "parents", "pictures", "places", "words")

    def __init__(self, tree: Tree) -> None:
        size = len(tree)
        # The root's parent is itself.
        self.parents: Indices = np.maximum(np.fromiter(tree.parent, np.intp, size), 0)
        self.ends: Indices = np.fromiter(tree.end, np.intp, size)
        self._bits: Indices = np.fromiter(map(_TAG_BITS.__getitem__, tree.tag), np.intp, size)
        # Of every node the ancestor one up, two up, four up and so on, until all have arrived at the root.
        self.jumps: list[Indices] = _jumps(self.parents)
        # The tags around a node and its own, as bits.
        self.places: Indices = self._bits & _PLACE_BITS
        self.places[0] = 0
        for jump in self.jumps:
            self.places |= self.places[jump]
        # What is no part of what a reader reads, or below something that is not.
        self.left_out: Flags = self._left_out(tree)
        seen = ~self.left_out
        self.words: Indices = np.flatnonzero((self._bits & _WORDS > 0) & seen)
        self.pictures: Indices = np.flatnonzero((self._bits & _PICTURE > 0) & seen)
        self.nameable: Flags = seen & (self._bits & (_NAMELESS | _WORDS) == 0)
        self.nameable[0] = False

    def lines(self) -> Indices:
        """Return the number of the line of each node, and of the end; what is not inline begins and ends a line."""
        blocks = np.flatnonzero((self._bits & (_INLINE | _WORDS) == 0) & ~self.left_out)
        breaks = np.zeros(len(self._bits) + 1, bool)
        breaks[blocks] = breaks[self.ends[blocks]] = breaks[-1] = True
        return np.cumsum(breaks)

    def holders(self, nodes: Indices) -> Indices:
        """Return the innermost element around each node that is not inline."""
        holders = self.parents[nodes]
        while (inline := self._bits[holders] & _INLINE > 0).any():
            holders = np.where(inline, self.parents[holders], holders)
        return holders

    def linked(self, nodes: Indices) -> Flags:
        """Tell which nodes stand in a link."""
        linked: Flags = self.places[nodes] & _LINK > 0
        return linked

    def _left_out(self, tree: Tree) -> Flags:
        unread = self._bits & _UNREAD > 0
        unread[tree.hidden] = True
        unread[[node for node in np.flatnonzero(self._bits & _FORM).tolist() if is_real_form(tree, node)]] = True
        tops = np.flatnonzero(unread)
        size = len(self._bits) + 1
        inside = np.cumsum(np.bincount(tops, minlength=size) - np.bincount(self.ends[tops], minlength=size))
        return inside[:-1] > 0


def _jumps(parents: Indices) -> list[Indices]:
    jumps = []
    while parents.any():
        jumps.append(parents)
        parents = parents[parents]
    return jumps
