"""One element of a page as the parser has it: its tag and attributes, and what stands around it.

A tree costs more than all look-ups together. Who only asks where something is gets along without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborNode

    from posterity.dom.tree import Attributes


class Element:
    """An element that a look-up found. Two of them are equal when they are the same element of the same page."""

    __slots__ = ("_node", "attrs", "tag")

    def __init__(self, node: LexborNode) -> None:
        self._node = node
        self.tag: str = node.tag or ""
        self.attrs: Attributes = node.attributes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self._node.mem_id == other._node.mem_id

    def __hash__(self) -> int:
        return hash(self._node.mem_id)

    @property
    def tree(self) -> Tree:
        """The element with all below it."""
        return Tree(self._node)


def ancestors_of_all(elements: Iterable[Element]) -> list[Element]:
    """Return the elements that hold all of these, the innermost first; none of them is one of these."""
    nodes = [element._node for element in elements]  # noqa: SLF001
    if not nodes:
        return []
    path = list(_above(nodes[0]))
    places = {ancestor.mem_id: place for place, ancestor in enumerate(path)}
    innermost = 0
    for node in nodes[1:]:
        # What was climbed before is known: comments stand side by side.
        climbed: list[int] = []
        step: LexborNode | None = node
        while step is not None and step.mem_id not in places:
            climbed.append(step.mem_id)
            step = step.parent
        if step is None:
            return []
        place = places[step.mem_id]
        places |= dict.fromkeys(climbed, place)
        innermost = max(innermost, place + (path[place].mem_id == node.mem_id))
    return [Element(ancestor) for ancestor in path[innermost:]]


def _above(node: LexborNode) -> Iterator[LexborNode]:
    """The elements around a node, the innermost first."""
    parent = node.parent
    while parent is not None and parent.is_element_node:
        yield parent
        parent = parent.parent
