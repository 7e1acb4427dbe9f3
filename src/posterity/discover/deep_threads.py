"""Threads that go deeper than WordPress shows: who answers whom there, by what its REST interface tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.discover.comment_feed import by_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.model import Comment

# WordPress's own default for `thread_comments_depth`: what lies deeper stands flat on the page, or not at all.
_SHOWN_DEPTH = 5


def is_deep(comments: tuple[Comment, ...]) -> bool:
    """Tell whether there may be answers whose place the page does not show."""
    levels: dict[str, int] = {}
    for comment in comments:
        levels[comment.id] = levels.get(comment.parent or "", 0) + 1
    return max(levels.values(), default=0) >= _SHOWN_DEPTH


def with_told_threads(comments: tuple[Comment, ...], told: Iterable[Comment]) -> tuple[Comment, ...]:
    """Return the comments of the page in the threads that the interface tells, with those that it alone knows."""
    shown = {each.id: each for each in comments}
    better = {each.id: msgspec.structs.replace(shown.get(each.id, each), parent=each.parent) for each in told}
    return tuple(sorted((shown | better).values(), key=by_number)) if better else comments
