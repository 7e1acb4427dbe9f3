"""An article given as the text nodes that stay: the smallest subtree around them, without what was lost on the way.

Some methods (bte, wc-multi) do not choose one element. They keep a set of text nodes, perhaps shortened. This
module turns such a set into the fields of a post. Documents are never written to: the article is read from a
shallow copy of the tree whose list of texts is another one.

The document that both methods come from (002) speaks of text only. Pictures and rules follow the text they stand
with: an element goes when it had text and lost all of it, an element that never had any stays.
"""

from __future__ import annotations

from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from posterity.dom.tree import TEXT
from posterity.extract.assemble import article_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posterity.dom import Tree


def visible_texts(tree: Tree, node: int = 0) -> list[int]:
    """Return the text nodes below a node that a reader sees and that hold more than white space."""
    tags, texts, unseen = tree.tag, tree.text, tree.unseen
    return [
        i
        for i in range(node, tree.end[node])
        if tags[i] == TEXT and not unseen[i] and not texts[i].isspace() and texts[i]
    ]


def fields_of_kept(tree: Tree, base_url: str, kept: Mapping[int, str]) -> dict[str, Any]:
    """Return the article's fields from the text nodes that stay and their texts; no text gives no fields."""
    if not kept:
        return {}
    node = common_ancestor(tree, min(kept), max(kept))
    texts = tree.text.copy()
    for lost in range(node, tree.end[node]):
        if tree.tag[lost] == TEXT:
            texts[lost] = kept.get(lost, " ")  # a space, so that the words around it do not grow together
    reading = with_forms_open(tree)
    reading.text = texts
    return article_fields(reading, base_url, node, emptied(tree, node, kept))


def fields_of_node(tree: Tree, base_url: str, node: int) -> dict[str, Any]:
    """Return the article's fields from one subtree, taken whole."""
    return article_fields(with_forms_open(tree), base_url, node)


def common_ancestor(tree: Tree, first: int, last: int) -> int:
    """Return the smallest element around two nodes, `first` not after `last` in the document."""
    node = tree.parent[first]
    while tree.end[node] <= last:
        node = tree.parent[node]
    return node


def emptied(tree: Tree, node: int, kept: Mapping[int, str]) -> frozenset[int]:
    """Return the outermost elements below a node that had visible text and kept none of it."""
    had = [0] * len(tree)
    for index in visible_texts(tree, node):
        had[index] = 1
    had_before = list(accumulate(had, initial=0))
    kept_before = list(accumulate((index in kept for index in range(len(tree))), initial=0))
    lost: list[int] = []
    index, stop, ends = node + 1, tree.end[node], tree.end
    while index < stop:
        end = ends[index]
        if kept_before[end] == kept_before[index] and had_before[end] > had_before[index]:
            lost.append(index)
            index = end
        else:
            index += 1
    return frozenset(lost)


def with_forms_open(tree: Tree) -> Tree:
    """Return a shallow copy in which a form is an ordinary block.

    Some platforms put the whole page into one <form>; read as a form, it would be left out, the article with it.
    """
    reading = copy(tree)
    if "form" in tree.tag:
        reading.tag = ["div" if tag == "form" else tag for tag in tree.tag]
    return reading
