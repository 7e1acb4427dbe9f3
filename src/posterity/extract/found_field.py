"""A value that was found on a page, with where it comes from."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.model import Provenance

if TYPE_CHECKING:
    from posterity.model import FieldRule
    from posterity.text.dates import FoundDate


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
