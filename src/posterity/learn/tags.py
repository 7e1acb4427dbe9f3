"""The nodes of tags and categories: links whose texts are the feed's own terms, all of them and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.rule_match import matches
from posterity.learn.naming import kind_names
from posterity.learn.vote import Ballot
from posterity.text.normal_form import letters_and_digits
from posterity.text.remembered import Remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Tree
    from posterity.model import Rule

_MAX_NODES = 60


def tags_ballot(tree: Tree, tags: Sequence[str]) -> Ballot:
    """Return the page's opinion: the F1 of all texts that a rule gives against the feed's terms."""
    wanted = {letters_and_digits(tag) for tag in tags} - {""}
    longest = 2 * max(map(len, tags), default=0) + 16
    # Each read once: many rules name the same links.
    terms: Remembered[int, str] = Remembered(lambda node: letters_and_digits(tree.plain(node)))
    named = [
        node
        for node in tree.nodes_by_tag.get("a", [])
        if tree.text_sizes[node] <= longest and len(tree.plain(node)) <= longest and terms[node] in wanted
    ]
    scores: dict[Rule, tuple[float, int, int]] = {}
    for rule in dict.fromkeys(rule for node in named[:_MAX_NODES] for rule in _list_names(tree, node)):
        found = {terms[node] for node in matches(tree, rule)} - {""}
        score = 2 * len(found & wanted) / (len(found) + len(wanted))
        scores[rule] = (score, len(found), len(found))
    return Ballot(scores)


def _list_names(tree: Tree, node: int) -> list[Rule]:
    """The link's own names, and "links under" its nearest named ancestors."""
    from posterity.model import Rule

    rules = [
        rule for rule in kind_names(tree, node) if rule.kind in ("class", "attr") or (rule.kind == "tag" and rule.under)
    ]
    ancestor = tree.parent[node]
    for _ in range(3):
        if ancestor <= 0:
            break
        anchors = [rule for rule in kind_names(tree, ancestor) if rule.kind in ("id", "class") and not rule.under]
        rules += [Rule("tag", "a", under=anchor) for anchor in anchors]
        ancestor = tree.parent[ancestor]
    return rules
