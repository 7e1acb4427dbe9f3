"""Words of a text, and how much two texts share of them.

Languages written without spaces (Chinese, Japanese, Korean syllables) are counted by character.
"""

from __future__ import annotations

import re
from collections import Counter

from posterity.text.normal_form import comparable

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def words(text: str) -> list[str]:
    """Return the words of the text in order, case folded."""
    return _WORD.findall(comparable(text))


def word_counts(text: str) -> Counter[str]:
    """Return how often each word stands in the text."""
    return Counter(words(text))


def token_f1(left: Counter[str], right: Counter[str]) -> float:
    """Return the harmonic mean of precision and recall of two bags of words; 0.0 when either is empty."""
    fewer, more = (left, right) if len(left) <= len(right) else (right, left)
    common = sum(min(count, more[word]) for word, count in fewer.items() if word in more)
    return 2 * common / (left.total() + right.total()) if common else 0.0


def containment(part: Counter[str], whole: Counter[str]) -> float:
    """Return the share of `part` that also stands in `whole`."""
    return (part & whole).total() / part.total() if part else 0.0
