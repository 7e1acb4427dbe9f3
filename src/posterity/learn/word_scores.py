"""How well the words of some nodes of a page agree with a target text.

Most of the nodes are wrappers of each other, so every word is read once, and a wrapper's words are counted as those
of the node in it and the few that come besides.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from posterity.text.words import word_counts, words_of_comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Tree
    from posterity.learn.seen_text import SeenText


class _Counted(NamedTuple):
    """The words from `start` to `end`, how often each is there, and how many of them the target has too."""

    start: int
    end: int
    counts: Counter[str]
    common: int


def word_scores(tree: Tree, seen: SeenText, nodes: Sequence[int], target: str) -> dict[int, float]:
    """Return the word F1 of the nodes against the target, as `token_f1` gives it."""
    wanted = word_counts(target)
    found, place = _words(tree, seen, nodes)
    spans = {node: (place[node], place[tree.end[node]]) for node in nodes}
    common: dict[tuple[int, int], int] = {}
    counted: list[_Counted] = []
    for start, end in sorted(set(spans.values()), key=lambda span: span[1] - span[0]):
        counted.append(_counted(found, start, end, wanted, counted))
        common[start, end] = counted[-1].common
    total = wanted.total()
    return {
        node: 2 * common[span] / (span[1] - span[0] + total) if common[span] else 0.0 for node, span in spans.items()
    }


def _words(tree: Tree, seen: SeenText, nodes: Sequence[int]) -> tuple[list[str], dict[int, int]]:
    """The words of the page in order, as far as the nodes reach, and how many stand before each node's edges."""
    edges = sorted({edge for node in nodes for edge in (node, tree.end[node])})
    found: list[str] = []
    place = dict.fromkeys(edges[:1], 0)
    for left, right in pairwise(edges):
        first, last = bisect_left(seen.nodes, left), bisect_left(seen.nodes, right)
        found += words_of_comparable("\n".join(seen.texts[first:last]))
        place[right] = len(found)
    return found, place


def _counted(found: list[str], start: int, end: int, wanted: Counter[str], smaller: Sequence[_Counted]) -> _Counted:
    inside = [each for each in smaller if start <= each.start and each.end <= end]
    inner = max(inside, key=lambda each: each.end - each.start, default=_Counted(start, start, Counter(), 0))
    if 2 * (inner.end - inner.start) < end - start:
        counts = Counter(found[start:end])
        return _Counted(
            start, end, counts, sum(min(count, wanted[word]) for word, count in counts.items() if word in wanted)
        )
    counts, common = inner.counts.copy(), inner.common
    for word in chain(found[start : inner.start], found[inner.end : end]):
        so_far = counts.get(word, 0)
        common += so_far < wanted.get(word, 0)
        counts[word] = so_far + 1
    return _Counted(start, end, counts, common)
