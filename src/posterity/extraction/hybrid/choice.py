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

from posterity.lexicon import declarations
from posterity.model import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from posterity.extraction.hybrid.page_facts import PageFacts


# The feature of the value "none of them".
NONE = "none"
# Names of the two numbers that correct the share, kept among the weights.
SLOPE, OFFSET = "confidence: slope", "confidence: offset"
_MAX_SOURCES = 4
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
    """The likeliest value, and the share of such values that are right."""

    value: ScoredValue
    confidence: float


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
    return Choice(value, round(_corrected(1 / total, weights), 4))


def _corrected(share: float, weights: Mapping[str, float]) -> float:
    share = min(max(share, _SMALLEST), 1 - _SMALLEST)
    logit = weights.get(SLOPE, 1.0) * math.log(share / (1 - share)) + weights.get(OFFSET, 0.0)
    return 1 / (1 + math.exp(-logit))


def found_by(choice: Choice) -> Provenance:
    """Return where a chosen value comes from: the sources that agree on it."""
    sources = dict.fromkeys(candidate.features[0] for candidate in choice.value.candidates)
    return Provenance(method="page", rule="; ".join(list(sources)[:_MAX_SOURCES]), confidence=choice.confidence)


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
