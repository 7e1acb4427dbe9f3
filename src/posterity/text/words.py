"""Words of a text, and how much two texts share of them.

Languages written without spaces (Chinese, Japanese, Korean syllables) are counted by character.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from posterity.text.normal_form import comparable, without_typography

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_ASCII_MARKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def words(text: str) -> list[str]:
    """Return the words of the text in order, case folded."""
    return words_of_comparable(comparable(text))


def words_of_comparable(text: str) -> list[str]:
    """Return the words in order of a text that is in its comparable form already."""
    if not text.isascii():
        text = without_typography(text, " ")
    return text.translate(_ASCII_MARKS).split() if text.isascii() else _WORD.findall(text)


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


def any_part(parts: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of the strings.

    They are grouped by their first letters: a place in the text is then compared with a few of them and not with all,
    which takes half the time.
    """
    groups = (
        (first, "|".join(re.escape(part[1:]) for part in group))
        for first, group in groupby(sorted(parts), itemgetter(0))
    )
    return re.compile("|".join(f"{re.escape(first)}(?:{rests})" for first, rests in groups))
