"""A blog as the archive knows it."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Annotated, Literal

import msgspec

from posterity.model.post import Media

_YEAR_H = 24 * 366


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When to look at a blog again: at its own pace, every so many hours, or not at all."""

    mode: Literal["adaptive", "every", "paused"] = "adaptive"
    hours: Annotated[int, msgspec.Meta(ge=1, le=_YEAR_H)] | None = None

    def __post_init__(self) -> None:
        if (self.mode == "every") != (self.hours is not None):
            raise ValueError("The mode `every` needs `hours`, and only that one has them.")

    def __str__(self) -> str:
        match self.mode:
            case "adaptive":
                return "at its own pace"
            case "paused":
                return "paused"
        hours = self.hours or 0
        number, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
        return f"every {unit}" if number == 1 else f"every {number} {unit}s"


class Blog(msgspec.Struct, frozen=True, kw_only=True):
    """One blog; `id` is computed from the URL of the home page.

    `updated_at` is when the last update ended that went through to its end, `due_at` when the next one is worth its
    requests, `results` how the latest updates ended, the last one last. `icon` is the little picture
    that browsers show beside its name, a file of the archive. `schedule` is what a person wants of its updates.
    `former_urls` are those of its home page before it moved, the first one first: the id is that of the first.
    `failing_since` is when the first of the latest updates failed, if the last one did. `rotation` is in how many
    updates every post is to be requested at least once; None: samples only.
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


def blog_id(home_url: str) -> str:
    """Return the id of the blog whose home page has this canonical URL."""
    return "b" + _digest(home_url)


def post_id(canonical_url: str) -> str:
    """Return the id of the post with this canonical URL."""
    return "p" + _digest(canonical_url)


def _digest(url: str) -> str:
    # http and https, with and without www. are one place; an id must survive the move from one to the other.
    place = url.split("://", 1)[-1].removeprefix("www.")
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]
