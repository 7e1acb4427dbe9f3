"""A blog of the archive, and the schedule of its updates."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from posterity.model.post import Media

_YEAR_H = 24 * 366


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When to update a blog: about as often as it posts, every `hours` hours, or never."""

    mode: Literal["adaptive", "every", "paused"] = "adaptive"
    hours: Annotated[int, msgspec.Meta(ge=1, le=_YEAR_H)] | None = None

    def __post_init__(self) -> None:
        if (self.mode == "every") != (self.hours is not None):
            raise ValueError("`hours` must be set for the mode `every`, and for no other mode.")

    def __str__(self) -> str:
        match self.mode:
            case "adaptive":
                return "adaptively"
            case "paused":
                return "paused"
        hours = self.hours or 0
        number, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
        return f"every {unit}" if number == 1 else f"every {number} {unit}s"


class Blog(msgspec.Struct, frozen=True, kw_only=True):
    """One blog; `id` is computed from the URL of the home page.

    `updated_at` is the end of the last complete update, `due_at` the time of the next one, `results` are those of the
    latest updates, oldest first. `icon` is the favicon, a file of the archive. `former_urls` are the URLs of the home
    page before it moved, oldest first; the id is computed from the first. `failing_since` is the time of the first of
    the latest updates that have all failed. `rotation` is the number of updates in which every post is requested at
    least once; None: only a sample of posts is requested. `changes_url` is the platform's list of posts by their last
    change, if updates have found one.
    """

    id: str
    url: str
    title: str | None = None
    feed_url: str | None = None
    language: str | None = None
    harvested_at: datetime | None = None
    updated_at: datetime | None = None
    due_at: datetime | None = None
    results: tuple[Literal["news", "quiet", "failed"], ...] = ()
    icon: Media | None = None
    schedule: Schedule = Schedule()
    former_urls: tuple[str, ...] = ()
    failing_since: datetime | None = None
    rotation: Annotated[int, msgspec.Meta(ge=1)] | None = None
    changes_url: str | None = None
