"""Articles without an element of their own: consecutive children of an element that contains more.

The default templates of early blog software, and most hand-made pages, put everything into one element: links to the
previous and the next post, the day, the title, the paragraphs, "Posted by", the comments. With the whole text of the
feed, the children that belong to the article are known on the training pages. Two OUT rules are learned from them: all
children up to one that precedes the article (`until`), and all from one that follows it (`from`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from posterity.dom import Tree
from posterity.dom.elements import HEADINGS
from posterity.dom.tree import child_selectors
from posterity.learning.rule_selection import is_stable
from posterity.model import FieldRule, Rule
from posterity.text.normal_form import letters_and_digits

# Characters that runs of the article may be apart in the feed's text; a title that the text repeats is farther away.
_APART = 16
_TOO_SHORT = 2  # characters; shorter runs are in any text
_MAX_CHILDREN = 2_000
_MAX_CONTAINERS = 4
_MAX_ROUNDS = 10  # three are enough on most pages
# At the end of an article only what is named can be trusted: feeds may stop at the first heading.
_TAGS = HEADINGS | {"address", "aside", "footer", "form", "header", "hr", "nav"}
# Below "read more" is the rest of the article, which some feeds lack.
_REST = re.compile(r"more|extended|continue|rest", re.IGNORECASE)
# The mean F1 of characters that the rules must reach, and by how much they must be better than an element alone.
MIN_SPAN_F1, MIN_GAIN = 0.85, 0.05
_NEEDED_GAIN = 0.01  # of one boundary
_MIN_SHARE = 0.6  # of the pages; what fewer have is a part of some articles, such as a slideshow that the feed lacks
_MAX_INSIDE = 0.05  # share of pages on which a boundary may be found inside the article


class Child(NamedTuple):
    """A child of a container: the selectors that fit it, its characters, and how many of them the feed's text has."""

    selectors: tuple[str, ...]
    chars: int
    native: int


class Children(NamedTuple):
    """The children of a container that have text, the article's range among them, and the length of the feed's text."""

    children: tuple[Child, ...]
    first: int
    stop: int
    wanted: int

    def f1(self, first: int, stop: int) -> float:
        """Return the F1 of the characters of a range of children against the feed's text."""
        part = self.children[first:stop]
        return 2 * sum(child.native for child in part) / (sum(child.chars for child in part) + self.wanted)

    @property
    def score(self) -> float:
        """The F1 of the article's range."""
        return self.f1(self.first, self.stop)


def article_spans(tree: Tree, near: Mapping[int, float], target: str) -> dict[int, Children]:
    """Return the elements near the feed's text, and those around them, with the range of children that is the text."""
    wanted = letters_and_digits(target)
    if not wanted:
        return {}
    best = sorted(near, key=lambda node: near[node], reverse=True)[:_MAX_CONTAINERS]
    around = dict.fromkeys(place for node in best for place in (node, tree.parent[node]))
    found = {node: _children(tree, node, wanted) for node in around if node > 0 and tree.tag[node] not in ("html", "p")}
    return {node: children for node, children in found.items() if children is not None}


def _children(tree: Tree, container: int, wanted: str) -> Children | None:
    children: list[Child] = []
    places: list[tuple[int, int]] = []  # in the feed's text: where the child's first run begins and its last one ends
    reached = 0
    for node in tree.children(container):
        inside = tree.runs[bisect_left(tree.runs, node) : bisect_left(tree.runs, tree.end[node])]
        keys = [key for run in inside if len(key := letters_and_digits(tree.text[run])) > _TOO_SHORT]
        if not keys and tree.tag[node] != "hr":
            continue
        if len(children) == _MAX_CHILDREN:
            return None
        native, start = 0, -1
        for key in keys:
            place = wanted.find(key, reached)
            place = wanted.find(key) if place < 0 else place
            if place >= 0:
                native, reached = native + len(key), place + len(key)
                start = place if start < 0 else start
        children.append(Child(_lasting(tree, node), sum(map(len, keys)), native))
        places.append((reached if start < 0 else start, reached))
    if len(children) < 2:
        return None
    first, stop = _best_range(children, len(wanted))
    while first + 1 < stop and not 0 <= places[first + 1][0] - places[first][1] <= _APART:
        first += 1
    while first + 1 < stop and not 0 <= places[stop - 1][0] - places[stop - 2][1] <= _APART:
        stop -= 1
    return Children(tuple(children), first, stop, len(wanted)) if first < stop else None


def _lasting(tree: Tree, node: int) -> tuple[str, ...]:
    """The selectors of a child that can fit another one on another page; a bare <p> or <div> has none."""
    tag, *names = child_selectors(tree, node)
    lasting = (name for name in names if is_stable(name))
    return (tag, *lasting) if tag in _TAGS else tuple(lasting)


def _best_range(children: Sequence[Child], wanted: int) -> tuple[int, int]:
    """Return the range with the highest F1, by Dinkelbach's method: each round is one pass over the children."""
    best, ratio = (0, 0), 0.0
    for _ in range(_MAX_ROUNDS):
        first, stop = _heaviest_range([child.native - ratio * child.chars for child in children])
        part = children[first:stop]
        reached = sum(child.native for child in part) / (sum(child.chars for child in part) + wanted)
        if reached <= ratio:
            break
        best, ratio = (first, stop), reached
    return best


def _heaviest_range(weights: Sequence[float]) -> tuple[int, int]:
    best, best_sum, first, so_far = (0, 0), 0.0, 0, 0.0
    for index, weight in enumerate(weights):
        if so_far <= 0:
            first, so_far = index, 0.0
        so_far += weight
        if so_far > best_sum:
            best, best_sum = (first, index + 1), so_far
    return best


def boundary_rules(pages: Sequence[Children]) -> tuple[tuple[FieldRule, ...], float]:
    """Return the OUT rules for what precedes and follows the article, and the mean F1 of characters that they reach."""
    starts = {name for page in pages for child in page.children[: page.first] for name in child.selectors}
    ends = {name for page in pages for child in page.children[page.stop :] for name in child.selectors}
    ends = {name for name in ends if name not in HEADINGS and not _REST.search(name)}
    start = _best_boundary(pages, starts, lambda page, name: (_after(page, name), page.stop))
    end = _best_boundary(pages, ends, lambda page, name: (_after(page, start), _before(page, name)))
    rules = tuple(_boundary_rule(rule, pages) for rule in (Rule("until", start), Rule("from", end)) if rule.value)
    return rules, fmean(page.f1(_after(page, start), _before(page, end)) for page in pages)


def _boundary_rule(rule: Rule, pages: Sequence[Children]) -> FieldRule:
    on = sum(_index(page, rule.value) is not None for page in pages)
    confidence = round(1 - _times_inside(pages, rule.value) / on, 4)
    return FieldRule(rule=rule, confidence=confidence, pages=on, of_pages=len(pages), per_page=0)


def _best_boundary(
    pages: Sequence[Children], names: Iterable[str], part: Callable[[Children, str], tuple[int, int]]
) -> str:
    """Return the selector with which the parts of the pages are most like the article; empty if none is needed."""
    best, best_score = "", fmean(page.f1(*part(page, "")) for page in pages) + _NEEDED_GAIN
    for name in sorted(names):
        if sum(_index(page, name) is not None for page in pages) < _MIN_SHARE * len(pages):
            continue
        score = fmean(page.f1(*part(page, name)) for page in pages)
        if score > best_score and _times_inside(pages, name) <= _MAX_INSIDE * len(pages):
            best, best_score = name, score
    return best


def _times_inside(pages: Sequence[Children], name: str) -> int:
    return sum(page.first <= index < page.stop for page in pages if (index := _index(page, name)) is not None)


def _index(page: Children, name: str) -> int | None:
    return next((index for index, child in enumerate(page.children) if name in child.selectors), None)


def _after(page: Children, name: str) -> int:
    index = _index(page, name) if name else None
    return 0 if index is None else index + 1


def _before(page: Children, name: str) -> int:
    index = _index(page, name) if name else None
    return len(page.children) if index is None else index
