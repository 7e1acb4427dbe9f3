"""Similarity of the nodes of a page to a target text: the inner loop of Algorithm 2.

BlogForever paper, section 1.4: bigram sets are united bottom-up, so every character of the page is read once. Text
that is never rendered (scripts, styles, hidden parts) is ignored. Only the best nodes are returned, and nodes with
much less text than the target, which cannot be among them, are merged into their ancestors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.text.bigrams import BigramBits, dice
from posterity.text.normal_form import comparable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Tree
    from posterity.learning.article import SeenText

# The best nodes of most pages reach this score; where none does, the page is scored again with the score they reached.
_EXPECTED_BEST = 0.6
_ROUNDING = 1e-6


def near_best(tree: Tree, seen: SeenText, target: str, margin: float, bits: BigramBits) -> dict[int, float]:
    """Return the Dice similarity to the target of the best node and of all nodes within the margin of it."""
    bits.forget_many()
    wanted = bits.of_all((comparable(target),))
    most = _most_bigrams(tree, seen)
    least = _EXPECTED_BEST
    scores = _scores(tree, seen, _with_at_least(most, least, wanted), bits, wanted)
    best = max(scores.values(), default=0.0)
    if best - margin < least:
        least = max(0.0, best - margin)
        scores = _scores(tree, seen, _with_at_least(most, least, wanted), bits, wanted)
        best = max(scores.values(), default=0.0)
    return {node: score for node, score in scores.items() if score and score >= best - margin}


def node_bigrams(tree: Tree, bits: BigramBits) -> list[int]:
    """Return the bigram set of every node's text, the union of those of its text nodes."""
    sets = [0] * len(tree)
    for node in tree.runs:
        sets[node] = bits.of(comparable(tree.text[node]))
    # Children come after their parents in document order, so counting down is a post-order traversal.
    for node in range(len(sets) - 1, 0, -1):
        if sets[node]:
            sets[tree.parent[node]] |= sets[node]
    return sets


def _most_bigrams(tree: Tree, seen: SeenText) -> list[int]:
    """An upper bound on each node's number of bigrams: the pairs of adjacent characters in its text."""
    most = [0] * len(tree)
    for node, text in zip(seen.nodes, seen.texts, strict=True):
        most[node] = max(0, len(text) - 1)
    return tree.summed(most)


def _with_at_least(most: list[int], least: float, wanted: int) -> list[int]:
    """The nodes that can reach the score `least`: with n bigrams, Dice is at most 2n / (n + wanted)."""
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
    """For each of the nodes, the texts that are in it and in none of the given nodes below it."""
    texts: dict[int, list[str]] = {node: [] for node in nodes}
    open_nodes: list[int] = []
    upcoming = iter([*nodes, len(tree)])
    begins = next(upcoming)
    for run, text in zip(seen.nodes, seen.texts, strict=True):
        while begins <= run:
            open_nodes.append(begins)
            begins = next(upcoming)
        while open_nodes and tree.end[open_nodes[-1]] <= run:
            open_nodes.pop()
        if open_nodes:
            texts[open_nodes[-1]].append(text)
    return texts.items()


def _nearest_above(tree: Tree, nodes: list[int]) -> dict[int, int]:
    """For each of the nodes, given in document order, its nearest ancestor among them, or -1."""
    above: dict[int, int] = {}
    open_nodes: list[int] = []
    for node in nodes:
        while open_nodes and tree.end[open_nodes[-1]] <= node:
            open_nodes.pop()
        above[node] = open_nodes[-1] if open_nodes else -1
        open_nodes.append(node)
    return above
