"""Pictures and other files that posts show, as far as they lie among the stored pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.model import Media, Post
    from posterity.rebuild.neighbours import Answers


def with_stored_media(post: Post, shelf: Answers, archive: Archive) -> Post:
    """Return the post with the files of its media, which are put into the archive where they are not yet."""
    if not any(_lies_there(medium, shelf) for medium in post.media):
        return post
    return msgspec.structs.replace(post, media=tuple(_with_file(medium, shelf, archive) for medium in post.media))


def _lies_there(medium: Media, shelf: Answers) -> bool:
    leaf = shelf.leaf(medium.url)
    return leaf is not None and not leaf.is_page and not medium.file


def _with_file(medium: Media, shelf: Answers, archive: Archive) -> Media:
    page = shelf.page(medium.url) if _lies_there(medium, shelf) else None
    if page is None or not page.body:
        return medium
    mime = page.content_type.partition(";")[0].strip() or None
    stored = archive.put_media(page.body, mime, medium.url)
    return msgspec.structs.replace(stored, url=medium.url, alt=medium.alt)
