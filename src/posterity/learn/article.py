"""The article's node: by the feed's whole text, or by where the page's own text gathers.

With a full feed: Dice on bigram sets finds the neighbourhood in one pass (Algorithm 2), and word F1 decides
among its best nodes, because bigram sets of long texts are all alike. With a summary the feed only says where the
article begins, and with titles not even that; then the node wins that holds most of the text which stands on no
other page of the blog, and little else.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from posterity.dom.rule_match import first_match
from posterity.learn.evidence import documents
from posterity.learn.own_text import own_text_mass, template_of
from posterity.learn.similarity_scores import dice_scores
from posterity.learn.vote import Ballot, ballot, elect
from posterity.text.words import token_f1, word_counts, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from posterity.dom import Tree
    from posterity.learn.evidence import Witness
    from posterity.model import FieldRule, Rule

# Below this mean word F1 the feed's text is not the article but a part of it.
_WHOLE_FEED_F1 = 0.7
# How many nodes are compared word by word: an article and its wrappers are rarely more.
_SHORT_LIST = 12
# Nodes this far below the best Dice cannot win by words either.
_MARGIN = 0.15
# So many pages tell whether a rule names a paragraph.
_SAMPLE = 6


class Heard(Protocol):
    """Somebody who listens while pages are read, so that no page has to be read twice."""

    def hear(self, tree: Tree, witness: Witness, scores: Mapping[int, float]) -> None:
        """Take notice of a page and of how well its nodes hold the article."""

    def forget(self) -> None:
        """Drop everything heard so far: the reading begins anew."""


def article_rules(
    witnesses: Sequence[Witness], pages: Mapping[str, bytes | str], min_confidence: float, listener: Heard
) -> tuple[tuple[FieldRule, ...], bool]:
    """Return the rules of the article, and whether the feed has whole texts; if not, the pages' own text decided."""
    whole = [witness for witness in witnesses if witness.promise.whole]
    if len(whole) * 2 >= len(witnesses):
        rules = elect(_whole_text_ballots(witnesses, pages, listener), min_confidence)
        if rules and rules[0].confidence >= _WHOLE_FEED_F1 and not _is_a_paragraph(rules[0].rule, whole, pages):
            return rules, True
        listener.forget()
    return elect(_own_text_ballots(witnesses, pages, listener), min_confidence), False


def _whole_text_ballots(
    witnesses: Sequence[Witness], pages: Mapping[str, bytes | str], listener: Heard
) -> list[Ballot]:
    ballots = []
    for document, witness in documents(witnesses, pages):
        scores = whole_text_scores(document.tree, witness.promise.text)
        listener.hear(document.tree, witness, scores)
        if witness.promise.whole:
            ballots.append(ballot(document.tree, scores))
    return ballots


def _own_text_ballots(witnesses: Sequence[Witness], pages: Mapping[str, bytes | str], listener: Heard) -> list[Ballot]:
    template = template_of(document.tree for document, _ in documents(witnesses, pages))
    ballots = []
    for document, witness in documents(witnesses, pages):
        scores = own_text_scores(document.tree, template, len(witnesses), witness)
        listener.hear(document.tree, witness, scores)
        ballots.append(ballot(document.tree, scores))
    return ballots


def _is_a_paragraph(rule: Rule, witnesses: Sequence[Witness], pages: Mapping[str, bytes | str]) -> bool:
    """Tell whether the rule names one paragraph among others: then the feed gives beginnings of articles."""
    if (rule.value if rule.kind == "tag" else rule.tag) not in ("p", "*") and rule.kind != "path":
        return False
    alone = []
    for document, _ in documents(witnesses[:_SAMPLE], pages):
        node = first_match(document.tree, rule)
        if node is not None:
            tree = document.tree
            twins = [child for child in tree.children(tree.parent[node]) if tree.tag[child] == tree.tag[node]]
            alone.append(tree.tag[node] != "p" or len(twins) == 1)
    return sum(alone) * 2 < len(alone)


def whole_text_scores(tree: Tree, target: str) -> dict[int, float]:
    """Return the word F1 against the target of the nodes that come near it by Dice."""
    scores = dice_scores(tree, target)
    best = max(scores, default=0.0)
    if best <= 0.0:
        return {}
    near = (node for node, score in enumerate(scores) if score >= best - _MARGIN and _can_hold_article(tree, node))
    short_list = heapq.nlargest(_SHORT_LIST, near, key=lambda node: (scores[node], node))
    wanted = word_counts(target)
    below = _words_below(tree, short_list)
    return {node: token_f1(Counter(below[node]), wanted) for node in short_list}


def _words_below(tree: Tree, nodes: Sequence[int]) -> dict[int, list[str]]:
    """The words that a reader sees below each of the nodes. Each text is read once: most of the nodes are wrappers."""
    if not nodes:
        return {}
    first, stop = min(nodes), max(tree.end[node] for node in nodes)
    found: list[str] = []
    begins = {}
    for index in range(first, stop):
        begins[index] = len(found)
        text = tree.text[index]
        if text and not tree.unseen[index] and not text.isspace():
            found += words(text)
    begins[stop] = len(found)
    return {node: found[begins[node] : begins[tree.end[node]]] for node in nodes}


def own_text_scores(tree: Tree, template: Counter[int], pages: int, witness: Witness) -> dict[int, float]:
    """Return for nodes how well they hold the page's own text and nothing else: F1 of share held and share own.

    If the feed has the article's beginning, only nodes around the place where it stands are candidates.
    """
    beginning = witness.promise.text
    own, total = own_text_mass(tree, template, pages, witness.entry.title or "")
    all_own = own[0] if own else 0
    if not all_own:
        return {}
    candidates = _around(tree, beginning) if beginning else range(len(tree))
    scores = {
        node: 2 * own[node] / (all_own + total[node])
        for node in candidates
        if own[node] and _can_hold_article(tree, node)
    }
    best = heapq.nlargest(_SHORT_LIST, scores, key=lambda node: (scores[node], node))
    return {node: scores[node] for node in best}


def _around(tree: Tree, beginning: str) -> list[int]:
    """The node most similar to the beginning, and all its ancestors."""
    scores = dice_scores(tree, beginning)
    node = max(range(len(scores)), key=lambda index: (scores[index], index), default=-1)
    chain = []
    while node >= 0:
        chain.append(node)
        node = tree.parent[node]
    return chain


def _can_hold_article(tree: Tree, node: int) -> bool:
    return tree.tag[node] not in ("#text", "html", "head", "title", "meta") and not tree.unseen[node]
