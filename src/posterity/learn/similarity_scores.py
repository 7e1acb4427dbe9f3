"""How similar every node of a page is to a target text: the inner loop of Algorithm 2.

BlogForever paper, section 1.4: bigram sets are united bottom-up, so that every character of the page is read
once. Text that a reader never sees (scripts, styles, hidden parts) is no text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.text.bigrams import BigramBits, dice
from posterity.text.normal_form import comparable

if TYPE_CHECKING:
    from posterity.dom import Tree


def node_bigrams(tree: Tree, bits: BigramBits) -> list[int]:
    """Return the bigram set of every node's text: of its own text nodes, united with those of its children."""
    sets = [0] * len(tree)
    unseen, parent, text = tree.unseen, tree.parent, tree.text
    # Children come after their parents in document order, so counting down is a post-order traversal.
    for node in range(len(sets) - 1, 0, -1):
        if text[node] and not unseen[node] and not text[node].isspace():
            sets[node] = bits.of(comparable(text[node]))
        if sets[node]:
            sets[parent[node]] |= sets[node]
    return sets


def dice_scores(tree: Tree, target: str) -> list[float]:
    """Return the Dice similarity of every node to the target."""
    bits = BigramBits()
    wanted = bits.of(comparable(target))
    return [dice(found, wanted) if found else 0.0 for found in node_bigrams(tree, bits)]
