"""Sentences and tokens of a text by the rules of Unicode (UAX 29), in any script.

Chinese and Japanese have no spaces, and without a dictionary every ideograph is a token of its own there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from unicode_segmentation_rs import split_word_bounds, unicode_sentences


class Token(NamedTuple):
    """A word, number, sign or picture; `glued` means that no space is before it."""

    text: str
    glued: bool


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, with their spaces; together they are the text."""
    begin = 0
    pending = ""
    for sentence in unicode_sentences(text):
        # What has neither letter nor figure is no sentence for the segmenter; it belongs to the one before.
        place = text.find(sentence, begin)
        pending += text[begin:place]
        if pending and begin:
            yield pending
            pending = ""
        pending += sentence
        begin = place + len(sentence)
    pending += text[begin:]
    if pending:
        yield pending


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in order."""
    glued = False
    for piece in split_word_bounds(text):
        word = "".join(piece.split())  # an accent that stands on a space takes the space along
        if word:
            yield Token(word, glued)
        glued = bool(word)
