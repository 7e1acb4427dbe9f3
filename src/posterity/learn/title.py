"""The title's node: the text nearest to the feed's title, in a heading if there is one, near the article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.learn.similarity_scores import dice_scores
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from posterity.dom import Tree

_HEADINGS = {"h1": 1.0, "h2": 0.99, "h3": 0.98, "h4": 0.97, "h5": 0.96, "h6": 0.96}
_NO_HEADING = 0.9
_MIN_SIMILARITY = 0.6
_NOT_CONTENT = ("#text", "html", "head", "title", "body", "option", "meta")


def title_scores(tree: Tree, title: str) -> dict[int, float]:
    """Return how well nodes fit as the title: similarity, exact equality first, headings before other elements."""
    wanted = letters_and_digits(title)
    scores = {}
    for node, score in enumerate(dice_scores(tree, title)):
        if score < _MIN_SIMILARITY or tree.tag[node] in _NOT_CONTENT or tree.unseen[node]:
            continue
        exact = 1.0 if letters_and_digits(tree.plain(node)) == wanted else 0.9 * score
        scores[node] = exact * _heading_weight(tree, node)
    return scores


def _heading_weight(tree: Tree, node: int) -> float:
    """A link or span inside a heading is as good as the heading, minus a hair."""
    weight, step = _HEADINGS.get(tree.tag[node]), 0.0
    while weight is None and node > 0 and step < 0.03:
        node = tree.parent[node]
        step += 0.01
        weight = _HEADINGS.get(tree.tag[node])
    return (weight or _NO_HEADING) - step
