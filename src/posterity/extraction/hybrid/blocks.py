"""Blocks of a page, the texts between line breaks, with the tags, names and kinds of the elements around them.

A block is rendered as one paragraph, list item, heading, cell or line. Where lines start is computed from the tags
alone, for the whole page at once; only text nodes with words are processed one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posterity.dom import Tree
from posterity.dom.plain_text import is_real_form
from posterity.dom.tree import TEXT, Attributes
from posterity.lexicon import part_words
from posterity.text.normal_form import Remembered

# Tags with a meaning; their position is the bit set for all descendants.
PLACES = (
    "article main nav aside footer header section figure blockquote pre table li h1 h2 h3 h4 h5 h6 p dl td th a b "
    "strong figcaption em"
).split()
_INLINE_TAGS = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr picture source nobr"
).split()
# Elements that are left out; forms are too, unless they wrap the whole page.
_UNREAD_TAGS = (
    "script style template title head noscript iframe object svg math select datalist button input textarea"
).split()
# Elements whose names describe the page as a whole.
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
# An unknown tag has no bits, so it is a block without a meaning; those of Word (<st1:place>) are inline.
_TAG_BITS: Remembered[str, int] = Remembered(lambda tag: _MEANT.get(tag, _INLINE if ":" in tag else 0))


class Tags:
    """Properties of the nodes of a tree as arrays, by node, and arrays of the nodes with a property."""

    __slots__ = ("_bits", "ends", "jumps", "left_out", "nameable", "parents", "pictures", "places", "words")

    def __init__(self, tree: Tree) -> None:
        size = len(tree)
        # The root's parent is itself.
        self.parents: Indices = np.maximum(np.fromiter(tree.parent, np.intp, size), 0)
        self.ends: Indices = np.fromiter(tree.end, np.intp, size)
        self._bits: Indices = np.fromiter(map(_TAG_BITS.__getitem__, tree.tag), np.intp, size)
        # For every node its ancestor 1, 2, 4, ... levels up, until all are the root (pointer jumping).
        self.jumps: list[Indices] = _jumps(self.parents)
        # The tags of a node and its ancestors, as bits.
        self.places: Indices = self._bits & _PLACE_BITS
        self.places[0] = 0
        for jump in self.jumps:
            self.places |= self.places[jump]
        # Nodes that are left out, with their descendants.
        self.left_out: Flags = self._left_out(tree)
        seen = ~self.left_out
        self.words: Indices = np.flatnonzero((self._bits & _WORDS > 0) & seen)
        self.pictures: Indices = np.flatnonzero((self._bits & _PICTURE > 0) & seen)
        self.nameable: Flags = seen & (self._bits & (_NAMELESS | _WORDS) == 0)
        self.nameable[0] = False

    def lines(self) -> Indices:
        """Return the line number of each node and of the end; elements that are not inline start and end lines."""
        blocks = np.flatnonzero((self._bits & (_INLINE | _WORDS) == 0) & ~self.left_out)
        breaks = np.zeros(len(self._bits) + 1, bool)
        breaks[blocks] = breaks[self.ends[blocks]] = breaks[-1] = True
        return np.cumsum(breaks)

    def holders(self, nodes: Indices) -> Indices:
        """Return the nearest ancestor of each node that is not inline."""
        holders = self.parents[nodes]
        while (inline := self._bits[holders] & _INLINE > 0).any():
            holders = np.where(inline, self.parents[holders], holders)
        return holders

    def linked(self, nodes: Indices) -> Flags:
        """Return which of the nodes are in a link."""
        linked: Flags = self.places[nodes] & _LINK > 0
        return linked

    def _left_out(self, tree: Tree) -> Flags:
        unread = self._bits & _UNREAD > 0
        unread[list(tree.hidden)] = True
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


# Kinds of parts of a page, with the words that name them; the learned weights have a column for each.
KINDS = part_words("block")
KIND_NAMES = tuple(KINDS)
WANTED_KINDS = 4  # the first of them
# The kinds that each word names, as bits.
KIND_BITS: dict[str, int] = {}
for _bit, _words in enumerate(KINDS.values()):
    for _word in _words:
        KIND_BITS[_word] = KIND_BITS.get(_word, 0) | 1 << _bit


_WHOLE_NAME_BITS = {
    word: 1 << KIND_NAMES.index(kind) for kind, words in part_words("whole_name").items() for word in words
}


_SMALL_PART = re.compile(r"[a-z]+")
_PART = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+")
_WORD = re.compile(r"[^\W\d_]+|©")
_ASCII_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
_TEXT_WORD = "."  # marks the words of texts, so that they are not taken for names
_MAX_LABEL = 60  # characters of a text that is scored by its words: a label, not a sentence
_MAX_NAMES = 300  # characters; lists of utility classes can be very long
_MAX_WORDS = 16
_DIGITS = "0123456789"


def joined_names(attrs: Attributes) -> str:
    """Return the classes, id, role and itemprop of an element as one text, truncated; "" if it has none."""
    names = attrs.get("class") or ""
    if "id" in attrs and (name := attrs["id"]):
        names = f"{names} {name}"
    if "role" in attrs and (role := attrs["role"]):
        names = f"{names} {role}"
    if "itemprop" in attrs and (item := attrs["itemprop"]):
        names = f"{names} {item}"
    if "data-hook" in attrs and (hook := attrs["data-hook"]):  # of Wix, whose classes are random
        names = f"{names} {hook.replace('post-description', 'post-body')}"  # elsewhere, date and tags
    return names[:_MAX_NAMES]


def name_words(names: str) -> tuple[str, ...]:
    """Return the names and the words they are made of, in lower case, without digits."""
    return tuple(dict.fromkeys(word for name in names.split()[:_MAX_WORDS] for word in _words_of_name(name)))


def _words_of_name(name: str) -> list[str]:
    # Most names have no capitals, and then need only the simpler regex.
    parts = _SMALL_PART.findall(name) if name.islower() else [part.lower() for part in _PART.findall(name)]
    words = [part for part in parts if len(part) > 1]
    return ["-".join(parts), *words] if len(parts) > 1 else words


def label_words(text: str) -> list[str]:
    """Return the words of a short text, marked as words of text; none for a longer one."""
    if len(text) > _MAX_LABEL:
        return []
    words = _WORD.findall(text.lower())
    return [f"{word}{_TEXT_WORD}" for word in dict.fromkeys(words)]


class NameTable:
    """Words with learned scores: positive if text in elements with such names is mostly article."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self._word_scores = {
            word[: -len(_TEXT_WORD)]: score for word, score in scores.items() if word.endswith(_TEXT_WORD)
        }
        self._known = {word: (KIND_BITS.get(word, 0), scores.get(word, 0.0)) for word in (*scores, *KIND_BITS)}
        self._names = Remembered(self._of_name)
        # Maps names to the kinds of parts that they mark, as bits, and the sum of their highest and lowest score.
        self.meaning: Callable[[str], tuple[int, float]] = Remembered(self._of_names).__getitem__
        self._scores_of_texts = Remembered(self._of_text)

    def _of_names(self, names: str) -> tuple[int, float]:
        kinds, best, worst, known = 0, 0.0, 0.0, self._names
        for name in names.split()[:_MAX_WORDS]:
            bits, high, low = known[name]
            kinds |= bits
            if high > best:
                best = high
            if low < worst:
                worst = low
        return kinds, best + worst

    def _of_name(self, name: str) -> tuple[int, float, float]:
        # Themes number elements: "menu-item-6722" is a menu-item.
        if (unnumbered := name.rstrip(_DIGITS)) != name:
            return self._names[unnumbered]
        kinds, high, low = _WHOLE_NAME_BITS.get(name, 0), 0.0, 0.0
        for word in _words_of_name(name):
            if found := self._known.get(word):
                bits, score = found
                kinds |= bits
                if score > high:
                    high = score
                elif score < low:
                    low = score
        # Classes such as "contrast-more:ring-1" style an element in a state, and name no part.
        return 0 if ":" in name else kinds, high, low

    def score(self, text: str) -> float:
        """Return the mean score of the words of a short text, such as "Related posts"; 0.0 for a longer one."""
        return self._scores_of_texts[text] if len(text) <= _MAX_LABEL else 0.0

    def _of_text(self, text: str) -> float:
        lowered = text.lower()
        # ASCII text is split without a regex.
        words = lowered.translate(_ASCII_NO_LETTERS).split() if lowered.isascii() else _WORD.findall(lowered)
        found = [score for word in dict.fromkeys(words) if (score := self._word_scores.get(word))]
        return sum(found) / len(found) if found else 0.0


Numbers: TypeAlias = "NDArray[np.floating[Any]]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"

_EVERY_KIND = np.arange(len(KIND_NAMES)).reshape(-1, 1)


class NamesAround:
    """The names of the elements around some nodes.

    Only names of ancestors of these nodes are read; those of icons and links are irrelevant for blocks.
    """

    __slots__ = ("kinds", "path")

    def __init__(self, tree: Tree, tags: Tags, nodes: Indices, table: NameTable) -> None:
        named = _names(tree, tags, nodes)
        meanings = list(map(table.meaning, named.values()))
        at = np.fromiter(named, np.intp, len(named))
        scores = np.zeros(len(tree))
        scores[at] = [score for _, score in meanings]
        # The innermost named ancestor of each kind.
        self.kinds = Kinds(at, np.array([bits for bits, _ in meanings], np.intp), tags)
        # The learned scores of the names on a node's path: sum, lowest, highest.
        self.path: Numbers = _path(scores, tags.jumps)


class Kinds:
    """The innermost ancestors of a node by the kind of part that their names mark."""

    __slots__ = ("_known", "_owner", "_table")

    def __init__(self, named: Indices, bits: Indices, tags: Tags) -> None:
        called, bits = named[bits > 0], bits[bits > 0]
        # Nodes with the same owner, their innermost named ancestor, share their parts: the table has a column for each
        # owner and a row for each kind. Number 0 means no owner.
        self._owner: Indices = np.zeros(len(tags.parents), np.intp)
        self._owner[called] = np.arange(1, len(called) + 1)
        for jump in tags.jumps:
            # The innermost ancestor is the last in document order.
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
        """Return the innermost ancestor of a node by kind."""
        owner = int(self._owner[node])
        if owner not in self._known:
            elements = enumerate(self._table[:, owner].tolist())
            self._known[owner] = {kind: element for kind, element in elements if element >= 0}
        return self._known[owner]

    def innermost(self, nodes: Indices) -> Indices:
        """Return a row for each kind with the innermost such ancestor of each node, or -1."""
        return self._table[:, self._owner[nodes]]


def _names(tree: Tree, tags: Tags, nodes: Indices) -> dict[int, str]:
    """Return the named elements around the nodes, with their names."""
    before = np.append(0, np.cumsum(np.bincount(nodes, minlength=len(tree))))
    relevant = (before[tags.ends] > before[:-1]) & tags.nameable
    attrs = tree.attrs
    return {
        node: names
        for node in np.flatnonzero(relevant).tolist()
        if attrs[node] and (names := joined_names(attrs[node]))
    }


def _path(scores: Numbers, jumps: list[Indices]) -> Numbers:
    total, low, high = scores.copy(), np.minimum(scores, 0), np.maximum(scores, 0)
    for jump in jumps:
        total += total[jump]
        np.minimum(low, low[jump], out=low)
        np.maximum(high, high[jump], out=high)
    return np.array((total, low, high), np.float32).T


class Blocks:
    """Blocks in document order as parallel lists, and properties of the elements around them by node."""

    __slots__ = (
        "before", "counts", "elements", "ends", "kinds", "label_scores", "links", "parents", "path", "pictures",
        "places", "text_nodes", "texts", "tree",
    )  # fmt: skip

    def __init__(self, tree: Tree, table: NameTable) -> None:
        self.tree = tree
        tags = Tags(tree)
        # By node: its parent (the root's is itself), its end, the tags on its path as bits.
        self.parents, self.ends, self.places = tags.parents, tags.ends, tags.places
        line_of = tags.lines()
        spots, line_of_spot = tags.words.tolist(), line_of[tags.words]
        pieces = list(map(tree.text.__getitem__, spots))
        sizes = np.fromiter(map(len, map(str.strip, pieces)), np.intp, len(pieces))
        solid = sizes > 0
        lines = _distinct(line_of_spot[solid])
        # The number of blocks that start before each node, and before the end.
        self.counts: Indices = _counted_before(lines, line_of)
        self.before: list[int] = self.counts.tolist()
        first, last = np.searchsorted(line_of_spot, lines), np.searchsorted(line_of_spot, lines, "right")
        # By block: its text nodes, its text, its linked characters, its innermost element that is not inline.
        runs = list(zip(first.tolist(), last.tolist(), strict=True))
        self.text_nodes: list[list[int]] = [spots[start:stop] for start, stop in runs]
        self.texts: list[str] = [" ".join("".join(pieces[start:stop]).split()) for start, stop in runs]
        linked = np.flatnonzero(solid & tags.linked(tags.words))
        block_of_linked = np.searchsorted(lines, line_of_spot[linked])
        self.links: Indices = np.bincount(block_of_linked, sizes[linked], len(lines)).astype(np.intp)
        holders = tags.holders(tags.words[first])
        self.elements: list[int] = holders.tolist()
        # The learned score of each short block's words.
        self.label_scores: list[float] = list(map(table.score, self.texts))
        # For each image the number of blocks before it.
        self.pictures: list[int] = [self.before[node] for node in tags.pictures.tolist()]
        # For each holder, image and their ancestors: the innermost named ancestor by kind, and the learned scores of
        # the names on the path (sum, lowest, highest).
        around = NamesAround(tree, tags, np.concatenate((holders, tags.pictures)), table)
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


LEVELS = 6  # ancestors of a block in its features, each with more blocks than the one before


class BlockPage:
    """A page's blocks with running sums over them, and the chain of ever larger ancestors of each."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        texts = blocks.texts
        self.chars: Numbers = np.fromiter(map(len, texts), np.float32, len(texts))
        self.links: Numbers = np.minimum(blocks.links, self.chars).astype(np.float32)
        self.low: Indices = blocks.counts[:-1]
        self.high: Indices = blocks.counts[blocks.ends]
        self.holders: Indices = np.array(blocks.elements, np.intp)
        # A row for each level with the ancestor of each block.
        self.chain: Indices = self._chain(blocks.parents)
        # A row for each kind of part with the innermost such ancestor of each block, or -1.
        self.innermost: Indices = blocks.kinds.innermost(self.holders)
        self.total = float(self.chars.sum())

    def _chain(self, parents: Indices) -> Indices:
        """Return for each level the ancestor of each block, larger than at the levels below."""
        wide = self.high - self.low
        top = np.where(wide == wide[parents], parents, np.arange(len(parents)))
        for _ in range(7):  # 2 ** 7 wrappers around the same text are more than on any page
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
        """A number for each block, equal for blocks whose element and parent have the same tags and classes."""
        tags, attrs = self.blocks.tree.tag, self.blocks.tree.attrs
        # Parents are read once, because list items share theirs.
        around = self.blocks.parents[self.holders].tolist()
        called = {node: (tags[node], attrs[node].get("class")) for node in set(around)}
        known: dict[tuple[object, ...], int] = {}
        numbers = [
            known.setdefault((tags[holder], attrs[holder].get("class"), called[parent]), len(known))
            for holder, parent in zip(self.blocks.elements, around, strict=True)
        ]
        return np.array(numbers, np.intp)


# Parts with icons, avatars or other posts' images, which are not the article's.
ICON_KINDS = frozenset(
    KIND_NAMES.index(kind)
    for kind in ("comment", "side", "navigation", "foot", "share", "related", "about", "advert", "sign_up", "notice")
)
# Names of these kinds are also used for galleries and lightboxes.
GALLERY_KINDS = frozenset(KIND_NAMES.index(kind) for kind in ("related", "notice", "sign_up", "navigation"))
_PLAYERS = frozenset({"video", "audio", "object", "canvas"})
PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)(?:[?#].*)?$", re.IGNORECASE)


class Cut:
    """The smallest element with all kept blocks, and the nodes to leave out of it."""

    def __init__(self, blocks: Blocks, kept: Sequence[bool]) -> None:
        self._blocks, self._tree, self._kept = blocks, blocks.tree, kept
        self._kept_before = list(accumulate(kept, initial=0))
        self.node = self._smallest()
        self.left_out = frozenset(self._lost_texts() | self._lost_pictures())

    def _keeps(self, node: int) -> int:
        """Return the number of kept blocks in an element."""
        before, ends = self._blocks.before, self._tree.end
        return self._kept_before[before[ends[node]]] - self._kept_before[before[node]]

    def _smallest(self) -> int:
        """Return the nearest common ancestor of all kept blocks, or the largest wrapper without further blocks."""
        blocks, tree = self._blocks, self._tree
        numbers = [number for number, kept in enumerate(self._kept) if kept]
        last = blocks.text_nodes[numbers[-1]][-1]
        node = blocks.elements[numbers[0]]
        while tree.end[node] <= last:
            node = tree.parent[node]
        # There may be an image beside the only paragraph.
        if tree.tag[node] == "p" and tree.tag[tree.parent[node]] != "body":
            node = tree.parent[node]
        before, ends = blocks.before, tree.end
        wide = before[ends[node]] - before[node]
        while (around := tree.parent[node]) > 0 and tree.tag[around] != "body":
            if before[ends[around]] - before[around] != wide:
                break
            node = around
        return node

    def _lost_texts(self) -> set[int]:
        """Return the largest elements with blocks of which none is kept, else single text nodes."""
        blocks, tree = self._blocks, self._tree
        lost: set[int] = set()
        passed = first = blocks.before[self.node]
        for number in range(first, blocks.before[tree.end[self.node]]):
            if self._kept[number] or number < passed or self._is_in_player(number):
                continue
            element = blocks.elements[number]
            if self._keeps(element) or element <= self.node:
                lost.update(self._largest_inline(spot, element) for spot in blocks.text_nodes[number])
                continue
            while (around := tree.parent[element]) > self.node and not self._keeps(around):
                element = around
            lost.add(element)
            passed = blocks.before[tree.end[element]]
        return lost

    def _is_in_player(self, number: int) -> bool:
        """Return whether a block between kept ones is a player's fallback text for old browsers."""
        tree, spots = self._tree, self._blocks.text_nodes[number]
        if not 0 < self._kept_before[number] < self._kept_before[-1]:
            return False
        node = spots[0]
        while node > self.node and tree.tag[node] not in _PLAYERS:
            node = tree.parent[node]
        return node > self.node and spots[-1] < tree.end[node]

    def _largest_inline(self, spot: int, holder: int) -> int:
        """Return the largest inline ancestor of a text without kept blocks: a <font> may contain all blocks."""
        parents = self._tree.parent
        while (around := parents[spot]) != holder and around > self.node and not self._keeps(around):
            spot = around
        return spot

    def _lost_pictures(self) -> set[int]:
        """Return elements without kept text whose names mark other content, such as a row of share icons.

        An image that links to its own file is the author's, even in a gallery or lightbox; so may be one without a link
        between blocks of the article, even in "cards", since those of related posts have links.
        """
        tree, kinds = self._tree, self._blocks.kinds
        around = kinds[self.node]
        lost: set[int] = set()
        for node in range(self.node + 1, tree.end[self.node]):
            if tree.tag[node] != "img":
                continue
            link = self._link_around(node)
            if link is not None and PICTURE_FILE.search(tree.attrs[link].get("href") or ""):
                continue
            icons = ICON_KINDS if link is not None or not self._is_between(node) else ICON_KINDS - GALLERY_KINDS
            for bit, named in kinds[node].items():
                if bit in icons and named > around.get(bit, self.node) and not self._keeps(named):
                    lost.add(named)
        return {named for named in lost if not self._holds_own_pictures(named)}

    def _link_around(self, node: int) -> int | None:
        tree = self._tree
        while node > self.node and tree.tag[node] != "a":
            node = tree.parent[node]
        return node if node > self.node and tree.attrs[node].get("href") else None

    def _is_between(self, node: int) -> bool:
        """Return whether kept blocks are before and after a node."""
        number = self._blocks.before[node]
        return 0 < self._kept_before[number] < self._kept_before[-1]

    def _holds_own_pictures(self, node: int) -> bool:
        """Return whether images in an element link to image files, as in a gallery."""
        tree = self._tree
        inside = range(node, tree.end[node])
        return any(
            tree.tag[inner] == "a" and PICTURE_FILE.search(tree.attrs[inner].get("href") or "") for inner in inside
        )
