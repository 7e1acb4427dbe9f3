"""Posts of an archive into a file, a folder or standard output, whole or not at all, with a manifest beside them."""

from __future__ import annotations

import gzip
import importlib
import os
import sys
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal, cast

from posterity.corpus.clean_up import AS_IT_IS, cleaned
from posterity.corpus.file_names import file_name
from posterity.corpus.formats import FORMATS
from posterity.corpus.manifest import Tally, write_manifest
from posterity.corpus.selection import EVERYTHING, blog_by_blog, selected
from posterity.corpus.source import Source, newest_state
from posterity.corpus.target import put_in_place
from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.archive import Archive
    from posterity.corpus.clean_up import CleanUp
    from posterity.corpus.formats import Format
    from posterity.corpus.manifest import Manifest
    from posterity.corpus.selection import Selection
    from posterity.model import Blog, Post

Split = Literal["blog", "year"]
_GZIP = ".gz"


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
    in .gz is compressed. With `split` there is one file for each blog, or for each year of a blog, in a folder; posts
    that are given must come blog by blog then (`selection.blog_by_blog`), and are cleaned already.
    """
    form = FORMATS[format_name]
    blogs = _blogs(archive, selection)
    if posts is None:
        wanted = blog_by_blog(archive, selection) if split else selection
        posts = cleaned(lambda: selected(archive, wanted), clean_up)
    tally = Tally(posts)
    source = Source(archive, tally, blogs, newest_state(blogs))
    if out == "-":
        _write_to_stdout(source, form, format_name, split)
        return tally.manifest(format_name, source, selection, clean_up)
    target = Path(out)
    with put_in_place(target, force=force) as growing:
        if split is None:
            _write(source, form, growing, target.name)
        else:
            _write_split(source, form, growing, split)
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
        _function(form.writer)(source, stream)
        stream.flush()
    except BrokenPipeError:
        # The reader (head, less) has enough; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError as problem:
        raise InputError(f"Standard output cannot be written: {problem.strerror or problem}.") from problem


def _write(source: Source, form: Format, growing: Path, name: str) -> None:
    """Write one export to `growing`; `name` is what it will be called."""
    if form.kind == "stream":
        # A WARC file is compressed record by record by whoever writes it.
        with _opened(growing, compressed=name.endswith(_GZIP) and not form.ending.endswith(_GZIP)) as stream:
            _function(form.writer)(source, stream)
    else:
        _function(form.writer)(source, growing)
    if form.beside is not None:
        for ending, content in _function(form.beside)(source, name).items():
            growing.with_name(growing.name + ending).write_bytes(content)


def _write_split(source: Source, form: Format, folder: Path, split: Split) -> None:
    folder.mkdir()
    known = {blog.id: blog for blog in source.blogs}

    def part(post: Post) -> tuple[str, str]:
        year = f"{post.published:%Y}" if post.published else "undated"
        return post.blog or "", year if split == "year" else ""

    for (blog_id, year), posts in groupby(source.posts, key=part):
        blog = known.get(blog_id)
        place = file_name(blog.url.split("://", 1)[-1]) if blog else blog_id or "no-blog"
        name = "-".join(filter(None, (place, year))) + form.ending
        if (folder / name).exists():
            raise ValueError(f"the posts of {name} come in several pieces; they must come blog by blog")
        _write(source.of(posts, (blog,) if blog else (), year), form, folder / name, name)


@contextmanager
def _opened(path: Path, *, compressed: bool) -> Iterator[BinaryIO | IO[bytes]]:
    with path.open("wb") as stream:
        if not compressed:
            yield stream
            return
        # Neither name nor time in the header: the same posts give the same bytes.
        with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed:
            yield cast("IO[bytes]", packed)


def _function(place: str) -> Any:
    module, _, function = place.partition(":")
    return getattr(importlib.import_module(module), function)
