"""How similar the nodes of a page are to a target text: the inner loop of Algorithm 2.

BlogForever paper, section 1.4: bigram sets are united bottom-up, so that every character of the page is read
once. Text that a reader never sees (scripts, styles, hidden parts) is no text. Only the best nodes are wanted, and a
node with much less text than the target cannot be one of them: it is read as a part of the node around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.text.bigrams import BigramBits, dice
from posterity.text.normal_form import comparable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Tree
    from posterity.learning.article import SeenText

# What the best nodes of most pages reach. Where none does, the page is read once more with what they did reach.
_HOPED_FOR = 0.6
_ROUNDING = 1e-6


def near_best(tree: Tree, seen: SeenText, target: str, margin: float, bits: BigramBits) -> dict[int, float]:
    """Return the Dice similarity to the target of the best node and of all that come within the margin of it."""
    bits.forget_many()
    wanted = bits.of_all((comparable(target),))
    most = _most_bigrams(tree, seen)
    least = _HOPED_FOR
    scores = _scores(tree, seen, _with_at_least(most, least, wanted), bits, wanted)
    best = max(scores.values(), default=0.0)
    if best - margin < least:
        least = max(0.0, best - margin)
        scores = _scores(tree, seen, _with_at_least(most, least, wanted), bits, wanted)
        best = max(scores.values(), default=0.0)
    return {node: score for node, score in scores.items() if score and score >= best - margin}


def node_bigrams(tree: Tree, bits: BigramBits) -> list[int]:
    """Return the bigram set of every node's text: of its own text nodes, united with those of its children."""
    sets = [0] * len(tree)
    for node in tree.runs:
        sets[node] = bits.of(comparable(tree.text[node]))
    # Children come after their parents in document order, so counting down is a post-order traversal.
    for node in range(len(sets) - 1, 0, -1):
        if sets[node]:
            sets[tree.parent[node]] |= sets[node]
    return sets


def _most_bigrams(tree: Tree, seen: SeenText) -> list[int]:
    """For every node how many bigrams its text has at most: as many as pairs of adjacent characters."""
    most = [0] * len(tree)
    for node, text in zip(seen.nodes, seen.texts, strict=True):
        most[node] = max(0, len(text) - 1)
    return tree.summed(most)


def _with_at_least(most: list[int], least: float, wanted: int) -> list[int]:
    """The nodes whose similarity can be so high: of n bigrams and those wanted, at most twice n are shared ones."""
    enough = max(1.0, least * wanted.bit_count() / (2 - least) - _ROUNDING)
    return [node for node, size in enumerate(most) if size >= enough]


def _scores(tree: Tree, seen: SeenText, nodes: list[int], bits: BigramBits, wanted: int) -> dict[int, float]:
    sets = {node: bits.of_all(texts) for node, texts in _texts_by_holder(tree, seen, nodes)}
    above = _nearest_above(tree, nodes)
    for node in reversed(nodes):
        if above[node] >= 0:
            sets[above[node]] |= sets[node]
    return {node: dice(found, wanted) for node, found in sets.items()}


def _texts_by_holder(tree: Tree, seen: SeenText, nodes: list[int]) -> Iterable[tuple[int, list[str]]]:
    """For each of the nodes the texts that are in it and in none of the nodes below it."""
    texts: dict[int, list[str]] = {node: [] for node in nodes}
    open_nodes: list[int] = []
    crawl_queue = iter([*nodes, len(tree)])
    begins = next(crawl_queue)
    for run, text in zip(seen.nodes, seen.texts, strict=True):
        while begins <= run:
            open_nodes.append(begins)
            begins = next(crawl_queue)
        while open_nodes and tree.end[open_nodes[-1]] <= run:
            open_nodes.pop()
        if open_nodes:
            texts[open_nodes[-1]].append(text)
    return texts.items()


def _nearest_above(tree: Tree, nodes: list[int]) -> dict[int, int]:
    """For each of the nodes, in document order, the nearest of the others that it is in, or -1."""
    above: dict[int, int] = {}
    open_nodes: list[int] = []
    for node in nodes:
        while open_nodes and tree.end[open_nodes[-1]] <= node:
            open_nodes.pop()
        above[node] = open_nodes[-1] if open_nodes else -1
        open_nodes.append(node)
    return above
