"""Ready-made records into the archive: blogs introduced, raw pages stored where the file has them, posts compared."""

from __future__ import annotations

import zipfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.archive.database import date_key
from posterity.blog.changes import RecordChanges
from posterity.blog.page_source import ResponseLookup, StoredPages, StoredResponse, host_of
from posterity.errors import InputError, NoBlog
from posterity.export.export import ENDING, Manifest
from posterity.export.selection import Facts
from posterity.export.wacz import BLOGS
from posterity.importer.crawl_file import open_in_zip
from posterity.importer.grouping import BUCKETS, Neighbours, Spool, grouped_crawl
from posterity.importer.importing import write_pages
from posterity.importer.records.files import has_pages, records_in
from posterity.model import Blog, HarvestReport, Media, Page, Post, Provenance, SourceCount, blog_id, from_json
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.archive import Archive
    from posterity.archive.history import EarlierStates
    from posterity.importer.records.found import FoundRecord


class BlogRegistry:
    """The blogs that records of one file belong to; each is put into the archive when it first comes up."""

    def __init__(self, archive: Archive, path: Path) -> None:
        self._archive = archive
        self._facts = {facts.id: facts for facts in _facts_beside(path)}
        self._known = {blog.id: blog for blog in archive.blogs()}
        self._met: dict[str, Blog] = {}

    def blog_of(self, found: FoundRecord) -> Blog:
        """The blog of a record."""
        name = found.post.blog or blog_id(_home(found))
        if name not in self._met:
            self._met[name] = self._introduce(name, found)
        return self._met[name]

    def blog_at(self, url: str) -> Blog | None:
        """The blog on the host of a URL, if the file names one."""
        host = host_of(url)
        facts = next((one for one in self._facts.values() if host_of(one.url) == host), None)
        if facts is None:
            return None
        if facts.id not in self._met:
            self._met[facts.id] = self._store_blog(facts)
        return self._met[facts.id]

    def _introduce(self, name: str, found: FoundRecord) -> Blog:
        facts = self._facts.get(name)
        if facts is None:
            url = _home_with_id(found, name)
            facts = Facts(id=name, url=url, title=found.blog_title, language=found.post.language)
        return self._store_blog(facts)

    def _store_blog(self, facts: Facts) -> Blog:
        """What the archive knows of a blog stays; what it does not is added."""
        known = self._known.get(facts.id) or Blog(id=facts.id, url=facts.url)
        fields = ("title", "feed_url", "language", "harvested_at", "updated_at")
        added = {name: getattr(facts, name) for name in fields if getattr(known, name) is None}
        blog = msgspec.structs.replace(known, **added)
        self._archive.put_blog(blog)
        return blog


_MAX_FACTS_BYTES = 64 * 1024 * 1024


def _facts_beside(path: Path) -> Iterable[Facts]:
    """Return the blogs of the manifest beside an export or its folder, or of the list inside a WACZ; none without."""
    beside = (Path(f"{place}{ENDING}") for place in (path, path.absolute().parent))
    manifest = next((place for place in beside if place.is_file()), None)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as package:
                lines = open_in_zip(package, BLOGS).readlines(_MAX_FACTS_BYTES) if BLOGS in package.namelist() else []
            return [from_json(line, Facts) for line in lines]
        return from_json(manifest.read_bytes(), Manifest).blogs if manifest else ()
    except (OSError, zipfile.BadZipFile, InputError):
        return ()  # it helps, and nothing depends on it


def _home(found: FoundRecord) -> str:
    if found.blog_url:
        return canonical_url(found.blog_url)
    return _root(found.post)


def _home_with_id(found: FoundRecord, name: str) -> str:
    """The home page that has this id: the one in the file, or the folder above the post whose URL gives the id."""
    url = canonical_url(found.post.url)
    folders = [url[: place + 1] for place, char in enumerate(url) if char == "/"]
    for home in (_home(found), *reversed(folders)):
        if blog_id(home) == name:
            return home
    return _home(found)


def _root(post: Post) -> str:
    parts = urlsplit(post.url)
    return canonical_url(f"{parts.scheme}://{parts.netloc}/")


class RecordsImported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="records"):
    """One blog of which records were stored, and what became of its posts."""

    report: HarvestReport
    posts: dict[str, int]


def import_records(archive: Archive, path: Path) -> Iterator[RecordsImported]:
    """Store every record of the file; yield what became of the posts of each blog."""
    started_at = datetime.now(UTC)
    book = BlogRegistry(archive, path)
    changes: dict[str, RecordChanges] = {}
    with ExitStack() as stack:
        pages = _stored_pages(archive, path, book, stack) if has_pages(path) else StoredPages((), _no_page)
        for found in records_in(path):
            blog = book.blog_of(found)
            post = _at_home(msgspec.structs.replace(found.post, blog=blog.id), archive)
            taken = changes.setdefault(blog.id, RecordChanges(archive, dry_run=False))
            taken.take(post, pages)
            if found.gone is not None or found.history is not None:
                taken.flush()
                archive.put_history(post.id, _history_at_home(found.history, archive), found.gone)
        for taken in changes.values():
            taken.flush()
    if not changes:
        raise NoBlog(f"There is no post in {path}.")
    for number, taken in changes.items():
        report = _report(archive.blog(number), taken, started_at)
        archive.put_report(report)
        yield RecordsImported(report=report, posts=taken.counts())


def _stored_pages(archive: Archive, path: Path, book: BlogRegistry, stack: ExitStack) -> ResponseLookup:
    """Write the pages of a WACZ into the archive, and return where to ask for them."""
    grouped = stack.enter_context(grouped_crawl([path]))
    for _, failure in grouped.failures:
        raise failure
    first = next(records_in(path), None)
    if first is not None:
        default = book.blog_of(first)
        for bucket in range(BUCKETS):
            _write_bucket(archive, grouped.spool, book, default, grouped.spool.responses(bucket))
    return Neighbours(grouped.spool)


def _write_bucket(
    archive: Archive, spool: Spool, book: BlogRegistry, default: Blog, responses: list[StoredResponse]
) -> None:
    by_blog: dict[str, list[StoredResponse]] = {}
    for response in responses:
        by_blog.setdefault((book.blog_at(response.url) or default).id, []).append(response)
    for number, some in by_blog.items():
        write_pages(archive, spool, number, some)


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


def _history_at_home(told: EarlierStates | None, archive: Archive) -> EarlierStates | None:
    if told is None:
        return None
    states = (msgspec.structs.replace(state, post=_at_home(state.post, archive)) for state in told.revisions)
    return msgspec.structs.replace(told, revisions=tuple(states))


def _here(medium: Media, archive: Archive) -> Media:
    try:
        is_here = medium.file is not None and archive.media_path(medium.file).is_file()
    except ValueError as problem:
        raise InputError(f"The file holds {problem}.") from problem
    return medium if is_here else msgspec.structs.replace(medium, file=None, digest=None)


def _no_page(response: StoredResponse) -> Page:
    raise AssertionError(response)  # an empty shelf has no leaves


def _report(blog: Blog, changes: RecordChanges, started_at: datetime) -> HarvestReport:
    count = len(changes.posts)
    return HarvestReport(
        blog=blog.id,
        url=blog.url,
        started_at=started_at,
        ended_at=datetime.now(UTC),
        ended_because="every record of the file has been read",
        sources=(SourceCount(source="records", listed=count, new=count),),
        posts=count,
        new_posts=changes.counts().get("new", 0),
        comments=changes.comments,
        media=changes.media,
    )
