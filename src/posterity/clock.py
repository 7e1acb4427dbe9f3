"""The time, as crawl and archive see it: a process can be told that it is another moment.

What a blog goes through in ten years can so be tested in seconds.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_ahead = timedelta(0)


def now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC) + _ahead


def set_now(moment: datetime) -> None:
    """Let this process count time from this moment on."""
    global _ahead  # noqa: PLW0603 - the clock of a process is one
    _ahead = moment - datetime.now(UTC)
