"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

import msgspec

_WORD = re.compile(r"\S+|\s+")


class Piece(msgspec.Struct, frozen=True):
    """A run of words that both texts have, that was taken out, or that was put in."""

    kind: Literal["same", "out", "in"]
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """Return both texts as one sequence: without what was put in it is the old, without what was taken out the new."""
    left, right = _WORD.findall(old), _WORD.findall(new)
    pieces: list[Piece] = []
    for step, start, stop, new_start, new_stop in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if step == "equal":
            pieces.append(Piece("same", "".join(left[start:stop])))
            continue
        if stop > start:
            pieces.append(Piece("out", "".join(left[start:stop])))
        if new_stop > new_start:
            pieces.append(Piece("in", "".join(right[new_start:new_stop])))
    return pieces
