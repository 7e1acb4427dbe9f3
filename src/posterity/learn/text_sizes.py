"""How much text stands below every node: a bound that saves reading large elements when only short ones can win."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom import Tree


def text_sizes(tree: Tree) -> list[int]:
    """Return for every node the characters below it, without the white space around each run."""
    sizes = [len(text.strip()) if text else 0 for text in tree.text]
    parent = tree.parent
    for node in range(len(sizes) - 1, 0, -1):
        sizes[parent[node]] += sizes[node]
    return sizes
