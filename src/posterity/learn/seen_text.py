"""What a reader sees of a page, text run by text run, in the form in which texts are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from posterity.text.normal_form import forms_of

if TYPE_CHECKING:
    from posterity.dom import Tree


class SeenText(NamedTuple):
    """The text nodes that a reader sees, in document order, and the comparable form of each."""

    nodes: list[int]
    texts: list[str]


def seen_text(tree: Tree) -> SeenText:
    """Return what a reader sees of the page."""
    return SeenText(tree.runs, forms_of([tree.text[node] for node in tree.runs]))
