"""Comments: one by one where the gold standard tells them apart, as one text where it does not.

A comment is found when a given one shares 0.8 of its words (token F1); every given comment counts once. Precision
and recall are over all comments of a data set.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score, overlap
from posterity.evaluate.measures.tokens import shared, token_counts, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold

SAME = 0.8  # the bench's bound for "the same comment"


def score_comments(gold: Gold, answer: Answer) -> Score | None:
    """Return how many comments were found; None on pages whose gold standard has none."""
    if not gold.comments:
        return None
    matched = pair_up([comment.text for comment in gold.comments], [comment.text for comment in answer.comments])
    return overlap(len(matched), len(answer.comments), len(gold.comments))


def score_comments_text(gold: Gold, answer: Answer) -> Score | None:
    """Return the token overlap of all comments as one text; None on pages whose gold standard has none."""
    if not gold.comments_text:
        return None
    given = "\n".join(comment.text for comment in answer.comments)
    return shared(token_counts(given), token_counts(gold.comments_text))


def pair_up(wanted: Sequence[str], given: Sequence[str]) -> dict[int, int]:
    """Return for each wanted text that was found the given text it goes with: the most similar one still free.

    Equal texts are looked up and others compared only where their lengths allow a match, so that a thread of a
    thousand comments does not take a million comparisons.
    """
    bags = [Counter(tokens(text)) for text in given]
    equal: dict[frozenset[tuple[str, int]], list[int]] = defaultdict(list)
    for index in reversed(range(len(bags))):
        equal[frozenset(bags[index].items())].append(index)
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for place, text in enumerate(wanted):
        bag = Counter(tokens(text))
        same = equal[frozenset(bag.items())]
        while same and same[-1] in used:
            same.pop()
        best = same[-1] if same else _most_similar(bag, bags, (n for n in range(len(bags)) if n not in used))
        if best is not None:
            pairs[place] = best
            used.add(best)
    return pairs


def _most_similar(bag: Counter[str], bags: Sequence[Counter[str]], free: Iterable[int]) -> int | None:
    words = bag.total()
    best, best_score = None, 0.0
    for index in free:
        others = bags[index].total()
        if 2 * min(words, others) < SAME * (words + others):
            continue
        score = shared(bags[index], bag).value
        if score >= SAME and score > best_score:
            best, best_score = index, score
    return best
