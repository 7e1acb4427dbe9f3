"""Import of blogs from crawl files or mirrors of other tools, for example a blog that is no longer online.

The responses are grouped by host in temporary files. If the pages of a host form a blog, they are written to WARC files
of the archive, and the records are extracted from them by the same pipeline as in a harvest.
"""

from __future__ import annotations

import http.client
import mimetypes
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import msgspec

from posterity.archive import Archive
from posterity.archive.database import date_key, translated
from posterity.blog.changes import RecordChanges
from posterity.blog.page_source import ResponseLookup, StoredPages, StoredResponse
from posterity.blog.profile import BlogProfile
from posterity.blog.records import stored_records
from posterity.blog.stored import archived_pages, stored_profile
from posterity.config import LearnSettings
from posterity.errors import InputError, NoBlog
from posterity.importer.crawl_file import CrawledExchange, Damage, is_crawl_file
from posterity.importer.grouping import BUCKETS, NEVER_FEEDS, Spool, SpoolLookup, grouped_crawl, is_feed
from posterity.model import Blog, HarvestReport, MissingPost, Page, Rejected, RuleSet, SourceCount
from posterity.model.page import page_type
from posterity.text.normal_form import count_of
from posterity.urls import Scope, blog_id, canonical_url, place_key
from posterity.urls.kinds import site_host

_TAKEN_FROM_FEED = "the pages of {} are not in the imported files: taken from the feed"
_NEVER = datetime.min.replace(tzinfo=UTC)


def import_report(
    blog: Blog, profile: BlogProfile, changes: RecordChanges, page_source: ResponseLookup, rejected: Sequence[Rejected]
) -> HarvestReport:
    """Return the completeness report, without times and sizes, which the caller adds."""
    entries = [entry for entry in profile.feed.entries if entry.link] if profile.feed else []
    # By guid and title, because an entry's page may have a different URL than its link.
    with_page = {(each.entry.guid, each.entry.title) for each in profile.evidence}
    by_feed = sum(place_key(change.url) in profile.entries for change in changes.posts)
    sources = [SourceCount(source="pages", listed=len(changes.posts) - by_feed, new=len(changes.posts) - by_feed)]
    if entries:
        sources.insert(0, SourceCount(source="feed", listed=len(entries), new=len(entries)))
    links = (entry.link or "" for entry in entries if (entry.guid, entry.title) not in with_page)
    without_page = [canonical_url(link) for link in links if page_source.response(link) is None]
    stored = {place_key(change.url) for change in changes.posts}
    not_stored = (url for url in without_page if place_key(url) not in stored)
    detail = "its page is not in the imported files"
    missing = [MissingPost(url=url, reason="networkError", detail=detail) for url in not_stored]
    by_feed_alone = len(without_page) - len(missing)
    others = (why for why in rejected if why.reason != "duplicate")
    missing += [MissingPost(url=why.url, reason=why.reason, detail=why.detail) for why in others]
    listed = sum(source.new for source in sources)
    lost = min(len(missing), listed)
    return HarvestReport(
        blog=blog.id,
        url=blog.url,
        outcomes={"stored": listed - lost, "failed": lost} if lost else {"stored": listed},
        started_at=_NEVER,
        ended_at=_NEVER,
        ended_because="all files have been read",
        sources=tuple(sources),
        posts=len(changes.posts),
        new_posts=changes.counts().get("new", 0),
        comments=changes.comments,
        media=changes.media,
        missing=tuple(missing),
        notes=(_TAKEN_FROM_FEED.format(count_of(by_feed_alone, "post")),) if by_feed_alone else (),
    )


_INDEX = ("index.html", "index.htm", "index.php", "index.xhtml")
# Extensions of pages and feeds; `mimetypes` has only some of them, and differs between machines.
_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".php": "text/html",
    ".rss": "application/rss+xml",
    ".atom": "application/atom+xml",
    ".xml": "application/xml",
    ".json": "application/json",
}


def mirror_pages(folder: Path, base_url: str | None = None) -> Iterator[Page]:
    """Yield every file of a mirror as a page, sorted by name; `base_url` is the URL of the folder."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder. Use the folder that contains the mirror.")
    base = base_url or _host_url(folder)
    with translated(str(folder)):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield _page(path, folder, base)


def _page(path: Path, folder: Path, base: str | None) -> Page:
    url = _url(path.relative_to(folder).as_posix(), base, folder)
    kind = _TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    body = path.read_bytes()
    return Page(
        url=url,
        requested_url=url,
        status=200,
        content_type=page_type(kind, body),
        body=body,
        fetched_at=datetime.fromtimestamp(path.stat().st_mtime, UTC),
    )


def _url(place: str, base: str | None, folder: Path) -> str:
    name = place.rpartition("/")[2]
    if name in _INDEX:
        place = place.removesuffix(name)
    # wget writes the query into the file name, and escapes other special characters of the URL.
    path, mark, query = place.partition("?")
    # File names are bytes, and URLs of old blogs may not be UTF-8.
    escaped = quote(os.fsencode(path), safe="/%:@!$&'()*+,;=~")
    path = escaped + (f"?{os.fsencode(query).decode('utf-8', 'replace')}" if mark else "")
    if base is not None:
        return urljoin(base if base.endswith("/") else f"{base}/", f"./{path}")
    host, _, _ = place.partition("/")
    if "." not in host or "/" not in place:
        raise InputError(f"The URL of the mirror {folder} is not known. Add --url.")
    return f"http://{path}"


def _host_url(folder: Path) -> str | None:
    """Return the URL of a folder whose name is a host name and that has an index page; None for others."""
    name = folder.resolve().name
    looks_like_host = "." in name and not name.startswith(".") and name.lower() == name
    return f"http://{name}/" if looks_like_host and any((folder / index).is_file() for index in _INDEX) else None


_PAGE = re.compile(rb"<(?:!doctype html|html|head|title|body|meta|p|h[1-6]|div|table|center)\b", re.IGNORECASE)
_SPACE = b"\xef\xbb\xbf \t\r\n"


def crawl_files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the crawl files among the paths and in their folders, in their order."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise InputError(f"There is no file or folder {path}.")
        if path.is_file() and not is_crawl_file(path):
            raise InputError(
                f"{path} is not a WARC, ARC or WACZ file, nor a file of records (JSON lines, WXR, Atom). "
                "To import a mirror, name its folder."
            )
        found += [path] if path.is_file() else _crawl_files(path)
    return found


def mirror_exchanges(paths: Iterable[Path], home_url: str | None) -> Iterator[CrawledExchange]:
    """Yield every file of the mirrors as a response; folders that contain crawl files are not mirrors.

    `home_url` is the URL of a mirror without host folders.
    """
    for path in paths:
        if path.is_dir() and not _crawl_files(path):
            for folder, base in _mirrors(path, home_url):
                yield from map(_exchange, mirror_pages(folder, base))


def _crawl_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and is_crawl_file(file))


def _mirrors(folder: Path, home_url: str | None) -> list[tuple[Path, str | None]]:
    """Return the host folders of a mirror with their URLs; for a mirror without host folders, the folder itself."""
    if home_url is not None:
        parts = urlsplit(home_url)
        own = folder / parts.netloc
        return [(own, f"{parts.scheme}://{parts.netloc}/")] if own.is_dir() else [(folder, home_url)]
    hosts = sorted(inner for inner in folder.iterdir() if inner.is_dir() and _looks_like_host(inner.name))
    # A folder with an index page is a single site, even if it contains folders such as `v1.2`.
    if hosts and not (_looks_like_host(folder.resolve().name) and (folder / "index.html").is_file()):
        return [(host, f"http://{host.name}/") for host in hosts]
    return [(folder, None)]


def _looks_like_host(name: str) -> bool:
    return "." in name.strip(".") and not name.startswith(".") and name == name.lower() and " " not in name


def _exchange(page: Page) -> CrawledExchange:
    """Convert a file of a mirror to the response from which it was saved."""
    return CrawledExchange(
        url=page.url,
        status=page.status,
        headers=(("Content-Type", _kind(page)),),
        body=page.body,
        fetched_at=page.fetched_at,
    )


def _kind(page: Page) -> str:
    """Return the content type of a file by name and content: wget names feeds index.html and pages index.html?p=3."""
    # Images may contain metadata in RDF, which looks like a feed.
    if not page.content_type.startswith(NEVER_FEEDS) and is_feed(page.body):
        return "application/xml" if page.body.lstrip(_SPACE).startswith(b"<") else "application/feed+json"
    unknown = page.content_type == "application/octet-stream"
    return "text/html" if unknown and _PAGE.search(page.body[:4096]) else page.content_type


def write_pages(archive: Archive, spool: Spool, blog_id: str, responses: Iterable[StoredResponse]) -> int:
    """Write the responses in chronological order with their original headers and times; return their number.

    Responses that the archive already has from the same URL and time are skipped.
    """
    written = 0
    with archive.warc_writer(blog_id, robots="not requested: imported from an earlier crawl") as writer:
        for response in sorted(responses, key=lambda response: (response.fetched_at, response.url)):
            moment = date_key(response.fetched_at)
            if any(capture.fetched_at == moment for capture in archive.captures(response.url)):
                continue
            exchange = spool.exchange(response)
            writer.write_exchange(
                url=exchange.url,
                status=exchange.status,
                reason=http.client.responses.get(exchange.status, "Unknown"),
                response_headers=exchange.headers,
                body=exchange.body,
                fetched_at=exchange.fetched_at,
            )
            written += 1
    return written


def responses_by_host(responses: Iterable[StoredResponse]) -> dict[str, list[StoredResponse]]:
    """Group the responses by host, the host with most pages first; hosts without pages are left out."""
    found: dict[str, list[StoredResponse]] = defaultdict(list)
    for response in responses:
        found[site_host(response.url)].append(response)
    pages = {host: sum(response.is_page and response.is_success for response in some) for host, some in found.items()}
    return {host: found[host] for host in sorted(found, key=lambda host: (-pages[host], host)) if pages[host]}


def home_of(page_source: StoredPages) -> str:
    """Return the URL of the home page of the blog in the stored pages of one host.

    It is the page with the shortest path: the root, or the folder that was crawled.
    """
    responses = [response for response in page_source.responses() if response.is_page]
    ranked = sorted(responses, key=lambda response: (_depth(response.url), len(response.url), response.url))
    if not ranked:
        return ""
    first = urlsplit(canonical_url(ranked[0].url))
    if first.path.endswith("/") and not first.query:
        return first.geturl()
    # There is no index page: the folder is the home page, although it is not stored.
    return first._replace(path=first.path[: first.path.rfind("/") + 1] or "/", query="").geturl()


def _depth(url: str) -> int:
    parts = urlsplit(canonical_url(url))
    return parts.path.strip("/").count("/") + bool(parts.path.strip("/")) + bool(parts.query)


class Imported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="imported"):
    """A blog that was imported: its report, its rules, and the number of posts by outcome."""

    report: HarvestReport
    rules: RuleSet
    posts: dict[str, int]
    rejected: tuple[Rejected, ...] = ()


class NotImported(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="notimported"):
    """A host whose pages do not form a blog, and the reason."""

    host: str
    pages: int
    problem: str


class Survey(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="read"):
    """The number of responses that were read, and the damaged records."""

    responses: int
    damaged: tuple[Damage, ...] = ()


def import_crawls(
    archive: Archive,
    paths: Sequence[Path],
    *,
    home_url: str | None = None,
    settings: LearnSettings = LearnSettings(),
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Survey | Imported | NotImported]:
    """Yield a `Survey`, then an event for every blog that was stored and every host that is not a blog.

    With `home_url`, only that blog is imported, even if its posts are on several hosts. Raises `NoBlog` if there is
    none.
    """
    files = crawl_files_in(paths)
    found = 0
    problems: list[NotImported] = []
    with grouped_crawl(files, others=mirror_exchanges(paths, home_url), progress=progress) as grouped:
        for _, failure in grouped.failures:
            raise failure
        yield Survey(responses=grouped.response_count, damaged=grouped.damaged)
        lookup = SpoolLookup(grouped.spool)
        for host, responses in _groups(grouped.spool, home_url):
            page_source = StoredPages(responses, grouped.spool.page)
            try:
                profile = stored_profile(page_source, home_url or home_of(page_source), settings=settings)
            except NoBlog as problem:
                problems.append(NotImported(host=host, pages=len(page_source.responses()), problem=str(problem)))
                yield problems[-1]
                continue
            found += 1
            yield _import_site(archive, grouped.spool, profile, responses, lookup)
    if not found:
        why = f" {max(problems, key=lambda one: one.pages).problem}" if problems else ""
        raise NoBlog(f"There is no blog in {', '.join(map(str, paths))}.{why} If you know its URL, add --url.")


def _groups(spool: Spool, home_url: str | None) -> Iterator[tuple[str, list[StoredResponse]]]:
    """Yield the responses by host; with a home URL, all responses as one group."""
    if home_url:
        yield home_url, [response for bucket in range(BUCKETS) for response in spool.responses(bucket)]
        return
    for bucket in range(BUCKETS):
        yield from responses_by_host(spool.responses(bucket)).items()


def _import_site(
    archive: Archive, spool: Spool, profile: BlogProfile, responses: list[StoredResponse], lookup: SpoolLookup
) -> Imported:
    started_at = datetime.now(UTC)
    own = [response for response in responses if Scope(profile.scope.hosts).includes(response.url)]
    blog, is_latest = _store_profile(archive, profile, max(response.fetched_at for response in own))
    write_pages(archive, spool, blog.id, own)
    if is_latest:
        profile = msgspec.structs.replace(profile, rules=archive.put_rules(blog.id, profile.rules))
    known = frozenset(place_key(post.url) for post in archive.posts_of(blog.id))
    changes = RecordChanges(archive, dry_run=False)
    rejected: list[Rejected] = []
    pages = archived_pages(archive, blog.id, frozenset())
    for found in stored_records(pages, profile, blog.id, known, is_partial=True):
        if isinstance(found, Rejected):
            rejected.append(found)
        else:
            changes.take(found, lookup)  # images are often on another host
    changes.flush()
    report = import_report(blog, profile, changes, lookup, rejected)
    report = msgspec.structs.replace(
        report, started_at=started_at, ended_at=datetime.now(UTC), requests=len(own), bytes=_bytes(own)
    )
    archive.put_report(report)
    return Imported(report=report, rules=profile.rules, posts=changes.counts(), rejected=tuple(rejected))


def _store_profile(archive: Archive, profile: BlogProfile, at: datetime) -> tuple[Blog, bool]:
    """Store the blog, and return whether this crawl is its latest; if not, blog and rules are not changed."""
    home_url = canonical_url(profile.home_url)
    known = next((blog for blog in archive.blogs() if blog.id == blog_id(home_url)), None)
    if known is not None and known.harvested_at is not None and known.harvested_at > at:
        return known, False
    blog = msgspec.structs.replace(
        known or Blog(id=blog_id(home_url), url=home_url),
        title=profile.title,
        language=profile.language,
        feed_url=profile.feed.url if profile.feed else None,
        harvested_at=at,
    )
    archive.put_blog(blog)
    return blog, True


def _bytes(responses: list[StoredResponse]) -> int:
    return sum(response.where[2] for response in responses if isinstance(response.where, tuple))
