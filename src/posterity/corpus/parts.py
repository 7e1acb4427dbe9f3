"""An export in several files of one folder: by blog, by year, or none larger than a server takes."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import count, groupby
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias

from posterity.corpus.file_names import file_name
from posterity.corpus.formats import FORMATS
from posterity.corpus.writing import function_at, write_whole
from posterity.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.corpus.formats import Format
    from posterity.corpus.source import Source
    from posterity.model import Post

# A number is the largest size of a file, in bytes.
Split: TypeAlias = Literal["blog", "year"] | int


def write_parts(source: Source, form: Format, folder: Path, split: Split) -> None:
    """Write a file for each part; the posts must come blog by blog."""
    folder.mkdir()
    known = {blog.id: blog for blog in source.blogs}

    def part(post: Post) -> tuple[str, str]:
        year = f"{post.published:%Y}" if post.published else "undated"
        return post.blog or "", year if split == "year" else ""

    taken: set[str] = set()
    for (blog_id, year), posts in groupby(source.posts, key=part):
        blog = known.get(blog_id)
        place = file_name(blog.url.split("://", 1)[-1]) if blog else blog_id or "no-blog"
        name = "-".join(filter(None, (place, year)))
        if name in taken:
            raise ValueError(f"the posts of {name} come in several pieces; they must come blog by blog")
        taken.add(name)
        some = source.of(posts, (blog,) if blog else (), year)
        if isinstance(split, int):
            _write_sized(some, form, folder / name, split)
        else:
            write_whole(some, form, folder / (name + form.ending), name + form.ending)


def checked_split(format_name: str, split: Split | None) -> None:
    """Raise `UsageError` for a format that cannot be cut to size."""
    if isinstance(split, int) and FORMATS[format_name].sized is None:
        able = ", ".join(name for name, form in FORMATS.items() if form.sized is not None)
        raise UsageError(f"The format {format_name} cannot be split by size, only: {able}.")


def _write_sized(source: Source, form: Format, stem: Path, most_bytes: int) -> None:
    """Write NAME-001, NAME-002 and so on, as many as it takes."""
    numbers = count(1)
    assert form.sized is not None
    with ExitStack() as stack:

        def next_part() -> BinaryIO:
            stack.close()
            return stack.enter_context(stem.with_name(f"{stem.name}-{next(numbers):03}{form.ending}").open("wb"))

        function_at(form.sized)(source, next_part, most_bytes)
