"""Dice similarity of two texts, on character bigrams.

Finds inside a page the text that its feed announced. Feeds shorten and re-encode, so equality never holds;
bigram overlap survives both (BlogForever crawler, section 1.3). A set of bigrams is an int with one bit per
bigram, so that union is `|`, intersection `&` and size `bit_count`.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# About a megabyte; a long page has some thousand different words.
_MOST_WORDS = 4096
_MOST_BIGRAMS = 4096


class BigramBits:
    """Turns texts into bit sets; two sets of the same instance can be compared.

    Every bigram gets its own bit the first time it is seen, so sets are exact: no two bigrams share a bit.
    """

    __slots__ = ("_bit", "_known")

    def __init__(self) -> None:
        self._bit = _Bits()
        self._known: dict[str, int] = {}

    def of(self, text: str) -> int:
        """Return the bigrams of the text: all pairs of adjacent characters."""
        bits = self._known.get(text)
        if bits is None:
            bits = self._known[text] = self._read(text)
        return bits

    def of_lines(self, lines: Iterable[str]) -> int:
        """Return the bigrams of all the lines, none of which reaches from one line into the next."""
        # Every word with the spaces at its sides has the line's bigrams. Most words come again, also on other pages.
        words = {*"\n".join(lines).replace(" ", " \n ").split("\n")}
        known = self._known
        for word in words.difference(known):
            known[word] = self._read(word)
        return reduce(or_, map(known.__getitem__, words), 0)

    def forget_many(self) -> None:
        """Forget all texts when they are many. What was returned before can no longer be compared."""
        if len(self._known) > _MOST_WORDS or len(self._bit) > _MOST_BIGRAMS:
            self._known.clear()
            self._bit.clear()

    def _read(self, text: str) -> int:
        return reduce(or_, map(self._bit.__getitem__, pairwise(text)), 0)


class _Bits(dict[tuple[str, str], int]):
    """A bit for every bigram, each a new one."""

    def __missing__(self, pair: tuple[str, str]) -> int:
        bit = self[pair] = 1 << len(self)
        return bit


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
