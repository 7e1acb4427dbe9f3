"""Dates as corpora write them: a day where only the day is known, else a moment with its zone."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.model.post import Precision


def written_date(moment: datetime | None, precision: Precision | None) -> str | None:
    """Return the ISO 8601 form of a date, or None."""
    if moment is None:
        return None
    return f"{moment.date()}" if precision == "day" else aware(moment).isoformat()


def rfc3339(moment: datetime) -> str:
    """Return a moment as Atom and JSON Feed require it: seconds and zone always there."""
    whole = aware(moment)
    return whole.isoformat(timespec="microseconds" if whole.microsecond else "seconds")


def utc_stamp(moment: datetime) -> str:
    """Return a moment in UTC to the second, with a Z."""
    try:
        return f"{aware(moment).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
    except OverflowError:  # the first and the last day that datetime knows
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")


def aware(moment: datetime) -> datetime:
    """Return a moment with a zone; one without is taken for UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
