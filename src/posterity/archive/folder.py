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
FORMAT = 1  # of the layout of the folder; the database counts its own version


class ArchiveMarker(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the marker file."""

    format: int
    about: str = "An archive of blogs made by Posterity: records in posterity.db, raw pages in warc, files in media."


class Folder:
    """Where the parts of an archive lie. With a shared place it holds only what has not gone there yet."""

    def __init__(self, root: Path, shared: SharedFiles | None = None) -> None:
        self.root = root
        self.shared = shared
        self.marker = root / MARKER
        self.database = root / "posterity.db"
        self.warc = root / "warc"
        self.media = root / "media"
        self.unfinished_rebuild = root / "rebuild-unfinished"  # there from the beginning of a rebuild to its end

    @property
    def is_writable(self) -> bool:
        """Whether files can be made in it."""
        return os.access(self.root, os.W_OK | os.X_OK)

    def warc_path(self, file: str) -> Path:
        """Where a WARC file can be read: here, or a copy from the shared place."""
        return self.readable(self.inside(self.warc, file))

    def inside(self, folder: Path, name: str) -> Path:
        """Return the path of a file that the database names, which is below `warc` or `media`.

        A name or a link that leads elsewhere is refused: an archive may come from somebody else, and its files are
        served, exported and changed. The two folders themselves may be links.
        """
        path = folder / name
        if not name or ".." in path.parts or not path.resolve().is_relative_to(folder.resolve()):
            raise NotInArchive(f"{name!r} is not the name of a stored file: it points outside {folder}.")
        return path

    def readable(self, path: Path) -> Path:
        """Where a file of this folder can be read; the path itself when nobody has it."""
        if self.shared is None or path.exists():
            return path
        return self.shared.fetch(self._name(path)) or path

    def has(self, path: Path) -> bool:
        """Return whether the file is here or in the shared place."""
        return path.exists() or (self.shared is not None and self.shared.known(self._name(path)) is not None)

    def write_history(self, blog_id: str, lines: Iterable[bytes]) -> None:
        """Put what pages do not contain about a blog in place of what was known of it; without lines the file goes."""
        path = self._history(blog_id)
        content = b"\n".join(lines)
        with translated(str(path)):
            if not content:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, gzip.compress(content, mtime=0))

    def history_lines(self, blog_id: str) -> list[bytes]:
        """What `write_history` wrote."""
        path = self._history(blog_id)
        with translated(str(path)):
            return gzip.decompress(path.read_bytes()).split(b"\n") if path.exists() else []

    def kept_blogs(self) -> list[str]:
        """The ids of the blogs whose history is beside the database."""
        return sorted(path.name.removesuffix(_LINES) for path in (self.root / HISTORY).glob(f"[!.]*{_LINES}"))

    def _history(self, blog_id: str) -> Path:
        name = blog_id if _PLAIN_NAME.fullmatch(blog_id) else hashlib.sha256(blog_id.encode()).hexdigest()
        return self.root / HISTORY / f"{name}{_LINES}"

    def warc_files(self) -> list[Path]:
        """Every WARC file, readable; those of a shared place are copied here one by one, as far as there is room."""
        here = sorted(self.warc.glob("*.warc.gz"))
        names = {path.name for path in here}
        there = [] if self.shared is None else [file.name.partition("/")[2] for file in self.shared.all("warc")]
        return sorted([*here, *(self.warc / name for name in there if name not in names)])

    def put_back(self, path: Path) -> None:
        """Bring a changed copy of a WARC file to the shared place; a file of this folder has been changed itself."""
        if self.shared is not None and path.parent != self.warc:
            self.shared.store(path, f"warc/{path.name}")

    def remove(self, path: Path) -> None:
        """Remove a file here and in the shared place."""
        path.unlink(missing_ok=True)
        if self.shared is not None:
            self.shared.remove(self._name(path))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    @contextlib.contextmanager
    def hold_lock(self) -> Iterator[None]:
        """Let one process at a time make or change the archive as a whole."""
        with translated(str(self.root)), self.marker.open("rb") as handle:
            lock_file(handle)
            yield


def lock_file(handle: IO[bytes], *, shared: bool = False, wait: bool = True) -> None:
    """Lock the open file until it is closed.

    Raises `BlockingIOError` when another process holds the lock and `wait` is false. Windows has no shared locks here.
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
            # Windows locks bytes against readers too: one that no file of ours has.
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
    """Raise what is wrong with a folder that should be an archive."""
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
    """Make an empty archive unless there is one; what is not ours stays as it is.

    The marker comes first and alone makes an archive: whatever a crash leaves out is made when it is opened.
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
    # Another process may be making the same archive at this moment.
    return path.name == MARKER or path.name.startswith(f".{MARKER}.")
