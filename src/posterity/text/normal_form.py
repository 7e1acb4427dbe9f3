"""One form for texts that look the same: white space folded, invisible characters gone; and the words of a text.

Languages written without spaces (Chinese, Japanese, Korean syllables) are counted by character. `Remembered` keeps
computed values by key: names and classes come again on every page of a site.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

# Zero-width characters and soft hyphens: feeds drop them, pages keep them.
_INVISIBLE_CHARS = "\u00ad\u200b\u2060\ufeff"
_INVISIBLE = re.compile(f"[{_INVISIBLE_CHARS}]")
_BETWEEN = "\0"  # no white space, part of no spelling, and on no page: parsers drop it
# What most often keeps a text from being in NFKC. Without it, to see that nothing is to be done takes a fiftieth.
_USUAL_FORMS = [(char, unicodedata.normalize("NFKC", char)) for char in "\u00a0\u2026\u202f\u2009\u2122\u2116\u00b2"]
_NEITHER = re.compile(r"[\W_]+")
# What makes a text of ASCII letters a text of others, and is neither letter nor digit.
_TYPOGRAPHY = "\u2018\u2019\u201c\u201d\u2013\u2014\u2022\u00ab\u00bb\u00a9\u2192"
_ASCII_NEITHER = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())


def one_line(text: str) -> str:
    """Return the text on one line, with single spaces and nothing invisible."""
    return single_spaced(text if text.isascii() else _without_invisible(text))


def _without_invisible(text: str) -> str:
    # To see that nothing invisible is there takes a fraction of replacing nothing.
    return _INVISIBLE.sub("", text) if any(char in text for char in _INVISIBLE_CHARS) else text


def single_spaced(text: str) -> str:
    """Return the text with single spaces, and none at its ends."""
    text = text.strip()
    # Lines broken in the source are the most common reason to do anything.
    if "\n" in text:
        text = text.replace("\n", " ")
    # A space is the only white space that is printable. To see that nothing is to be done takes half of doing it.
    return " ".join(text.split()) if "  " in text or not text.isprintable() else text


def comparable(text: str) -> str:
    """Return a form in which two spellings of the same text are equal: NFKC, case folded, on one line."""
    if text.isascii():
        return single_spaced(text).lower()
    return one_line(_nfkc(text)).casefold()


def forms_of(texts: Sequence[str], form: Callable[[str], str] = comparable) -> list[str]:
    """Return the form of each of the texts. They are read as one, which takes a fraction of the time."""
    found = [text.strip(" ") for text in form(_BETWEEN.join(texts)).split(_BETWEEN)]
    return found if len(found) == len(texts) else [form(text) for text in texts]


def letters_and_digits(text: str) -> str:
    """Return only what identifies a title: its letters and digits, case folded."""
    if not text.isascii():
        text = without_typography(_nfkc(text).casefold(), "")
    return text.lower().translate(_ASCII_NEITHER) if text.isascii() else _NEITHER.sub("", text)


def without_typography(text: str, instead: str) -> str:
    """Return the text with quotes, dashes and the like replaced, which makes most texts in English ASCII."""
    for mark in _TYPOGRAPHY:
        text = text.replace(mark, instead)
    return text


def _nfkc(text: str) -> str:
    for char, form in _USUAL_FORMS:
        text = text.replace(char, form)
    return unicodedata.normalize("NFKC", text)


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


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
MOST = 16_384  # a few hundred pages of different sites; a page has some hundred names of its own


class Remembered(dict[_Key, _Value]):
    """A dictionary that computes what it does not hold. When it is full it forgets everything.

    `lru_cache` would forget one by one, which is worse for pages in a row: as soon as they have one name too many, it
    has always just forgotten the one that comes next. A look-up here costs half as much, too.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[_Key], _Value]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: _Key) -> _Value:
        if len(self) >= MOST:
            self.clear()
        found = self[key] = self._compute(key)
        return found
