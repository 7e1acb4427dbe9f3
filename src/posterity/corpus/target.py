"""Where an export goes: beside its place under another name, and into its place when it is whole.

A full disk, an error or a Ctrl-C leaves what was there before.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def put_in_place(target: Path, *, force: bool) -> Iterator[Path]:
    """Give a path to write to, and move what is there to the target at the end; nothing is written at an error.

    Several files: what is written beside the path, under its name and an ending, goes beside the target.
    """
    if target.exists() and not force:
        raise InputError(f"{target} exists. Give another name, or --force to overwrite it.")
    growing = target.with_name(f".{target.name}.growing")
    try:
        _remove_all(growing)
        yield growing
        for written in _parts(growing):
            _replace(written, target.with_name(target.name + written.name.removeprefix(growing.name)))
    except OSError as problem:
        # Some formats keep posts in temporary files for a while, and the error does not say which disk it was.
        where = f", there or in {tempfile.gettempdir()}" if problem.errno == errno.ENOSPC else ""
        raise InputError(f"{target} cannot be written: {problem.strerror or problem}{where}.") from problem
    except sqlite3.Error as problem:  # what is sorted and looked up lies in temporary files
        raise InputError(f"{target} cannot be written: {problem}. Make room in {tempfile.gettempdir()}.") from problem
    finally:
        _remove_all(growing)


def _parts(growing: Path) -> list[Path]:
    """What was written; the main part last, so that it is in its place only when the others are."""
    parts = [path for path in growing.parent.iterdir() if path.name.startswith(growing.name)]
    return sorted(parts, key=lambda path: (path == growing, path.name))


def _replace(written: Path, target: Path) -> None:
    if not target.is_dir() and not written.is_dir():
        written.replace(target)
        return
    # A folder cannot take the place of another in one step; the old one is kept until the new one is there.
    old = target.with_name(f".{target.name}.old")
    remove(old)
    if target.exists():
        target.rename(old)
    written.rename(target)
    remove(old)


def _remove_all(growing: Path) -> None:
    if growing.parent.is_dir():
        for path in _parts(growing):
            remove(path)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
