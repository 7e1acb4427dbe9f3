"""Two pages of one site walked side by side, down to where their structure parts.

`diffCleanNode`, `isEqualLevel` and `isSimilarByChildCount` of document 002 (section 2.4 and appendix). A level is
the list of the visible items of a node: its elements and its texts that are not white space. Levels with the same
tags in the same order are equal and are left for the levels below them, item by item; others are distinct, and
there the walk ends. Every node is seen once: recursion there, a stack here.

Where the text leaves a choice:

- Two texts that meet on equal levels have nothing below them. Left alone they would vanish, and with them the whole
  article of two pages with the same structure, which the thesis calls the ideal case. So they are handed over to be
  compared, like distinct levels.
- "Types of child nodes" are tag names; attributes are not looked at.
- How deep `isSimilarByChildCount` looks is not said. With prune hardly any figure of Table 3.3 moves, so it refused
  few pages: it looks at the first level only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from posterity.dom.tree import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Tree

SIMILAR_LEVELS = 1  # not in the thesis, see above


class Pair(NamedTuple):
    """A node of the page and its counterpart in the reference page: two texts, or two elements with distinct levels."""

    doc: int
    ref: int


def visible_items(tree: Tree, node: int) -> list[int]:
    """Return the level of a node: its visible elements and its texts that are more than white space."""
    tags, texts, unseen = tree.tag, tree.text, tree.unseen
    return [
        child for child in tree.children(node) if not unseen[child] and (tags[child] != TEXT or texts[child].strip())
    ]


def is_equal_level(doc_tree: Tree, doc_level: list[int], ref_tree: Tree, ref_level: list[int]) -> bool:
    """Tell whether two levels have the same tags and texts in the same order."""
    if len(doc_level) != len(ref_level):
        return False
    return all(doc_tree.tag[doc] == ref_tree.tag[ref] for doc, ref in zip(doc_level, ref_level, strict=True))


def parting_pairs(doc_tree: Tree, doc_node: int, ref_tree: Tree, ref_node: int) -> Iterator[Pair]:
    """Yield, in document order, the pairs at which the simultaneous walk ends."""
    stack = [Pair(doc_node, ref_node)]
    while stack:
        pair = stack.pop()
        if doc_tree.tag[pair.doc] == TEXT:
            yield pair
            continue
        doc_level, ref_level = visible_items(doc_tree, pair.doc), visible_items(ref_tree, pair.ref)
        if is_equal_level(doc_tree, doc_level, ref_tree, ref_level):
            stack += map(Pair, reversed(doc_level), reversed(ref_level))
        else:
            yield pair


def is_similar_by_child_count(
    doc_tree: Tree, doc_node: int, ref_tree: Tree, ref_node: int, levels: int = SIMILAR_LEVELS
) -> bool:
    """Tell whether two nodes have as many visible items as each other, on each of the first levels below them."""
    pairs = [Pair(doc_node, ref_node)]
    for _ in range(levels):
        below: list[Pair] = []
        for pair in pairs:
            doc_level, ref_level = visible_items(doc_tree, pair.doc), visible_items(ref_tree, pair.ref)
            if len(doc_level) != len(ref_level):
                return False
            below += map(Pair, doc_level, ref_level)
        pairs = below
    return True
