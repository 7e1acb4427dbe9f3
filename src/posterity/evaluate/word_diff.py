"""Two texts word by word: what both have, what only the gold has, what only the answer has.

For people who look at a bad page. The alignment is the optimal one of CleanEval's measure, read back from the rows
of its bit-parallel table.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.evaluate.measures.alignment import lcs_rows
from posterity.evaluate.measures.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["same", "missing", "extra"]

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PIECE = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
MAX_WORDS = 3000  # of each text: the table then has 9 million bits, about a megabyte
_KEPT = 8  # words shown at both ends of a long run that both texts have


class Change(msgspec.Struct, frozen=True):
    """A run of words of one kind."""

    kind: Kind
    text: str


def word_diff(wanted: str, given: str) -> list[Change]:
    """Return how the given text differs from the wanted one; the beginning only, where texts are very long."""
    left, right = _PIECE.findall(wanted)[:MAX_WORDS], _PIECE.findall(given)[:MAX_WORDS]
    steps = _steps([_plain(word) for word in left], [_plain(word) for word in right])
    words = ((kind, left[place] if kind != "extra" else right[place]) for kind, place in steps)
    return [
        Change(kind, _shown(kind, [word for _, word in run])) for kind, run in groupby(words, key=lambda pair: pair[0])
    ]


def _steps(left: Sequence[str], right: Sequence[str]) -> list[tuple[Kind, int]]:
    """Walk back through the table from its end: each step takes a word off one text, or off both."""
    rows = list(lcs_rows(left, right))
    steps: list[tuple[Kind, int]] = []
    i, j = len(left), len(right)
    while i and j:
        if rows[j - 1] >> (i - 1) & 1:
            i -= 1
            steps.append(("missing", i))
            continue
        j -= 1
        if j and not rows[j - 1] >> (i - 1) & 1:
            steps.append(("extra", j))
        else:
            i -= 1
            steps.append(("same", i))
    steps += [("missing", place) for place in reversed(range(i))]
    steps += [("extra", place) for place in reversed(range(j))]
    return steps[::-1]


def _plain(word: str) -> str:
    """Case and punctuation do not make a difference, as in the measures."""
    return "".join(tokens(word)) or word


def _shown(kind: Kind, words: list[str]) -> str:
    if kind != "same" or len(words) <= 3 * _KEPT:
        return " ".join(words)
    return f"{' '.join(words[:_KEPT])} [{len(words) - 2 * _KEPT} words] {' '.join(words[-_KEPT:])}"
