"""Dice similarity of two texts, on character bigrams.

Finds inside a page the text that its feed announced. Feeds shorten and re-encode, so equality never holds;
bigram overlap survives both (BlogForever crawler, section 1.3). A set of bigrams is an int with one bit per
bigram, so that union is `|`, intersection `&` and size `bit_count`.
"""

from __future__ import annotations

import itertools
from functools import reduce
from operator import or_


class BigramBits:
    """Turns texts into bit sets; two sets of the same instance can be compared.

    Every bigram gets its own bit the first time it is seen, so sets are exact: no two bigrams share a bit.
    """

    __slots__ = ("_bit", "_known")

    def __init__(self) -> None:
        self._bit: dict[str, int] = {}
        self._known: dict[str, int] = {}

    def of(self, text: str) -> int:
        """Return the bigrams of the text: all pairs of adjacent characters."""
        bits = self._known.get(text)
        if bits is None:
            # Menus and footers repeat on every page of a blog: each distinct text is read once.
            bits = self._known[text] = self._read(text)
        return bits

    def _read(self, text: str) -> int:
        bit = self._bit
        pairs = {first + second for first, second in itertools.pairwise(text)}
        for pair in pairs.difference(bit):
            bit[pair] = 1 << len(bit)
        return reduce(or_, map(bit.__getitem__, pairs), 0)


def dice(left: int, right: int) -> float:
    """Return the overlap of two bigram sets, from 0.0 (disjoint) to 1.0 (equal).

    Two empty sets score 0.0: an empty <div> must never win the title of an untitled post.
    """
    total = left.bit_count() + right.bit_count()
    return 2 * (left & right).bit_count() / total if total else 0.0


def similarity(left: str, right: str) -> float:
    """Return the Sorensen-Dice coefficient of two strings (Table 1 of the paper)."""
    bits = BigramBits()
    return dice(bits.of(left), bits.of(right))
