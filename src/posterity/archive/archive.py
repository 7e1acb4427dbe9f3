"""The interface of the archive: blogs, posts, rules, reports, raw pages and media in one place."""

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
from posterity.archive.search import ArchiveHit, Facets, Filters, search_archive, search_facets, suggest_query
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
        """The location of the archive for messages: a folder, or a URL without its password."""
        return self.database.location

    def close(self) -> None:
        """Upload files to shared storage, if there is any, and close the database."""
        try:
            if self.folder.shared is not None:
                self.folder.shared.empty_spool(self.folder.root)
        finally:
            self.database.close()

    def put_blog(self, blog: Blog) -> None:
        """Store a blog, replacing the stored one."""
        self.database.write(blogs.write_blog, blog)

    def blogs(self, ids: Iterable[str] | None = None) -> list[Blog]:
        """Return all blogs, or those with these ids, ordered by URL."""
        return self.database.read(blogs.all_blogs, ids)

    def blog(self, name: str) -> Blog:
        """Return the blog with this id, URL or host name."""
        return self.database.read(blogs.blog_named, name)

    def put_rules(self, blog_id: str, rules: RuleSet) -> RuleSet:
        """Store rules as a new version, unless they equal the latest, and return the stored rules."""
        stored = self.database.write(blogs.write_rules, blog_id, rules)
        self.keep_history(blog_id)
        return stored

    def rules(self, blog_id: str, version: int | None = None) -> RuleSet | None:
        """Return a version of the blog's rules, by default the latest."""
        return self.database.read(blogs.rules_of, blog_id, version)

    def put_report(self, report: HarvestReport) -> None:
        """Store the report of a harvest."""
        self.database.write(blogs.write_report, report)
        self.keep_history(report.blog)

    def keep_history(self, blog_id: str) -> None:
        """Write data about a blog that its pages do not contain to a file, for `archive rebuild`."""
        if self.database.is_sqlite:
            with self.database.reading() as connection:
                self.folder.write_history(blog_id, map(to_json, blogs.kept_history(connection, blog_id)))

    def report(self, blog_id: str) -> HarvestReport | None:
        """Return the report of the latest harvest of the blog."""
        return self.database.read(blogs.latest_report, blog_id)

    def put_post(self, post: Post) -> Outcome:
        """Store a post and return whether it is new, changed, the same or taken down; sets the revision number."""
        return self.put_group([post])[0]

    def put_group(self, some: Sequence[Post]) -> list[Outcome]:
        """Store posts with different ids in one transaction and return the outcome of each."""
        return self.database.write(posts.write_posts, some, clock.now())

    def put_posts(self, some: Iterable[Post], *, alive: bool = True) -> dict[Outcome, int]:
        """Store many posts, some hundred per transaction, and return the number of each outcome.

        Without `alive`, the posts are from old pages, and deleted posts stay marked as deleted.
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
        """Stream the posts by publication date, undated ones last; no transaction stays open in between.

        `blog` is an id, a URL or a host name; an unknown one raises `NotInArchive` immediately.
        `since` and `until` are days, as dates or as "2024-11-30", both included. `language` covers its variants: "pt"
        also "pt-BR". With `gone`, deleted posts are included; moved posts are included once.
        """
        # Imported here, because it loads all modules that read pages.
        from posterity.extraction.selection import Selection

        chosen = Selection(
            authors=(author,) if author else (), tags=(tag,) if tag else (), languages=(language,) if language else (),
            since=_day(since), until=_day(until),
        )  # fmt: skip
        found = self.posts_of(self.blog(blog).id if blog else None, gone=gone)
        return (post for post in found if chosen.fits(post)) if chosen != Selection() else found

    def posts_of(self, blog_id: str | None, *, gone: bool = True) -> Iterator[Post]:
        """Stream the posts of the blog with this id, or all posts; an unknown blog has none."""
        after: tuple[str, str] | None = None
        while True:
            batch = self.database.read(posts.posts_after, blog_id, after, gone=gone)
            if not batch:
                return
            for after, post in batch:  # noqa: B007 - the next batch begins after the last position
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
        """Return a `pandas.DataFrame` of posts, comments or blogs; needs pandas and the extra "parquet"."""
        return self.to_arrow(table, **conditions).to_pandas()

    def to_polars(self, table: TableName = "posts", **conditions: Any) -> Any:
        """Return a `polars.DataFrame` of posts, comments or blogs; needs polars and the extra "parquet"."""
        polars: Any = importlib.import_module("polars")
        return polars.from_arrow(self.to_arrow(table, **conditions))

    def post(self, name: str) -> Post:
        """Return the post with this id or URL."""
        return self.database.read(posts.post_named, name)

    def has_post_at(self, url: str) -> bool:
        """Return whether there is a stored post with this URL."""
        return self.database.read(posts.has_post_at, url)

    def search(
        self, query: str, filters: Filters | None = None, *, limit: int = 20, offset: int = 0
    ) -> list[ArchiveHit]:
        """Return posts and comments with all words, best first; "phrases", -excluded, one OR another, prefix*."""
        return self.database.read(search_archive, query, filters or Filters(), limit, offset)

    def did_you_mean(self, query: str, filters: Filters | None = None) -> str | None:
        """Return a query with hits for one that has none: words that are not in the archive are replaced.

        None if there is no such query.
        """
        return self.database.read(suggest_query, query, filters or Filters())

    def facets(self, query: str, filters: Filters | None = None) -> Facets:
        """Return the number of hits of a search by blog, language, year, author and tag."""
        return self.database.read(search_facets, query, filters or Filters())

    def history(self, name: str) -> History:
        """Return the revisions of a post, oldest first, and when it was deleted, came back or moved."""
        with self.database.reading() as connection:
            return history.history_of(connection, posts.post_named(connection, name))

    def mark_gone(self, name: str, status: int, at: datetime | None = None) -> None:
        """Mark a post as deleted from its blog; the record is kept."""
        with self.database.writing() as connection:
            history.write_gone(connection, posts.post_named(connection, name).id, status, at or clock.now())

    def mark_moved(self, old: str, new: str, at: datetime | None = None) -> None:
        """Mark a post as moved to another URL, under which it is also stored."""
        self.database.write(posts.move_post, old, new, at or clock.now())

    def put_history(self, post_id: str, earlier: EarlierStates | None, gone: GoneSince | None) -> None:
        """Import the history of a stored post from another archive: earlier revisions, and since when it is gone.

        A post that already has revisions keeps them.
        """
        self.database.write(posts.take_over_history, post_id, earlier, gone, clock.now())

    def tombstones(self, blog_id: str) -> list[Tombstone]:
        """Return the posts that were deleted from the blog."""
        return self.database.read(history.tombstones_of, blog_id)

    def is_forgotten(self, url: str) -> bool:
        """Return whether the post at this URL was taken down, so that it is not requested again."""
        with self.database.reading() as connection:
            return takedown_list(connection).has_url(url)

    def takedowns(self) -> list[Forgotten]:
        """Return the log of takedowns, oldest first."""
        return self.database.read(takedown_log)

    def captures(self, url: str) -> list[Capture]:
        """Return every stored response from a URL, oldest first."""
        return self.database.read(captures.captures_of_url, url)

    def captures_of_blog(self, blog_id: str) -> Iterator[Capture]:
        """Stream every record fetched for a blog, by file and offset."""
        place = ("", -1)
        while True:
            batch = self.database.read(captures.captures_after, blog_id, place, posts.BATCH)
            if not batch:
                return
            yield from batch
            place = (batch[-1].file, batch[-1].offset)

    def missing_media(self, blog_id: str | None = None) -> list[tuple[str, str]]:
        """Return the post and URL of every media file of a post that is not in the archive."""
        return self.database.read(missing_media, blog_id)

    def unfinished_since(self, blog_id: str) -> datetime | None:
        """Return the start of an unfinished harvest of the blog, or None."""
        return self.database.read(blogs.unfinished_since, blog_id)

    def mark_unfinished(self, blog_id: str, since: datetime | None) -> None:
        """Mark a harvest of the blog as running since this time, or as ended (None)."""
        self.database.write(blogs.mark_unfinished, blog_id, since)

    def harvest_options(self, blog_id: str) -> Settings | None:
        """Return the settings of the latest harvest of the blog, without its limits, or None."""
        return self.database.read(blogs.harvest_options, blog_id)

    def put_harvest_options(self, blog_id: str, settings: Settings) -> None:
        """Store the settings of a harvest, without its limits, for updates of the blog."""
        self.database.write(blogs.write_harvest_options, blog_id, settings)

    def put_media(self, content: bytes, mime: str | None, url: str) -> Media:
        """Store an image or another file once, whatever its URL, and return its entry for the post."""
        medium = media_of(content, mime, url)
        with self.database.reading() as connection:
            medium = msgspec.structs.replace(medium, file=known_file(connection, medium) or medium.file)
        write_media_file(self.folder, medium, content)
        self.database.write(write_media_row, medium, len(content), clock.now())
        return medium

    def media_path(self, file: str) -> Path:
        """Return the path of a stored media file."""
        return self.folder.readable(media_file(self.folder, file))

    def seen(self, blog_id: str) -> dict[str, Seen]:
        """Return the latest response from every URL of the blog that was requested."""
        return self.database.read(blogs.seen_of, blog_id)

    def mark_seen(self, blog_id: str, *responses: Seen) -> None:
        """Store responses, replacing earlier ones from the same URLs."""
        self.database.write(blogs.write_seen, blog_id, responses)

    def warc_writer(
        self, blog_id: str, *, software: str = "Posterity", robots: str = "obey", **facts: str
    ) -> WarcWriter:
        """Return a writer of WARC files; software, robots policy and other data are written to their warcinfo.

        Files that a killed writer of the blog left incomplete are repaired first.
        """
        finish_files(self, blog_id)
        fields = {"software": software, "format": "WARC File Format 1.1", "robots": robots, **facts}
        return WarcWriter(self.folder.warc, blog_id, self, fields, takedowns=CurrentTakedowns(self.database))

    def read_page(self, pointer: WarcPointer | str) -> Page:
        """Return the page that a WARC record contains or refers to, with its content decoded."""
        where = warc_reader.pointer_of(pointer) if isinstance(pointer, str) else pointer
        record = warc_reader.record_at(self.folder.warc_path(where.file), where.offset)
        if is_tombstone(record):
            raise NotInArchive(f"The page at {where} was taken down.")
        payload = record if record.kind != "revisit" else self._original_of_revisit(record)
        return warc_reader.page_of(record, payload, WarcPointer(where.file, where.offset, record.record_id))

    def pages(self, blog_id: str) -> Iterator[Page]:
        """Stream the latest full response from every URL of a blog, ordered by URL."""
        for capture in self.database.read(captures.latest_responses, blog_id):
            yield self.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))

    def note_captures(self, some: list[Capture]) -> None:
        """Add WARC records to the index."""
        self.database.write(captures.write_captures, some)

    def drop_captures(self, record_ids: Iterable[str]) -> None:
        """Remove WARC records that were taken down from the index."""
        self.database.write(captures.remove_captures, record_ids)

    def captures_of_file(self, file: str) -> list[Capture]:
        """Return the records of a WARC file, by offset."""
        return self.database.read(captures.captures_of_file, file)

    def captured_urls(self, blog_id: str) -> set[str]:
        """Return the URLs from which harvests of the blog got full responses."""
        return self.database.read(captures.captured_urls, blog_id)

    def captured_among(self, urls: list[str]) -> set[str]:
        """Return those of the URLs from which the archive has a file."""
        return self.database.read(captures.urls_with_response, urls)

    def earlier_response(self, url: str, digest: str | None) -> Capture | None:
        """Return the latest full response from a URL; with `digest`, the latest one with this payload."""
        return self.database.read(captures.latest_response, url, digest)

    def _original_of_revisit(self, record: warc_reader.StoredRecord) -> warc_reader.StoredRecord:
        original = self.database.read(captures.capture_with_id, record.warc_headers.get("WARC-Refers-To", ""))
        if original is None:
            return record
        return warc_reader.record_at(self.folder.warc_path(original.file), original.offset)
