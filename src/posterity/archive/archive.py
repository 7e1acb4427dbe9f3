"""The archive as the other stages see it: blogs, posts, rules, reports, raw pages and media in one place."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias, get_args

import msgspec

from posterity import clock
from posterity.archive import blogs, captures, history, posts, warc_reader
from posterity.archive.blogs import Seen
from posterity.archive.captures import Capture
from posterity.archive.database import Database, reconnecting
from posterity.archive.folder import Folder
from posterity.archive.history import EarlierStates, GoneSince, History, Outcome, Tombstone
from posterity.archive.media import known_file, media_file, media_of, missing_media, write_media_file, write_media_row
from posterity.archive.search import ArchiveHit, Facets, Filters, better_query, search_archive, search_facets
from posterity.archive.takedowns import CurrentTakedowns, Forgotten, takedown_list, takedown_log
from posterity.archive.verify import finish_files
from posterity.archive.warc_writer import WarcWriter, is_tombstone
from posterity.config import Settings
from posterity.errors import InputError, NotInArchive
from posterity.model import Blog, HarvestReport, Media, Page, Post, RuleSet, WarcPointer, to_json

TableName: TypeAlias = Literal["posts", "comments", "blogs"]


def _day(given: date | str | None) -> date | None:
    if not isinstance(given, str):
        return given.date() if isinstance(given, datetime) else given
    try:
        return date.fromisoformat(given)
    except ValueError as problem:
        raise InputError(f"{given!r} is not a date. Write it as 2024-11-30.") from problem


@reconnecting
class Archive:
    """An open archive; `open_archive` returns one. Every method that stores is one transaction."""

    def __init__(self, database: Database, folder: Folder) -> None:
        self.database = database
        self.folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def location(self) -> str:
        """Where the archive is, fit to be shown: a folder, or a URL without its password."""
        return self.database.location

    def close(self) -> None:
        """Bring files to the shared place, if there is one, and let go of the database."""
        try:
            if self.folder.shared is not None:
                self.folder.shared.empty_spool(self.folder.root)
        finally:
            self.database.close()

    def put_blog(self, blog: Blog) -> None:
        """Store a blog in place of what was known of it."""
        self.database.write(blogs.write_blog, blog)

    def blogs(self, ids: Iterable[str] | None = None) -> list[Blog]:
        """Every blog, or those with these ids, by URL."""
        return self.database.read(blogs.all_blogs, ids)

    def blog(self, name: str) -> Blog:
        """The blog with this id, URL or host name."""
        return self.database.read(blogs.blog_named, name)

    def put_rules(self, blog_id: str, rules: RuleSet) -> RuleSet:
        """Store rules as a new version unless they equal the latest, and return what is stored."""
        stored = self.database.write(blogs.write_rules, blog_id, rules)
        self.keep_history(blog_id)
        return stored

    def rules(self, blog_id: str, version: int | None = None) -> RuleSet | None:
        """One version of the blog's rules, or the latest."""
        return self.database.read(blogs.rules_of, blog_id, version)

    def put_report(self, report: HarvestReport) -> None:
        """Store how a harvest ended."""
        self.database.write(blogs.write_report, report)
        self.keep_history(report.blog)

    def keep_history(self, blog_id: str) -> None:
        """Write what pages do not contain about a blog to a file beside the database, for `archive rebuild`."""
        if self.database.is_sqlite:
            with self.database.reading() as connection:
                self.folder.write_history(blog_id, map(to_json, blogs.kept_history(connection, blog_id)))

    def report(self, blog_id: str) -> HarvestReport | None:
        """How the latest harvest of the blog ended."""
        return self.database.read(blogs.latest_report, blog_id)

    def put_post(self, post: Post) -> Outcome:
        """Store a post and return whether it is new, changed, the same or taken down; revisions are counted here."""
        return self.put_group([post])[0]

    def put_group(self, some: Sequence[Post]) -> list[Outcome]:
        """Store posts of different ids in one transaction and return what became of each."""
        return self.database.write(posts.write_posts, some, clock.now())

    def put_posts(self, some: Iterable[Post], *, alive: bool = True) -> dict[Outcome, int]:
        """Store many posts, some hundred a transaction, and return how many were new, changed and so on.

        Not `alive`: they were made again from old pages, and those that the blog no longer shows stay marked so.
        """
        counts: Counter[Outcome] = Counter()
        for batch in posts.batches(some):
            with self.database.writing() as connection:
                counts.update(posts.write_posts(connection, batch, clock.now(), alive=alive))
        return {outcome: counts[outcome] for outcome in get_args(Outcome)}

    def posts(
        self,
        blog: str | None = None,
        *,
        author: str | None = None,
        tag: str | None = None,
        language: str | None = None,
        since: date | str | None = None,
        until: date | str | None = None,
        gone: bool = True,
    ) -> Iterator[Post]:
        """Stream the posts by time of publication, those without last; no transaction stays open in between.

        `blog` is an id, a URL or a host name; one that the archive does not hold raises `NotInArchive` at once.
        `since` and `until` are days, as dates or as "2024-11-30", both included. `language` covers its variants: "pt"
        also "pt-BR". With `gone` come those too that the blog no longer shows; what moved comes once.
        """
        # Here, because with it comes all that reads pages.
        from posterity.extraction.selection import Selection

        chosen = Selection(
            authors=(author,) if author else (), tags=(tag,) if tag else (), languages=(language,) if language else (),
            since=_day(since), until=_day(until),
        )  # fmt: skip
        found = self.posts_of(self.blog(blog).id if blog else None, gone=gone)
        return (post for post in found if chosen.fits(post)) if chosen != Selection() else found

    def posts_of(self, blog_id: str | None, *, gone: bool = True) -> Iterator[Post]:
        """Stream the posts with this id of a blog, or all; an unknown blog has none."""
        after: tuple[str, str] | None = None
        while True:
            batch = self.database.read(posts.posts_after, blog_id, after, gone=gone)
            if not batch:
                return
            for after, post in batch:  # noqa: B007 - the last place is where the next batch begins
                yield post

    def to_arrow(self, table: TableName = "posts", **conditions: Any) -> Any:
        """Return a `pyarrow.Table` of posts, comments or blogs; the conditions are those of `posts`."""
        from posterity.archive import tables

        if table == "blogs":
            return tables.arrow_table(table, map(tables.blog_row, self.blogs()))
        found = self.posts(**conditions)
        if table == "posts":
            return tables.arrow_table(table, map(tables.post_row, found))
        return tables.arrow_table(table, (row for post in found for row in tables.comment_rows(post)))

    def to_pandas(self, table: TableName = "posts", **conditions: Any) -> Any:
        """Return a `pandas.DataFrame` of posts, comments or blogs; needs pandas beside the extra "parquet"."""
        return self.to_arrow(table, **conditions).to_pandas()

    def to_polars(self, table: TableName = "posts", **conditions: Any) -> Any:
        """Return a `polars.DataFrame` of posts, comments or blogs; needs polars beside the extra "parquet"."""
        polars: Any = importlib.import_module("polars")
        return polars.from_arrow(self.to_arrow(table, **conditions))

    def post(self, name: str) -> Post:
        """The post with this id or URL."""
        return self.database.read(posts.post_named, name)

    def has_post_at(self, url: str) -> bool:
        """Return whether the URL is a stored post's."""
        return self.database.read(posts.has_post_at, url)

    def search(
        self, query: str, filters: Filters | None = None, *, limit: int = 20, offset: int = 0
    ) -> list[ArchiveHit]:
        """Posts and comments that have all the words, best first; "phrases", -without, one OR another, prefix*."""
        return self.database.read(search_archive, query, filters or Filters(), limit, offset)

    def did_you_mean(self, query: str, filters: Filters | None = None) -> str | None:
        """A query that has hits in place of one that has none: with words of the archive for those that are not in it.

        None where there is no such query.
        """
        return self.database.read(better_query, query, filters or Filters())

    def facets(self, query: str, filters: Filters | None = None) -> Facets:
        """How the hits of a search divide by blog, language, year, author and tag."""
        return self.database.read(search_facets, query, filters or Filters())

    def history(self, name: str) -> History:
        """The revisions of a post, oldest first, and when it went away, came back or moved."""
        with self.database.reading() as connection:
            return history.history_of(connection, posts.post_named(connection, name))

    def mark_gone(self, name: str, status: int, at: datetime | None = None) -> None:
        """Remember that the blog no longer shows a post; the record stays."""
        with self.database.writing() as connection:
            history.write_gone(connection, posts.post_named(connection, name).id, status, at or clock.now())

    def mark_moved(self, old: str, new: str, at: datetime | None = None) -> None:
        """Remember that a post lives at another URL now, under which it is stored as well."""
        self.database.write(posts.move_post, old, new, at or clock.now())

    def put_history(self, post_id: str, told: EarlierStates | None, gone: GoneSince | None) -> None:
        """Take over what another archive has of a stored post: its earlier states, and since when it is gone.

        A post that has revisions of its own keeps them.
        """
        self.database.write(posts.take_over_history, post_id, told, gone, clock.now())

    def tombstones(self, blog_id: str) -> list[Tombstone]:
        """The posts that the blog no longer shows."""
        return self.database.read(history.tombstones_of, blog_id)

    def is_forgotten(self, url: str) -> bool:
        """Return whether the post at this URL was taken down, so that it is not requested again."""
        with self.database.reading() as connection:
            return takedown_list(connection).has_url(url)

    def takedowns(self) -> list[Forgotten]:
        """The log of what was taken down, in the order of time."""
        return self.database.read(takedown_log)

    def captures(self, url: str) -> list[Capture]:
        """Every stored response from one URL, oldest first."""
        return self.database.read(captures.captures_of_url, url)

    def captures_of_blog(self, blog_id: str) -> Iterator[Capture]:
        """Stream every record that was fetched for a blog, by file and place in it."""
        place = ("", -1)
        while True:
            batch = self.database.read(captures.captures_after, blog_id, place, posts.BATCH)
            if not batch:
                return
            yield from batch
            place = (batch[-1].file, batch[-1].offset)

    def missing_media(self, blog_id: str | None = None) -> list[tuple[str, str]]:
        """Post and URL of every medium that a post shows and the archive does not hold."""
        return self.database.read(missing_media, blog_id)

    def unfinished_since(self, blog_id: str) -> datetime | None:
        """Return when a harvest of the blog began that has not ended, or None."""
        return self.database.read(blogs.unfinished_since, blog_id)

    def mark_unfinished(self, blog_id: str, since: datetime | None) -> None:
        """Remember that a harvest of the blog is under way since then; None: none is."""
        self.database.write(blogs.mark_unfinished, blog_id, since)

    def harvest_options(self, blog_id: str) -> Settings | None:
        """The settings of the latest harvest of the blog, without its limits; None when none was stored."""
        return self.database.read(blogs.harvest_options, blog_id)

    def put_harvest_options(self, blog_id: str, settings: Settings) -> None:
        """Remember the settings of a harvest for the updates of the blog, without its limits."""
        self.database.write(blogs.write_harvest_options, blog_id, settings)

    def put_media(self, content: bytes, mime: str | None, url: str) -> Media:
        """Store an image or another file once, whatever its URL, and return what to put into the post."""
        medium = media_of(content, mime, url)
        with self.database.reading() as connection:
            medium = msgspec.structs.replace(medium, file=known_file(connection, medium) or medium.file)
        write_media_file(self.folder, medium, content)
        self.database.write(write_media_row, medium, len(content), clock.now())
        return medium

    def media_path(self, file: str) -> Path:
        """Where a stored medium lies on this disk."""
        return self.folder.readable(media_file(self.folder, file))

    def seen(self, blog_id: str) -> dict[str, Seen]:
        """The latest response of every URL of the blog that was ever requested."""
        return self.database.read(blogs.seen_of, blog_id)

    def mark_seen(self, blog_id: str, *responses: Seen) -> None:
        """Remember responses in place of earlier ones from the same URLs."""
        self.database.write(blogs.write_seen, blog_id, responses)

    def warc_writer(
        self, blog_id: str, *, software: str = "Posterity", robots: str = "obey", **facts: str
    ) -> WarcWriter:
        """Return a writer of WARC files; software, robots policy and further facts go into their warcinfo.

        Files that a killed writer of the blog left incomplete are repaired first.
        """
        finish_files(self, blog_id)
        fields = {"software": software, "format": "WARC File Format 1.1", "robots": robots, **facts}
        return WarcWriter(self.folder.warc, blog_id, self, fields, takedowns=CurrentTakedowns(self.database))

    def read_page(self, pointer: WarcPointer | str) -> Page:
        """The page that a WARC record holds or points to, with content codings taken off."""
        where = warc_reader.pointer_of(pointer) if isinstance(pointer, str) else pointer
        record = warc_reader.record_at(self.folder.warc_path(where.file), where.offset)
        if is_tombstone(record):
            raise NotInArchive(f"The page at {where} was taken down.")
        payload = record if record.kind != "revisit" else self._original_of_revisit(record)
        return warc_reader.page_of(record, payload, WarcPointer(where.file, where.offset, record.record_id))

    def pages(self, blog_id: str) -> Iterator[Page]:
        """Stream the latest full response of every URL of a blog from the WARC files, by URL."""
        found = self.database.read(captures.latest_responses, blog_id)
        for capture in found:
            yield self.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))

    def note_captures(self, some: list[Capture]) -> None:
        """Remember where WARC records lie."""
        self.database.write(captures.write_captures, some)

    def drop_captures(self, record_ids: Iterable[str]) -> None:
        """Forget where WARC records lie: they were taken down."""
        self.database.write(captures.remove_captures, record_ids)

    def captures_of_file(self, file: str) -> list[Capture]:
        """The records of one WARC file, in the order in which they lie."""
        return self.database.read(captures.captures_of_file, file)

    def captured_urls(self, blog_id: str) -> set[str]:
        """The URLs that harvests of a blog have had full responses from."""
        return self.database.read(captures.captured_urls, blog_id)

    def captured_among(self, urls: list[str]) -> set[str]:
        """Those of the URLs that the archive has a file from."""
        return self.database.read(captures.urls_with_response, urls)

    def earlier_response(self, url: str, digest: str | None) -> Capture | None:
        """The latest full response from a URL, with this payload if one is named."""
        return self.database.read(captures.latest_response, url, digest)

    def _original_of_revisit(self, record: warc_reader.StoredRecord) -> warc_reader.StoredRecord:
        original = self.database.read(captures.capture_with_id, record.warc_headers.get("WARC-Refers-To", ""))
        if original is None:
            return record
        return warc_reader.record_at(self.folder.warc_path(original.file), original.offset)
