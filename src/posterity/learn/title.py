"""The title's node: the text nearest to the feed's title, in a heading if there is one, near the article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.text.bigrams import BigramBits, dice
from posterity.text.normal_form import comparable, letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Tree

_HEADINGS = {"h1": 1.0, "h2": 0.99, "h3": 0.98, "h4": 0.97, "h5": 0.96, "h6": 0.96}
_NO_HEADING = 0.9
_MIN_SIMILARITY = 0.6
_MAX_GROWTH, _MARGIN = 4, 40
_EXACT_HEADING = 0.92  # what the last of the headings gets for the title's own words, a link inside it deducted
_NOT_CONTENT = ("#text", "html", "head", "title", "body", "option", "meta")


def title_scores(tree: Tree, title: str) -> dict[int, float]:
    """Return how well nodes fit as the title: similarity, exact equality first, headings before other elements.

    Where a heading says exactly the title, nothing else is looked at.
    """
    headings = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))
    scores = _similar(tree, title, (inner for node in headings for inner in range(node, tree.end[node])))
    if any(score > _EXACT_HEADING for score in scores.values()):
        return scores
    return _similar(tree, title, range(len(tree)))


def _similar(tree: Tree, title: str, nodes: Iterable[int]) -> dict[int, float]:
    wanted = letters_and_digits(title)
    bits = BigramBits()
    target = bits.of(comparable(title))
    sizes = tree.text_sizes
    # A text with many more characters than the title cannot be similar enough, so it is not read.
    largest = _MAX_GROWTH * len(title) + _MARGIN
    scores = {}
    for node in nodes:
        if not 0 < sizes[node] <= largest or tree.tag[node] in _NOT_CONTENT or tree.unseen[node]:
            continue
        text = tree.plain(node)
        score = dice(bits.of(comparable(text)), target)
        if score >= _MIN_SIMILARITY:
            exact = 1.0 if letters_and_digits(text) == wanted else 0.9 * score
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
