"""Rules on a tree: which nodes a rule names, found through the tree's own indexes.

`Document.first` asks the parser, which is quicker for a few rules on a page. Learning asks thousands of times
on one page; here a match costs a look into a dictionary.
"""

from __future__ import annotations

from posterity.dom.tree import TEXT, Tree
from posterity.model import Rule
from posterity.model.rules import step_parts


def matches(tree: Tree, rule: Rule) -> list[int]:
    """Return the nodes that the rule names, in document order. A `child` rule without `under` is about the root."""
    if rule.kind == "child":
        parents = matches(tree, rule.under) if rule.under else [0]
        found = (_counted_child(tree, parent, rule.value) for parent in parents)
        return [node for node in found if node is not None]
    found_nodes = _own_matches(tree, rule)
    if rule.under is None or not found_nodes:
        return found_nodes
    return _below(tree, found_nodes, matches(tree, rule.under))


def first_match(tree: Tree, rule: Rule) -> int | None:
    """Return the first node that the rule names, or None."""
    return next(iter(matches(tree, rule)), None)


def node_path(tree: Tree, node: int) -> str:
    """Return the path of an element of a page, of a text the path of its element: `/html/body/div[2]/article`."""
    return "/" + tree.path(tree.parent[node] if tree.tag[node] == TEXT else node)


def node_at(tree: Tree, path: str) -> int | None:
    """Return the element with this path, as `node_path` and `Document.path_of` write it, or None."""
    return _at_path(tree, path.removeprefix("/"))


def _below(tree: Tree, nodes: list[int], ancestors: list[int]) -> list[int]:
    """The nodes that are below one of the ancestors; both are in document order."""
    found, passed, reach = [], 0, 0
    for node in nodes:
        while passed < len(ancestors) and ancestors[passed] < node:
            reach = max(reach, tree.end[ancestors[passed]])
            passed += 1
        if node < reach:
            found.append(node)
    return found


def _own_matches(tree: Tree, rule: Rule) -> list[int]:
    match rule.kind:
        case "path":
            node = _at_path(tree, rule.value)
            return [] if node is None else [node]
        case "tag":
            return tree.nodes_by_tag.get(rule.value, [])
        case "id":
            named = tree.nodes_by_id.get(rule.value, [])
        case "attr":
            named = tree.nodes_by_saying.get(rule.value, [])
        case _:
            tokens = rule.value.split()
            named = min((tree.nodes_by_class.get(token, []) for token in tokens), key=len)
            if len(tokens) > 1:
                named = [node for node in named if set(tokens).issubset(tree.classes(node))]
    return named if rule.tag == "*" else [node for node in named if tree.tag[node] == rule.tag]


def _counted_child(tree: Tree, parent: int, value: str) -> int | None:
    tag, _, number = value.rpartition(":")
    same = [child for child in tree.children(parent) if tree.source_tag(child) == tag]
    place = int(number) - 1 if int(number) > 0 else int(number)
    return same[place] if -len(same) <= place < len(same) else None


def _at_path(tree: Tree, path: str) -> int | None:
    steps = path.split("/")
    if not len(tree) or tree.tag[0] != steps[0]:
        return None
    node = 0
    for step in steps[1:]:
        tag, number = step_parts(step)
        child = _counted_child(tree, node, f"{tag}:{number}") if number.isdecimal() else None
        if child is None:
            return None
        node = child
    return node
