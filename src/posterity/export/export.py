"""Posts of an archive into a file, a folder or standard output, whole or not at all, with a manifest beside them."""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from posterity.errors import InputError, UsageError
from posterity.export.clean_up import AS_IT_IS, CleanUp, clean_posts
from posterity.export.files import Split, checked_split, put_in_place, write_parts, write_stream, write_whole
from posterity.export.formats import Format, all_formats
from posterity.export.selection import EVERYTHING, Facts, Source, blog_by_blog, newest_state, select_posts
from posterity.extraction.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.archive import Archive
    from posterity.model import Blog, Post


ENDING = ".manifest.json"
WITH_HISTORY = ("jsonl", "atom", "warc")  # formats that carry earlier revisions
_UNKNOWN = "unknown"
_BLOCK = 1 << 20


class ExportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an export; `path` begins with the name of the export."""

    path: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `state_of` is when the blogs were last looked at: the same state gives the same bytes.

    `licenses`, `languages` and `optouts` count posts; opt-outs are declared by the page. The file
    has `files` besides, an `ExportedFile` each: in some formats as many as posts, and never in memory together.
    """

    format: str
    software: str
    state_of: datetime
    selection: Selection
    clean_up: CleanUp = AS_IT_IS
    blogs: tuple[Facts, ...] = ()
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
    """Counts posts as they pass."""

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
            self._count(post)
            yield post

    def _count(self, post: Post) -> None:
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

    def manifest(
        self, format_name: str, source: Source, selection: Selection, clean_up: CleanUp = AS_IT_IS
    ) -> Manifest:
        """The manifest of what has passed, without its files."""
        from posterity.config import __version__

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

    def facts(self, source: Source) -> Iterator[Facts]:
        """Yield what is known of the blogs of which posts have passed."""
        for blog in source.blogs:
            if self._of_blog[blog.id]:
                yield Facts(
                    id=blog.id, url=blog.url, title=blog.title, feed_url=blog.feed_url, language=blog.language,
                    harvested_at=blog.harvested_at, updated_at=blog.updated_at, posts=self._of_blog[blog.id],
                    comments=self._comments_of_blog[blog.id],
                )  # fmt: skip


def write_manifest(manifest: Manifest, written: Path, name: str) -> None:
    """Write the manifest beside what was written, with the checksum of every file by the name that it will have."""
    head = msgspec.json.format(msgspec.json.encode(manifest), indent=2).removesuffix(b"\n}")
    path = written.with_name(written.name + ENDING)
    with path.open("wb") as out:
        out.write(head + b',\n  "files": [')
        between = b"\n    "
        for file in _exported_files(written, name):
            out.write(between + msgspec.json.encode(file))
            between = b",\n    "
        out.write(b"\n  ]\n}\n")


def _exported_files(written: Path, name: str) -> Iterator[ExportedFile]:
    """Yield what was written, a file or all files of a folder and what lies beside it, in order of their names."""
    for top in sorted(path.name for path in written.parent.iterdir() if path.name.startswith(written.name)):
        for file in _files_in(written.with_name(top)):
            if not top.endswith(ENDING):
                # Names on a disk are bytes, and JSON takes UTF-8 only.
                shown = os.fsencode(name).decode("utf-8", "replace")
                path = shown + file.relative_to(written.parent).as_posix().removeprefix(written.name)
                yield ExportedFile(path=path, bytes=file.stat().st_size, sha256=sha256_of(file))


def _files_in(top: Path) -> Iterator[Path]:
    if top.is_dir():
        for inner in sorted(os.listdir(top)):  # noqa: PTH208 - names take a fraction of the memory of paths
            yield from _files_in(top / inner)
    else:
        yield top


def sha256_of(file: Path) -> str:
    """Return the digest of a file, read piece by piece."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _sort_counts(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def export(
    archive: Archive,
    out: str,
    format_name: str,
    *,
    selection: Selection = EVERYTHING,
    clean_up: CleanUp = AS_IT_IS,
    posts: Iterable[Post] | None = None,
    split: Split | None = None,
    force: bool = False,
) -> Manifest:
    """Write the posts that the selection names, cleaned, or those given, and return the manifest.

    `out` is a file or a folder, as the format has it, or - for standard output. A stream that goes to a name ending
    in .gz is compressed. With `split` there is one file for each blog, or for each year of a blog, in a folder, or
    several of at most so many bytes; posts that are given must come blog by blog then (`selection.blog_by_blog`), and
    are cleaned already. Earlier revisions, if the selection wants them, are written as they were stored.
    """
    checked_split(format_name, split)
    if selection.history and format_name not in WITH_HISTORY:
        raise UsageError(f"The format {format_name} has no place for earlier revisions. Use {', '.join(WITH_HISTORY)}.")
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
    with put_in_place(target, force=force) as growing:
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
    except BrokenPipeError:  # the reader (head, less) has enough, which is no problem of the output
        raise
    except OSError as problem:
        raise InputError(f"Standard output cannot be written: {problem.strerror or problem}.") from problem
