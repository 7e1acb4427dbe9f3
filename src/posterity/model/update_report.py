"""What an update brought: new, edited and gone posts, new comments, and what it cost the blog."""

from __future__ import annotations

from datetime import datetime

import msgspec


class UpdateReport(msgspec.Struct, frozen=True, kw_only=True):
    """How one update ended. `requests` are all that left the machine, robots.txt and retries among them.

    `unchanged` pages were asked for again and say what they said; `missing` were not found for the first time, and
    are `gone` when the next update does not find them either. `rules` is the version in use at the end.
    """

    blog: str
    url: str
    started_at: datetime
    ended_at: datetime
    ended_because: str
    new: int = 0
    edited: int = 0
    gone: int = 0
    back: int = 0
    moved: int = 0
    missing: int = 0
    unchanged: int = 0
    comments: int = 0
    requests: int = 0
    bytes: int = 0
    rules: int = 0
    relearned: bool = False
    due_at: datetime | None = None

    @property
    def has_news(self) -> bool:
        """Tell whether anything is different from the last time."""
        return bool(self.new or self.edited or self.gone or self.back or self.moved or self.missing or self.comments)
