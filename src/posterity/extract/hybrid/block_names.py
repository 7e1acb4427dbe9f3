"""What ids and classes call a part of a page: "entry-content", "sidebar", "share", "related".

Authors of themes agree on words. Which words mean what is told twice: by a list of what people call the parts of a page
(`block_kinds`), and by a table of how often text under a word belonged to the article, learned from annotated pages
(`tools/train_article.py`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from posterity.extract.hybrid.block_kinds import KIND_BITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posterity.dom.document import Attributes

_PART = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+")
_WORD = re.compile(r"[^\W\d_]+|©")
_MAX_SAID = 60  # characters of a text that is judged by its words: a label, not a sentence
_MAX_NAMES = 300  # characters; utility classes can go on for lines
_MAX_WORDS = 16


def joined_names(attrs: Attributes) -> str:
    """Return the id, classes and roles of an element as one text; empty when it has none."""
    names = attrs.get("class") or ""
    if name := attrs.get("id"):
        names = f"{names} {name}"
    if role := attrs.get("role"):
        names = f"{names} {role}"
    if item := attrs.get("itemprop"):
        names = f"{names} {item}"
    return names[:_MAX_NAMES]


def name_words(names: str) -> tuple[str, ...]:
    """Return the names and the words they are made of, in lower case, without digits."""
    found: dict[str, None] = {}
    for name in names.split()[:_MAX_WORDS]:
        parts = [part.lower() for part in _PART.findall(name)]
        if len(parts) > 1:
            found["-".join(parts)] = None
        for word in parts:
            if len(word) > 1:
                found[word] = None
    return tuple(found)


def said_words(text: str) -> list[str]:
    """Return the words of a short text, marked so that they are not taken for names; none of a longer one."""
    if len(text) > _MAX_SAID:
        return []
    words = _WORD.findall(text.lower())
    return [f"{word}." for word in dict.fromkeys(words)]


class NameTable:
    """Words of names with what was learned of them: above 0 where the text below them is article more often."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self._scores = scores
        # The same names come again on every page of a site.
        self._of_name = lru_cache(maxsize=16_384)(self._one_name)
        self.meaning = lru_cache(maxsize=16_384)(self._meaning)
        self.opinion = lru_cache(maxsize=16_384)(self._opinion)

    def _meaning(self, names: str) -> tuple[int, float]:
        """Return the kinds of part as bits, and the strongest opinions for and against added up."""
        kinds, best, worst = 0, 0.0, 0.0
        for name in names.split()[:_MAX_WORDS]:
            bits, high, low = self._of_name(name)
            kinds |= bits
            if high > best:
                best = high
            if low < worst:
                worst = low
        return kinds, best + worst

    def _one_name(self, name: str) -> tuple[int, float, float]:
        kinds, scores = 0, [0.0]
        for word in name_words(name):
            kinds |= KIND_BITS.get(word, 0)
            scores.append(self._scores.get(word, 0.0))
        return kinds, max(scores), min(scores)

    def _opinion(self, text: str) -> float:
        """Return the mean of what was learned of the words of a short text, such as "Related posts"."""
        found = [score for word in said_words(text) if (score := self._scores.get(word))]
        return sum(found) / len(found) if found else 0.0
