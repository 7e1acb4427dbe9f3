"""Choice of a field's value: each value has features, and each feature a learned weight for or against it.

Candidates with the same value are scored together, with the features of all of them: sources which agree add up.
The weights are those of a conditional logit model (McFadden 1974): a value's probability is its share of the
exponentiated sums, among all values of the page and "none of them". The printed confidence is that share after
Platt's correction (1999), learned too: features that always come together make shares higher than they should be.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.dom.tree import node_path
from posterity.lexicon import declarations
from posterity.model import OddsChange, Provenance, TracedProvenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from posterity.extraction.hybrid.page_facts import PageFacts


# The feature of the value "none of them".
NONE = "none"
# Names of the two numbers that correct the share, kept among the weights.
SLOPE, OFFSET = "confidence: slope", "confidence: offset"
_MAX_SOURCES = 4
_MAX_TRACE = 6  # features of one value; the others change little
_SMALLEST = 1e-6


class FieldCandidate(msgspec.Struct, frozen=True):
    """A value from one source, what makes two of them equal, the features, and the node that holds it (-1: none)."""

    value: Any
    key: str
    features: tuple[str, ...]
    node: int = -1


class ScoredValue(msgspec.Struct, frozen=True):
    """The candidates that agree on one value, in the order in which they were found, and all their features."""

    key: str
    candidates: tuple[FieldCandidate, ...]
    features: frozenset[str]


class Choice(msgspec.Struct, frozen=True):
    """The likeliest value, the share of such values that are right, and the features of the next best value."""

    value: ScoredValue
    confidence: float
    second: frozenset[str] = frozenset()


def scored_values(candidates: Iterable[FieldCandidate]) -> list[ScoredValue]:
    """Return one value for each distinct value, in the order of their first candidates."""
    groups: dict[str, list[FieldCandidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.key, []).append(candidate)
    return [
        ScoredValue(key, tuple(group), frozenset(feature for candidate in group for feature in candidate.features))
        for key, group in groups.items()
    ]


def best_value(values: Iterable[ScoredValue], weights: Mapping[str, float], eagerness: float = 0.0) -> Choice | None:
    """Return the likeliest value, or None when "none of them" is likelier; of equals the first.

    With `eagerness` a value is given although "none" is likelier by up to that much, in logits.
    """
    none = weights.get(NONE, 0.0)
    weight_of = weights.get
    # `fsum`, because other sums of floats depend on their order and sets have none.
    scored = [(math.fsum([weight_of(feature, 0.0) for feature in value.features]), value) for value in values]
    if not scored:
        return None
    score, value = max(scored, key=lambda pair: pair[0])
    if score <= none - eagerness:
        return None
    total = math.exp(none - score) + sum(math.exp(other - score) for other, _ in scored)
    others = [(other, rival.features) for other, rival in scored if rival is not value]
    second = max([(none, frozenset({NONE})), *others], key=lambda pair: pair[0])[1]
    return Choice(value, round(_corrected(1 / total, weights), 4), second)


def _corrected(share: float, weights: Mapping[str, float]) -> float:
    share = min(max(share, _SMALLEST), 1 - _SMALLEST)
    logit = weights.get(SLOPE, 1.0) * math.log(share / (1 - share)) + weights.get(OFFSET, 0.0)
    return 1 / (1 + math.exp(-logit))


def provenance_of(
    choice: Choice, page: PageFacts, node: int = -1, explain: Mapping[str, float] | None = None
) -> Provenance:
    """Return where a chosen value comes from: the sources that agree on it, and the node that shows it.

    `node` is that node where it is known, else the first of a candidate. With the weights in `explain`, the features
    that decided come along.
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
    """Return the features in which the chosen value and the next best one differ, those that decided most first."""
    own, other = choice.value.features, choice.second
    changes = {feature: weights.get(feature, 0.0) for feature in own - other}
    changes |= {f"next best: {feature}": -weights.get(feature, 0.0) for feature in other - own}
    weighty = sorted((pair for pair in changes.items() if pair[1]), key=lambda pair: (-abs(pair[1]), pair[0]))
    return tuple(OddsChange(name, round(math.exp(weight), 4)) for name, weight in weighty[:_MAX_TRACE])


ARTICLE_TYPES = frozenset(declarations("type.article"))
FORUM_TYPES = frozenset(declarations("type.forum"))


def kind_features(page: PageFacts) -> Iterator[str]:
    """Yield features of the kind of page, by its declarations and its URL."""
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
