"""Comments by learned rules: the i-th text with the i-th author and the i-th date, threads by nesting.

For comment markup that nobody has seen before, where only the comment feed told what is what.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.dom import text_of
from posterity.dom.clean_html import html_of
from posterity.dom.rule_match import matches
from posterity.extract.found_field import aware
from posterity.model import Comment
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.model import RuleSet

_NUMBER = re.compile(r"(\d+)$")


def learned_comments(tree: Tree, rules: RuleSet, base_url: str, now: datetime | None) -> tuple[Comment, ...]:
    """Return the comments that the rule set's comment rules name; none without such rules."""
    texts = _nodes(tree, rules, "comment_text")
    authors, dates = _nodes(tree, rules, "comment_author"), _nodes(tree, rules, "comment_date")
    extents = _extents(tree, texts)
    ids = [_id(tree, extent, order) for order, extent in enumerate(extents, 1)]
    return tuple(
        Comment(
            id=ids[index],
            parent=_parent(tree, extents, ids, index),
            author=one_line(text_of(tree, authors[index])) or None if len(authors) == len(texts) else None,
            published=_moment(tree, dates[index], rules, now) if len(dates) == len(texts) else None,
            text=text_of(tree, node),
            html=html_of(tree, base_url, node),
        )
        for index, node in enumerate(texts)
    )


def _nodes(tree: Tree, rules: RuleSet, field: str) -> list[int]:
    found = (matches(tree, rule.rule) for rule in rules.rules_for(field))
    return next((nodes for nodes in found if nodes), [])


def _extents(tree: Tree, texts: list[int]) -> list[int]:
    """For every text the largest element around it that holds no other text."""
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


def _parent(tree: Tree, extents: list[int], ids: list[str], index: int) -> str | None:
    """The comment whose element opens an ancestor in which it alone is a child: li > (comment, ol > li > answer)."""
    ancestor = tree.parent[extents[index]]
    while ancestor >= 0:
        heads = [order for order, extent in enumerate(extents) if tree.parent[extent] == ancestor]
        if len(heads) == 1 and heads[0] < index:
            return ids[heads[0]]
        ancestor = tree.parent[ancestor]
    return None


def _id(tree: Tree, extent: int, order: int) -> str:
    for node in (extent, tree.parent[extent], *range(extent + 1, min(extent + 4, tree.end[extent]))):
        match = _NUMBER.search(tree.attrs[node].get("id") or "")
        if match:
            return f"comment-{match.group(1)}"
    return f"c{order}"


def _moment(tree: Tree, node: int, rules: RuleSet, now: datetime | None) -> datetime | None:
    text = tree.attrs[node].get("datetime") or one_line(text_of(tree, node))
    readings = read_dates(text, languages=rules.languages, order=rules.date_order, now=now)
    if not readings or (readings[0].ambiguous and rules.date_order is None):
        return None
    return aware(readings[0], rules.zone_minutes)
