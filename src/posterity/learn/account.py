"""Where one page has its article, as far as the page alone can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.learn.vote import Ballot, ballot, first_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posterity.dom import Tree
    from posterity.learn.page_names import PageNames
    from posterity.model import Rule

# Below this mean word F1 the feed's text is not the article but a part of it.
WHOLE_FEED_F1 = 0.7


class Account(msgspec.Struct, frozen=True):
    """A page's ballot on the article, its best node and how good that is; None where no node can hold the article.

    `paragraphs` are the rules that name one <p> among others on this page.
    """

    ballot: Ballot
    article: int | None
    score: float
    paragraphs: "frozenset[Rule]"

    @property
    def doubts_feed(self) -> bool:
        """Whether the feed's text seems to be the beginning of the article only."""
        best = (rule for rule, (score, _, _) in self.ballot.scores.items() if score == self.score)
        return self.score < WHOLE_FEED_F1 or not self.paragraphs.isdisjoint(best)


def account_of(tree: Tree, scores: Mapping[int, float], names: PageNames) -> Account:
    """Return the page's account from how well its nodes hold the article."""
    article = best_of(scores)
    paragraphs = [node for node in scores if tree.tag[node] == "p" and _has_twin(tree, node)]
    return Account(
        ballot=ballot(tree, scores, names),
        article=article,
        score=0.0 if article is None else scores[article],
        paragraphs=frozenset(rule for rule, _, _ in first_names(tree, paragraphs)),
    )


def best_of(scores: Mapping[int, float]) -> int | None:
    """Return the node with the highest score, of equals the last and so the innermost."""
    return max(scores, key=lambda node: (scores[node], node), default=None)


def _has_twin(tree: Tree, node: int) -> bool:
    return sum(tree.tag[child] == tree.tag[node] for child in tree.children(tree.parent[node])) > 1
