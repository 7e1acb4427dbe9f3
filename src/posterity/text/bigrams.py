"""Dice similarity of two texts on character bigrams, used to find the text of a feed entry on a page.

Feeds shorten and re-encode texts, so texts are rarely equal, but their bigrams overlap (BlogForever crawler, section
1.3). A set of bigrams is an int with one bit per bigram: union is `|`, intersection `&`, size `bit_count`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

# A pair of characters is one integer of eight bytes, which is the fastest representation for all languages. The
# separator between two texts is not a valid character.
_BETWEEN = b"\xff\xff\xff\xff"
_NO_CHARACTER = 0xFFFFFFFF
_MANY = 4096


class BigramBits:
    """Converts texts to bit sets; only sets from the same instance are comparable.

    Every bigram gets its own bit when it first occurs, so sets are exact.
    """

    __slots__ = ("_bit", "_known")

    def __init__(self) -> None:
        self._bit = _Bits()
        self._known: dict[str, int] = {}

    def of(self, text: str) -> int:
        """Return the bigrams of the text: all pairs of adjacent characters."""
        bits = self._known.get(text)
        if bits is None:
            # Short texts often repeat on a page.
            bits = self._known[text] = self.of_all((text,))
        return bits

    def of_all(self, texts: Iterable[str]) -> int:
        """Return the bigrams of all texts, without those across the boundary of two texts."""
        units = _BETWEEN.join([text.encode("utf-32-le", "surrogatepass") for text in texts])
        pairs = {*_every_second_pair(units), *_every_second_pair(units[4:])}
        return reduce(or_, map(self._bit.__getitem__, pairs), 0)

    def forget_many(self) -> None:
        """Clear the instance if it has very many bigrams, which makes earlier sets incomparable."""
        if len(self._bit) > _MANY:
            self._bit.clear()
            self._known.clear()


class _Bits(dict[int, int]):
    """Assigns a bit to every bigram; none to bigrams across the boundary of two texts."""

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
