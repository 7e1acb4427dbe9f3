"""A value that was found on a page, with where it comes from."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.model import Provenance

if TYPE_CHECKING:
    from posterity.model import FieldRule
    from posterity.text.dates import FoundDate

_DAY = timedelta(hours=24)


class Found(msgspec.Struct, frozen=True):
    """The fields of `Post` that a rule gave, and where from."""

    fields: dict[str, Any]
    provenance: Provenance


def by_rule(rule: FieldRule) -> Provenance:
    """Return the provenance of a value that a rule gave."""
    return Provenance(method="feed", rule=str(rule.rule), confidence=rule.confidence)


def aware(found: FoundDate, zone_minutes: int | None) -> datetime:
    """Return the moment with a zone: its own, else the blog's, else UTC."""
    if found.moment.tzinfo is not None:
        return found.moment
    zone = timezone(timedelta(minutes=zone_minutes or 0)) if found.precision == "minute" else UTC
    return found.moment.replace(tzinfo=zone)


def on_day(moment: datetime, day: date) -> datetime:
    """Return the same moment in the nearest zone in which it falls on a neighbouring day, unchanged when there is none.

    Software tells the time in UTC; addresses and readers tell the day where the author lives.
    """
    if moment.date() == day:
        return moment
    hours = range(1, 13) if day > moment.date() else range(-1, -13, -1)
    offset = moment.utcoffset() or timedelta()
    zones = (offset + timedelta(hours=hour) for hour in hours)
    there = (moment.astimezone(timezone(zone)) for zone in zones if abs(zone) < _DAY)
    return next((local for local in there if local.date() == day), moment)
