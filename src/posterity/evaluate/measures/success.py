"""Dice > 0.5: the success rate of the BlogForever paper (section 3.1, Table 2), for articles and for titles.

The paper names the similarity but not the scoring. Its published script decides the open points, followed here:
texts are compared as they are, "." is appended to both (so that an empty text has something to compare), gold texts of
20 characters or fewer are left out, and a similarity above one half is a success. Nearly any text of the page
passes: report it, steer by something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score
from posterity.evaluate.measures.tokens import plain_body
from posterity.text.bigrams import similarity

if TYPE_CHECKING:
    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold

THRESHOLD = 0.5  # the paper's script, `threshold`
SHORTEST = 20  # the paper's script: only gold texts longer than this are scored


def score_article_success(gold: Gold, answer: Answer) -> Score | None:
    """Return 1.0 when the article passes; None when its gold text is missing or too short."""
    return _success(plain_body(gold), answer.text)


def score_title_success(gold: Gold, answer: Answer) -> Score | None:
    """Return 1.0 when the title passes; None when its gold text is missing or too short."""
    return _success(gold.title or "", answer.title or "")


def _success(wanted: str, given: str) -> Score | None:
    if len(wanted) <= SHORTEST:
        return None
    return Score(value=float(similarity(wanted + ".", given + ".") > THRESHOLD))
