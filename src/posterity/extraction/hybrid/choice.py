"""Which of several answers to believe: each has signs that speak for or against it, weighed as learned.

All candidates with the same value are one answer, with the signs of all of them, so that sources which agree add up.
The weights are those of a conditional logit model (McFadden 1974): an answer's probability is its share of the
exponentiated sums, among all answers of the page and "none of them". The printed confidence is that share after
Platt's correction (1999), learned too: signs that always come together make shares bolder than they should be.
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


# The sign of the answer "none of them".
NONE = "none"
# Names of the two numbers that correct the share, kept among the weights.
SLOPE, OFFSET = "confidence: slope", "confidence: offset"
_MAX_SOURCES = 4
_SMALLEST = 1e-6


class FieldCandidate(msgspec.Struct, frozen=True):
    """A value that somebody gives, what makes two of them equal, the signs, and the node that holds it (-1: none)."""

    value: Any
    key: str
    features: tuple[str, ...]
    node: int = -1


class ScoredValue(msgspec.Struct, frozen=True):
    """The candidates that agree on one value, in the order in which they were found, and all their signs."""

    key: str
    candidates: tuple[FieldCandidate, ...]
    features: frozenset[str]


class Choice(msgspec.Struct, frozen=True):
    """The answer to believe, and the share of such answers that are right."""

    answer: ScoredValue
    confidence: float


def scored_values(candidates: Iterable[FieldCandidate]) -> list[ScoredValue]:
    """Return one answer for each distinct value, in the order of their first candidates."""
    groups: dict[str, list[FieldCandidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.key, []).append(candidate)
    return [
        ScoredValue(key, tuple(group), frozenset(feature for candidate in group for feature in candidate.features))
        for key, group in groups.items()
    ]


def best_value(answers: Iterable[ScoredValue], weights: Mapping[str, float], eagerness: float = 0.0) -> Choice | None:
    """Return the likeliest answer, or None when "none of them" is likelier; of equals the first.

    With `eagerness` an answer is given although "none" is likelier by up to that much, in logits.
    """
    none = weights.get(NONE, 0.0)
    told = weights.get
    # `fsum`, because other sums of floats depend on their order and sets have none.
    scored = [(math.fsum([told(feature, 0.0) for feature in answer.features]), answer) for answer in answers]
    if not scored:
        return None
    score, answer = max(scored, key=lambda pair: pair[0])
    if score <= none - eagerness:
        return None
    total = math.exp(none - score) + sum(math.exp(other - score) for other, _ in scored)
    return Choice(answer, round(_corrected(1 / total, weights), 4))


def _corrected(share: float, weights: Mapping[str, float]) -> float:
    share = min(max(share, _SMALLEST), 1 - _SMALLEST)
    logit = weights.get(SLOPE, 1.0) * math.log(share / (1 - share)) + weights.get(OFFSET, 0.0)
    return 1 / (1 + math.exp(-logit))


def found_by(choice: Choice) -> Provenance:
    """Return where a chosen value comes from: the sources that agree on it."""
    sources = dict.fromkeys(candidate.features[0] for candidate in choice.answer.candidates)
    return Provenance(method="page", rule="; ".join(list(sources)[:_MAX_SOURCES]), confidence=choice.confidence)


ARTICLE_TYPES = frozenset(declarations("type.article"))
FORUM_TYPES = frozenset(declarations("type.forum"))


def kind_features(page: PageFacts) -> Iterator[str]:
    """Yield what the page's declarations and its address say that it is."""
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
