"""Export posts of an archive to a file, a folder or standard output, with a manifest."""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from posterity.config import __version__
from posterity.errors import InputError, UsageError
from posterity.export.clean_up import NO_CLEAN_UP, CleanUp, clean_posts
from posterity.export.files import Split, atomic_output, check_split, write_parts, write_stream, write_whole
from posterity.export.formats import Format, all_formats
from posterity.export.selection import ALL_POSTS, BlogFacts, Source, blog_by_blog, newest_state, select_posts
from posterity.extraction.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.archive import Archive
    from posterity.model import Blog, Post

ENDING = ".manifest.json"
WITH_HISTORY = ("jsonl", "atom", "warc")  # formats that can contain earlier revisions
_UNKNOWN = "unknown"


class ExportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an export; `path` starts with the name of the export."""

    path: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of OUT.manifest.json. `state_of` is the time of the last visit to the blogs.

    `licenses`, `languages` and `optouts` count posts. The file also has `files`, a list of `ExportedFile`; it is not
    a field here, because some formats write one file per post, and the list may not fit into memory.
    """

    format: str
    software: str
    state_of: datetime
    selection: Selection
    clean_up: CleanUp = NO_CLEAN_UP
    blogs: tuple[BlogFacts, ...] = ()
    posts: int = 0
    comments: int = 0
    media: int = 0
    embeds: int = 0
    first_post: datetime | None = None
    last_post: datetime | None = None
    languages: dict[str, int] = {}
    licenses: dict[str, int] = {}
    optouts: dict[str, int] = {}


class Tally:
    """Counts posts while they are iterated."""

    def __init__(self, posts: Iterable[Post]) -> None:
        self._posts = posts
        self.posts = self.comments = self.media = self.embeds = 0
        self._of_blog: Counter[str] = Counter()
        self._comments_of_blog: Counter[str] = Counter()
        self._languages: Counter[str] = Counter()
        self._licenses: Counter[str] = Counter()
        self._optouts: Counter[str] = Counter()
        self._first: datetime | None = None
        self._last: datetime | None = None

    def __iter__(self) -> Iterator[Post]:
        for post in self._posts:
            self.posts += 1
            self.comments += len(post.comments)
            embeds = sum(medium.is_embed for medium in post.media)
            self.embeds += embeds
            self.media += len(post.media) - embeds
            self._of_blog[post.blog or ""] += 1
            self._comments_of_blog[post.blog or ""] += len(post.comments)
            self._languages[post.language or _UNKNOWN] += 1
            self._licenses[post.license or _UNKNOWN] += 1
            if (optout := post.provenance.get("optout")) is not None:
                self._optouts.update((optout.rule or "").split(", "))
            if post.published is not None:
                self._first = min(self._first or post.published, post.published)
                self._last = max(self._last or post.published, post.published)
            yield post

    def manifest(
        self, format_name: str, source: Source, selection: Selection, clean_up: CleanUp = NO_CLEAN_UP
    ) -> Manifest:
        """Return the manifest of the posts so far, without its files."""
        return Manifest(
            format=format_name,
            software=f"Posterity {__version__}",
            state_of=source.made_at,
            selection=selection,
            clean_up=clean_up,
            blogs=tuple(self.facts(source)),
            posts=self.posts,
            comments=self.comments,
            media=self.media,
            embeds=self.embeds,
            first_post=self._first,
            last_post=self._last,
            languages=_sort_counts(self._languages),
            licenses=_sort_counts(self._licenses),
            optouts=_sort_counts(self._optouts),
        )

    def facts(self, source: Source) -> Iterator[BlogFacts]:
        """Yield the facts about the blogs of the posts so far."""
        for blog in source.blogs:
            if self._of_blog[blog.id]:
                yield BlogFacts(
                    id=blog.id, url=blog.url, title=blog.title, feed_url=blog.feed_url, language=blog.language,
                    harvested_at=blog.harvested_at, updated_at=blog.updated_at, posts=self._of_blog[blog.id],
                    comments=self._comments_of_blog[blog.id],
                )  # fmt: skip


def write_manifest(manifest: Manifest, written: Path, name: str) -> None:
    """Write the manifest beside the export, with the final name and the checksum of every file."""
    head = msgspec.json.format(msgspec.json.encode(manifest), indent=2).removesuffix(b"\n}")
    with written.with_name(written.name + ENDING).open("wb") as out:
        out.write(head + b',\n  "files": [')
        separator = b"\n    "
        for file in _exported_files(written, name):
            out.write(separator + msgspec.json.encode(file))
            separator = b",\n    "
        out.write(b"\n  ]\n}\n")


def _exported_files(written: Path, name: str) -> Iterator[ExportedFile]:
    """Yield the files of the export and those beside it, sorted by name."""
    for top in sorted(path.name for path in written.parent.iterdir() if path.name.startswith(written.name)):
        for file in _files_in(written.with_name(top)):
            if not top.endswith(ENDING):
                # File names are bytes, but JSON is UTF-8.
                shown = os.fsencode(name).decode("utf-8", "replace")
                path = shown + file.relative_to(written.parent).as_posix().removeprefix(written.name)
                with file.open("rb") as stream:
                    digest = hashlib.file_digest(stream, "sha256").hexdigest()
                yield ExportedFile(path=path, bytes=file.stat().st_size, sha256=digest)


def _files_in(top: Path) -> Iterator[Path]:
    if top.is_dir():
        for inner in sorted(os.listdir(top)):  # noqa: PTH208 - names take much less memory than paths
            yield from _files_in(top / inner)
    else:
        yield top


def _sort_counts(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def export(
    archive: Archive,
    out: str,
    format_name: str,
    *,
    selection: Selection = ALL_POSTS,
    clean_up: CleanUp = NO_CLEAN_UP,
    posts: Iterable[Post] | None = None,
    split: Split | None = None,
    force: bool = False,
) -> Manifest:
    """Write the selected posts, cleaned, or the given `posts` unchanged, and return the manifest.

    `out` is a file or a folder, depending on the format, or - for standard output. A stream whose name ends in .gz is
    compressed. With `split`, `out` is a folder with one file per blog, or per blog and year, or with files of at most
    that many bytes; the given posts must then be grouped by blog (`selection.blog_by_blog`). Earlier revisions
    (`selection.history`) are written as they were stored.
    """
    check_split(format_name, split)
    if selection.history and format_name not in WITH_HISTORY:
        raise UsageError(f"The format {format_name} cannot contain earlier revisions. Use {', '.join(WITH_HISTORY)}.")
    form = all_formats()[format_name]
    blogs = _blogs(archive, selection)
    if posts is None:
        wanted = blog_by_blog(archive, selection) if split else selection
        posts = clean_posts(lambda: select_posts(archive, wanted), clean_up)
    tally = Tally(posts)
    source = Source(archive, tally, blogs, newest_state(blogs), raw_cells=clean_up.raw_cells, history=selection.history)
    if out == "-":
        _write_to_stdout(source, form, format_name, split)
        return tally.manifest(format_name, source, selection, clean_up)
    target = Path(out)
    with atomic_output(target, force=force) as growing:
        if split is None:
            write_whole(source, form, growing, target.name)
        else:
            write_parts(source, form, growing, split)
        manifest = tally.manifest(format_name, source, selection, clean_up)
        write_manifest(manifest, growing, target.name)
    return manifest


def _blogs(archive: Archive, selection: Selection) -> tuple[Blog, ...]:
    if not selection.blogs:
        return tuple(archive.blogs())
    return tuple({blog.id: blog for blog in map(archive.blog, selection.blogs)}.values())


def _write_to_stdout(source: Source, form: Format, format_name: str, split: Split | None) -> None:
    if form.kind != "stream" or split is not None:
        what = "a folder" if form.kind == "folder" or split else "a file with a table of contents"
        name = "folder" if form.kind == "folder" or split else "file"
        raise InputError(f"The format {format_name} is {what} and cannot go to standard output. Name a {name} for OUT.")
    stream = sys.stdout.buffer
    try:
        write_stream(source, form, stream)
        stream.flush()
    except BrokenPipeError:  # the reading program (head, less) has ended, which is not an error
        raise
    except OSError as problem:
        raise InputError(f"Standard output cannot be written: {problem.strerror or problem}.") from problem
