"""When the article on a page without rules was published: not when it was edited, commented on or copyrighted."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from posterity.extract.found_field import Found, aware
from posterity.extract.hybrid.choice import Answer, answers_of, best_answer, found_by
from posterity.extract.hybrid.date_candidates import SHOWN, any_days, declared_days, marked_days, spoken_days
from posterity.extract.hybrid.learned_weights import learned_weights
from posterity.extract.hybrid.zones import signs_of_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.extract.hybrid.zones import Surroundings
    from posterity.text.dates import FoundDate

# Where one of these tells the day, the rest of the page is not searched for others.
_SURE = frozenset({"meta published", "ld article published", "ld page published", "address"})
_INDEPENDENT = frozenset({*_SURE, "time", "text"})
_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?:/|$)")
_MODIFIED = frozenset({"meta modified", "ld article modified", "ld page modified"})
# In logits: a doubtful day with its low confidence is more use than none; some of them are right.
EAGERNESS = 1.0
_MANY_DAYS = 4


def date_on(page: PageFacts, around: Surroundings, fetched_at: datetime | None = None) -> Found | None:
    """Return the day or moment of publication, or None when the page does not tell.

    The day of the last change comes along when the page declares a later one.
    """
    answers = date_answers(page, around, fetched_at)
    choice = best_answer(answers, learned_weights("date"), EAGERNESS)
    if choice is None:
        return None
    date = _most_exact([candidate.value for candidate in choice.answer.candidates])
    fields: dict[str, Any] = {"published": aware(date, None), "published_precision": date.precision}
    changed = [each for answer in answers if answer.key > choice.answer.key for each in _changes(answer)]
    if changed:
        fields["modified"] = aware(_most_exact(changed), None)
    return Found(fields, found_by(choice))


def date_answers(page: PageFacts, around: Surroundings, fetched_at: datetime | None = None) -> list[Answer]:
    """Return every day that may be the day of publication, with the signs for it."""
    candidates = [*declared_days(page), *marked_days(page, around.title), *spoken_days(page, around)]
    if not any(sign in _SURE for candidate in candidates for sign in candidate.signs):
        candidates += any_days(page, around.title)
    if fetched_at is not None:
        latest = (fetched_at + timedelta(days=1)).date().isoformat()
        candidates = [candidate for candidate in candidates if candidate.key <= latest]
    answers = answers_of(candidates)
    days = sorted(answer.key for answer in answers)
    month = _MONTH_IN_PATH.search(page.url)
    signed = []
    for answer in answers:
        signs = {sign for sign in answer.signs if ", " not in sign} | set(signs_of_places(answer.signs, SHOWN))
        signs |= set(_against(answer.key, days, month))
        if len(signs & _INDEPENDENT) > 1:
            signs.add("told twice")
        signed.append(Answer(answer.key, answer.candidates, frozenset(signs)))
    return signed


def _against(day: str, days: Sequence[str], month: re.Match[str] | None) -> Iterator[str]:
    """How the day relates to the others on the page, and to the month in its address."""
    if len(days) == 1:
        yield "only day"
    elif day == days[0]:
        yield "first day"
    elif day == days[-1]:
        yield "last day"
    if len(days) > _MANY_DAYS:
        yield "one of many days"
    if month:
        yield "fits address" if day.startswith(f"{month[1]}-{int(month[2]):02}") else "against address"


def _changes(answer: Answer) -> list[FoundDate]:
    return [candidate.value for candidate in answer.candidates if _MODIFIED.intersection(candidate.signs)]


def _most_exact(dates: Sequence[FoundDate]) -> FoundDate:
    """The moment with its zone, else the moment, else the day."""
    return max(dates, key=lambda date: (date.precision == "minute") + (date.moment.tzinfo is not None))
