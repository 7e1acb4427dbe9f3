"""Files of an export: streams, files and folders, parts (`--split`), safe replacement, file names, zip entries."""

from __future__ import annotations

import errno
import gzip
import hashlib
import importlib
import re
import shutil
import sqlite3
import struct
import tempfile
import unicodedata
import zipfile
from contextlib import ExitStack, contextmanager
from itertools import count, groupby
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias, cast
from urllib.parse import unquote, urlsplit

from posterity.errors import InputError, UsageError
from posterity.export.formats import Format, all_formats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from posterity.export.selection import Source
    from posterity.model import Post

_GZIP = ".gz"


def write_stream(source: Source, form: Format, stream: BinaryIO | IO[bytes]) -> None:
    """Write a format of kind "stream"."""
    load_function(form.writer)(source, stream)


def write_whole(source: Source, form: Format, path: Path, name: str) -> None:
    """Write one export to a temporary path; `name` is its final name."""
    if form.kind == "stream":
        # The WARC writer compresses each record separately.
        with _open_output(path, compressed=name.endswith(_GZIP) and not form.ending.endswith(_GZIP)) as stream:
            write_stream(source, form, stream)
    else:
        load_function(form.writer)(source, path)
    if form.beside is not None:
        for ending, content in load_function(form.beside)(source, name).items():
            path.with_name(path.name + ending).write_bytes(content)


def load_function(reference: str) -> Any:
    """Import the module of `module:function` and return the function."""
    module, _, function = reference.partition(":")
    return getattr(importlib.import_module(module), function)


@contextmanager
def _open_output(path: Path, *, compressed: bool) -> Iterator[BinaryIO | IO[bytes]]:
    with path.open("wb") as stream:
        if not compressed:
            yield stream
            return
        # Without name and time in the header, the same posts give the same bytes.
        with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed:
            yield cast("IO[bytes]", packed)


@contextmanager
def atomic_output(target: Path, *, force: bool) -> Iterator[Path]:
    """Yield a temporary path, and rename it to the target at the end; after an error, nothing is left.

    Files beside the temporary path whose names begin with its name are renamed likewise.
    """
    if target.exists() and not force:
        raise InputError(f"{target} exists. Choose another name, or use --force to overwrite it.")
    growing = target.with_name(f".{target.name}.growing")
    try:
        _remove_all(growing)
        yield growing
        for written in _parts(growing):
            _replace(written, target.with_name(target.name + written.name.removeprefix(growing.name)))
    except OSError as problem:
        # Some formats use temporary files, and the error does not name the disk that is full.
        where = f", there or in {tempfile.gettempdir()}" if problem.errno == errno.ENOSPC else ""
        raise InputError(f"{target} cannot be written: {problem.strerror or problem}{where}.") from problem
    except sqlite3.Error as problem:  # data are sorted and looked up in temporary databases
        raise InputError(f"{target} cannot be written: {problem}. Free space in {tempfile.gettempdir()}.") from problem
    finally:
        _remove_all(growing)


def _parts(growing: Path) -> list[Path]:
    """Return the written paths, the main one last, so that it exists only if the others do."""
    parts = [path for path in growing.parent.iterdir() if path.name.startswith(growing.name)]
    return sorted(parts, key=lambda path: (path == growing, path.name))


def _replace(written: Path, target: Path) -> None:
    if not target.is_dir() and not written.is_dir():
        written.replace(target)
        return
    # A folder cannot be replaced in one step; the old one is kept until the new one is in place.
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
    """Remove a file or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def post_name(post: Post) -> str:
    """Return the file name of a post without extension: the date and the slug."""
    day = f"{post.published:%Y-%m-%d}-" if post.published else ""
    return day + post_slug(post)


def post_slug(post: Post) -> str:
    """Return the last segment of a post's URL, or its title or id, as a file name."""
    last = re.sub(r"\.\w{2,5}$", "", unquote(urlsplit(post.url).path).rstrip("/").rsplit("/", 1)[-1])
    last = post.title or post.id if last in ("", "index") else last
    return file_name(last) or id_name(post.id)


def file_name(text: str) -> str:
    """Return the text as a name that is valid on every file system; letters of all scripts are kept."""
    normal = unicodedata.normalize("NFC", text).encode("utf-8", "replace").decode()
    kept = re.sub(r"[^\w.-]+", "-", normal).strip("-.").lower()
    # 255 bytes is the limit of most file systems, and ids and extensions may follow.
    name = kept.encode()[:120].decode(errors="ignore").rstrip("-.")
    return f"{name}-" if _DEVICE.fullmatch(name.partition(".")[0]) else name


_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)\d")  # names that Windows reserves, with any extension
_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def id_name(identifier: str) -> str:
    """Return a file name for an id: the id itself, or its digest, because ids of imported records may be paths."""
    if _PLAIN_ID.fullmatch(identifier) and not _DEVICE.fullmatch(identifier.lower()):
        return identifier
    return hashlib.sha256(identifier.encode("utf-8", "replace")).hexdigest()[:20]


# A number is the largest size of a file, in bytes.
Split: TypeAlias = Literal["blog", "year"] | int


def write_parts(source: Source, form: Format, folder: Path, split: Split) -> None:
    """Write a file for each part; the posts must be grouped by blog."""
    folder.mkdir()
    known = {blog.id: blog for blog in source.blogs}

    def part(post: Post) -> tuple[str, str]:
        year = f"{post.published:%Y}" if post.published else "undated"
        return post.blog or "", year if split == "year" else ""

    taken: set[str] = set()
    for (blog_id, year), posts in groupby(source.posts, key=part):
        blog = known.get(blog_id)
        blog_name = file_name(blog.url.split("://", 1)[-1]) if blog else id_name(blog_id or "no-blog")
        name = "-".join(filter(None, (blog_name, year)))
        if name in taken:
            raise ValueError(f"the posts of {name} are not grouped by blog")
        taken.add(name)
        part_source = source.of(posts, (blog,) if blog else (), year)
        if isinstance(split, int):
            _write_sized(part_source, form, folder / name, split)
        else:
            write_whole(part_source, form, folder / (name + form.ending), name + form.ending)


def check_split(format_name: str, split: Split | None) -> None:
    """Raise `UsageError` if the format cannot be split by size."""
    if isinstance(split, int) and all_formats()[format_name].sized is None:
        able = ", ".join(name for name, form in all_formats().items() if form.sized is not None)
        raise UsageError(f"The format {format_name} cannot be split by size, only: {able}.")


def _write_sized(source: Source, form: Format, stem: Path, max_bytes: int) -> None:
    """Write NAME-001, NAME-002 and so on."""
    numbers = count(1)
    assert form.sized is not None
    with ExitStack() as stack:

        def next_part() -> BinaryIO:
            stack.close()
            return stack.enter_context(stem.with_name(f"{stem.name}-{next(numbers):03}{form.ending}").open("wb"))

        load_function(form.sized)(source, next_part, max_bytes)


_FIRST_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time in zip files
_TIME_FIELD, _MODIFIED, _LAST_SECOND = 0x5455, 1, 2**31 - 1  # Info-ZIP's extended timestamp


def zip_entry(path: str, made_at: datetime, *, packed: bool = True) -> zipfile.ZipInfo:
    """Return an entry for a file of this name and time; readers can seek in a file that is not `packed`."""
    entry = zipfile.ZipInfo(path, date_time=max(made_at.timetuple()[:6], _FIRST_TIME))
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    entry.external_attr = 0o644 << 16
    return entry


def with_time_field(entry: zipfile.ZipInfo, made_at: datetime) -> zipfile.ZipInfo:
    """Add the time in UTC as an extra field, both to the local header and to the central directory.

    Python adds an extra field to the local header of large files. ReplayWeb.page assumes that there is none if the
    central directory has none, and then reads the file from the wrong offset.
    """
    seconds = min(max(int(made_at.timestamp()), 0), _LAST_SECOND)
    entry.extra = struct.pack("<HHBl", _TIME_FIELD, 5, _MODIFIED, seconds)
    return entry
