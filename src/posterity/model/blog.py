"""A blog as the archive knows it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from posterity.model.post import Media


class Blog(msgspec.Struct, frozen=True, kw_only=True):
    """One blog; `id` follows from the home address.

    `updated_at` is when the last update ended that went through to its end, `due_at` when the next one is worth its
    requests, `results` how the latest updates ended, the last one last. `icon` is the little picture
    that browsers show beside its name, a file of the archive.
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
