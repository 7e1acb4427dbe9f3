"""Selection of the rules of a field from the scores of many pages: sums weighted by similarity.

Algorithms 1 and 2 of the BlogForever paper return the rule that is best on most pages. Here a page does not
name one winner: it scores how well each rule does on it, and the rule with the highest sum wins. Rules with the
same sum are decided by whether they name a node or only its place, then by the tighter node. Pages on which the
winner names no node at all are summed again among themselves: their winner is the next rule of the set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from posterity.dom import Tree
from posterity.dom.tree import matches
from posterity.learning.naming import NumberedNames, PageNames, kind_names, names_on
from posterity.model import FieldRule, Rule

_KIND_RANK = {"id": 0, "class": 1, "attr": 2, "tag": 3, "child": 4, "path": 5}
# Sums this close are the same: rounding, a stray footnote. Then the tighter node is the better one.
_SAME = 0.01
_MAX_RULES = 4


class RuleScores(msgspec.Struct, frozen=True):
    """One page's scores: for each rule how similar and how large the first node is, and how many there are."""

    scores: dict[Rule, tuple[float, int, int]]
    # To distinguish "the rule names the wrong node" from "the rule names nothing".
    names: PageNames | None = None

    def matches(self, rule: Rule) -> bool:
        """Tell whether the rule names a node on this page, as far as names go."""
        if rule in self.scores:
            return True
        return rule.kind not in ("path", "child") and self.names is not None and self.names.has(rule)


def rule_scores(tree: Tree, scores: Mapping[int, float], names: PageNames | None = None) -> RuleScores:
    """Return the page's scores of all rules that name one of the scored nodes first.

    `names` are those on the page, for callers that have them already.
    """
    evidence_of_pages = {
        rule: (scores[node], tree.end[node] - node, count) for rule, node, count in first_names(tree, scores)
    }
    return RuleScores(evidence_of_pages, names or names_on(tree, NumberedNames()))


def first_names(tree: Tree, nodes: Iterable[int]) -> Iterator[tuple[Rule, int, int]]:
    """Yield the rules that name one of the nodes first, with the node and how many nodes they name."""
    for node in nodes:
        for rule in kind_names(tree, node):
            found = matches(tree, rule)
            if found[0] == node:
                yield rule, node, len(found)
        yield Rule("path", tree.path(node)), node, 1


def without(page_rule_scores: Sequence[RuleScores], rules: set[Rule]) -> list[RuleScores]:
    """Return the scores without those of these rules."""
    return [
        RuleScores({rule: score for rule, score in page.scores.items() if rule not in rules}, page.names)
        for page in page_rule_scores
    ]


def select_rules(page_rule_scores: Sequence[RuleScores], min_confidence: float) -> tuple[FieldRule, ...]:
    """Return the rules of the field, best first; none when no rule reaches the confidence."""
    chosen_rules: list[FieldRule] = []
    pages = list(page_rule_scores)
    while pages and len(chosen_rules) < _MAX_RULES:
        winner = best_rule(pages)
        if winner is None:
            break
        served = [page.scores[winner] for page in pages if winner in page.scores]
        reached = [page for page in pages if page.matches(winner)]
        confidence = sum(score for score, _, _ in served) / len(reached)
        if confidence < min_confidence:
            break
        chosen_rules.append(
            FieldRule(
                rule=winner,
                confidence=round(confidence, 4),
                pages=len(reached),
                of_pages=len(page_rule_scores),
                per_page=max(count for _, _, count in served),
            )
        )
        pages = [page for page in pages if not page.matches(winner)]
    return tuple(chosen_rules)


def best_rule(pages: Sequence[RuleScores]) -> Rule | None:
    """Return the rule with the highest sum, the most lasting and tightest of equals; None when no rule has any."""
    sums: dict[Rule, float] = defaultdict(float)
    sizes: dict[Rule, int] = defaultdict(int)
    for page in pages:
        for rule, (score, size, _) in page.scores.items():
            sums[rule] += score
            sizes[rule] += size
    if not sums:
        return None
    best = max(sums.values())
    tied = [rule for rule, total in sums.items() if total >= best * (1 - _SAME)]
    return min(
        tied, key=lambda rule: (_KIND_RANK[rule.kind] > 2, sizes[rule], _KIND_RANK[rule.kind], -sums[rule], rule.css)
    )
