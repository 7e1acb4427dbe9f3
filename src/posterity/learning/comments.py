"""Rules for comments, learned from a post's comment feed (BlogForever paper, section 1.5).

A rule must match at least as many nodes as the feed has comments. Its score is the maximum weighted matching between
its nodes and the feed's comments, weighted by text similarity. Authors, dates and parents of comments are read as in
any other thread (`extraction.comments`); the paper's rules for them are in `extraction.blogforever`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from posterity.discover.feed import entry_text
from posterity.dom import Tree
from posterity.dom.tree import matches
from posterity.learning.article import node_bigrams
from posterity.learning.rule_selection import RuleScores, names_of, select_rules
from posterity.model import FeedEntry, FieldRule, Rule
from posterity.text.bigrams import BigramBits, dice
from posterity.text.normal_form import comparable

_MIN_SIMILARITY = 0.6
_MAX_NODES = 500
_NAMES = ("class", "attr", "tag")


def comment_text_rules(evidence: Iterable[tuple[Tree, Sequence[FeedEntry]]]) -> tuple[FieldRule, ...]:
    """Return rules for the texts of comments, best first, from pages and the entries of their comment feeds."""
    pages = [(tree, entries) for tree, entries in evidence if entries]
    return select_rules([_text_rule_scores(tree, entries) for tree, entries in pages], _MIN_SIMILARITY)


def extents_of(tree: Tree, texts: Sequence[int]) -> list[int]:
    """Return for every text node the largest element that contains none of the others."""
    holds = [0] * len(tree)
    for text in texts:
        node = text
        while node >= 0:
            holds[node] += 1
            node = tree.parent[node]
    return [_widest(tree, text, holds) for text in texts]


def _widest(tree: Tree, node: int, holds: list[int]) -> int:
    while tree.parent[node] >= 0 and holds[tree.parent[node]] == 1:
        node = tree.parent[node]
    return node


_DIGITS = re.compile(r"\d+")
_ITEM_TAGS = {"tr", "li"}


def elements_of(tree: Tree, texts: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the elements of each comment, given the nodes with the texts: one element, or adjacent siblings.

    Of the elements around each text that share a name across all comments, the largest are chosen. Replies may be
    nested in an element, after its text.
    """
    by_name: dict[str, dict[int, int]] = defaultdict(dict)
    for place, text in enumerate(texts):
        node, before = text, texts[place - 1] if place else -1
        while node > max(before, 0) and not (len(texts) > 1 and node <= texts[0] and texts[-1] < tree.end[node]):
            for name in _kinds(tree, node):
                by_name[name].setdefault(place, node)
            node = tree.parent[node]
    of_all = [list(found.values()) for found in by_name.values() if len(found) == len(texts)]
    named = max(of_all, key=lambda nodes: sum(tree.end[node] - node for node in nodes), default=None)
    return _with_siblings(tree, named or extents_of(tree, texts))


def _kinds(tree: Tree, node: int) -> set[str]:
    """The names that an element shares with similar ones: classes and id without numbers, and <tr> or <li>."""
    own_id = _DIGITS.sub("", tree.attrs[node].get("id") or "")
    classes = {f"{tree.tag[node]}.{_DIGITS.sub('', name)}" for name in tree.classes(node)}
    names = classes | ({f"{tree.tag[node]}#{own_id}"} if own_id else set())
    return names | ({tree.tag[node]} & _ITEM_TAGS)  # a row, rarely named, has the commenter in another cell


def _with_siblings(tree: Tree, nodes: Sequence[int]) -> list[tuple[int, ...]]:
    """The elements with the siblings between them in a flat list: <dt> before each <dd>, or a signature after each."""
    beside = [
        [node for node in tree.children(tree.parent[one]) if tree.end[one] <= node < other and tree.text_sizes[node]]
        if tree.parent[one] == tree.parent[other]
        else []
        for one, other in pairwise(nodes)
    ]
    between = [tree.tag[node] for node in next(filter(None, beside), [])]
    if not between:
        return [(node,) for node in nodes]
    before = [each for each in tree.children(tree.parent[nodes[0]]) if each < nodes[0] and tree.text_sizes[each]]
    heads = before[-len(between) :]
    if [tree.tag[node] for node in heads] == between:
        return [(*head, node) for head, node in zip([heads, *beside], nodes, strict=True)]
    return [(node, *tail) for node, tail in zip(nodes, [*beside, []], strict=True)]


def matching(weights: list[list[float]]) -> float:
    """Return the total weight of the maximum weighted matching; rows are nodes, columns are comments."""
    if not weights or not weights[0]:
        return 0.0
    if len(weights) > len(weights[0]):
        weights = [list(column) for column in zip(*weights, strict=True)]
    row_of = _assignment(weights)
    return float(sum(weights[row][column] for column, row in enumerate(row_of) if row is not None))


def _assignment(weights: list[list[float]]) -> list[int | None]:
    """The row assigned to each column; there must be at least as many columns as rows.

    The shortest augmenting path algorithm of Jonker and Volgenant (1987), as described by Crouse (2016) for
    rectangular matrices. It takes O(rows * rows * columns) time.
    """
    import numpy as np

    costs = -np.asarray(weights, dtype=np.float64)
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    row_of: list[int | None] = [None] * columns
    for first in range(rows):
        length, before = np.full(columns, np.inf), np.full(columns, -1)
        visited = np.zeros(columns, dtype=bool)
        row, so_far, passed = first, 0.0, []
        while True:
            through = so_far + costs[row] - row_price[row] - column_price
            shorter = ~visited & (through < length)
            length[shorter], before[shorter] = through[shorter], row
            column = int(np.argmin(np.where(visited, np.inf, length)))
            so_far, visited[column] = float(length[column]), True
            if (taken := row_of[column]) is None:
                break
            passed.append((taken, column))
            row = taken
        row_price[first] += so_far
        for assigned, at in passed:
            row_price[assigned] += so_far - float(length[at])
        column_price[visited] -= so_far - length[visited]
        _shift(row_of, before.tolist(), column, first)
    return row_of


def _shift(row_of: list[int | None], before: list[int], column: int, first: int) -> None:
    """Augment along the path from row `first` to `column`: assign each column the row before it."""
    column_of = {row: at for at, row in enumerate(row_of) if row is not None}
    while True:
        row = before[column]
        row_of[column] = row
        if row == first:
            return
        column = column_of[row]


def _text_rule_scores(tree: Tree, entries: Sequence[FeedEntry]) -> RuleScores:
    bits = BigramBits()
    wanted = [bits.of(comparable(entry_text(entry))) for entry in entries]
    wanted = [target for target in wanted if target]
    found = node_bigrams(tree, bits)
    nodes = range(1, len(tree))
    nearest = {max(nodes, key=lambda node: (dice(found[node], target), node)) for target in wanted if nodes}
    scores: dict[Rule, tuple[float, int, int]] = {}
    for rule in {rule for node in sorted(nearest) for rule in _list_names(tree, node)}:
        named = matches(tree, rule)
        if len(wanted) <= len(named) <= _MAX_NODES:
            weights = [[dice(found[node], target) for target in wanted] for node in named]
            score = matching(weights) / len(wanted)
            scores[rule] = (score, sum(tree.end[node] - node for node in named), len(named))
    return RuleScores(scores)


def _list_names(tree: Tree, node: int) -> list[Rule]:
    """The rules of the node and of two ancestors that can match all similar elements."""
    names = []
    for _ in range(3):
        if node <= 0:
            break
        names += [rule for rule in names_of(tree, node) if rule.kind in _NAMES]
        node = tree.parent[node]
    return names
