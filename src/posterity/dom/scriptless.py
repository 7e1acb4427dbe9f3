"""Pages that keep their whole text for readers without scripts: what stands in <noscript> is then the page.

Forum software draws its threads by script and repeats them in one large <noscript>. Who reads the page as it came over
the wire is such a reader. Most pages have a picture or a notice there, and stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom.document import Tree

_CODE = frozenset({"script", "style", "template", "iframe", "object", "svg", "math"})
_MUCH = 500  # characters; "please switch JavaScript on" in every language is shorter
_TIMES = 2  # as much as all that is seen outside


def noscript_as_page(tree: Tree) -> None:
    """Turn the <noscript> elements of a page into ordinary ones where they hold most of its text."""
    tags, ends = tree.tag, tree.end
    if "noscript" not in tags:
        return
    inside = sum(_length(tree, node) for node, tag in enumerate(tags) if tag == "noscript")
    if inside <= _MUCH:
        return
    everything = _length(tree, 0)
    code = sum(_length(tree, node) for node, tag in enumerate(tags) if tag in _CODE and ends[node] > node + 1)
    if inside > _TIMES * (everything - code - inside):
        tags[:] = ["div" if tag == "noscript" else tag for tag in tags]


def _length(tree: Tree, node: int) -> int:
    return sum(len(text.strip()) for text in tree.text[node : tree.end[node]])
