"""Names of elements that mean an author, a date, a headline, or a part of the page that is not the article's own.

Authors of templates name things for themselves, in their own spelling and mostly in English. Every name here is a
group of such spellings; how reliable each is was learned (`learned_weights`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from posterity.dom import Tree
from posterity.dom.tree import Attributes
from posterity.lexicon import part_names, part_patterns
from posterity.text.words import any_part

# The attributes whose values are names that a template's author chose.
NAMING_ATTRIBUTES = frozenset({"class", "id", "itemprop", "rel", "property"})
AUTHOR_PATTERNS = part_patterns("author")
DATE_PATTERNS = part_patterns("date")
TITLE_PATTERNS = part_patterns("title")
PLACES = part_patterns("place")
_PLACE_OF_TAG = {"aside": "aside", "nav": "frame", "footer": "frame", "header": "header", "address": "header"}

_AUTHORS = {name: re.compile(pattern) for name, pattern in AUTHOR_PATTERNS.items()}
_DATES = {name: re.compile(pattern) for name, pattern in DATE_PATTERNS.items()}
# Each of the patterns above needs one of these, and most names on a page have none.
_MAYBE_NAME = any_part(part_names("hint.author_or_date"))
_TITLES = {name: re.compile(pattern) for name, pattern in TITLE_PATTERNS.items()}
_PLACES = {name: re.compile(pattern) for name, pattern in PLACES.items()}
# The same of the places.
_MAYBE_PLACE = any_part(part_names("hint.place"))


class NamePatterns(NamedTuple):
    """The patterns of authors and of dates that names match, the most reliable first."""

    author: tuple[str, ...] = ()
    date: tuple[str, ...] = ()

    def __or__(self, other: NamePatterns) -> NamePatterns:
        """All patterns of both."""
        return NamePatterns(
            _in_order(_AUTHORS, {*self.author, *other.author}), _in_order(_DATES, {*self.date, *other.date})
        )


def names_of(attrs: Attributes) -> str:
    """Return all names that the element was given, as one text in lower case."""
    return " ".join(value for name, value in attrs.items() if value and name in NAMING_ATTRIBUTES).lower()


# The same few thousand values and tokens make up the names on most pages, so each is looked at once.
@lru_cache(maxsize=32768)
def name_patterns_in(names: str) -> NamePatterns | None:
    """Return which names of authors and dates are among these names, None when there are none of both."""
    names = names.lower()
    if not _MAYBE_NAME.search(names):
        return None
    patterns = NamePatterns()
    for token in names.split():
        found = _patterns_of_token(token)
        if found is not None:
            patterns |= found
    return patterns if patterns.author or patterns.date else None


@lru_cache(maxsize=32768)
def title_patterns(names: str) -> tuple[str, ...]:
    """Return which headline names are among these names."""
    return tuple(name for name, pattern in _TITLES.items() if pattern.search(names))


@lru_cache(maxsize=32768)
def place_names(names: str) -> frozenset[str]:
    """Return which parts of a page these names stand for."""
    return frozenset(place for token in names.lower().split() for place in _place_names(token))


@lru_cache(maxsize=32768)
def _patterns_of_token(token: str) -> NamePatterns | None:
    authors = tuple(name for name, pattern in _AUTHORS.items() if pattern.search(token))
    dates = tuple(name for name, pattern in _DATES.items() if pattern.search(token))
    return NamePatterns(authors, dates) if authors or dates else None


@lru_cache(maxsize=32768)
def _place_names(token: str) -> tuple[str, ...]:
    if not _MAYBE_PLACE.search(token):
        return ()
    return tuple(place for place, pattern in _PLACES.items() if pattern.search(token))


def _in_order(patterns: Iterable[str], found: set[str]) -> tuple[str, ...]:
    return tuple([name for name in patterns if name in found]) if found else ()


class Places:
    """For any node of a tree, the parts of the page that it stands in. Worked out once for each ancestor."""

    __slots__ = ("_known", "_tree")

    def __init__(self, tree: Tree, article: int) -> None:
        self._tree = tree
        self._known: dict[int, frozenset[str]] = {-1: frozenset()}
        # What the article stands in is about the article, whatever it is called: <div class="post comments-open">.
        while article >= 0:
            self._known[article] = frozenset()
            article = tree.parent[article]

    def of(self, node: int) -> frozenset[str]:
        """The parts that the node's ancestors and its own names stand for."""
        path = []
        while node not in self._known:
            path.append(node)
            node = self._tree.parent[node]
        places = self._known[node]
        for inner in reversed(path):
            own = self._own(inner)
            places = self._known[inner] = places | own if own else places
        return places

    def _own(self, node: int) -> frozenset[str]:
        tag, attrs = self._tree.tag[node], self._tree.attrs[node]
        own: frozenset[str] = frozenset({_PLACE_OF_TAG[tag]}) if tag in _PLACE_OF_TAG else frozenset()
        if attrs:
            for name, value in attrs.items():
                if value and name in NAMING_ATTRIBUTES:
                    own |= place_names(value)
        return own
