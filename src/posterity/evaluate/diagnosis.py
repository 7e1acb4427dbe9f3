"""Why a page scored badly, in a few words: what was kept too much, what was lost, and whether the gold can be right.

For people who look for the next thing to mend. It compares words only and copies none of the page's text.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from posterity.dom import parse, text_of
from posterity.errors import PosterityError
from posterity.evaluate.measures.segments import found_in
from posterity.evaluate.measures.tokens import plain_body, token_counts

if TYPE_CHECKING:
    from collections import Counter

    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold, Sample

_FEW, _MOST = 0.2, 0.9
_HALF = 0.5
_MANY = 3.0  # times the words that were wanted


def diagnosis(sample: Sample, answer: Answer, failure: str | None = None) -> str:
    """Return what is wrong with the answer; empty where nothing is."""
    if failure:
        return f"failed: {failure}"
    if sample.gold.posts:
        return _of_posts(sample.gold, answer)
    wrong = [_of_article(sample, answer), *_of_fields(sample.gold, answer)]
    return "; ".join(filter(None, wrong))


def _of_article(sample: Sample, answer: Answer) -> str:
    if sample.gold.body is None:
        return _of_segments(sample.gold, answer)
    wanted, given = token_counts(plain_body(sample.gold)), token_counts(answer.text)
    if not wanted:
        return "the annotated text is empty"
    if not given:
        return "nothing was found"
    common = (wanted & given).total()
    recall, precision = common / wanted.total(), common / given.total()
    if recall < _FEW and precision < _FEW:
        return f"another part of the page was taken{_where_wanted(wanted, answer)}"
    said = []
    if precision < _MOST:
        said.append(f"kept too much{_what_is_extra(sample, wanted, given)}")
    if recall < _MOST:
        said.append(f"lost {1 - recall:.0%} of the words{_why_lost(sample, answer, wanted, given)}")
    return ", ".join(said)


def _what_is_extra(sample: Sample, wanted: Counter[str], given: Counter[str]) -> str:
    extra = given - wanted
    told = sample.gold.comments_text or " ".join(comment.text for comment in sample.gold.comments or ())
    comments = token_counts(told)
    if comments and (extra & comments).total() > _HALF * extra.total():
        return ": comments"
    if given.total() > _MOST * _shown(sample).total():
        return ": the whole page"
    return f": {given.total() / wanted.total():.0f} times the words" if given.total() > _MANY * wanted.total() else ""


def _why_lost(sample: Sample, answer: Answer, wanted: Counter[str], given: Counter[str]) -> str:
    lost = wanted - given
    if (lost & _shown(sample)).total() < _HALF * lost.total():
        return " (most of them not to be seen on the page)"
    comments = token_counts(" ".join(comment.text for comment in answer.comments))
    if (lost & comments).total() > _HALF * lost.total():
        return " (most of them comments, which the annotated text holds too)"
    if (lost & _fields(answer)).total() > _HALF * lost.total():
        return " (most of them title, author and date, which are fields here)"
    return ""


def _where_wanted(wanted: Counter[str], answer: Answer) -> str:
    """Say so where nothing is annotated but what is a field here: a photo or a film under a headline."""
    if (wanted & _fields(answer)).total() > _HALF * wanted.total():
        return ": the annotated text is title, author and date, which are fields here"
    return ""


def _fields(answer: Answer) -> Counter[str]:
    return token_counts(" ".join((answer.title or "", *answer.authors, _spoken_date(answer.date))))


def _spoken_date(date: str | None) -> str:
    """The date in some of the words in which a page writes it."""
    if not date:
        return ""
    day = datetime.fromisoformat(date)
    return f"by on posted {day:%Y} {day:%B} {day:%b} {day.day} {day:%d} {day:%m}"


def _of_segments(gold: Gold, answer: Answer) -> str:
    wanted = len(gold.segments_with)
    found, unwanted = found_in(answer.text, gold.segments_with), found_in(answer.text, gold.segments_without)
    said = [f"lost {wanted - found} of {wanted} wanted pieces"] if found < wanted else []
    if unwanted:
        said.append(f"kept {unwanted} of {len(gold.segments_without)} unwanted pieces")
    return ", ".join(said)


def _shown(sample: Sample) -> Counter[str]:
    try:
        return token_counts(text_of(parse(sample.html, sample.url).tree))
    except PosterityError:
        return token_counts("")


def _of_fields(gold: Gold, answer: Answer) -> list[str]:
    from posterity.evaluate.measures.fields import score_author, score_date, score_invented_author, score_title

    said = []
    for name, score, given in (
        ("title", score_title(gold, answer), answer.title),
        ("date", score_date(gold, answer), answer.date),
        ("author", score_author(gold, answer), answer.authors),
    ):
        if score is not None and score.value < 1.0:
            said.append(f"another {name}" if given else f"no {name}")
    invented = score_invented_author(gold, answer)
    return [*said, "an invented author"] if invented is not None and invented.value > 0.0 else said


def _of_posts(gold: Gold, answer: Answer) -> str:
    from posterity.evaluate.measures.posts import score_post_dates, score_post_titles, score_posts

    said = []
    for name, score in (
        ("posts", score_posts(gold, answer)),
        ("titles", score_post_titles(gold, answer)),
        ("dates", score_post_dates(gold, answer)),
    ):
        if score is not None and (score.hits < score.wanted or score.hits < score.given):
            said.append(f"{name}: {score.hits:.0f} of {score.wanted:.0f}, {score.given:.0f} given")
    return ", ".join(said)
