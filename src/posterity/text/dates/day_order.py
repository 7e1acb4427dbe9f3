"""Whether a blog writes the day or the month first, told from its own examples."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.text.dates.matching import NO_FIT, misfit
from posterity.text.dates.reading import read_dates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from posterity.text.dates.found import DayOrder

_AGREEMENT = 0.9  # a feed entry may carry the date of an edit and fit the wrong reading by chance


def day_order_of(evidence: Iterable[tuple[str, datetime]], languages: Sequence[str]) -> DayOrder | None:
    """Return the order that the examples settle, None when they do not or when they contradict each other.

    Every example is a text from a page and the moment that the feed gives for it. A date such as 03/03/2021 tells
    nothing; one such as 25/03/2021 tells all.
    """
    votes: Counter[DayOrder] = Counter()
    for text, when in evidence:
        votes.update(_told(text, when, languages))
    if not votes:
        return None
    (order, count), *_ = votes.most_common(1)
    return order if count >= _AGREEMENT * votes.total() else None


def _told(text: str, when: datetime, languages: Sequence[str]) -> set[DayOrder]:
    told: set[DayOrder] = set()
    for date in read_dates(text, languages=languages):
        if date.order in ("dmy", "mdy") and date.moment.day != date.moment.month and misfit(date, when) < NO_FIT:
            told.add(date.order)
    return told if len(told) == 1 else set()
