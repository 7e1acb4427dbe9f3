"""How much text each element holds per structural tag, and the target node that this density leads to.

Section 2.3 of document 002: `addStatToDOMTree` counts characters, tags and structural tags below every element,
`getTargetNode` (Algorithm 1) goes down from <body>. There both are recursive; here the first is one pass from the
last node to the first, the second a loop.

Where the text leaves a choice:

- Structural tags "correspond with block elements of HTML" (footnote) and include <br> (2.5). The list itself is not
  printed. Ours is HTML 4's block elements, the parts of lists and tables, <br>, and the block elements that came
  with HTML 5. <tbody> is not in it, because the parser adds it where the source has none.
- An element is in its own subtree and counts itself.
- Density without any structural tag would be a division by zero; such an element counts as one.
- Algorithm 1 asks for more than half of the characters, the sentence after it for at least half. The algorithm is
  taken at its word.
- Of several children with the same density, the first.
- The characters of a text node are counted after trimming, inner white space as it stands, none for white space
  alone.
- What a reader never sees was removed by precleaning (2.1) and is neither counted nor entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from posterity.dom.tree import TEXT

if TYPE_CHECKING:
    from posterity.dom import Tree

MIN_SHARE = 0.5  # Algorithm 1: go down while a child holds more than half the characters
SPARSE_DENSITY = 10  # appendix, wclib.py
STRUCTURE_TAGS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hgroup", "hr", "legend", "li", "main", "menu", "nav", "noframes", "ol", "p", "pre",
    "section", "summary", "table", "td", "th", "tr", "ul",
})  # fmt: skip


class Statistics(NamedTuple):
    """Per node of a tree: characters, tags and structural tags of its subtree, the node itself counted."""

    chars: list[int]
    tags: list[int]
    s_tags: list[int]

    def density(self, node: int) -> float:
        """Return the characters per structural tag."""
        return self.chars[node] / max(1, self.s_tags[node])


def statistics(tree: Tree) -> Statistics:
    """Return the counts of every node, children added to their parents from the last node to the first."""
    size = len(tree)
    found = Statistics([0] * size, [0] * size, [0] * size)
    chars, tags, s_tags = found
    unseen, names, texts, parents = tree.unseen, tree.tag, tree.text, tree.parent
    for node in range(size - 1, -1, -1):
        if unseen[node]:
            continue
        name = names[node]
        if name == TEXT:
            chars[node] = len(texts[node].strip())
        else:
            tags[node] += 1
            s_tags[node] += name in STRUCTURE_TAGS
        parent = parents[node]
        if parent >= 0:
            chars[parent] += chars[node]
            tags[parent] += tags[node]
            s_tags[parent] += s_tags[node]
    return found


def body_of(tree: Tree) -> int:
    """Return the <body>, or the root of a page that has none (frames)."""
    return tree.tag.index("body") if "body" in tree.tag else 0


def target_node(tree: Tree, found: Statistics) -> int:
    """Return the node where Algorithm 1 ends: the densest child, again and again, while it holds most of the text."""
    node = body_of(tree)
    while True:
        elements = [child for child in tree.children(node) if tree.tag[child] != TEXT and not tree.unseen[child]]
        if not elements:
            return node
        densest = max(elements, key=found.density)
        if not found.chars[densest] > MIN_SHARE * found.chars[node]:
            return node
        node = densest


def is_sparse(found: Statistics, node: int) -> bool:
    """Tell whether the node holds tables and lists rather than text."""
    return found.density(node) < SPARSE_DENSITY
