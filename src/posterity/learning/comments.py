"""Rules for comments from a post's comment feed (BlogForever paper, section 1.5).

A rule must name at least as many nodes as the feed has comments. It scores the maximum weighted matching between its
nodes and the feed's comments, with text similarity as weight. Texts come first; they fix the number of comments, and
rules for authors and dates must name exactly as many nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from posterity.discover.comments import comment_text
from posterity.dom import Tree
from posterity.dom.tree import matches
from posterity.learning.rule_selection import RuleScores, names_of, select_rules
from posterity.learning.similarity_scores import node_bigrams
from posterity.model import FeedEntry, FieldRule, Rule
from posterity.text.bigrams import BigramBits, dice, similarity
from posterity.text.dates import mentions
from posterity.text.normal_form import comparable, one_line

_MIN_SIMILARITY = 0.6
_MAX_NODES = 500
_MAX_SHORT = 80
_NAMES = ("class", "attr", "tag")


def comment_rules(
    evidence: Iterable[tuple[Tree, Sequence[FeedEntry]]], languages: Sequence[str]
) -> dict[str, tuple[FieldRule, ...]]:
    """Return rules for `comment_text`, `comment_author` and `comment_published` from pages and their comment feeds."""
    pages = [(tree, entries) for tree, entries in evidence if entries]
    texts = select_rules([_text_rule_scores(tree, entries) for tree, entries in pages], _MIN_SIMILARITY)
    if not texts:
        return {}
    counts = [len(matches(tree, texts[0].rule)) for tree, _ in pages]
    fields = {
        "comment_text": texts,
        "comment_author": _fixed_number(pages, counts, _names_author),
        "comment_published": _fixed_number(pages, counts, partial(_names_date, languages=languages)),
    }
    return {name: rules for name, rules in fields.items() if rules}


def matching(weights: list[list[float]]) -> float:
    """Return the value of the maximum weighted matching; rows are nodes, columns are comments."""
    if not weights or not weights[0]:
        return 0.0
    if len(weights) > len(weights[0]):
        weights = [list(column) for column in zip(*weights, strict=True)]
    row_of = _assignment(weights)
    return float(sum(weights[row][column] for column, row in enumerate(row_of) if row is not None))


def _assignment(weights: list[list[float]]) -> list[int | None]:
    """Return the row assigned to each column; there are at least as many columns as rows.

    The shortest augmenting path algorithm of Jonker and Volgenant (1987), as Crouse (2016) describes it for matrices
    that are not square: in time of rows x rows x columns.
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
    """Give every column on the path that ends in `column` the row before it; the path begins at row `first`."""
    column_of = {row: at for at, row in enumerate(row_of) if row is not None}
    while True:
        row = before[column]
        row_of[column] = row
        if row == first:
            return
        column = column_of[row]


def _text_rule_scores(tree: Tree, entries: Sequence[FeedEntry]) -> RuleScores:
    bits = BigramBits()
    wanted = [bits.of(comparable(comment_text(entry))) for entry in entries]
    wanted = [target for target in wanted if target]
    found = node_bigrams(tree, bits)
    nearest = (
        {max(range(1, len(tree)), key=lambda node: (dice(found[node], target), node)) for target in wanted}
        if len(tree) > 1
        else set()
    )
    scores: dict[Rule, tuple[float, int, int]] = {}
    for rule in {rule for node in sorted(nearest) for rule in _list_names(tree, node)}:
        nodes = matches(tree, rule)
        if len(wanted) <= len(nodes) <= _MAX_NODES:
            weights = [[dice(found[node], target) for target in wanted] for node in nodes]
            score = matching(weights) / len(wanted)
            scores[rule] = (score, sum(tree.end[node] - node for node in nodes), len(nodes))
    return RuleScores(scores)


def _fixed_number(
    pages: Sequence[tuple[Tree, Sequence[FeedEntry]]], counts: Sequence[int], agrees: Callable[[str, FeedEntry], float]
) -> tuple[FieldRule, ...]:
    """Rules that name as many nodes as there are comments, by how well their texts agree with the feed's values."""
    page_rule_scores = [
        _counted_rule_scores(tree, entries, count, agrees) for (tree, entries), count in zip(pages, counts, strict=True)
    ]
    return select_rules(page_rule_scores, _MIN_SIMILARITY)


def _counted_rule_scores(
    tree: Tree, entries: Sequence[FeedEntry], count: int, agrees: Callable[[str, FeedEntry], float]
) -> RuleScores:
    short = {node: text for node in range(1, len(tree)) if (text := _short_text(tree, node))}
    near = [node for node, text in short.items() if any(agrees(text, entry) > 0.5 for entry in entries)]
    scores: dict[Rule, tuple[float, int, int]] = {}
    for rule in {rule for node in near[:_MAX_NODES] for rule in _list_names(tree, node)}:
        nodes = matches(tree, rule)
        if len(nodes) == count:
            weights = [[agrees(short.get(node, ""), entry) for entry in entries] for node in nodes]
            scores[rule] = (matching(weights) / len(entries), len(nodes), len(nodes))
    return RuleScores(scores)


def _short_text(tree: Tree, node: int) -> str:
    """The text of an element that may hold a name or a date and little else."""
    if tree.tag[node] == "#text" or tree.unseen[node] or tree.end[node] - node > 12:
        return ""
    text = one_line(tree.attrs[node].get("datetime") or tree.plain(node))
    return text if len(text) <= _MAX_SHORT else ""


def _names_author(text: str, entry: FeedEntry) -> float:
    return max((similarity(text.casefold(), name.casefold()) for name in entry.authors), default=0.0)


def _names_date(text: str, entry: FeedEntry, languages: Sequence[str]) -> float:
    if entry.published is None or not any(char.isdigit() for char in text):
        return 0.0
    found = mentions(text, entry.published, languages=languages)
    return 0.0 if found is None else 1.0 if found.precision == "minute" else 0.9


def _list_names(tree: Tree, node: int) -> list[Rule]:
    """Names that can stand for all of their kind: of the node, its tag under an ancestor, and of two ancestors."""
    names = []
    for _ in range(3):
        if node <= 0:
            break
        names += [rule for rule in names_of(tree, node) if rule.kind in _NAMES]
        node = tree.parent[node]
    return names
