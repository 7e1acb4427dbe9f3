"""The part of a text that shows why it was found, and where in it the words stand."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import msgspec

from posterity.archive.search_words import folded

if TYPE_CHECKING:
    from posterity.archive.search_words import Term

LENGTH = 200
# Accents are taken off letter by letter; behind this a text is too long to do that for every hit.
_MAX_FOLDED = 50_000


class Snippet(msgspec.Struct, frozen=True):
    """A piece of text on one line; `marks` are the begins and ends of the words that were looked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """Return the text with these signs around the words that were looked for."""
        pieces, end = [], 0
        for start, stop in self.marks:
            pieces += [self.text[end:start], before, self.text[start:stop], after]
            end = stop
        return "".join([*pieces, self.text[end:]])


def snippet(text: str, terms: list[Term]) -> Snippet:
    """Return about two lines around the first word that was looked for, or the beginning of the text."""
    wanted = _pattern(terms)
    first = next(iter(_matches(text, wanted)), None) if wanted else None
    start = _word_start(text, max(0, first[0] - LENGTH // 3)) if first else 0
    stop = _word_end(text, start + LENGTH)
    piece = ("… " if start else "") + " ".join(text[start:stop].split()) + (" …" if stop < len(text) else "")
    return Snippet(piece, tuple(_matches(piece, wanted)) if wanted else ())


def _pattern(terms: list[Term]) -> re.Pattern[str] | None:
    parts = []
    for term in terms:
        if term.role != "not":
            words = r"[\W_]*".join(re.escape(word) for word in term.words)
            edge = r"(?<![^\W_])" if not _is_unspaced(term.words[0]) else ""
            end = r"(?![^\W_])" if not term.prefix and not _is_unspaced(term.words[-1]) else ""
            parts.append(f"{edge}{words}{end}")
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _matches(text: str, wanted: re.Pattern[str]) -> list[tuple[int, int]]:
    """Begins and ends of the words; in a long text those with accents are looked for only when there are no others."""
    found = [match.span() for match in wanted.finditer(text)]
    if text.isascii() or (found and len(text) > 2 * LENGTH):
        return found
    plain, origin = _folded_with_origin(text[:_MAX_FOLDED])
    return [(origin[start], origin[stop - 1] + 1) for start, stop in (match.span() for match in wanted.finditer(plain))]


def _folded_with_origin(text: str) -> tuple[str, list[int]]:
    """The text without case and accents, and for every character of it the place it comes from."""
    letters: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        for letter in folded(char):
            letters.append(letter)
            origin.append(place)
    return "".join(letters), origin


def _is_unspaced(word: str) -> bool:
    return len(word) == 1 and unicodedata.category(word) == "Lo"


def _word_start(text: str, place: int) -> int:
    space = re.compile(r"\s").search(text, max(0, place - 1), place + 30)
    return space.end() if place and space else place


def _word_end(text: str, place: int) -> int:
    space = re.compile(r"\s").search(text, place, place + 30)
    return space.start() if space else min(place, len(text))
