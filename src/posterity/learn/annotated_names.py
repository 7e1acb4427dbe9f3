"""What elements of many posts have in common: the fewest attribute patterns that name them and little else.

An id or class word that differs in its number from post to post (post-17, post-18) becomes a pattern (post-[0-9]*).
Patterns are chosen one after the other, each time the one that names most of the elements not yet named and fewest
of others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from posterity.dom import Tree

_ATTRIBUTES = ("class", "id", "itemprop", "itemtype", "rel")
_PLAIN = re.compile(r"[\w:/.-]{1,80}")
_NUMBER = re.compile(r"\d+.*$")
_MAX_PATTERNS = 24


class Place(NamedTuple):
    """An element of a page."""

    tree: Tree
    node: int


class Names(NamedTuple):
    """The tags of some elements, and the attributes and patterns that name them; without patterns, tags alone do."""

    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    patterns: tuple[str, ...]


def patterns_of(place: Place) -> list[tuple[str, str]]:
    """Return (attribute, pattern) for every name an element has."""
    found = []
    for attribute in _ATTRIBUTES:
        for word in (place.tree.attrs[place.node].get(attribute) or "").split():
            pattern = _NUMBER.sub("[0-9]*", word)
            if _PLAIN.fullmatch(word) and pattern != "[0-9]*":
                found.append((attribute, pattern))
    return list(dict.fromkeys(found))


def common_names(places: Sequence[Place], trees: Iterable[Tree]) -> Names:
    """Return names that cover as many of the elements as patterns can."""
    tags = tuple(dict.fromkeys(place.tree.tag[place.node] for place in places))
    # Lists, not sets: of names that fit equally well, the one that is written first wins, in every run.
    left = {(id(place.tree), place.node): patterns_of(place) for place in places}
    strangers = _strangers(set(left), tags, trees)
    chosen: list[tuple[str, str]] = []
    while left and len(chosen) < _MAX_PATTERNS:
        votes: dict[tuple[str, str], int] = {}
        for names in left.values():
            for name in names:
                votes[name] = votes.get(name, 0) + 1
        best = max(votes, key=lambda name: votes[name] - strangers.get(name, 0), default=None)
        if best is None:
            break
        chosen.append(best)
        left = {key: names for key, names in left.items() if best not in names}
    attributes = tuple(dict.fromkeys(attribute for attribute, _ in chosen))
    return Names(tags, attributes, tuple(dict.fromkeys(pattern for _, pattern in chosen)))


def _strangers(known: set[tuple[int, int]], tags: tuple[str, ...], trees: Iterable[Tree]) -> dict[tuple[str, str], int]:
    """How many other elements with these tags each pattern names."""
    counts: dict[tuple[str, str], int] = {}
    for tree in trees:
        for node, tag in enumerate(tree.tag):
            if tag in tags and tree.attrs[node] and (id(tree), node) not in known:
                for name in patterns_of(Place(tree, node)):
                    counts[name] = counts.get(name, 0) + 1
    return counts
