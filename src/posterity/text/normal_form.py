"""One form for texts that look the same: white space folded, invisible characters gone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

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
    return single_spaced(text if text.isascii() else _seen(text))


def _seen(text: str) -> str:
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
