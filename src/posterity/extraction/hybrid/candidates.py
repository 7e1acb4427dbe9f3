"""Candidates for the value of a field, and the choice: each feature has a learned weight for or against a value.

Candidates with the same value are scored together, with the features of all of them, so sources that agree add up.
The weights are those of a conditional logit model (McFadden 1974): a value's probability is its share of the
exponentiated sums, among all values of the page and "none of them". The confidence is that share after Platt's
correction (1999), also learned, because correlated features make the shares too high.

Zones of the page, by distance from title and article, are features as well: bylines and dates are near them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from posterity.dom import Tree
from posterity.dom.tree import node_path
from posterity.extraction.hybrid.page_facts import PageFacts
from posterity.lexicon import declarations
from posterity.model import OddsChange, Provenance, TracedProvenance
from posterity.text.normal_form import one_line

# The feature of the value "none of them".
NONE = "none"
# The parameters of Platt's correction, stored among the weights.
SLOPE, OFFSET = "confidence: slope", "confidence: offset"
_MAX_SOURCES = 4
_MAX_TRACE = 6  # features of one value
_SMALLEST = 1e-6


class FieldCandidate(msgspec.Struct, frozen=True):
    """A value from one source, a key that is equal for equal values, its features, and its node (-1: none)."""

    value: Any
    key: str
    features: tuple[str, ...]
    node: int = -1


class ScoredValue(msgspec.Struct, frozen=True):
    """The candidates with the same value, in the order in which they were found, and all their features."""

    key: str
    candidates: tuple[FieldCandidate, ...]
    features: frozenset[str]


class Choice(msgspec.Struct, frozen=True):
    """The most likely value, its confidence, and the features of the next best value."""

    value: ScoredValue
    confidence: float
    second: frozenset[str] = frozenset()


def scored_values(candidates: Iterable[FieldCandidate]) -> list[ScoredValue]:
    """Group candidates by value, in the order of their first candidates."""
    groups: dict[str, list[FieldCandidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.key, []).append(candidate)
    return [
        ScoredValue(key, tuple(group), frozenset(feature for candidate in group for feature in candidate.features))
        for key, group in groups.items()
    ]


def best_value(values: Iterable[ScoredValue], weights: Mapping[str, float], none_margin: float = 0.0) -> Choice | None:
    """Return the most likely value, or None if "none of them" is more likely; of equals the first.

    With `none_margin`, a value may be less likely than "none" by up to that much, in logits.
    """
    none = weights.get(NONE, 0.0)
    weight_of = weights.get
    # `fsum`, because other sums of floats depend on their order and sets have none.
    scored = [(math.fsum([weight_of(feature, 0.0) for feature in value.features]), value) for value in values]
    if not scored:
        return None
    score, value = max(scored, key=lambda pair: pair[0])
    if score <= none - none_margin:
        return None
    total = math.exp(none - score) + sum(math.exp(other - score) for other, _ in scored)
    others = [(other, rival.features) for other, rival in scored if rival is not value]
    second = max([(none, frozenset({NONE})), *others], key=lambda pair: pair[0])[1]
    return Choice(value, round(_correct_share(1 / total, weights), 4), second)


def _correct_share(share: float, weights: Mapping[str, float]) -> float:
    share = min(max(share, _SMALLEST), 1 - _SMALLEST)
    logit = weights.get(SLOPE, 1.0) * math.log(share / (1 - share)) + weights.get(OFFSET, 0.0)
    return 1 / (1 + math.exp(-logit))


def provenance_of(
    choice: Choice, page: PageFacts, node: int = -1, explain: Mapping[str, float] | None = None
) -> Provenance:
    """Return the provenance of a chosen value: the sources that agree on it, and the node that shows it.

    `node` defaults to the first node of a candidate. With the weights in `explain`, the deciding features are included.
    """
    candidates = choice.value.candidates
    sources = dict.fromkeys(candidate.features[0] for candidate in candidates)
    rule = "; ".join(list(sources)[:_MAX_SOURCES])
    if node < 0:
        node = next((candidate.node for candidate in candidates if candidate.node >= 0), -1)
    path = node_path(page.tree, node) if node >= 0 else None
    if explain is None:
        return Provenance(method="page", rule=rule, node=path, confidence=choice.confidence)
    trace = deciding_features(choice, explain)
    return TracedProvenance(method="page", rule=rule, node=path, confidence=choice.confidence, trace=trace)


def deciding_features(choice: Choice, weights: Mapping[str, float]) -> tuple[OddsChange, ...]:
    """Return the features in which the chosen value and the next best differ, by decreasing effect."""
    own, other = choice.value.features, choice.second
    changes = {feature: weights.get(feature, 0.0) for feature in own - other}
    changes |= {f"next best: {feature}": -weights.get(feature, 0.0) for feature in other - own}
    weighty = sorted((pair for pair in changes.items() if pair[1]), key=lambda pair: (-abs(pair[1]), pair[0]))
    return tuple(OddsChange(name, round(math.exp(weight), 4)) for name, weight in weighty[:_MAX_TRACE])


ARTICLE_TYPES = frozenset(declarations("type.article"))
FORUM_TYPES = frozenset(declarations("type.forum"))


def kind_features(page: PageFacts) -> Iterator[str]:
    """Yield features of the kind of page, by its declared types and its URL."""
    if page.data.first("og:type") == "article" or any("published_time" in name for name in page.data.metas):
        yield "article page"
    types = page.data.types
    if types & ARTICLE_TYPES:
        yield "page of an article"
    if types & FORUM_TYPES:
        yield "page of a forum"
    if "Product" in types or "product" in page.data.first("og:type"):
        yield "page of a product"
    if page.is_front:
        yield "front page"


# Distances are counted in nodes of the tree, which grow with the text and the markup between two places.
_BEFORE_TITLE = 60
NEXT_TO_TITLE = 40
NEAR_TITLE = 140
_BEFORE_END, _BEHIND_END = 20, 60
_MAX_TEXT = 300  # characters, including white space of the source
_APART = frozenset({"others", "aside", "frame"})
_BY_TITLE = ("next to title", "before title", "near title")
_ELSEWHERE = ("end of article", "in article", "far before", "far behind")
# Best zones first; "aside" marks those in parts of the page with other content.
_ZONES = (
    *_BY_TITLE,
    *(f"{zone} aside" for zone in _BY_TITLE),
    *_ELSEWHERE,
    *(f"{zone} aside" for zone in _ELSEWHERE),
    "comments",
    "unseen",
)
# Values in these zones are not the article's, whatever their names.
NOT_OF_ARTICLE = frozenset({"comments", "unseen", "far before aside", "far behind aside"})
_RANK = {zone: rank for rank, zone in enumerate(_ZONES)}


class TitleSurroundings(msgspec.Struct, frozen=True):
    """The node of the title, or -1, and the rendered texts around it and around the article's end.

    Each text comes with its node, on one line and truncated.
    """

    title: int
    spans: tuple[range, range]
    near_title: tuple[tuple[int, str], ...]
    near_end: tuple[tuple[int, str], ...]


def zone_of(page: PageFacts, node: int, title: int) -> str:
    """Return the zone of a node; `title` is the node of the title, or -1."""
    if page.tree.unseen[node]:
        return "unseen"
    places = page.places.of(page.tree.parent[node])
    # Comments follow the article; a section of opinions before it may be named "comments", too.
    if "comments" in places and node >= page.article.node:
        return "comments"
    if any(node in run for run in page.comment_runs):
        return "comments"
    zone = _distance(page, node, title)
    return f"{zone} aside" if places & _APART else zone


def _distance(page: PageFacts, node: int, title: int) -> str:
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        return "before title"
    if start <= node <= start + NEAR_TITLE:
        return "next to title" if node <= start + NEXT_TO_TITLE else "near title"
    article, end = page.article.node, page.article_end
    if end - _BEFORE_END < node < end + _BEHIND_END:
        return "end of article"
    if node < start:
        return "far before"
    return "in article" if article <= node < end else "far behind"


def surroundings(page: PageFacts, title: int) -> TitleSurroundings:
    """Return the texts around the title, or around the article's start if `title` is -1."""
    tree = page.tree
    start = title if title >= 0 else page.article.node
    end = page.article_end
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
    """Yield the features of the places where a value is shown: sources, zones, and the best pair of both.

    There are too many pairs to learn a weight for each. `sources` are ordered by reliability.
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
