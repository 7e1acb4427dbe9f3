"""When the article on a page without rules was published: not when it was edited, commented on or copyrighted."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.extract.found_field import Found, aware, on_day
from posterity.extract.hybrid.choice import Answer, Candidate, answers_of, best_answer, found_by
from posterity.extract.hybrid.date_candidates import SHOWN, any_days, declared_days, marked_days, spoken_days
from posterity.extract.hybrid.learned_weights import learned_weights
from posterity.extract.hybrid.zones import signs_of_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.extract.hybrid.zones import Surroundings
    from posterity.text.dates import FoundDate

# Where one of these tells the day, the rest of the page is not searched for others.
_SURE = frozenset({"meta published", "ld article published", "ld page published", "address"})
_INDEPENDENT = frozenset({*_SURE, "time", "text"})
_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?:/|$)")
_MODIFIED = frozenset({"meta modified", "ld article modified", "ld page modified"})
_DECLARED = _SURE - {"address"}
_CHANGED = _MODIFIED | {"says modified"}
# hAtom has one element for both: <time class="entry-date updated">.
_NAMED_AS_FIRST = frozenset({"is published", "is entry-date"})
# What these are worth depends on whether the page declares a day of publication at all.
_BY_DECLARATION = frozenset(
    {
        *("meta modified", "ld article modified", "time first", "is published", "text", "first day", "last day"),
        *("says modified", "says published"),
    }
)
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
    month = _MONTH_IN_PATH.search(page.url)
    answers = answers_of(_on_day_of_address(_settled(candidates, month)))
    days = sorted(answer.key for answer in answers)
    told = "declared" if any(answer.signs & _DECLARED for answer in answers) else "undeclared"
    signed = []
    for answer in answers:
        signs = {sign for sign in answer.signs if ", " not in sign} | set(signs_of_places(answer.signs, SHOWN))
        signs |= {*_agreement(signs), *_against(answer.key, days, month)}
        signs |= {f"{told}: {sign}" for sign in signs & _BY_DECLARATION}
        if len(signs & _INDEPENDENT) > 1:
            signs.add("told twice")
        signed.append(Answer(answer.key, answer.candidates, frozenset(signs)))
    return signed


def _settled(candidates: list[Candidate], month: re.Match[str] | None) -> list[Candidate]:
    """Of dates whose day and month could be exchanged, the readings in the month of the address, if it settles them."""
    fitting = {id(each) for each in candidates if each.value.ambiguous and _fits(each.key, month)}
    return [each for each in candidates if not each.value.ambiguous or id(each) in fitting] if fitting else candidates


def _on_day_of_address(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates; moments of a neighbouring day are told in a zone in which they fall on the day of the address."""
    address = next((each.value.moment.date() for each in candidates if "address" in each.signs), None)
    return [each if address is None else _told_on(each, address) for each in candidates]


def _told_on(candidate: Candidate, day: date) -> Candidate:
    moment = candidate.value.moment
    if moment.tzinfo is None or candidate.value.precision == "day" or abs((moment.date() - day).days) != 1:
        return candidate
    local = on_day(moment, day)
    value = msgspec.structs.replace(candidate.value, moment=local)
    return msgspec.structs.replace(candidate, value=value, key=local.date().isoformat())


def _fits(day: str, month: re.Match[str] | None) -> bool:
    return month is not None and day.startswith(f"{month[1]}-{int(month[2]):02}")


def _agreement(signs: AbstractSet[str]) -> Iterator[str]:
    """Whether the page declares the day, shows it near its title, and calls it the day of a change."""
    declared = len(signs & _DECLARED) + ("address" in signs)
    shown = "shown" if any(sign.startswith("at ") and "title" in sign for sign in signs) else "not shown"
    is_changed = signs & _CHANGED or ("is updated" in signs and not signs & _NAMED_AS_FIRST)
    changed = "changed" if is_changed else "unchanged"
    yield f"{min(declared, 2)} declared and {shown}"
    yield f"{min(declared, 1)} declared and {changed}"
    yield f"{shown} and {changed}"


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
        yield "fits address" if _fits(day, month) else "against address"


def _changes(answer: Answer) -> list[FoundDate]:
    return [candidate.value for candidate in answer.candidates if _MODIFIED.intersection(candidate.signs)]


def _most_exact(dates: Sequence[FoundDate]) -> FoundDate:
    """The moment with its zone, else the moment, else the day."""
    return max(dates, key=lambda date: (date.precision == "minute") + (date.moment.tzinfo is not None))
