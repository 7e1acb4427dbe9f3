"""The blocks of a page: runs of text between the places where a browser begins a new line, and what is around them.

One pass over the flat tree. A block is what a reader sees as one paragraph, list item, heading, cell or line. All that
is needed to judge it is written down on the way: its letters, its links, and what its ancestors are called.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from posterity.dom.document import TEXT
from posterity.dom.walk import is_left_out
from posterity.extract.hybrid.block_names import joined_names

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.dom.document import Attributes
    from posterity.extract.hybrid.block_names import NameTable

_INLINE = frozenset(
    (
        "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp "
        "small span strike strong sub sup time tt u var wbr picture source nobr"
    ).split()
)
_MAY_BE_LEFT_OUT = frozenset(
    (
        "script style template title head noscript iframe object svg math select datalist button form input textarea"
    ).split()
)
# Elements whose tag says what part of the page they are, by the bit that all below them carry.
PLACES = (
    "article main nav aside footer header section figure blockquote pre table li h1 h2 h3 h4 h5 h6 p dl td th a b "
    "strong figcaption em"
).split()
_PLACE_BITS = {tag: 1 << bit for bit, tag in enumerate(PLACES)}
_LINK = _PLACE_BITS["a"]
_NAMELESS = frozenset({"html", "body"})  # what a theme writes there speaks of the page as a whole


class Blocks:
    """Blocks in reading order as parallel lists, and what is known of the elements around them (lists over nodes)."""

    __slots__ = ("before", "holder", "kinds", "links", "path", "pictures", "places", "said", "spots", "texts", "tree")

    def __init__(self, tree: Tree, table: NameTable) -> None:
        size = len(tree)
        self.tree = tree
        # Of each block: its text nodes, its words, the characters of them that are links, its innermost element.
        self.spots: list[list[int]] = []
        self.texts: list[str] = []
        self.links: list[int] = []
        self.holder: list[int] = []
        # What was learned of the words of each block, if it is short.
        self.said: list[float] = []
        # Pictures by the number of blocks before them.
        self.pictures: list[int] = []
        # Of each node: the tags around it as bits; the elements around it that are called something, innermost by
        # kind; the learned scores of the names around it (sum, lowest, highest); how many blocks began before it.
        self.places = [0] * size
        self.kinds: list[dict[int, int]] = [{}] * size
        self.path: list[tuple[float, float, float]] = [(0.0, 0.0, 0.0)] * size
        self.before = [0] * (size + 1)
        self._collect(table)
        self.said.extend(map(table.opinion, self.texts))

    def __len__(self) -> int:
        return len(self.texts)

    def _collect(self, table: NameTable) -> None:
        tree, before = self.tree, self.before
        tags, ends, attrs = tree.tag, tree.end, tree.attrs
        run: list[int] = []
        open_ends: list[int] = [len(tree) + 1]
        index, stop = 0, len(tree)
        while index < stop:
            if open_ends[-1] <= index:
                self._close(run)
                while open_ends[-1] <= index:
                    open_ends.pop()
            before[index] = len(self.texts)
            tag = tags[index]
            if tag is TEXT:
                run.append(index)
                index += 1
                continue
            own = attrs[index]
            # Few elements can be left out: the others are not worth a call.
            if (tag in _MAY_BE_LEFT_OUT or "style" in own or "hidden" in own) and _is_no_text(tree, index):
                index = ends[index]
                continue
            if tag not in _INLINE:
                self._close(run)
                before[index] = len(self.texts)
                open_ends.append(ends[index])
            elif tag == "img":
                self.pictures.append(len(self.texts))
            self._enter(index, tag, own, table)
            index += 1
        self._close(run)
        before[stop] = len(self.texts)

    def _enter(self, node: int, tag: str, own: Attributes, table: NameTable) -> None:
        """Note what is around the texts of an element: all that is around the element, and itself."""
        parent = self.tree.parent[node]
        if parent < 0:
            return
        around, path = self.kinds[parent], self.path[parent]
        self.places[node] = self.places[parent] | _PLACE_BITS.get(tag, 0)
        if own and tag not in _NAMELESS and (names := joined_names(own)):
            bits, score = table.meaning(names)
            if score:
                path = (path[0] + score, min(path[1], score), max(path[2], score))
            if bits:
                around = {**around, **dict.fromkeys(_set_bits(bits), node)}
        self.kinds[node], self.path[node] = around, path

    def _close(self, run: list[int]) -> None:
        """End the block under construction, if it has any words."""
        if not run:
            return
        texts = self.tree.text
        joined = texts[run[0]] if len(run) == 1 else "".join([texts[spot] for spot in run])
        words = " ".join(joined.split())
        if words:
            parents, tags, places = self.tree.parent, self.tree.tag, self.places
            links = 0
            for spot in run:
                if places[parents[spot]] & _LINK:
                    links += len(texts[spot].strip())
            holder = parents[run[0]]
            while tags[holder] in _INLINE:
                holder = parents[holder]
            self.spots.append(run.copy())
            self.texts.append(words)
            self.links.append(min(links, len(words)))
            self.holder.append(holder)
        run.clear()


def _is_no_text(tree: Tree, node: int) -> bool:
    return tree.tag[node] == "title" or is_left_out(tree, node)


@cache
def _set_bits(bits: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(bits.bit_length()) if bits >> bit & 1)
