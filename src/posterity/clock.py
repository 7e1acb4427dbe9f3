"""The current time for crawl and archive. Tests set it to simulate years of a blog in seconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_ahead = timedelta(0)


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC) + _ahead


def set_now(moment: datetime) -> None:
    """Set the clock of this process; it keeps running from `moment`."""
    global _ahead  # noqa: PLW0603 - a process has one clock
    _ahead = moment - datetime.now(UTC)
