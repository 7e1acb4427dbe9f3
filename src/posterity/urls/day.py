"""The day that an address names: /2021/03/12/slug, /2010-07-02-slug, /20100702.html."""

from __future__ import annotations

import re
from datetime import UTC, datetime

# A single digit is a day only if it is all that stands in its folder: /2007/01/1st-prize and /2011/06/3-ideas are not.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<between>[/_-]?)(?P<month>0?[1-9]|1[0-2])(?P=between)"
    r"(?P<day>(?:0[1-9]|[12]\d|3[01])(?!\d)|[1-9](?![^/]))"
)


def day_in_address(url: str) -> tuple[datetime, str] | None:
    """Return the day, and how the address spells it; None when it names none."""
    for match in _DAY.finditer(url):
        if not match["between"] and len(match.group()) != len("20210312"):
            continue
        try:
            return datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC), match.group()
        except ValueError:  # the 31st of a short month
            continue
    return None
