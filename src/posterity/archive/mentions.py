"""Finds stored pages that show a text: feeds and front pages carry posts too, not only the posts' own pages."""

from __future__ import annotations

import html
import re

_TAG = re.compile(r"<[^>]{0,2000}>|<!\[CDATA\[|\]\]>")
_NO_LETTER = re.compile(r"[\W_]+")
_PROBE_LETTERS = 80
_MIN_LETTERS = 40  # shorter texts stand on pages that have nothing to do with the post


def probes(text: str) -> list[str]:
    """Return pieces of the text that no other text has, as `shows` looks for them; none for a very short text."""
    letters = _letters(text)
    if len(letters) < _MIN_LETTERS:
        return []
    starts = sorted({0, max(0, len(letters) // 2 - _PROBE_LETTERS // 2), max(0, len(letters) - _PROBE_LETTERS)})
    return [letters[start : start + _PROBE_LETTERS] for start in starts]


def shows(body: bytes, pieces: list[str]) -> bool:
    """Tell whether a page, feed or JSON answer shows one of these pieces of text."""
    if not pieces:
        return False
    text = body.decode("utf-8", "replace")
    if "\\u" in text or "\\n" in text:
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text.replace("\\n", "\n"))
    # Feeds carry HTML as text: its tags come to light only after the first round.
    for _ in range(2):
        text = html.unescape(_TAG.sub(" ", text))
    letters = _letters(_TAG.sub(" ", text))
    return any(piece in letters for piece in pieces)


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text).lower()
