"""Posts of an archive into a file or folder, whole or not at all.

What is written grows beside the target under another name and takes its place at the end: a full disk or a
Ctrl-C leaves what was there before.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from posterity.corpus.formats import FORMATS
from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from posterity.archive import Archive
    from posterity.model import Post

STREAMED = ("jsonl",)


def export(archive: Archive, out: str, format_name: str, *, blogs: Iterable[str] = (), force: bool = False) -> int:
    """Write the posts and return how many there were."""
    write = _writer(format_name)
    counted = _Counted(_chosen(archive, tuple(blogs)))
    if out == "-":
        if format_name not in STREAMED:
            raise InputError(
                f"The format {format_name} is a folder and cannot go to standard output. Name a folder instead of -."
            )
        write(counted, Path("/dev/stdout") if not hasattr(sys.stdout, "buffer") else sys.stdout.buffer)
        return counted.count
    target = Path(out)
    if target.exists() and not force:
        raise InputError(f"{out} exists. Give another name, or --force to overwrite it.")
    growing = target.with_name(f".{target.name}.growing")
    try:
        _remove(growing)
        write(counted, growing)
        _remove(target)
        growing.rename(target)
    except OSError as problem:
        raise InputError(f"{out} cannot be written: {problem.strerror or problem}.") from problem
    finally:
        _remove(growing)
    return counted.count


def _writer(format_name: str) -> Callable[..., None]:
    module, _, function = FORMATS[format_name].partition(":")
    writer: Callable[..., None] = getattr(importlib.import_module(module), function)
    return writer


def _chosen(archive: Archive, blogs: tuple[str, ...]) -> Iterator[Post]:
    if not blogs:
        yield from archive.posts()
    for name in blogs:
        yield from archive.posts(archive.blog(name).id)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class _Counted:
    """Posts, counted as they pass."""

    def __init__(self, posts: Iterator[Post]) -> None:
        self._posts = posts
        self.count = 0

    def __iter__(self) -> Iterator[Post]:
        for post in self._posts:
            self.count += 1
            yield post
