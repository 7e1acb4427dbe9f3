"""Dice similarity of two texts, on character bigrams.

Finds inside a page the text that its feed announced. Feeds shorten and re-encode, so equality never holds;
bigram overlap survives both (BlogForever crawler, section 1.3). A set of bigrams is an int with one bit per
bigram, so that union is `|`, intersection `&` and size `bit_count`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

# Two characters are one number of eight bytes: that is the quickest way to tell pairs apart, in all languages.
# No character has the number that stands between two texts.
_BETWEEN = b"\xff\xff\xff\xff"
_NO_CHARACTER = 0xFFFFFFFF
_MANY = 4096


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
            # Short texts come again and again on a page: each distinct one is read once.
            bits = self._known[text] = self.of_all((text,))
        return bits

    def of_all(self, texts: Iterable[str]) -> int:
        """Return the bigrams of all the texts, none of which reaches from one text into the next."""
        units = _BETWEEN.join([text.encode("utf-32-le", "surrogatepass") for text in texts])
        pairs = {*_every_second_pair(units), *_every_second_pair(units[4:])}
        return reduce(or_, map(self._bit.__getitem__, pairs), 0)

    def forget_many(self) -> None:
        """Begin anew when very many bigrams were seen. Sets from before can then no longer be compared."""
        if len(self._bit) > _MANY:
            self._bit.clear()
            self._known.clear()


class _Bits(dict[int, int]):
    """A bit for every bigram, a new one for each; none for what reaches from one text into the next."""

    def __missing__(self, pair: int) -> int:
        bit = self[pair] = 0 if _NO_CHARACTER in (pair >> 32, pair & _NO_CHARACTER) else 1 << len(self)
        return bit


def _every_second_pair(units: bytes) -> Iterable[int]:
    return memoryview(units[: len(units) // 8 * 8]).cast("Q")


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
