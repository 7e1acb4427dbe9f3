"""One form for texts that look the same: white space folded, invisible characters gone."""

from __future__ import annotations

import re
import unicodedata

# Zero-width characters and soft hyphens: feeds drop them, pages keep them.
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_NEITHER = re.compile(r"[\W_]+")
_ASCII_NEITHER = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())


def one_line(text: str) -> str:
    """Return the text on one line, with single spaces and nothing invisible."""
    return single_spaced(text if text.isascii() else _INVISIBLE.sub("", text))


def single_spaced(text: str) -> str:
    """Return the text with single spaces, and none at its ends."""
    # A space is the only white space that is printable. To see that nothing is to be done takes half of doing it.
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())


def comparable(text: str) -> str:
    """Return a form in which two spellings of the same text are equal: NFKC, case folded, on one line."""
    if text.isascii():
        return single_spaced(text).lower()
    return one_line(unicodedata.normalize("NFKC", text)).casefold()


def letters_and_digits(text: str) -> str:
    """Return only what identifies a title: its letters and digits, case folded."""
    if text.isascii():
        return text.lower().translate(_ASCII_NEITHER)
    return _NEITHER.sub("", unicodedata.normalize("NFKC", text).casefold())
