"""What speaks for a day: who declares it, whether readers see it too, and how it compares with the other days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.hybrid.choice import Answer
from posterity.extract.hybrid.date_candidates import SHOWN
from posterity.extract.hybrid.date_relations import against_declared
from posterity.extract.hybrid.date_settled import month_in_address
from posterity.extract.hybrid.kind_signs import kind_signs
from posterity.extract.hybrid.zones import signs_of_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from posterity.extract.hybrid.page_facts import PageFacts

_DECLARED = frozenset({"meta published", "ld article published", "ld page published"})
# Where one of these tells the day, the rest of the page is not searched for others.
SURE = _DECLARED | {"address"}
# What is declared as the day of the last change.
MODIFIED = frozenset({"meta modified", "ld article modified", "ld page modified"})
_CHANGED = MODIFIED | {"says modified"}
_INDEPENDENT = SURE | {"time", "text"}
# hAtom has one element for both: <time class="entry-date updated">.
_NAMED_AS_FIRST = frozenset({"is published", "is entry-date"})
# Who tells a day.
_TELLERS = {
    "address": "address",
    "ld article created": "ld",
    "ld article published": "ld",
    "ld page published": "ld",
    "meta date": "meta",
    "meta published": "meta",
    "meta some": "meta",
    "pubdate": "time",
    "time": "time",
}
_DECLARING = frozenset(sign for sign, teller in _TELLERS.items() if teller != "time")
# What these are worth depends on whether the page declares a day of publication at all.
_BY_DECLARATION = frozenset(
    {
        *("meta modified", "ld article modified", "time first", "is published", "text", "first day", "last day"),
        *("says modified", "says published"),
    }
)
# A thread is as old as its first message.
_IN_THREADS = frozenset({"first day", "last day", "first shown", "first behind title"})
_MANY_DAYS = 4


def signed_days(answers: Sequence[Answer], page: PageFacts, related: Mapping[str, AbstractSet[str]]) -> list[Answer]:
    """Return the answers of a page with all of their signs; `related` are those of the days that readers see."""
    month = month_in_address(page.url)
    of_page = frozenset(kind_signs(page))
    days = sorted(answer.key for answer in answers)
    declared = [answer.key for answer in answers if answer.signs & _DECLARED]
    own = [_own_signs(answer) | related.get(answer.key, set()) for answer in answers]
    tellers = [_tellers(signs) for signs in own]
    counts = sorted(map(len, tellers))
    signed = []
    for answer, signs, told_by in zip(answers, own, tellers, strict=True):
        signs |= {*_compared(answer.key, days, month), f"told by {' '.join(sorted(told_by)) or 'nobody'}"}
        signs |= {*_agreement(signs), *_by_declaration(signs, answer.key, declared)}
        if len(told_by) == counts[-1] and counts[-2:-1] != counts[-1:]:
            signs.add("told by most")
        if page.is_thread:
            signs |= {f"thread: {sign}" for sign in signs & _IN_THREADS}
        signed.append(Answer(answer.key, answer.candidates, of_page | signs))
    return signed


def _own_signs(answer: Answer) -> set[str]:
    return {sign for sign in answer.signs if ", " not in sign} | set(signs_of_places(answer.signs, SHOWN))


def _tellers(signs: AbstractSet[str]) -> set[str]:
    """Who tells the day, each kind of source once."""
    tellers = {_TELLERS[sign] for sign in signs & _TELLERS.keys()}
    return tellers | {"text"} if _is_shown(signs) or "first behind title" in signs else tellers


def _is_shown(signs: AbstractSet[str]) -> bool:
    """Whether readers see the day near the title."""
    return any(sign.startswith("at ") and "title" in sign for sign in signs)


def _agreement(signs: AbstractSet[str]) -> Iterator[str]:
    """Whether the page declares the day, shows it near its title, and calls it the day of a change."""
    count = len(signs & SURE)
    shown = "shown" if _is_shown(signs) else "not shown"
    is_changed = signs & _CHANGED or ("is updated" in signs and not signs & _NAMED_AS_FIRST)
    changed = "changed" if is_changed else "unchanged"
    yield f"{min(count, 2)} declared and {shown}"
    yield f"{min(count, 1)} declared and {changed}"
    yield f"{shown} and {changed}"
    if len(signs & _INDEPENDENT) > 1:
        yield "told twice"


def _by_declaration(signs: AbstractSet[str], day: str, declared: Sequence[str]) -> Iterator[str]:
    """What the signs are worth where the page declares no day of publication, one, or several."""
    told = "declared" if declared else "undeclared"
    yield from (f"{told}: {sign}" for sign in signs & _BY_DECLARATION)
    yield from (f"{sign} of {min(len(declared), 2)}" for sign in signs & _DECLARING)
    if declared and day not in declared:
        yield against_declared(day, declared[0])


def _compared(day: str, days: Sequence[str], month: str | None) -> Iterator[str]:
    """How the day compares with the others on the page, and with the month in its address."""
    if len(days) == 1:
        yield "only day"
    elif day == days[0]:
        yield "first day"
    elif day == days[-1]:
        yield "last day"
    if len(days) > _MANY_DAYS:
        yield "one of many days"
    if month is not None:
        yield "fits address" if day.startswith(month) else "against address"
