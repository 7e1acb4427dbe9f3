"""Comments that no name gives away: what repeats in a place for comments, each with a name, a date and words.

Widgets and blogs drawn by scripts call a comment whatever they like ("c", "post", "wl-card-item"). But they put them
into a place that says what it is for, one element of the same kind for each, and each tells who wrote it and when.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from posterity.dom.tree import TEXT
from posterity.extract.comment_parts import CommentParts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Tree

_NEVER = frozenset({"a", "span", "form", "button", "p", "h1", "h2", "h3", "h4", "time", "img", "input", "label", "svg"})
_MIN_SHARE = 0.8  # deleted comments have lost their author or their words
_MAX_GROUPS = 40


def listed_comments(tree: Tree, places: Iterable[int]) -> list[int]:
    """Return the elements of the comments in the places that are named as theirs, in order; none if nothing fits."""
    found: list[int] = []
    passed = 0
    for place in places:
        if place >= passed:
            passed = tree.end[place]
            found += _best_group(tree, place)
    return found


def _best_group(tree: Tree, place: int) -> list[int]:
    """The largest group of elements of one kind of which nearly all are whole comments; of equals the outermost."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node in range(place + 1, tree.end[place]):
        tag = tree.tag[node]
        if tag != TEXT and tag not in _NEVER:
            for name in (tree.attrs[node].get("class") or "").split() or [""]:
                groups[tag, name].append(node)
    best: list[int] = []
    for group in sorted(groups.values(), key=len, reverse=True)[:_MAX_GROUPS]:
        if len(group) > len(best) and _are_comments(tree, group):
            best = group
    return best


def _are_comments(tree: Tree, group: list[int]) -> bool:
    whole = 0
    for place, node in enumerate(group):
        nested = frozenset(takewhile(tree.end[node].__gt__, islice(group, place + 1, None)))
        parts = CommentParts(tree, node, nested)
        author = parts.author()
        date = parts.date() or parts.date_beside(author)
        whole += bool((author or date) and parts.texts(author, date))
        if place + 1 - whole > len(group) * (1 - _MIN_SHARE):
            return False
    return True
