"""The amount of visible text in any part of a page: characters, linked characters, dates.

Prefix sums make every range cost two look-ups.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate
from urllib.parse import urldefrag, urljoin, urlsplit

from posterity.dom import Tree
from posterity.dom.elements import HEADINGS
from posterity.dom.tree import TEXT

_INLINE = frozenset(
    (
        "a abbr b bdi bdo big cite code em font i img ins kbd label mark q s small span strong sub sup time tt u var"
    ).split()
)
_BREAKS = frozenset({"br", "hr"})
_LINE_TAGS = (_INLINE - {"a"}) | {TEXT, "br"}
_CARD_PARTS = HEADINGS | {"p", "article", "section", "ul"}
_CARD_LINES = 3  # <div> elements in a card without other block elements: a title, a text and a date
# A short text that may be a date.
_DATE = re.compile(r"(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)|\d\s?[年년]")
_MAX_DATE_LINE = 80
_MAX_DATE = 24  # without spaces: "Wednesday,17September2008" and brackets
_DIGITS = re.compile(r"\d")


def stable_classes(tree: Tree, node: int) -> frozenset[str]:
    """Return the classes that similar elements share, unlike "post-1234"; generated "css-" names are kept."""
    return frozenset(name for name in tree.classes(node) if not _DIGITS.search(name) or name.startswith("css-"))


class TextDensity:
    """Measures the page's visible text once."""

    def __init__(self, tree: Tree, base_url: str) -> None:
        self._tree, self._base = tree, base_url
        self._host, self._here = _host(base_url), _place(base_url)
        count, tags, ends = len(tree), tree.tag, tree.end
        sizes, linked, dates = [0] * count, [0] * count, [0] * count
        for node in tree.runs:
            text = tree.text[node]
            size = sizes[node] = len("".join(text.split()))
            if size <= _MAX_DATE_LINE and _DATE.search(text):
                dates[node] = 1
        for node in tree.nodes_by_tag.get("time", ()):
            dates[node] = 1
        passed = 0
        for node in tree.nodes_by_tag.get("a", ()):
            if node >= passed and not self.is_card(node):
                passed = ends[node]
                linked[node:passed] = sizes[node:passed]
        self._sizes, self._linked, self._dates = _sums(sizes), _sums(linked), _sums(dates)
        paths: dict[tuple[int, str], int] = {}
        #: A number for each element, the same for elements at the same path; -1 for text nodes.
        self.path = [-1] * count
        for node, (tag, parent) in enumerate(zip(tags, tree.parent, strict=True)):
            if tag is not TEXT:
                self.path[node] = paths.setdefault((self.path[parent] if node else -1, tag), len(paths))

    def is_card(self, link: int) -> bool:
        """Return whether the link contains whole blocks: a teaser that is clickable everywhere."""
        tags = self._tree.tag[link + 1 : self._tree.end[link]]
        return not _CARD_PARTS.isdisjoint(tags) or tags.count("div") >= _CARD_LINES

    def first_line(self, card: int) -> int | None:
        """Return the title of a card made only of <div>: its first line that is not a date, or None."""
        tree = self._tree
        inside = range(card + 1, tree.end[card])
        if any(tree.tag[node] in _CARD_PARTS for node in inside):
            return None
        lines = (node for node in inside if tree.tag[node] == "div" and self.is_plain(node))
        words = (line for line in lines if any(map(str.isalpha, tree.plain(line))))
        return next((line for line in words if not self.is_dated(line, tree.end[line])), None)

    def chars(self, node: int) -> int:
        """Return the number of visible characters below the node."""
        return self.between(node, self._tree.end[node])

    def between(self, start: int, end: int) -> int:
        """Return the number of visible characters of a range."""
        return self._sizes[end] - self._sizes[start] if end > start else 0

    def unlinked(self, start: int, end: int) -> int:
        """Return the number of visible characters of a range outside links."""
        return self.between(start, end) - (self._linked[end] - self._linked[start])

    def is_dated(self, start: int, end: int) -> bool:
        """Return whether a short text in the range looks like a date."""
        return self._dates[end] > self._dates[start]

    def line(self, node: int) -> str:
        """Return the text below the node on one line."""
        return " ".join(self._tree.plain(node).split())

    def is_alone(self, link: int) -> bool:
        """Return whether the link is all the text of its block, apart from a date, or of a line between two breaks."""
        block, top = self._tree.parent[link], link
        while self._tree.tag[block] in _INLINE:
            block, top = self._tree.parent[block], block
        beside = self.chars(block) - self.chars(link)
        if not beside:
            return True
        if beside <= _MAX_DATE:
            return self.is_dated(block, link) or self.is_dated(self._tree.end[link], self._tree.end[block])
        return self.chars(top) == self.chars(link) and self._breaks_before(top) and self._breaks_after(top)

    def _breaks_before(self, node: int) -> bool:
        """Whether a line begins with this child of a block."""
        tree, block, before = self._tree, self._tree.parent[node], node - 1
        while before > block and tree.tag[before] not in _BREAKS:
            if self._sizes[before + 1] > self._sizes[before]:
                while tree.parent[before] != block:
                    before = tree.parent[before]
                return tree.tag[before] not in _INLINE and tree.tag[before] != TEXT
            before -= 1
        return True

    def _breaks_after(self, node: int) -> bool:
        """Whether a line ends with this child of a block."""
        tree, after = self._tree, self._tree.end[node]
        while after < tree.end[tree.parent[node]] and not self._sizes[after + 1] > self._sizes[after]:
            if tree.tag[after] not in _INLINE and tree.tag[after] != TEXT:
                return True
            after += 1
        return after == tree.end[tree.parent[node]]

    @cached_property
    def _headings(self) -> list[bool]:
        tree = self._tree
        inside = [False] * len(tree)
        for tag in HEADINGS:
            for node in tree.nodes_by_tag.get(tag, ()):
                inside[node : tree.end[node]] = [True] * (tree.end[node] - node)
        return inside

    def in_heading(self, node: int) -> bool:
        """Return whether the node is a heading, is in one, or contains one."""
        tree = self._tree
        return self._headings[node] or not HEADINGS.isdisjoint(tree.tag[node : tree.end[node]])

    def is_plain(self, node: int) -> bool:
        """Return whether the node has text but no links or blocks, and is not in a heading."""
        tags = self._tree.tag[node + 1 : self._tree.end[node]]
        return self.chars(node) > 0 and not self._headings[node] and _LINE_TAGS.issuperset(tags)

    def link_of(self, heading: int) -> int | None:
        """Return the link with the most text in a heading, else the link around it, else None."""
        tree = self._tree
        inside = [node for node in range(heading, tree.end[heading]) if tree.tag[node] == "a" and self.chars(node)]
        if inside:
            return max(inside, key=lambda node: (self.chars(node), -node))
        node = tree.parent[heading]
        while node >= 0 and tree.tag[node] != "body":
            if tree.tag[node] == "a":
                return node
            node = tree.parent[node]
        return None

    def url_of(self, link: int | None) -> tuple[str | None, bool]:
        """Return the link's URL without fragment, or None if it is not another page, and whether it is on this host."""
        href = (self._tree.attrs[link].get("href") or "").strip() if link is not None else ""
        if not href or href.startswith(("#", "javascript:", "mailto:")):
            return None, False
        try:
            full = urldefrag(urljoin(self._base, href)).url
        except ValueError:
            return None, False
        if _place(full) == self._here:
            return None, False
        return full, not self._host or _host(full) in ("", self._host)


def _sums(values: list[int]) -> list[int]:
    return [0, *accumulate(values)]


def _place(url: str) -> str:
    """The URL without scheme, www, index page and trailing slash."""
    return re.sub(r"/(?:index\.(?:html?|php))?$", "", re.sub(r"^https?://(?:www\.)?", "", urldefrag(url).url))


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
