"""Which posts of an archive a corpus holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive
    from posterity.model import Post


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What a post must be to come into the corpus; without a word, every post does.

    `blogs` are ids, addresses or hosts.
    """

    blogs: tuple[str, ...] = ()


EVERYTHING = Selection()


def blog_by_blog(archive: Archive, selection: Selection) -> Selection:
    """Return the selection with every blog named, so that the posts of each come together."""
    return selection if selection.blogs else msgspec.structs.replace(selection, blogs=_all_ids(archive))


def selected(archive: Archive, selection: Selection) -> Iterator[Post]:
    """Stream the posts, blog by blog where blogs are named, by time of publication, those without last."""
    if not selection.blogs:
        yield from archive.posts()
        return
    # Two names may mean one blog, and its posts come once.
    for blog_id in dict.fromkeys(archive.blog(name).id for name in selection.blogs):
        yield from archive.posts(blog_id)


def _all_ids(archive: Archive) -> tuple[str, ...]:
    return tuple(blog.id for blog in archive.blogs())
