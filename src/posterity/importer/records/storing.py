"""Stores finished records in the archive, with their blogs and, if the file contains them, their raw pages."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from posterity.archive import Archive
from posterity.archive.database import date_key
from posterity.archive.history import EarlierStates
from posterity.blog.changes import RecordChanges
from posterity.blog.page_source import ResponseLookup, StoredPages, StoredResponse
from posterity.config import ParseLimits
from posterity.errors import InputError, NoBlog
from posterity.export.export import ENDING, Manifest
from posterity.export.selection import BlogFacts
from posterity.export.wacz import BLOGS
from posterity.importer.crawl_file import open_in_zip
from posterity.importer.grouping import BUCKETS, SpoolLookup, grouped_crawl
from posterity.importer.importing import write_pages
from posterity.importer.records.files import has_pages, records_in
from posterity.importer.records.found import FoundRecord
from posterity.model import Blog, HarvestReport, Media, MissingPost, Page, Post, Provenance, SourceCount, from_json
from posterity.urls import blog_id, canonical_url
from posterity.urls.kinds import is_http_url, site_host


class BlogRegistry:
    """The blogs of the records in one file; each is stored in the archive when its first record is read."""

    def __init__(self, archive: Archive, path: Path) -> None:
        self._archive = archive
        self._facts = {facts.id: facts for facts in _facts_beside(path)}
        # `reversed`, so that the first blog of a host in the file wins.
        self._facts_by_host = {site_host(facts.url): facts for facts in reversed(self._facts.values())}
        self._known = {blog.id: blog for blog in archive.blogs()}
        self._stored: dict[str, Blog] = {}

    def blog_of(self, found: FoundRecord) -> Blog:
        """Return the blog of a record."""
        name = found.post.blog or blog_id(_home(found))
        if name not in self._stored:
            self._stored[name] = self._store_blog(self._facts.get(name) or _facts_from(found, name))
        return self._stored[name]

    def blog_at(self, url: str) -> Blog | None:
        """Return the blog on the host of a URL, if the file names one."""
        if (facts := self._facts_by_host.get(site_host(url))) is None:
            return None
        if facts.id not in self._stored:
            self._stored[facts.id] = self._store_blog(facts)
        return self._stored[facts.id]

    def _store_blog(self, facts: BlogFacts) -> Blog:
        """Store the blog; fields that the archive already has are kept."""
        known = self._known.get(facts.id) or Blog(id=facts.id, url=facts.url)
        fields = ("title", "feed_url", "language", "harvested_at", "updated_at")
        added = {name: getattr(facts, name) for name in fields if getattr(known, name) is None}
        blog = msgspec.structs.replace(known, **added)
        self._archive.put_blog(blog)
        return blog


_MAX_FACTS_BYTES = 64 * 1024 * 1024


def _facts_beside(path: Path) -> Iterable[BlogFacts]:
    """Return the blogs listed in the manifest beside an export or its folder, or inside a WACZ file."""
    candidates = (Path(f"{each}{ENDING}") for each in (path, path.absolute().parent))
    manifest = next((candidate for candidate in candidates if candidate.is_file()), None)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as package:
                lines = open_in_zip(package, BLOGS).readlines(_MAX_FACTS_BYTES) if BLOGS in package.namelist() else []
            return [from_json(line, BlogFacts) for line in lines]
        return from_json(manifest.read_bytes(), Manifest).blogs if manifest else ()
    except (OSError, zipfile.BadZipFile, InputError):
        return ()  # the manifest is optional


def _facts_from(found: FoundRecord, name: str) -> BlogFacts:
    """Return the facts about a blog that the record itself contains."""
    return BlogFacts(id=name, url=_home_with_id(found, name), title=found.blog_title, language=found.post.language)


def _home(found: FoundRecord) -> str:
    if found.blog_url:
        return canonical_url(found.blog_url)
    parts = urlsplit(found.post.url)
    return canonical_url(f"{parts.scheme}://{parts.netloc}/")


def _home_with_id(found: FoundRecord, name: str) -> str:
    """Return the home page with this id: the one in the file, or the folder of the post's URL that has the id."""
    url = canonical_url(found.post.url)
    folders = [place + 1 for place, char in enumerate(url) if char == "/"]
    homes = chain((_home(found),), (url[:end] for end in reversed(folders)))
    return next((home for home in homes if blog_id(home) == name), _home(found))


# More than a parsed page can have (`ParseLimits`): rendering a larger post would block the server for all visitors.
_MAX_URL = 8_000  # exports repeat the URL in every comment and sentence
_MAX_COMMENTS = 100_000
_MAX_NAMES = 10_000
_MAX_TAGS_OF_HTML = 2 * ParseLimits().max_elements  # most elements have a start and an end tag


def _refusal(post: Post) -> str | None:
    """Return why the post is not stored; None if it is."""
    if not is_http_url(post.url):
        return "its URL is not an HTTP URL"
    if len(post.url) > _MAX_URL:
        return f"its URL has more than {_MAX_URL:,} characters"
    if len(post.comments) > _MAX_COMMENTS:
        return f"it has more than {_MAX_COMMENTS:,} comments"
    if max(map(len, (post.tags, post.categories, post.authors, post.media))) > _MAX_NAMES:
        return f"it has more than {_MAX_NAMES:,} tags, categories, authors or media"
    if sum((html or "").count("<") for html in (post.html, *(one.html for one in post.comments))) > _MAX_TAGS_OF_HTML:
        return f"its HTML has more than {_MAX_TAGS_OF_HTML:,} tags"
    return None


class RecordsImported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="records"):
    """A blog whose records were stored, and the number of posts by outcome."""

    report: HarvestReport
    posts: dict[str, int]


def import_records(archive: Archive, path: Path) -> Iterator[RecordsImported]:
    """Store every record of the file; yield the result for each blog."""
    started_at = datetime.now(UTC)
    blogs = BlogRegistry(archive, path)
    by_blog: dict[str, RecordChanges] = {}
    refused: list[MissingPost] = []
    with ExitStack() as stack:
        pages = _stored_pages(archive, path, blogs, stack) if has_pages(path) else StoredPages((), _no_page)
        for found in records_in(path):
            if reason := _refusal(found.post):
                refused.append(MissingPost(url=found.post.url, reason="unreadable", detail=reason))
                continue
            blog = blogs.blog_of(found)
            post = _localise(msgspec.structs.replace(found.post, blog=blog.id), archive)
            changes = by_blog.setdefault(blog.id, RecordChanges(archive, dry_run=False))
            changes.take(post, pages)
            if found.gone is not None or found.history is not None:
                changes.flush()
                archive.put_history(post.id, _localised_history(found.history, archive, refused), found.gone)
        for changes in by_blog.values():
            changes.flush()
    if not by_blog:
        why = f" Refused: {len(refused)}, such as {refused[0].url[:200]!r}: {refused[0].detail}." if refused else ""
        raise NoBlog(f"There is no post in {path} that can be stored.{why}")
    missing = tuple(refused)
    for number, changes in by_blog.items():
        report = msgspec.structs.replace(_report(archive.blog(number), changes, started_at), missing=missing)
        missing = ()  # reported once
        archive.put_report(report)
        yield RecordsImported(report=report, posts=changes.counts())


def _stored_pages(archive: Archive, path: Path, blogs: BlogRegistry, stack: ExitStack) -> ResponseLookup:
    """Write the pages of a WACZ or WARC export to the archive, and return a lookup for them."""
    grouped = stack.enter_context(grouped_crawl([path]))
    for _, failure in grouped.failures:
        raise failure
    first = next((found for found in records_in(path) if _refusal(found.post) is None), None)
    if first is not None:
        default = blogs.blog_of(first)
        for bucket in range(BUCKETS):
            by_blog: dict[str, list[StoredResponse]] = {}
            for response in grouped.spool.responses(bucket):
                by_blog.setdefault((blogs.blog_at(response.url) or default).id, []).append(response)
            for number, own in by_blog.items():
                write_pages(archive, grouped.spool, number, own)
    return SpoolLookup(grouped.spool)


def _localise(post: Post, archive: Archive) -> Post:
    """Return the post with pointers to this archive's WARC records and files; those to other archives are removed."""
    captures = {capture.fetched_at: f"{capture.file}#{capture.offset}" for capture in archive.captures(post.url)}

    def with_own_pointer(origin: Provenance) -> Provenance:
        warc = captures.get(date_key(origin.at)) if origin.warc and origin.at else None
        return msgspec.structs.replace(origin, warc=warc)

    return msgspec.structs.replace(
        post,
        canonical_url=_web_url(post.canonical_url),
        comments=tuple(
            msgspec.structs.replace(comment, author_url=_web_url(comment.author_url)) for comment in post.comments
        ),
        media=tuple(_localised_medium(medium, archive) for medium in post.media),
        provenance={field: with_own_pointer(origin) for field, origin in post.provenance.items()},
    )


def _web_url(url: str | None) -> str | None:
    """Return the URL if it is an HTTP URL; others, such as javascript:, could run a script if shown as a link."""
    return url if url and is_http_url(url) else None


def _localised_history(
    history: EarlierStates | None, archive: Archive, refused: list[MissingPost]
) -> EarlierStates | None:
    """Return the earlier states of a post for this archive; states that cannot be stored are added to `refused`."""
    if history is None:
        return None
    states = []
    for state in history.revisions:
        if reason := _refusal(state.post):
            refused.append(MissingPost(url=state.post.url, reason="unreadable", detail=f"an earlier state: {reason}"))
        else:
            states.append(msgspec.structs.replace(state, post=_localise(state.post, archive)))
    return msgspec.structs.replace(history, revisions=tuple(states))


def _localised_medium(medium: Media, archive: Archive) -> Media:
    try:
        is_stored = medium.file is not None and archive.media_path(medium.file).is_file()
    except ValueError as problem:
        raise InputError(f"The file contains {problem}.") from problem
    return medium if is_stored else msgspec.structs.replace(medium, file=None, digest=None)


def _no_page(response: StoredResponse) -> Page:
    raise AssertionError(response)  # there are no stored pages


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
