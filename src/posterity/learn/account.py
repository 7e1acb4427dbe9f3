"""Where one page has its article, as far as the page alone can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.learn.vote import Ballot, best_rule, first_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from posterity.dom import Tree
    from posterity.learn.out_rules import OutBallot
    from posterity.learn.page_names import PageNames
    from posterity.model import FieldRule, Rule

# Below this mean word F1 the feed's text is not the article but a part of it.
WHOLE_FEED_F1 = 0.7


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A page's ballot on the article, its best node and how good that is; None where no node can hold the article.

    `likely` is the node that the page alone would elect: of nodes that are as good as the best, one with a name.
    `names` are the rules that name it, `beside` is what it has besides the feed's text, and `paragraphs` are the rules
    that name one <p> among others on this page.
    """

    ballot: Ballot
    article: int | None
    score: float
    likely: int | None
    names: "frozenset[Rule]"
    paragraphs: "frozenset[Rule]"
    beside: "OutBallot | None" = None

    @property
    def doubts_feed(self) -> bool:
        """Whether the feed's text seems to be the beginning of the article only."""
        return self.score < WHOLE_FEED_F1 or not self.names.isdisjoint(self.paragraphs)

    def agrees(self, rules: Sequence[FieldRule]) -> bool:
        """Tell whether these rules name the likely node: the first of them that names anything on this page."""
        first = next((rule.rule for rule in rules if self.ballot.matches(rule.rule)), None)
        return first in self.names


def account_of(tree: Tree, scores: Mapping[int, float], names: PageNames) -> Account:
    """Return the page's account from how well its nodes hold the article."""
    article = best_of(scores)
    named = list(first_names(tree, scores))
    ballot = Ballot({rule: (scores[node], tree.end[node] - node, count) for rule, node, count in named}, names)
    winner = best_rule([ballot])
    likely = next((node for rule, node, _ in named if rule == winner), None)
    paragraphs = {node for node in scores if tree.tag[node] == "p" and _has_twin(tree, node)}
    return Account(
        ballot=ballot,
        article=article,
        score=0.0 if article is None else scores[article],
        likely=likely,
        names=frozenset(rule for rule, node, _ in named if node == likely),
        paragraphs=frozenset(rule for rule, node, _ in named if node in paragraphs),
    )


def best_of(scores: Mapping[int, float]) -> int | None:
    """Return the node with the highest score, of equals the last and so the innermost."""
    return max(scores, key=lambda node: (scores[node], node), default=None)


def _has_twin(tree: Tree, node: int) -> bool:
    return sum(tree.tag[child] == tree.tag[node] for child in tree.children(tree.parent[node])) > 1
