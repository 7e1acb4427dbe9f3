"""The rules that name a node: its id, else its classes, else its place.

AllRules of the BlogForever paper (section 1.3), with what trials on real blogs taught: a class is a set of
tokens, not a string; an id or token with a digit in it belongs to one post or one build of the theme; an element
without any name is found under its nearest named ancestor, which survives more than an absolute path.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.dom.document import SAYING_ATTRIBUTES
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
    return [*kind_names(tree, node), Rule("path", tree.path(node))]


def kind_names(tree: Tree, node: int) -> list[Rule]:
    """Return the names that a node can share with others of its kind: all but its path."""
    return _own_names(tree, node) or _names_under_ancestor(tree, node)


def _own_names(tree: Tree, node: int) -> list[Rule]:
    rules = []
    name = tree.attrs[node].get("id")
    if name and is_stable(name):
        rules.append(Rule("id", name))
    rules += [
        Rule("attr", f"{attribute}={token}", tree.tag[node])
        for attribute in sorted(SAYING_ATTRIBUTES & tree.attrs[node].keys())
        for token in (tree.attrs[node].get(attribute) or "").split()
        if is_stable(token)
    ]
    tokens = sorted({token for token in tree.classes(node) if is_stable(token)})
    tag = tree.tag[node]
    rules += [Rule("class", token, tag) for token in tokens]
    if len(tokens) > 1:
        rules.append(Rule("class", " ".join(tokens), tag))
    return rules


def places_of(tree: Tree, node: int) -> list[Rule]:
    """Return the rules that name a child of the tree's root by its place, from the beginning and from the end."""
    if tree.parent[node] != 0:
        return []
    twins = [child for child in tree.children(0) if tree.tag[child] == tree.tag[node]]
    place = twins.index(node)
    return [Rule("child", f"{tree.tag[node]}:{number}") for number in (place + 1, place - len(twins))]


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
