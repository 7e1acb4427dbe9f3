"""The folder of an archive: its marker, and the paths of the database, the WARC files and the media."""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import importlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from posterity.archive.database import disk_error, replace_file, translated
from posterity.archive.shared_files import SharedFiles
from posterity.errors import ArchiveTooNew, InputError, NotAnArchive, NotInArchive
from posterity.model import from_json, to_json

MARKER = "posterity-archive.json"
HISTORY, _LINES = "history", ".jsonl.gz"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9-]{1,80}")
FORMAT = 1  # the version of the folder's layout; the database has its own


class ArchiveMarker(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the marker file."""

    format: int
    about: str = "An archive of blogs made by Posterity: records in posterity.db, raw pages in warc, files in media."


class Folder:
    """The paths of an archive's parts. With shared storage, the folder has only the files not uploaded yet."""

    def __init__(self, root: Path, shared: SharedFiles | None = None) -> None:
        self.root = root
        self.shared = shared
        self.marker = root / MARKER
        self.database = root / "posterity.db"
        self.warc = root / "warc"
        self.media = root / "media"
        self.unfinished_rebuild = root / "rebuild-unfinished"  # exists from the beginning of a rebuild to its end

    @property
    def is_writable(self) -> bool:
        """Whether files can be created in the folder."""
        return os.access(self.root, os.W_OK | os.X_OK)

    def warc_path(self, file: str) -> Path:
        """Return the path where a WARC file can be read: in this folder, or a copy from shared storage."""
        return self.readable(self.inside(self.warc, file))

    def inside(self, folder: Path, name: str) -> Path:
        """Return the path of a file named in the database, which is below `warc` or `media`.

        A name or a link that points elsewhere raises `NotInArchive`: an archive may come from someone else, and its
        files are served, exported and changed. The two folders themselves may be links.
        """
        path = folder / name
        if not name or ".." in path.parts or not path.resolve().is_relative_to(folder.resolve()):
            raise NotInArchive(f"{name!r} is not the name of a stored file: it points outside {folder}.")
        return path

    def readable(self, path: Path) -> Path:
        """Return where a file of this folder can be read, downloading it if needed; `path` if it does not exist."""
        if self.shared is None or path.exists():
            return path
        return self.shared.fetch(self._name(path)) or path

    def has(self, path: Path) -> bool:
        """Return whether the file is here or in shared storage."""
        return path.exists() or (self.shared is not None and self.shared.known(self._name(path)) is not None)

    def write_history(self, blog_id: str, lines: Iterable[bytes]) -> None:
        """Write data about a blog that its pages do not contain, replacing the file; without lines, delete it."""
        path = self._history(blog_id)
        content = b"\n".join(lines)
        with translated(str(path)):
            if not content:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, gzip.compress(content, mtime=0))

    def history_lines(self, blog_id: str) -> list[bytes]:
        """Return the lines written by `write_history`; none if there is no file."""
        path = self._history(blog_id)
        with translated(str(path)):
            return gzip.decompress(path.read_bytes()).split(b"\n") if path.exists() else []

    def kept_blogs(self) -> list[str]:
        """Return the ids of the blogs that have a history file."""
        return sorted(path.name.removesuffix(_LINES) for path in (self.root / HISTORY).glob(f"[!.]*{_LINES}"))

    def _history(self, blog_id: str) -> Path:
        name = blog_id if _PLAIN_NAME.fullmatch(blog_id) else hashlib.sha256(blog_id.encode()).hexdigest()
        return self.root / HISTORY / f"{name}{_LINES}"

    def warc_files(self) -> list[Path]:
        """Return the paths of all WARC files; those that are only in shared storage must be made `readable`."""
        here = sorted(self.warc.glob("*.warc.gz"))
        names = {path.name for path in here}
        there = [] if self.shared is None else [file.name.partition("/")[2] for file in self.shared.all("warc")]
        return sorted([*here, *(self.warc / name for name in there if name not in names)])

    def put_back(self, path: Path) -> None:
        """Upload a changed copy of a WARC file to shared storage; a file of this folder was changed in place."""
        if self.shared is not None and path.parent != self.warc:
            self.shared.store(path, f"warc/{path.name}")

    def remove(self, path: Path) -> None:
        """Remove a file here and from shared storage."""
        path.unlink(missing_ok=True)
        if self.shared is not None:
            self.shared.remove(self._name(path))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    @contextlib.contextmanager
    def hold_lock(self) -> Iterator[None]:
        """Let one process at a time create or change the archive as a whole."""
        with translated(str(self.root)), self.marker.open("rb") as handle:
            lock_file(handle)
            yield


def lock_file(handle: IO[bytes], *, shared: bool = False, wait: bool = True) -> None:
    """Lock the open file until it is closed.

    Raises `BlockingIOError` if another process holds the lock and `wait` is false. On Windows, all locks are exclusive.
    """
    try:
        import fcntl
    except ImportError:
        _lock_on_windows(handle.fileno(), wait=wait)
        return
    fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def _lock_on_windows(descriptor: int, *, wait: bool) -> None:
    msvcrt: Any = importlib.import_module("msvcrt")
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        while True:
            # Windows locks bytes against readers too, so lock one beyond the end of any file.
            os.lseek(descriptor, 2**40, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError as problem:
                if problem.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                    raise
                if not wait:
                    raise BlockingIOError(problem.errno, "The file is locked.") from problem
                time.sleep(0.1)
            else:
                return
    finally:
        os.lseek(descriptor, place, os.SEEK_SET)


def check_folder(folder: Folder) -> None:
    """Raise `NotAnArchive` or `ArchiveTooNew` unless the folder is an archive that this version can read."""
    if not folder.root.exists():
        raise NotAnArchive(
            f"There is no archive at {folder.root}. Create one with `posterity harvest URL --archive {folder.root}`."
        )
    if not folder.marker.is_file():
        raise NotAnArchive(
            f"{folder.root} is not an archive: it has no {MARKER}. "
            "Name the folder of an archive, or one that does not exist yet, with --archive."
        )
    try:
        marker = from_json(folder.marker.read_bytes(), ArchiveMarker)
    except OSError as problem:
        raise disk_error(problem, str(folder.root)) from problem
    except InputError as problem:
        raise NotAnArchive(
            f"{folder.marker} is damaged. Restore the line {to_json(ArchiveMarker(format=FORMAT)).decode()}"
        ) from problem
    if marker.format > FORMAT:
        raise ArchiveTooNew(
            f"The archive {folder.root} has format {marker.format}, this version knows {FORMAT}. "
            "Install a newer Posterity to use it."
        )


def make_folder(folder: Folder) -> None:
    """Create an empty archive unless there is one; a folder with other contents raises `NotAnArchive`.

    The marker is written first and alone makes an archive: what is missing after a crash is created on opening.
    """
    with translated(str(folder.root)):
        if folder.marker.is_file():
            return
        root = folder.root
        if root.exists() and (not root.is_dir() or any(not _is_ours(path) for path in root.iterdir())):
            check_folder(folder)
        folder.root.mkdir(parents=True, exist_ok=True)
        new = folder.root / f".{MARKER}.{os.getpid()}"
        new.write_bytes(to_json(ArchiveMarker(format=FORMAT)) + b"\n")
        new.replace(folder.marker)


def _is_ours(path: Path) -> bool:
    # Another process may be creating the same archive.
    return path.name == MARKER or path.name.startswith(f".{MARKER}.")
