"""Labels the blocks of a page by its annotated article text.

Annotations are texts, not elements. A block belongs to the article if runs of four of its words occur in the text, in
an order consistent with the other blocks. A shorter block belongs to it if its words occur between those of its
neighbours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from posterity.evaluate.measures.text import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

UNKNOWN = -1.0  # no annotation covers this block
_RUN = 4
_MAX_PLACES = 20  # occurrences of a run in the article that are considered
_MAX_CANDIDATES = 4000
_HALF = 0.5
_FREE = 0.3  # the share of a position that may already be used by other blocks
_MARGIN = 40  # words before the first and after the last long block to search for short ones


class _Match(NamedTuple):
    """A block, its start position in the article, and its number of words."""

    block: int
    start: int
    length: int


def labels(texts: Sequence[str], article: str) -> list[float]:
    """Return for each block the share of its words in the article; 0.0 if its position is inconsistent."""
    wanted = tokens(article)
    given = [tokens(text) for text in texts]
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for start in range(len(wanted) - _RUN + 1):
        places[wanted[start : start + _RUN]].append(start)
    covered, candidates = _covered(given, places)
    chain = _best_chain(candidates[:_MAX_CANDIDATES])
    found = [0.0] * len(texts)
    used = np.zeros(len(wanted), bool)
    for match in chain:
        found[match.block] = covered[match.block]
        used[max(0, match.start) : match.start + match.length] = True
    for match in candidates:
        spot = slice(max(0, match.start), match.start + match.length)
        if not found[match.block] and len(used[spot]) and used[spot].mean() < _FREE:
            found[match.block] = covered[match.block]
            used[spot] = True
    _label_short(given, wanted, chain, found, used)
    return found


def _covered(
    given: Sequence[tuple[str, ...]], places: dict[tuple[str, ...], list[int]]
) -> tuple[list[float], list[_Match]]:
    """Return the share of each block that is in the article, and possible positions of blocks with at least half."""
    shares, candidates = [], []
    for number, words in enumerate(given):
        hits = np.zeros(len(words), bool)
        first: tuple[int, list[int]] | None = None
        for start in range(len(words) - _RUN + 1):
            if at := places.get(words[start : start + _RUN]):
                hits[start : start + _RUN] = True
                first = first or (start, at)
        shares.append(float(hits.mean()) if len(words) else 0.0)
        if first and shares[-1] >= _HALF:
            candidates += [_Match(number, at - first[0], len(words)) for at in first[1][:_MAX_PLACES]]
    return shares, candidates


def _best_chain(candidates: Sequence[_Match]) -> list[_Match]:
    """Return the chain of matches with the most words whose order is the same on the page and in the article."""
    if not candidates:
        return []
    block, start, length = (np.array(column) for column in zip(*candidates, strict=True))
    best, previous = length.astype(float), np.full(len(block), -1)
    for here in range(1, len(block)):
        fits = (block[:here] < block[here]) & (start[:here] + length[:here] / 2 <= start[here])
        if fits.any():
            previous[here] = int(np.where(fits, best[:here], -1).argmax())
            best[here] += best[previous[here]]
    chain, here = [], int(best.argmax())
    while here >= 0:
        chain.append(candidates[here])
        here = int(previous[here])
    return chain[::-1]


def _label_short(
    given: Sequence[tuple[str, ...]],
    wanted: tuple[str, ...],
    chain: Sequence[_Match],
    found: list[float],
    used: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> None:
    blocks = [match.block for match in chain]
    start_of_all = chain[0].start - _MARGIN if chain else 0
    for number, words in enumerate(given):
        if not words or len(words) >= _RUN:
            continue
        place = bisect_left(blocks, number)
        low = chain[place - 1].start + chain[place - 1].length - 3 if place else start_of_all
        high = chain[place].start + 3 if place < len(chain) else (low + _MARGIN if chain else len(wanted))
        for start in range(max(0, low), min(high, len(wanted)) - len(words) + 1):
            spot = slice(start, start + len(words))
            if wanted[spot] == words and not used[spot].any():
                found[number], used[spot] = 1.0, True
                break


def segment_labels(texts: Sequence[str], wanted: Sequence[str], unwanted: Sequence[str]) -> list[float]:
    """Return 1.0 for blocks with a wanted segment, 0.0 for those that are an unwanted one, else `UNKNOWN`."""
    found = []
    for text in texts:
        if any(piece in text or (len(text) > 20 and text in piece) for piece in map(_folded, wanted)):
            found.append(1.0)
        elif any(piece in text and len(piece) > _FREE * len(text) for piece in map(_folded, unwanted)):
            found.append(0.0)
        else:
            found.append(UNKNOWN)
    return found


def _folded(text: str) -> str:
    return " ".join(text.split())
