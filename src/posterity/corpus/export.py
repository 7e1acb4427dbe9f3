"""Posts of an archive into a file, a folder or standard output, whole or not at all, with a manifest beside them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from posterity.corpus.clean_up import AS_IT_IS, cleaned
from posterity.corpus.formats import FORMATS
from posterity.corpus.manifest import Tally, write_manifest
from posterity.corpus.parts import checked_split, write_parts
from posterity.corpus.selection import EVERYTHING, blog_by_blog, selected
from posterity.corpus.source import Source, newest_state
from posterity.corpus.target import put_in_place
from posterity.corpus.writing import write_stream, write_whole
from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.archive import Archive
    from posterity.corpus.clean_up import CleanUp
    from posterity.corpus.formats import Format
    from posterity.corpus.manifest import Manifest
    from posterity.corpus.parts import Split
    from posterity.corpus.selection import Selection
    from posterity.model import Blog, Post


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
    are cleaned already.
    """
    checked_split(format_name, split)
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
