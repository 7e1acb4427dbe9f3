"""The measures of the evaluation, and their table.

A measure compares the gold standard and the prediction of one page. It returns a score, or None if the gold standard
does not contain what it needs. To add a measure, write its function and add a line to `MEASURES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from posterity.evaluate.datasets import Gold, Prediction
from posterity.evaluate.elements import KINDS
from posterity.evaluate.measures import fields, text
from posterity.evaluate.measures.text import F_OF_AVERAGES, MEAN, POOLED, POOLED_RECALL, Score, Total

Scorer: TypeAlias = "Callable[[Gold, Prediction], Score | None]"


class Measure(msgspec.Struct, frozen=True):
    """A named score, how it is totalled, and its group in tables. `source` names its definition."""

    name: str
    group: Literal["article", "fields", "elements"]
    score: Scorer
    total: Total
    source: str
    lower_is_better: bool = False


MEASURES: tuple[Measure, ...] = (
    Measure("token F1", "article", text.score_tokens, MEAN, "bag of words"),
    Measure("F1 >= 0.95", "article", text.score_nearly_all, MEAN, "bag of words"),
    Measure("alignment F", "article", text.score_alignment, MEAN, "CleanEval; thesis on web cleaning, 3.1"),
    Measure("marked F", "article", text.score_marked_alignment, MEAN, "CleanEval, text and markup"),
    Measure("4-gram F1", "article", text.score_four_grams, F_OF_AVERAGES, "scrapinghub 2019"),
    Measure("segments F1", "article", text.score_segments, POOLED, "trafilatura's evaluation"),
    Measure("Dice > 0.5", "article", text.score_article_success, MEAN, "BlogForever crawler, Table 2"),
    Measure("ACS", "article", text.score_acs, MEAN, "E-mCST, section 5"),
    Measure("TCS", "article", text.score_tcs, MEAN, "E-mCST, section 5"),
    Measure("title", "fields", fields.score_title, MEAN, "BlogBuster, section 6"),
    Measure("title Dice > 0.5", "fields", text.score_title_success, MEAN, "BlogForever crawler, Table 2"),
    Measure("date", "fields", fields.score_date, MEAN, "BlogBuster, section 6"),
    Measure("author", "fields", fields.score_author, MEAN, "same set of names"),
    Measure(
        "author invented", "fields", fields.score_invented_author, MEAN, "pages without author", lower_is_better=True
    ),
    Measure("tags F1", "fields", fields.score_tags, POOLED, "tags and categories, one by one"),
    Measure("comments F1", "fields", fields.score_comments, POOLED, "comment by comment"),
    Measure("comment authors F1", "fields", fields.score_comment_authors, POOLED, "of the comments found"),
    Measure("comment dates F1", "fields", fields.score_comment_dates, POOLED, "of the comments found"),
    Measure("comment parents F1", "fields", fields.score_comment_parents, POOLED, "of the comments found"),
    Measure("comments text F1", "fields", fields.score_comments_text, MEAN, "bag of words"),
    Measure("comment segments", "fields", text.score_comment_segments, POOLED_RECALL, "trafilatura's evaluation"),
    Measure("posts F1", "fields", fields.score_posts, POOLED, "BlogBuster, section 6"),
    Measure("post titles F1", "fields", fields.score_post_titles, POOLED, "BlogBuster, section 6"),
    Measure("post dates F1", "fields", fields.score_post_dates, POOLED, "BlogBuster, section 6"),
    *(Measure(kind, "elements", fields.scorer_of(kind), POOLED, "same elements") for kind in KINDS),
)

MEASURE: dict[str, Measure] = {measure.name: measure for measure in MEASURES}

# Candidates are ranked by the first of these measures for which a data set has gold values.
HEADLINES = ("token F1", "segments F1", "posts F1", "date", "title", "author")


def page_scores(gold: Gold, prediction: Prediction) -> dict[str, Score]:
    """Return the scores of all measures that the gold standard allows, in the order of `MEASURES`."""
    scored = ((measure.name, measure.score(gold, prediction)) for measure in MEASURES)
    return {name: score for name, score in scored if score is not None}


__all__ = ["HEADLINES", "MEASURE", "MEASURES", "Measure", "Score", "page_scores"]
