"""Rules on a tree: which nodes a rule names, found through the tree's own indexes.

`Document.first` asks the parser, which is quicker for a few rules on a page. Learning asks thousands of times
on one page; here an answer costs a look into a dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom.document import Tree
    from posterity.model import Rule


def matches(tree: Tree, rule: Rule) -> list[int]:
    """Return the nodes that the rule names, in document order."""
    found = _own_matches(tree, rule)
    if rule.under is None or not found:
        return found
    spans = [(node, tree.end[node]) for node in matches(tree, rule.under)]
    return [node for node in found if any(start < node < end for start, end in spans)]


def first_match(tree: Tree, rule: Rule) -> int | None:
    """Return the first node that the rule names, or None."""
    return next(iter(matches(tree, rule)), None)


def _own_matches(tree: Tree, rule: Rule) -> list[int]:
    if rule.kind == "path":
        node = _at_path(tree, rule.value)
        return [] if node is None else [node]
    if rule.kind == "tag":
        return tree.nodes_by_tag.get(rule.value, [])
    if rule.kind == "id":
        named = tree.nodes_by_id.get(rule.value, [])
    else:
        first, *rest = rule.value.split()
        named = tree.nodes_by_class.get(first, [])
        named = [node for node in named if set(rest) <= set(tree.classes(node))] if rest else named
    return named if rule.tag == "*" else [node for node in named if tree.tag[node] == rule.tag]


def _at_path(tree: Tree, path: str) -> int | None:
    steps = path.split("/")
    if not len(tree) or tree.tag[0] != steps[0]:
        return None
    node = 0
    for step in steps[1:]:
        tag, _, number = step.partition("[")
        wanted = int(number[:-1]) if number else 1
        twins = [child for child in tree.children(node) if tree.tag[child] == tag]
        if len(twins) < wanted:
            return None
        node = twins[wanted - 1]
    return node
