"""Dates that are written for machines, as in `datetime` attributes: ISO 8601 and nothing else in the text.

Most dates on pages are of this kind, and they need no vocabulary of any language.
"""

from __future__ import annotations

import re
from datetime import datetime

from posterity.text.dates.found import FoundDate

# Years and zones as in all other readings: no page is older than the web.
_ISO = re.compile(
    r"((?:199|20\d)\d-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.\d+)?"
    r"(Z|[+-](?:0\d|1[0-3]):?[0-5]\d)?)?",
    re.ASCII,
)


def iso_date(text: str) -> FoundDate | None:
    """Return the date that the whole text is, to the second, or None when it is none or something else stands by it."""
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    day, clock, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{zone or ''}" if clock else day)
    except ValueError:  # the 31st of a short month
        return None
    return FoundDate(moment, "minute" if clock else "day", "iso", ambiguous=False, start=0, end=len(text))
