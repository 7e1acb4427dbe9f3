"""The rules that name a node: its id, else its classes, else its place.

AllRules of the BlogForever paper (section 1.3), with what trials on real blogs taught: a class is a set of
tokens, not a string; an id or token with a digit in it belongs to one post or one build of the theme; an element
without any name is found under its nearest named ancestor, which survives more than an absolute path.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.model import Rule

if TYPE_CHECKING:
    from posterity.dom import Tree

_DIGIT = re.compile(r"\d")
_MAX_CLIMB = 6


def is_stable(name: str) -> bool:
    """Tell whether an id or class token can stand on more than one page: no digits, not a sentence."""
    return bool(name) and not _DIGIT.search(name) and len(name) <= 60


def names_of(tree: Tree, node: int) -> list[Rule]:
    """Return the rules that could name the node, most lasting first. Whether they find it first is for the vote."""
    rules = _own_names(tree, node)
    if not rules:
        rules = _names_under_ancestor(tree, node)
    return [*rules, Rule("path", tree.path(node))]


def _own_names(tree: Tree, node: int) -> list[Rule]:
    rules = []
    name = tree.attrs[node].get("id")
    if name and is_stable(name):
        rules.append(Rule("id", name))
    tokens = sorted({token for token in tree.classes(node) if is_stable(token)})
    tag = tree.tag[node]
    rules += [Rule("class", token, tag) for token in tokens]
    if len(tokens) > 1:
        rules.append(Rule("class", " ".join(tokens), tag))
    return rules


def _names_under_ancestor(tree: Tree, node: int) -> list[Rule]:
    """A bare <h1> is "the h1", and "the h1 in .entry-header"."""
    rules = [Rule("tag", tree.tag[node])]
    ancestor = tree.parent[node]
    for _ in range(_MAX_CLIMB):
        if ancestor < 0:
            break
        names = _own_names(tree, ancestor)
        if names:
            return [Rule("tag", tree.tag[node], under=anchor) for anchor in names] + rules
        ancestor = tree.parent[ancestor]
    return rules
