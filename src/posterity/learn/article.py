"""The article's node on a page: by the feed's whole text, or by where the page's own text gathers.

With a full feed: Dice on bigram sets finds the neighbourhood in one pass (Algorithm 2), and word F1 decides
among its best nodes, because bigram sets of long texts are all alike. With a summary the feed only says where the
article begins, and with titles not even that; then the node wins that holds most of the text which stands on no
other page of the blog, and little else.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from posterity.learn.own_text import own_text_mass
from posterity.learn.word_scores import word_scores

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping

    from posterity.dom import Tree
    from posterity.learn.seen_text import SeenText

# Nodes this far below the best Dice cannot win by words either.
MARGIN = 0.15
# How many nodes are compared word by word: an article and its wrappers are rarely more.
_SHORT_LIST = 12


def whole_text_scores(tree: Tree, seen: SeenText, near: Mapping[int, float], target: str) -> dict[int, float]:
    """Return the word F1 against the target of the nodes that come near it by Dice."""
    able = (node for node in near if _can_hold_article(tree, node))
    return word_scores(tree, seen, heapq.nlargest(_SHORT_LIST, able, key=lambda node: (near[node], node)), target)


def own_text_scores(tree: Tree, template: Counter[int], pages: int, title: str, around: int | None) -> dict[int, float]:
    """Return for nodes how well they hold the page's own text and nothing else: F1 of share held and share own.

    If the feed has the article's beginning, `around` is the node where it stands, and only this node and those that it
    is in are candidates.
    """
    own, total = own_text_mass(tree, template, pages, title)
    all_own = own[0] if own else 0
    if not all_own:
        return {}
    candidates = range(len(tree)) if around is None else _upwards(tree, around)
    scores = {
        node: 2 * own[node] / (all_own + total[node])
        for node in candidates
        # Many posts of one paragraph do not make the paragraph the article's place.
        if own[node] and tree.tag[node] != "p" and _can_hold_article(tree, node)
    }
    best = heapq.nlargest(_SHORT_LIST, scores, key=lambda node: (scores[node], node))
    return {node: scores[node] for node in best}


def _upwards(tree: Tree, node: int) -> Iterable[int]:
    while node >= 0:
        yield node
        node = tree.parent[node]


def _can_hold_article(tree: Tree, node: int) -> bool:
    return tree.tag[node] not in ("#text", "html", "head", "title", "meta") and not tree.unseen[node]
