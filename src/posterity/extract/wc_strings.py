"""Which parts of a text also stand in the text of another page, at the same edge.

"posted by Jack F." against "posted by anonymous" leaves "Jack F.": `findCommonParts` in the appendix of document
002. It returns positions in the document's string; cutting comes later. The thesis shows two repeated phrases,
"posted by xyz" and "send mail", and no algorithm. The choices made here:

- Parts are made of whole words. By characters, any two sentences share something.
- They stand at the beginning or at the end. Any two paragraphs share words in their middle ("of the"), and taking
  those out would leave no sentence whole.
- A beginning or an end counts from two words on, like the phrases shown: a first word "The" in common proves
  nothing. Strings that are equal as a whole are common whatever their length.
- White space is compared as single spaces, letters exactly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_WORDS = 2  # the shortest phrases the thesis names: "posted by", "send mail"
_WORD = re.compile(r"\S+")


def common_parts(doc_str: str, ref_words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the stretches of `doc_str`, as start and end positions, that the other text has at the same edge.

    The other text comes as its words: one text of the reference page may meet many of the page, and is split once.
    """
    matches = list(_WORD.finditer(doc_str))
    doc_words = [match.group() for match in matches]
    most = min(len(doc_words), len(ref_words))
    before = _shared(doc_words, ref_words, most, from_end=False)
    after = _shared(doc_words, ref_words, most - before, from_end=True)
    if before + after == len(doc_words) or doc_words == ref_words:
        return [(matches[0].start(), matches[-1].end())] if matches else []
    parts = [(matches[0].start(), matches[before].start())] if before else []
    return [*parts, (matches[-after - 1].end(), matches[-1].end())] if after else parts


def without(text: str, parts: list[tuple[int, int]]) -> str:
    """Return the text with these stretches cut out."""
    kept, position = [], 0
    for start, end in parts:
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])


def edges(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return keys such that two texts have a common part exactly when they have a key in common, "all of it" first."""
    keys: list[tuple[str, ...]] = [("whole", *words)] if words else []
    if len(words) >= MIN_WORDS:
        keys += [("first", *words[:MIN_WORDS]), ("last", *words[-MIN_WORDS:])]
    return keys


def _shared(left: Sequence[str], right: Sequence[str], most: int, *, from_end: bool) -> int:
    """Return how many words the lists share at one edge, 0 when that is too few to mean anything."""
    count = 0
    while count < most and left[edge := -count - 1 if from_end else count] == right[edge]:
        count += 1
    return count if count >= MIN_WORDS else 0
