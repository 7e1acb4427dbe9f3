"""Zones of a page by their distance from title and article: bylines and dates stand near them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from posterity.dom import Tree
    from posterity.extraction.hybrid.page_facts import PageFacts


# Distances are counted in nodes of the tree, which grow with the text and the markup between two places.
_BEFORE_TITLE = 60
NEXT_TO_TITLE = 40
NEAR_TITLE = 140
_BEFORE_END, _BEHIND_END = 20, 60
_MAX_TEXT = 300  # characters: a short text with the white space of its source
_APART = frozenset({"others", "aside", "frame"})
_BY_TITLE = ("next to title", "before title", "near title")
_ELSEWHERE = ("end of article", "in article", "far before", "far behind")
# Best places first; "aside" are those inside a part of the page that is about something else.
_ZONES = (
    *_BY_TITLE,
    *(f"{zone} aside" for zone in _BY_TITLE),
    *_ELSEWHERE,
    *(f"{zone} aside" for zone in _ELSEWHERE),
    "comments",
    "unseen",
)
# What stands there is about something else, whatever it calls itself.
NOT_OF_ARTICLE = frozenset({"comments", "unseen", "far before aside", "far behind aside"})
_RANK = {zone: rank for rank, zone in enumerate(_ZONES)}


class TitleSurroundings(msgspec.Struct, frozen=True):
    """The node that shows the title, or -1, and the texts that readers see around it and around the article's end.

    Each with its node and on one line; of long ones the beginning.
    """

    title: int
    spans: tuple[range, range]
    near_title: tuple[tuple[int, str], ...]
    near_end: tuple[tuple[int, str], ...]


def zone_of(page: PageFacts, node: int, title: int) -> str:
    """Return the name of the place where a node stands; `title` is the node of the title, or -1."""
    if page.tree.unseen[node]:
        return "unseen"
    places = page.places.of(page.tree.parent[node])
    # Comments stand behind what they comment on: a section of opinions may be called "comments" too.
    if "comments" in places and node >= page.article.node:
        return "comments"
    zone = _distance(page, node, title)
    return f"{zone} aside" if places & _APART else zone


def _distance(page: PageFacts, node: int, title: int) -> str:
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        return "before title"
    if start <= node <= start + NEAR_TITLE:
        return "next to title" if node <= start + NEXT_TO_TITLE else "near title"
    article, end = page.article.node, page.tree.end[page.article.node]
    if end - _BEFORE_END < node < end + _BEHIND_END:
        return "end of article"
    if node < start:
        return "far before"
    return "in article" if article <= node < end else "far behind"


def surroundings(page: PageFacts, title: int) -> TitleSurroundings:
    """Return the texts around the title, or around the article's beginning where no node (-1) shows the title."""
    tree = page.tree
    start = title if title >= 0 else page.article.node
    end = tree.end[page.article.node]
    near_title = range(max(0, start - _BEFORE_TITLE), min(len(tree), start + NEAR_TITLE))
    near_end = range(max(near_title.stop, end - _BEFORE_END), min(len(tree), end + _BEHIND_END))
    return TitleSurroundings(
        title, (near_title, near_end), tuple(_texts(tree, near_title)), tuple(_texts(tree, near_end))
    )


def _texts(tree: Tree, nodes: range) -> Iterator[tuple[int, str]]:
    unseen = tree.unseen
    for node in nodes:
        text = tree.text[node]
        if text and not text.isspace() and not unseen[node] and (short := one_line(text[:_MAX_TEXT])):
            yield node, short


def features_in_zone(sources: Iterable[str], zone: str) -> tuple[str, ...]:
    """Return the features of a value that these sources show in a zone."""
    return tuple(f"{source}, {zone}" for source in sources)


def zone_in(feature: str) -> str:
    """Return the zone in a feature of `features_in_zone`."""
    return feature.rpartition(", ")[2]


def place_features(features: Iterable[str], sources: Sequence[str]) -> Iterator[str]:
    """Yield what is to be weighed of all places where a value is shown: sources, zones, and the best pair of both.

    All pairs would be too many to learn a weight for each. `sources` are in order, the most telling first.
    """
    shown = [tuple(feature.split(", ", 1)) for feature in features if ", " in feature]
    if not shown:
        return
    best, zone = min(shown, key=lambda pair: (_RANK[pair[1]], sources.index(pair[0])))
    yield f"{best}, {zone}"
    yield f"at {zone}"
    for source, place in shown:
        if place not in NOT_OF_ARTICLE:
            yield source
