"""What ids and classes call a part of a page: "entry-content", "sidebar", "share", "related".

Authors of themes agree on words. Which words mean what is told twice: by a list of what people call the parts of a page
(`block_kinds`), and by a table of how often text under a word belonged to the article, learned from annotated pages
(`tools/train_article.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.extract.hybrid.block_kinds import KIND_BITS
from posterity.text.remembered import Remembered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from posterity.dom.tree import Attributes

_SMALL_PART = re.compile(r"[a-z]+")
_PART = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+")
_WORD = re.compile(r"[^\W\d_]+|©")
_ASCII_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
_SAID = "."  # marks the words of texts, so that they are not taken for names
_MAX_SAID = 60  # characters of a text that is judged by its words: a label, not a sentence
_MAX_NAMES = 300  # characters; utility classes can go on for lines
_MAX_WORDS = 16
_DIGITS = "0123456789"


def joined_names(attrs: Attributes) -> str:
    """Return the id, classes and roles of an element as one text; empty when it has none."""
    names = attrs.get("class") or ""
    if "id" in attrs and (name := attrs["id"]):
        names = f"{names} {name}"
    if "role" in attrs and (role := attrs["role"]):
        names = f"{names} {role}"
    if "itemprop" in attrs and (item := attrs["itemprop"]):
        names = f"{names} {item}"
    return names[:_MAX_NAMES]


def name_words(names: str) -> tuple[str, ...]:
    """Return the names and the words they are made of, in lower case, without digits."""
    return tuple(dict.fromkeys(word for name in names.split()[:_MAX_WORDS] for word in _words_of_name(name)))


def _words_of_name(name: str) -> list[str]:
    # Most names have no capitals, and parts without these need no second look.
    parts = _SMALL_PART.findall(name) if name.islower() else [part.lower() for part in _PART.findall(name)]
    words = [part for part in parts if len(part) > 1]
    return ["-".join(parts), *words] if len(parts) > 1 else words


def said_words(text: str) -> list[str]:
    """Return the words of a short text, marked as such; none of a longer one."""
    if len(text) > _MAX_SAID:
        return []
    words = _WORD.findall(text.lower())
    return [f"{word}{_SAID}" for word in dict.fromkeys(words)]


class NameTable:
    """Words of names with what was learned of them: above 0 where the text below them is article more often."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self._said = {word[: -len(_SAID)]: score for word, score in scores.items() if word.endswith(_SAID)}
        self._known = {word: (KIND_BITS.get(word, 0), scores.get(word, 0.0)) for word in (*scores, *KIND_BITS)}
        self._names = Remembered(self._of_name)
        # Return the kinds of part that names speak of, as bits, and the strongest opinions for and against added up.
        self.meaning: Callable[[str], tuple[int, float]] = Remembered(self._of_names).__getitem__
        self._opinions = Remembered(self._of_text)

    def _of_names(self, names: str) -> tuple[int, float]:
        kinds, best, worst, known = 0, 0.0, 0.0, self._names
        for name in names.split()[:_MAX_WORDS]:
            bits, high, low = known[name]
            kinds |= bits
            if high > best:
                best = high
            if low < worst:
                worst = low
        return kinds, best + worst

    def _of_name(self, name: str) -> tuple[int, float, float]:
        # Themes number their elements: "menu-item-6722" is a menu-item.
        if (unnumbered := name.rstrip(_DIGITS)) != name:
            return self._names[unnumbered]
        kinds, high, low = 0, 0.0, 0.0
        for word in _words_of_name(name):
            if found := self._known.get(word):
                bits, score = found
                kinds |= bits
                if score > high:
                    high = score
                elif score < low:
                    low = score
        return kinds, high, low

    def opinion(self, text: str) -> float:
        """Return the mean of what was learned of the words of a short text, such as "Related posts"."""
        return self._opinions[text] if len(text) <= _MAX_SAID else 0.0

    def _of_text(self, text: str) -> float:
        lowered = text.lower()
        # Without a letter beyond ASCII, to see where words end needs no pattern.
        words = lowered.translate(_ASCII_NO_LETTERS).split() if lowered.isascii() else _WORD.findall(lowered)
        found = [score for word in dict.fromkeys(words) if (score := self._said.get(word))]
        return sum(found) / len(found) if found else 0.0
