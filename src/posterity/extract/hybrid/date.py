"""When the article on a page without rules was published: not when it was edited, commented on or copyrighted."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from posterity.extract.found_field import Found, aware
from posterity.extract.hybrid.choice import NONE, answers_of, best_answer, found_by
from posterity.extract.hybrid.date_candidates import any_days, declared_days, marked_days, spoken_days
from posterity.extract.hybrid.date_relations import relations
from posterity.extract.hybrid.date_settled import settled
from posterity.extract.hybrid.date_signs import MODIFIED, SURE, signed_days
from posterity.extract.hybrid.learned_weights import learned_weights
from posterity.model import Provenance
from posterity.text.dates import read_dates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from posterity.extract.hybrid.choice import Answer
    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.extract.hybrid.zones import Surroundings
    from posterity.text.dates import DayOrder, FoundDate

# In logits: a doubtful day with its low confidence is more use than none; some of them are right.
EAGERNESS = 3.0
# In logits: nearly every page of a known blog has a date, so "none" is that much less likely there.
_RARE_ON_BLOGS = 6.0
_MAX_LABEL = 60  # characters; a sentence tells of something else
_MAX_WORDS = 2  # beside a date: "Posted yesterday by"
_AGO_CONFIDENCE = 0.6  # it may be the day of a comment, or of the last change


def date_on(
    page: PageFacts,
    around: Surroundings,
    fetched_at: datetime | None = None,
    order: DayOrder | None = None,
    *,
    of_blog: bool = False,
) -> Found | None:
    """Return the day or moment of publication, or None when the page does not tell.

    The day of the last change comes along when the page declares a later one. `order` is how the blog writes day and
    month.
    """
    answers = date_answers(page, around, fetched_at, order)
    choice = best_answer(answers, _weights_on_blogs() if of_blog else learned_weights("date"), EAGERNESS)
    if choice is None:
        return _so_long_ago(page, around, fetched_at)
    date = _most_exact([candidate.value for candidate in choice.answer.candidates])
    fields: dict[str, Any] = {"published": aware(date, None), "published_precision": date.precision}
    changed = [each for answer in answers if answer.key > choice.answer.key for each in _changes(answer)]
    if changed:
        fields["modified"] = aware(_most_exact(changed), None)
    return Found(fields, found_by(choice))


def date_answers(
    page: PageFacts, around: Surroundings, fetched_at: datetime | None = None, order: DayOrder | None = None
) -> list[Answer]:
    """Return every day that may be the day of publication, with the signs for it."""
    candidates = [*declared_days(page), *marked_days(page, around.title), *spoken_days(page, around)]
    if not any(sign in SURE for candidate in candidates for sign in candidate.signs):
        candidates += any_days(page, around.title)
    if fetched_at is not None:
        latest = (fetched_at + timedelta(days=1)).date().isoformat()
        candidates = [candidate for candidate in candidates if candidate.key <= latest]
    candidates = settled(candidates, page, order)
    related = relations(page, around.title, candidates)
    return signed_days(answers_of(candidates), page, related)


def _so_long_ago(page: PageFacts, around: Surroundings, fetched_at: datetime | None) -> Found | None:
    """The day that a label near the title tells from now, "3 days ago", where the page names none."""
    if fetched_at is None:
        return None
    labels = (text for _, text in around.near_title if len(text) <= _MAX_LABEL)
    languages = (page.language or "en",)
    dates = ((text, date) for text in labels for date in read_dates(text, languages=languages, now=fetched_at))
    date = next((date for text, date in dates if _is_all_of(text, date)), None)
    if date is None:
        return None
    fields = {"published": aware(date, None), "published_precision": date.precision}
    return Found(fields, Provenance(method="page", rule="so long ago, next to title", confidence=_AGO_CONFIDENCE))


def _is_all_of(text: str, date: FoundDate) -> bool:
    """Tell whether the text says hardly more than the date. "Today" alone begins many titles; "3 days ago" does not."""
    told, rest = text[date.start : date.end], text[: date.start] + text[date.end :]
    return any(char.isdecimal() for char in told) or len(rest.split()) <= _MAX_WORDS


@cache
def _weights_on_blogs() -> Mapping[str, float]:
    """The weights for pages of a known blog."""
    weights = learned_weights("date")
    return {**weights, NONE: weights[NONE] - _RARE_ON_BLOGS}


def _changes(answer: Answer) -> list[FoundDate]:
    return [candidate.value for candidate in answer.candidates if MODIFIED.intersection(candidate.signs)]


def _most_exact(dates: Sequence[FoundDate]) -> FoundDate:
    """The moment with its zone, else the moment, else the day."""
    return max(dates, key=lambda date: (date.precision == "minute") + (date.moment.tzinfo is not None))
