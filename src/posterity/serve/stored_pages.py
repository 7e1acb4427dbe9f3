"""The stored page of a post, and a sample of a blog's pages that a rule can be tried on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.archive import Filters
from posterity.archive.listing import newest_posts
from posterity.errors import ArchiveError, NotInArchive

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.model import Page, Post

SAMPLE = 40


def page_of_post(archive: Archive, post: Post) -> Page:
    """Return the page that the article was taken from, or the latest stored answer at the post's address."""
    for field in ("text", *post.provenance):
        origin = post.provenance.get(field)
        if origin is not None and origin.warc:
            return archive.read_page(origin.warc)
    found = archive.earlier_response(post.url, None)
    if found is None:
        raise NotInArchive(f"The archive holds no page of {post.url}.")
    return archive.read_page(f"{found.file}#{found.offset}")


def pages_to_try(archive: Archive, blog_id: str, first: str, most: int = SAMPLE) -> list[Page]:
    """Return the page of a post, and behind it those of others of its blog, spread over all its years."""
    pages = [page_of_post(archive, archive.post(first))]
    lines = []
    place = None
    while True:
        some, place = newest_posts(archive, Filters(blog_id=blog_id), 200, place)
        lines += [line.id for line in some]
        if place is None or len(lines) >= 20 * most:
            break
    step = max(1, len(lines) // most)
    for post_id in lines[::step]:
        if post_id != first and len(pages) < most:
            try:
                pages.append(page_of_post(archive, archive.post(post_id)))
            except ArchiveError:  # taken down, or its file is damaged: the others tell enough
                continue
    return pages
