"""The schedule of a blog's updates as a person wants it, stored with when the next one is due."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.discover.schedule import due_after

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.model import Blog, Schedule


def put_schedule(archive: Archive, name: str, schedule: Schedule) -> Blog:
    """Store how a blog is to be followed from now on and return it; the time counts from its last update."""
    blog = archive.blog(name)
    looked_at = blog.updated_at or blog.harvested_at or datetime.now(UTC)
    dates = [post.published for post in archive.posts(blog.id, gone=False) if post.published]
    due_at = due_after(schedule, dates, blog.results, looked_at)
    planned = msgspec.structs.replace(blog, schedule=schedule, due_at=due_at)
    archive.put_blog(planned)
    return planned
