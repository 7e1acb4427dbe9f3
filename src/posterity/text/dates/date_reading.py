"""How one blog writes its dates: in which languages and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.text.dates.found import DayOrder, FoundDate
from posterity.text.dates.reading import read_dates

if TYPE_CHECKING:
    from datetime import datetime


class DateReading(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way of reading dates that can be kept with a blog's rules. `order` is None as long as nothing settles it."""

    languages: tuple[str, ...] = ("en",)
    order: DayOrder | None = None

    def dates(self, text: str, now: datetime | None = None) -> tuple[FoundDate, ...]:
        """Every date in the text, read this way."""
        return read_dates(text, languages=self.languages, order=self.order, now=now)
