"""Blogs out of somebody else's crawl or a mirror on disk, into the archive: so a dead blog can be rebuilt.

The answers are grouped by host on the disk, each written once. Every host that proves to be a blog gets its pages
stored in WARC files of the archive, and its records made of them exactly as if they had been harvested.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from posterity.config import LearnSettings
from posterity.errors import NoBlog
from posterity.model import Blog, HarvestReport, Rejected, RuleSet, blog_id
from posterity.rebuild.archive_shelf import archive_shelf
from posterity.rebuild.blogs_in_crawl import home_of, leaves_by_host
from posterity.rebuild.changes import Changes
from posterity.rebuild.exchange import Damage
from posterity.rebuild.grouping import grouped_crawl
from posterity.rebuild.import_report import import_report
from posterity.rebuild.lesson import lesson_of
from posterity.rebuild.neighbours import Neighbours
from posterity.rebuild.posts import posts_on
from posterity.rebuild.shelf import Shelf
from posterity.rebuild.sources import crawl_files_in, mirror_exchanges
from posterity.rebuild.spool import BUCKETS
from posterity.rebuild.write_pages import write_pages
from posterity.urls import Scope, canonical_url, place_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from posterity.archive import Archive
    from posterity.rebuild.lesson import Lesson
    from posterity.rebuild.shelf import Leaf
    from posterity.rebuild.spool import Spool


class Imported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="imported"):
    """One blog that was found and stored, its rules, and what became of its posts."""

    report: HarvestReport
    rules: RuleSet
    posts: dict[str, int]
    rejected: tuple[Rejected, ...] = ()


class NotImported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="notimported"):
    """A host whose pages are no blog's, and why."""

    host: str
    pages: int
    problem: str


class Survey(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="read"):
    """What was read: how many answers, and the records that are damaged."""

    answers: int
    damaged: tuple[Damage, ...] = ()


def import_crawls(
    archive: Archive,
    paths: Sequence[Path],
    *,
    home_url: str | None = None,
    settings: LearnSettings = LearnSettings(),
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Survey | Imported | NotImported]:
    """Yield what was read, then every blog in it once it is stored, and every host that is none.

    With `home_url` only that blog is looked for, on whatever hosts its posts lie. `NoBlog` is raised when there is none
    at all.
    """
    files = crawl_files_in(paths)
    found = 0
    problems: list[NotImported] = []
    with grouped_crawl(files, others=mirror_exchanges(paths, home_url), progress=progress) as grouped:
        for _, failure in grouped.failures:
            raise failure
        yield Survey(answers=grouped.answers, damaged=grouped.damaged)
        neighbours = Neighbours(grouped.spool)
        for host, leaves in _groups(grouped.spool, home_url):
            shelf = Shelf(leaves, grouped.spool.page)
            home = home_url or home_of(shelf)
            try:
                lesson = lesson_of(shelf, home, settings=settings)
            except NoBlog as problem:
                problems.append(NotImported(host=host, pages=len(shelf.leaves()), problem=str(problem)))
                yield problems[-1]
                continue
            found += 1
            yield _imported(archive, grouped.spool, lesson, leaves, neighbours)
    if not found:
        why = f" {max(problems, key=lambda one: one.pages).problem}" if problems else ""
        raise NoBlog(f"There is no blog in {', '.join(map(str, paths))}.{why} If you know where it begins, give --url.")


def _groups(spool: Spool, home_url: str | None) -> Iterator[tuple[str, list[Leaf]]]:
    """Yield the answers site by site; whoever knows which blog is wanted gets all answers at once, as one site's."""
    if home_url:
        yield home_url, [leaf for bucket in range(BUCKETS) for leaf in spool.leaves(bucket)]
        return
    for bucket in range(BUCKETS):
        yield from leaves_by_host(spool.leaves(bucket)).items()


def _imported(archive: Archive, spool: Spool, lesson: Lesson, leaves: list[Leaf], neighbours: Neighbours) -> Imported:
    started_at = datetime.now(UTC)
    own = [leaf for leaf in leaves if Scope(lesson.scope.hosts).includes(leaf.url)]
    blog, is_latest = _introduced(archive, lesson, max(leaf.fetched_at for leaf in own))
    write_pages(archive, spool, blog.id, own)
    if is_latest:
        lesson = msgspec.structs.replace(lesson, rules=archive.put_rules(blog.id, lesson.rules))
    known = frozenset(place_key(post.url) for post in archive.posts(blog.id))
    changes = Changes(archive, dry_run=False)
    rejected: list[Rejected] = []
    for found in posts_on(archive_shelf(archive, blog.id, frozenset()), lesson, blog.id, known):
        if isinstance(found, Rejected):
            rejected.append(found)
        else:
            changes.take(found, neighbours)  # pictures often lie on another host
    changes.flush()
    report = import_report(blog, lesson, changes, neighbours, rejected)
    report = msgspec.structs.replace(
        report, started_at=started_at, ended_at=datetime.now(UTC), requests=len(own), bytes=_bytes(own)
    )
    archive.put_report(report)
    return Imported(report=report, rules=lesson.rules, posts=changes.counts(), rejected=tuple(rejected))


def _introduced(archive: Archive, lesson: Lesson, at: datetime) -> tuple[Blog, bool]:
    """Store the blog, and tell whether the crawl is the latest word on it; if not, blog and rules stay as they are."""
    address = canonical_url(lesson.home_url)
    known = next((blog for blog in archive.blogs() if blog.id == blog_id(address)), None)
    if known is not None and known.harvested_at is not None and known.harvested_at > at:
        return known, False
    blog = msgspec.structs.replace(
        known or Blog(id=blog_id(address), url=address),
        title=lesson.title,
        feed_url=lesson.feed.url if lesson.feed else None,
        language=lesson.language,
        harvested_at=at,
    )
    archive.put_blog(blog)
    return blog, True


def _bytes(leaves: list[Leaf]) -> int:
    return sum(leaf.where[2] for leaf in leaves if isinstance(leaf.where, tuple))
