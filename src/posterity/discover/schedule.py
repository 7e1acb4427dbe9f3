"""Decides when a blog is due for an update: after half of its usual interval between posts, later while it is silent.

Blogs post at very different paces. Adapting to each finds new posts early on active blogs and spares inactive ones.
After a failure, a blog is retried soon. The functions are pure: the time of the last update is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Literal

from posterity.model import Schedule
from posterity.model.post import aware

Result = Literal["news", "quiet", "failed"]

SOONEST = timedelta(hours=1)
LATEST = timedelta(days=30)
# Past results to keep; older ones do not change the interval.
KEPT_RESULTS = 8

_UNKNOWN_PACE = timedelta(days=1)
_RECENT_GAPS = 10
_SHARE_OF_GAP = 0.5  # then a new post waits a quarter of the usual gap, on average
_SHARE_OF_SILENCE = 0.25
_QUIET_STRETCH = 1.25
_FIRST_RETRY = timedelta(hours=6)


def next_due(published: Iterable[datetime], results: Sequence[Result], updated_at: datetime) -> datetime:
    """Return when the blog is due again, given the dates of its posts and the results of updates, latest last.

    Naive dates count as UTC. Dates in the future, which some blogs have, are replaced by `updated_at`.
    """
    now = aware(updated_at)
    failures = _streak(results, "failed")
    if failures:
        patience: int = 2 ** min(failures - 1, KEPT_RESULTS)
        return now + min(LATEST, _FIRST_RETRY * patience)
    pace = _pace(sorted(min(now, aware(moment)) for moment in published), now)
    stretch: float = _QUIET_STRETCH ** _streak(results, "quiet")
    return now + min(LATEST, max(SOONEST, pace * stretch))


def due_after(
    schedule: Schedule, published: Iterable[datetime], results: Sequence[Result], updated_at: datetime
) -> datetime:
    """Return when the blog is due again by its schedule: after fixed hours or, if None, by `next_due`.

    Whether the blog is paused is ignored.
    """
    if schedule.hours is not None:
        return aware(updated_at) + timedelta(hours=schedule.hours)
    return next_due(published, results, updated_at)


def is_due(due_at: datetime | None, now: datetime) -> bool:
    """Return whether the blog is due; one that was never updated (None) is."""
    return due_at is None or aware(due_at) <= aware(now)


def rotation_size(posts: int, updates: int) -> int:
    """Return how many posts each update must request so that all are requested within `updates` updates."""
    return -(-posts // updates)


def _pace(moments: Sequence[datetime], now: datetime) -> timedelta:
    """The time to wait by the dates alone."""
    if not moments:
        return _UNKNOWN_PACE
    silence = (now - moments[-1]) * _SHARE_OF_SILENCE
    gaps_s = [(later - earlier).total_seconds() for earlier, later in pairwise(moments[-_RECENT_GAPS - 1 :])]
    usual = timedelta(seconds=median(gaps_s)) * _SHARE_OF_GAP if gaps_s else _UNKNOWN_PACE
    return max(silence, usual)


def _streak(results: Sequence[Result], kind: Result) -> int:
    """The number of consecutive results of this kind at the end."""
    count = 0
    for result in reversed(results):
        if result != kind:
            break
        count += 1
    return count
