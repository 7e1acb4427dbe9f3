"""ACS and TCS: the average cosine similarity, and the share of pages above 0.9 (E-mCST paper, section 5).

The paper compares the text of the extracted block with the gold block and does not say over what the vectors
run; we take word counts, the plainest reading. A page counts for TCS when its similarity is greater than 0.9.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score
from posterity.evaluate.measures.tokens import plain_body, token_counts

if TYPE_CHECKING:
    from collections import Counter

    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold

IDENTICAL = 0.9  # the paper's threshold for "accepted as identical"


def cosine(left: Counter[str], right: Counter[str]) -> float:
    """Return the cosine of the angle between two word-count vectors; 0.0 when one of them is empty."""
    dot = sum(count * right[word] for word, count in left.items() if word in right)
    length = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return dot / length if length else 0.0


def score_acs(gold: Gold, answer: Answer) -> Score | None:
    """Return the similarity of the texts, or None when there is no gold body."""
    if not gold.body:
        return None
    return Score(value=cosine(token_counts(answer.text), token_counts(plain_body(gold))))


def score_tcs(gold: Gold, answer: Answer) -> Score | None:
    """Return 1.0 when the texts are accepted as identical."""
    acs = score_acs(gold, answer)
    return None if acs is None else Score(value=float(acs.value > IDENTICAL))
