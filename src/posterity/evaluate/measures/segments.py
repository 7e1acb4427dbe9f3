"""Segments: short pieces that must, and pieces that must not, be in the extracted text.

The way trafilatura's evaluation works: cheap to annotate, so many sites fit in. A piece counts as found when it
stands in the text letter by letter, white space folded. F1 is of the counts over all pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score, overlap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold


def score_segments(gold: Gold, answer: Answer) -> Score | None:
    """Return wanted pieces found, all listed pieces found, pieces wanted; None when none are listed."""
    if not (gold.segments_with or gold.segments_without):
        return None
    hits = found_in(answer.text, gold.segments_with)
    return overlap(hits, hits + found_in(answer.text, gold.segments_without), len(gold.segments_with))


def score_comment_segments(gold: Gold, answer: Answer) -> Score | None:
    """Return how many of the listed pieces of comments were found as comments."""
    if not gold.comment_segments:
        return None
    hits = found_in("\n".join(comment.text for comment in answer.comments), gold.comment_segments)
    return Score(value=hits / len(gold.comment_segments), hits=hits, given=hits, wanted=len(gold.comment_segments))


def found_in(text: str, segments: Iterable[str]) -> int:
    """Return how many of the segments stand in the text."""
    folded = _folded(text)
    return sum(_folded(segment) in folded for segment in segments)


def _folded(text: str) -> str:
    return " ".join(text.split())
