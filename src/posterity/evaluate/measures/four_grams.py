"""4-gram precision, recall and F1, as scrapinghub's article extraction benchmark (2019) defines them.

Every run of four words counts, as often as it stands in the text; a text of fewer words is one run. Unlike token F1
this sees order, and case matters. Over a data set it is the F1 of the mean precision and the mean recall.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score, overlap
from posterity.evaluate.measures.tokens import plain_body

if TYPE_CHECKING:
    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold

_WORD = re.compile(r"\w+")
_RUN = 4  # the n that the benchmark published its table with


def four_grams(text: str) -> Counter[tuple[str, ...]]:
    """Return how often each run of four words stands in the text."""
    words = _WORD.findall(text)
    if len(words) < _RUN:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[start:] for start in range(_RUN)), strict=False))


def score_four_grams(gold: Gold, answer: Answer) -> Score | None:
    """Return the overlap of runs of four words, or None when there is no gold body."""
    if not gold.body:
        return None
    given, wanted = four_grams(answer.text), four_grams(plain_body(gold))
    return overlap((given & wanted).total(), given.total(), wanted.total())
