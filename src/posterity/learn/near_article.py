"""How near a node stands to the article: authors and dates of a post are its neighbours.

The tree distance of section 1.5 of the BlogForever paper, for all nodes in one pass.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom import Tree

_FAR = 24
_NEAR = [1.0 - edges / (2 * _FAR) for edges in range(_FAR + 1)]
_ELSEWHERE = 0.6
_OTHERS = re.compile(
    r"(?:^|[-_ ])(?:comments?|commentlist|respond|replies|sidebar|widgets?|related|recent|archives?|calendar|blogroll|"
    r"prev|next)(?:$|[-_ ])",
    re.IGNORECASE,
)


def closeness(tree: Tree, article: int) -> list[float]:
    """Return for every node 1.0 at the article down to 0.5 far away, by the number of edges between them.

    Parts whose names say that they are about other posts or other people count as farther still.
    """
    size = len(tree)
    distance = [_FAR] * size
    node, steps = article, 0
    while node >= 0:  # the ancestors, from which all other nodes are reached
        distance[node] = min(steps, _FAR)
        node, steps = tree.parent[node], steps + 1
    for node, parent in enumerate(tree.parent):
        if node and distance[parent] < distance[node] - 1:
            distance[node] = distance[parent] + 1
    near = [_NEAR[edges] for edges in distance]
    node = 1
    while node < size:
        if _is_about_others(tree, node):
            near[node : tree.end[node]] = [weight * _ELSEWHERE for weight in near[node : tree.end[node]]]
            node = tree.end[node]
        else:
            node += 1
    return near


def _is_about_others(tree: Tree, node: int) -> bool:
    attrs = tree.attrs[node]
    if not attrs or tree.tag[node] in ("html", "body", "article", "main"):
        return tree.tag[node] in ("aside", "form")
    name, classes = attrs.get("id"), attrs.get("class")
    return (name is not None or classes is not None) and _names_others(name or "", classes or "")


@lru_cache(maxsize=4096)  # the elements of a page have some tens of different names, the same on the next page
def _names_others(name: str, classes: str) -> bool:
    return _OTHERS.search(f"{name} {classes}") is not None
