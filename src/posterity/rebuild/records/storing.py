"""Ready-made records into the archive: blogs introduced, raw pages stored where the file has them, posts compared."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.archive.columns import date_key
from posterity.errors import InputError, NoBlog
from posterity.model import HarvestReport, Provenance, SourceCount
from posterity.rebuild.changes import Changes
from posterity.rebuild.grouping import grouped_crawl
from posterity.rebuild.neighbours import Neighbours
from posterity.rebuild.records.blogs import BlogBook
from posterity.rebuild.records.files import records_in, wacz_has_posts
from posterity.rebuild.shelf import Shelf
from posterity.rebuild.spool import BUCKETS
from posterity.rebuild.write_pages import write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from posterity.archive import Archive
    from posterity.model import Blog, Media, Page, Post
    from posterity.rebuild.neighbours import Answers
    from posterity.rebuild.shelf import Leaf
    from posterity.rebuild.spool import Spool


class RecordsImported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="records"):
    """One blog of which records were stored, and what became of its posts."""

    report: HarvestReport
    posts: dict[str, int]


def import_records(archive: Archive, path: Path) -> Iterator[RecordsImported]:
    """Store every record of the file; yield what became of the posts of each blog."""
    started_at = datetime.now(UTC)
    book = BlogBook(archive, path)
    changes: dict[str, Changes] = {}
    with ExitStack() as stack:
        pages = _stored_pages(archive, path, book, stack) if wacz_has_posts(path) else Shelf((), _no_page)
        for found in records_in(path):
            blog = book.blog_of(found)
            post = _at_home(msgspec.structs.replace(found.post, blog=blog.id), archive)
            changes.setdefault(blog.id, Changes(archive, dry_run=False)).take(post, pages)
        for taken in changes.values():
            taken.flush()
    if not changes:
        raise NoBlog(f"There is no post in {path}.")
    for blog_id, taken in changes.items():
        report = _report(archive.blog(blog_id), taken, started_at)
        archive.put_report(report)
        yield RecordsImported(report=report, posts=taken.counts())


def _stored_pages(archive: Archive, path: Path, book: BlogBook, stack: ExitStack) -> Answers:
    """Write the pages of a WACZ into the archive, and return where to ask for them."""
    grouped = stack.enter_context(grouped_crawl([path]))
    for _, failure in grouped.failures:
        raise failure
    first = next(records_in(path), None)
    if first is not None:
        default = book.blog_of(first)
        for bucket in range(BUCKETS):
            _write_bucket(archive, grouped.spool, book, default, grouped.spool.leaves(bucket))
    return Neighbours(grouped.spool)


def _write_bucket(archive: Archive, spool: Spool, book: BlogBook, default: Blog, leaves: list[Leaf]) -> None:
    by_blog: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        by_blog.setdefault((book.blog_at(leaf.url) or default).id, []).append(leaf)
    for blog_id, some in by_blog.items():
        write_pages(archive, spool, blog_id, some)


def _at_home(post: Post, archive: Archive) -> Post:
    """The post with nothing in it that points out of this archive: to WARC records and files that are elsewhere."""
    captures = {capture.fetched_at: f"{capture.file}#{capture.offset}" for capture in archive.captures(post.url)}

    def rooted(origin: Provenance) -> Provenance:
        warc = captures.get(date_key(origin.at)) if origin.warc and origin.at else None
        return msgspec.structs.replace(origin, warc=warc)

    return msgspec.structs.replace(
        post,
        media=tuple(_here(medium, archive) for medium in post.media),
        provenance={field: rooted(origin) for field, origin in post.provenance.items()},
    )


def _here(medium: Media, archive: Archive) -> Media:
    try:
        is_here = medium.file is not None and archive.media_path(medium.file).is_file()
    except ValueError as problem:
        raise InputError(f"The file holds {problem}.") from problem
    return medium if is_here else msgspec.structs.replace(medium, file=None, digest=None)


def _no_page(leaf: Leaf) -> Page:
    raise AssertionError(leaf)  # an empty shelf has no leaves


def _report(blog: Blog, changes: Changes, started_at: datetime) -> HarvestReport:
    count = len(changes.posts)
    return HarvestReport(
        blog=blog.id,
        url=blog.url,
        started_at=started_at,
        ended_at=datetime.now(UTC),
        ended_because="every record of the file has been read",
        sources=(SourceCount(source="records", promised=count, new=count),),
        posts=count,
        new_posts=changes.counts().get("new", 0),
        comments=changes.comments,
        media=changes.media,
    )
