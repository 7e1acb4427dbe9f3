"""What readers see and a page without scripts hides: text in one large <noscript>, folded answers, unopened tabs.

Forum software draws its threads by script and repeats them in a <noscript>. Who reads the page as it came over the wire
is such a reader. Most pages have a picture or a notice there, and stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom.tree import Attributes, Tree

_CODE = frozenset({"script", "style", "template", "iframe", "object", "svg", "math"})
_MUCH = 500  # characters; "please switch JavaScript on" in every language is shorter
_TIMES = 2  # as much as all that is seen outside
# The roles that WAI-ARIA's patterns give to the panels of tabs and of accordions.
_PANELS = frozenset({"tabpanel", "region"})
_FOLDED = re.compile(r"accordion|collapsible|faq[_-]*answer|expander-content", re.IGNORECASE)
# React's server sends what was not ready yet in such an element, and a script puts it into its place.
_SENT_LATER = re.compile(r"^S:[0-9a-f]+$")


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


def unfolds(attrs: Attributes) -> bool:
    """Tell whether a hidden element is one that readers open, or that the page itself opens at once."""
    if attrs.get("role") in _PANELS or attrs.get("hidden") == "until-found":
        return True
    return bool(_SENT_LATER.match(attrs.get("id") or "") or _FOLDED.search(attrs.get("class") or ""))
