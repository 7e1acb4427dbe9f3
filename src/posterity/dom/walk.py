"""A walk over a subtree that says when elements open and close, leaving out what is skipped or unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.document import TEXT, UNSEEN_TAGS, is_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom.document import Tree

OPEN, CLOSE, CHARS = "open", "close", "chars"
FORM_TAGS = frozenset({"button", "form", "input", "textarea"})
_LEFT_OUT = UNSEEN_TAGS | FORM_TAGS


def walk(tree: Tree, node: int = 0, skip: frozenset[int] = frozenset()) -> Iterator[tuple[str, int]]:
    """Yield (event, node) in document order. The root is walked even if its own tag would be left out."""
    tags, ends, attrs = tree.tag, tree.end, tree.attrs
    open_nodes: list[int] = []
    index, stop = node, ends[node]
    while index < stop:
        while open_nodes and ends[open_nodes[-1]] <= index:
            yield CLOSE, open_nodes.pop()
        tag = tags[index]
        if tag == TEXT:
            yield CHARS, index
        elif index != node and (tag in _LEFT_OUT or index in skip or is_hidden(attrs[index])):
            index = ends[index]
            continue
        else:
            yield OPEN, index
            open_nodes.append(index)
        index += 1
    while open_nodes:
        yield CLOSE, open_nodes.pop()
