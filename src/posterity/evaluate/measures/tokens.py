"""Token precision, recall and F1: how many words of the gold text were found, as often as they stand there.

Words are compared in NFKC and case folded; Chinese, Japanese and Korean are counted by character. This is the
definition of the bench that the rivals' figures were measured with. It differs from `posterity.text.words` in one
point: a soft hyphen or zero-width space ends a word here, and is dropped there.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score, overlap

if TYPE_CHECKING:
    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
# A page counts as done when no more than about every twentieth word is missing or too much.
NEARLY_ALL = 0.95


# Several measures ask for the words of the same two texts one after the other.
@lru_cache(maxsize=8)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of the text in order."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=8)
def token_counts(text: str) -> Counter[str]:
    """Return how often each word stands in the text. Shared between callers: not to be changed."""
    return Counter(tokens(text))


def shared(given: Counter[str], wanted: Counter[str]) -> Score:
    """Return the overlap of two bags of words."""
    return overlap((given & wanted).total(), given.total(), wanted.total())


def score_tokens(gold: Gold, answer: Answer) -> Score | None:
    """Return the token overlap with the gold body, or None when there is no gold body."""
    if not gold.body:
        return None
    return shared(token_counts(answer.text), token_counts(plain_body(gold)))


def score_nearly_all(gold: Gold, answer: Answer) -> Score | None:
    """Return 1.0 where token F1 reaches 0.95."""
    score = score_tokens(gold, answer)
    return None if score is None else Score(value=float(score.value >= NEARLY_ALL))


def plain_body(gold: Gold) -> str:
    """Return the gold text without CleanEval's marks and without its line with the address."""
    body = gold.body or ""
    if not gold.is_marked:
        return body
    return re.sub(r"(?i)<[phl]>", "\n", re.sub(r"(?i)^\s*URL\b[^\n]*\n", "", body))
