"""CleanEval's precision, recall and F: how many words stay when one text is turned into the other word by word.

The thesis on web cleaning (section 3.1) scores by the fewest "insert word" and "delete word" steps between the
automatically and the manually cleaned text. What such steps leave in place is a longest common subsequence, so
precision = LCS / words given and recall = LCS / words wanted.

Ambiguous, and the choice made:
- The thesis used `cleaneval.py`, which aligns with Python's difflib. That finds long runs first and may leave out
  words that an optimal alignment keeps; we compute the optimum that the text defines.
- Words: as in token F1 (case folded, no punctuation), where the script splits at white space only. A comma should
  not decide whether an article was found.
- "With markup": the marks `<p>`, `<h>` and `<l>` are words of the sequence, as in that script.

The LCS runs bit-parallel (Hyyro, "Bit-parallel LCS-length computation revisited", 2004): one row of the table is one
int, so a text of n words against one of m costs n steps on m bits, not n x m.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score, overlap
from posterity.evaluate.measures.tokens import plain_body, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold

_MARK = re.compile(r"(<[phl]>)", re.IGNORECASE)


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many words the longest common subsequence of two texts has."""
    start = _common_start(left, right)
    end = _common_end(left[start:], right[start:])
    short, long = sorted((left[start : len(left) - end], right[start : len(right) - end]), key=len)
    # Words that stand on one side only cannot be part of it.
    there = set(long)
    short = [word for word in short if word in there]
    if not short:
        return start + end
    # Only the last row is asked for; a deque of one lets the others go as they come.
    last = deque(lcs_rows(short, long), maxlen=1)[0]
    return start + end + len(short) - last.bit_count()


def lcs_rows(short: Sequence[str], long: Sequence[str]) -> Iterator[int]:
    """Yield the table's row after each word of `long`: a bit per word of `short`, zero where the length grows."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(short):
        places[word].append(place)
    matches = {word: sum(1 << place for place in at) for word, at in places.items()}
    all_bits = (1 << len(short)) - 1
    row = all_bits
    for word in long:
        match = matches.get(word)
        if match is not None:
            both = row & match
            row = ((row + both) | (row - both)) & all_bits
        yield row


def _common_start(left: Sequence[str], right: Sequence[str]) -> int:
    for index, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return index
    return min(len(left), len(right))


def _common_end(left: Sequence[str], right: Sequence[str]) -> int:
    return _common_start(left[::-1], right[::-1])


def score_alignment(gold: Gold, answer: Answer) -> Score | None:
    """Return the alignment of the words, or None when there is no gold body."""
    if not gold.body:
        return None
    given, wanted = tokens(answer.text), tokens(plain_body(gold))
    return overlap(lcs_length(given, wanted), len(given), len(wanted))


def score_marked_alignment(gold: Gold, answer: Answer) -> Score | None:
    """Return the alignment of words and block marks, or None when the gold body has no marks."""
    if not gold.is_marked:
        return None
    given, wanted = _with_marks(answer.marked), _with_marks(gold.body or "")
    return overlap(lcs_length(given, wanted), len(given), len(wanted))


def _with_marks(text: str) -> list[str]:
    parts = _MARK.split(re.sub(r"(?i)^\s*URL\b[^\n]*\n", "", text))
    return [word for part in parts for word in ([part.lower()] if _MARK.fullmatch(part) else tokens(part))]
