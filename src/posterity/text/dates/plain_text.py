"""A text in the one form that the date patterns are written for.

Lower case, ASCII digits of whatever script wrote them, plain spaces, hyphens and apostrophes. Almost always one
character stays one character, so that a span in the plain text is a span in the text. Where writing-direction marks
and combining accents make that impossible, a list of positions leads back.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# Marks of direction, soft hyphens and joiners: CLDR itself writes Arabic dates with them, and no reader sees them.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_NOT_ONE_TO_ONE = re.compile("[\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_FULL_WIDTH_SHIFT = 0xFEE0
_SAME_LETTERS = str.maketrans(
    {
        "İ": "i",  # the only capital that lower() turns into two characters
        "ı": "i",  # Turkish capitals are lowered without knowing that they are Turkish
        "ς": "σ",
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "´": "'",
        "−": "-",
        "\u066b": ".",
    }
)


class _PlainCharacters(dict[int, int]):
    """The plain form of a character, worked out when it is first met."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        if digit is not None:
            plain = ord("0") + digit
        elif code in _FULL_WIDTH:
            plain = code - _FULL_WIDTH_SHIFT
        else:
            plain = ord({"Zs": " ", "Pd": "-"}.get(unicodedata.category(char), char))
        self[code] = plain
        return plain


_PLAIN = _PlainCharacters()


class PlainText(NamedTuple):
    """A plain text; `positions[i]` is where its character `i` stood, None when nothing has moved."""

    text: str
    positions: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original text of a span in this one."""
        if self.positions is None:
            return start, end
        return self.positions[start], self.positions[end - 1] + 1


def plain(text: str) -> str:
    """Return the plain form of a word or pattern, when nobody asks for positions."""
    return plain_text(text).text


def plain_text(text: str) -> PlainText:
    """Return the plain form of a text, with the way back."""
    if text.isascii():
        return PlainText(text.lower())
    if _NOT_ONE_TO_ONE.search(text) is None:
        return PlainText(_lowered(text))
    composed, positions = _composed(text)
    return PlainText(_lowered(composed), positions)


def without_accents(word: str) -> str:
    """Return a word as people type it whose keyboard has no accents: "février" as "fevrier"."""
    stripped = "".join(char for char in unicodedata.normalize("NFD", word) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", stripped)


def _lowered(text: str) -> str:
    return text.translate(_SAME_LETTERS).translate(_PLAIN).lower().translate(_SAME_LETTERS)


def _composed(text: str) -> tuple[str, list[int]]:
    chars: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        if _INVISIBLE.match(char):
            continue
        if chars and unicodedata.combining(char):
            joined = unicodedata.normalize("NFC", chars[-1] + char)
            if len(joined) == 1:
                chars[-1] = joined
                continue
        chars.append(char)
        positions.append(position)
    return "".join(chars), positions
