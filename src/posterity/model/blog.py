"""A blog as the archive knows it."""

from __future__ import annotations

from datetime import datetime

import msgspec


class Blog(msgspec.Struct, frozen=True, kw_only=True):
    """One blog; `id` follows from the home address."""

    id: str
    url: str
    title: str | None = None
    feed_url: str | None = None
    language: str | None = None
    harvested_at: datetime | None = None
