"""WARC files and media in storage shared by several machines: a folder on NFS, S3, or anything that fsspec supports.

A file is written to a spool on the local disk and uploaded when it is complete, under the digest of its bytes. It
counts as stored once it has been read back with the same digest; then a row of `shared_files` refers to it. Files are
read from copies in a local cache of bounded size.
"""

from __future__ import annotations

import hashlib
import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BigInteger, Column, MetaData, Table, delete, select, text

from posterity.archive.captures import cdxj_path
from posterity.archive.database import Database, Key, write_rows
from posterity.archive.schema import captures
from posterity.errors import ArchiveError, PackageMissing, PosterityError, missing_package

Result = TypeVar("Result")

SPOOL_VARIABLE = "POSTERITY_SPOOL"
CACHE_VARIABLE = "POSTERITY_CACHE"
_BLOCK = 1 << 20
_MAX_OUTAGE_S = 900.0  # the longest outage of the storage that a harvest waits for
_LONGEST_WAIT_S = 30.0
_IN_USE_S = 60.0  # a copy that was just returned is about to be opened
# Where writes are not atomic, a file gets its name when it is complete. Object stores never show partial objects.
_IN_STEPS = {"file", "local", "sftp", "ssh", "ftp", "smb", "webhdfs", "hdfs"}

# Not among the other tables, because an archive in a folder does not need it.
_metadata = MetaData()
shared_files = Table(
    "shared_files",
    _metadata,
    Column("name", Key, primary_key=True),
    Column("digest", Key, nullable=False),
    Column("bytes", BigInteger, nullable=False),
)


class StoredFile(NamedTuple):
    """A file in shared storage: its name in the archive, its digest, and its size."""

    name: str
    digest: str
    bytes: int


class SharedFiles:
    """The shared storage of an archive, with the spool and the cache of this machine."""

    def __init__(self, database: Database, url: str, cache: Path) -> None:
        self.url = url
        self._database = database
        self._cache = cache
        self._cache_bytes = int(os.environ.get("POSTERITY_CACHE_MB") or 10_000) * 2**20
        self._system: Any = None

    def create_table(self) -> None:
        """Create the table of names, unless it exists."""
        with self._database.writing() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(1347375958)"))
            _metadata.create_all(connection)

    def known(self, name: str) -> StoredFile | None:
        """Return the row of a file; None if it is not in shared storage."""
        with self._database.reading() as connection:
            row = connection.execute(select(shared_files).where(shared_files.c.name == name)).first()
        return None if row is None else StoredFile(row.name, row.digest, row.bytes)

    def all(self, folder: str) -> list[StoredFile]:
        """Return every file of this folder, by name."""
        chosen = shared_files.c.name.startswith(f"{folder}/", autoescape=True)
        with self._database.reading() as connection:
            rows = connection.execute(select(shared_files).where(chosen).order_by(shared_files.c.name)).all()
        return [StoredFile(row.name, row.digest, row.bytes) for row in rows]

    def fetch(self, name: str) -> Path | None:
        """Return a local copy with the right digest; None if the file is not in shared storage."""
        if (file := self.known(name)) is None:
            return None
        # The digest is part of the path, so that an old copy is not used after a takedown.
        copy = self._cache / file.digest[:16] / Path(name).name
        if not copy.exists():
            self._trying(lambda: self._download(file, copy), f"{name} cannot be read from")
            self._evict()
        with suppress(FileNotFoundError):
            os.utime(copy)
        return copy

    def store(self, path: Path, name: str) -> None:
        """Copy a complete local file to shared storage, read it back, and record its name."""
        file = StoredFile(name, _digest_of(path), path.stat().st_size)
        before = self.known(name)
        if before == file:
            return
        self._trying(lambda: self._upload(path, file), f"{name} cannot be written to")
        self._database.write(write_rows, shared_files, [file._asdict()])
        if before is not None:
            self._delete_object(before)

    def remove(self, name: str) -> None:
        """Remove a file from shared storage and from the cache of this machine."""
        if (file := self.known(name)) is None:
            return
        (self._cache / file.digest[:16] / Path(name).name).unlink(missing_ok=True)
        with self._database.writing() as connection:
            connection.execute(delete(shared_files).where(shared_files.c.name == name))
        self._delete_object(file)

    def empty_spool(self, root: Path) -> int:
        """Move every complete file from the spool to shared storage; return their number."""
        moved = 0
        for path in _complete_files(root):
            name = path.relative_to(root).as_posix()
            with suppress(FileNotFoundError):  # another process of this machine was faster
                self.store(path, name)
                # The spooled file becomes the copy in the cache, because it is likely to be read soon.
                file = self.known(name)
                assert file is not None
                copy = self._cache / file.digest[:16] / path.name
                copy.parent.mkdir(parents=True, exist_ok=True)
                path.replace(copy)
                cdxj_path(path).unlink(missing_ok=True)
                self._evict()
                moved += 1
        return moved

    def forget_unreachable(self, root: Path, blog_id: str) -> int:
        """Remove captures of a blog from the index if neither this machine nor shared storage has their file.

        They are in the spool of a worker that has died, which indexes them again when it is back. Until then, the pages
        must be requested again, and must not be stored as revisits of records that cannot be read.
        """
        with self._database.reading() as connection:
            files = list(connection.scalars(select(captures.c.file).where(captures.c.blog_id == blog_id).distinct()))
        lost = [file for file in files if not (root / "warc" / file).exists() and self.known(f"warc/{file}") is None]
        if lost:
            with self._database.writing() as connection:
                connection.execute(delete(captures).where(captures.c.file.in_(lost) & (captures.c.blog_id == blog_id)))
        return len(lost)

    def _upload(self, path: Path, file: StoredFile) -> None:
        system, target = self._place(file)
        if not (system.exists(target) and system.size(target) == file.bytes and self._digest_at(target) == file.digest):
            protocol = self._system.protocol
            in_steps = not _IN_STEPS.isdisjoint([protocol] if isinstance(protocol, str) else protocol)
            part = f"{target}.{uuid.uuid4().hex}.part" if in_steps else target
            system.makedirs(system._parent(target), exist_ok=True)  # noqa: SLF001 - fsspec has no public name for it
            try:
                system.put_file(str(path), part)
                if part != target:
                    system.mv(part, target)
            except BaseException:
                if part != target and system.exists(part):
                    system.rm_file(part)
                raise
            if self._digest_at(target) != file.digest:
                raise OSError(f"{target} differs from what was sent")

    def _download(self, file: StoredFile, copy: Path) -> None:
        system, source = self._place(file)
        copy.parent.mkdir(parents=True, exist_ok=True)
        growing = copy.with_name(f".{uuid.uuid4().hex}")
        try:
            system.get_file(source, str(growing))
            if _digest_of(growing) != file.digest:
                raise OSError(f"{source} does not match its digest")
            growing.replace(copy)
        finally:
            growing.unlink(missing_ok=True)

    def _delete_object(self, file: StoredFile) -> None:
        with self._database.reading() as connection:
            used = connection.scalar(select(shared_files.c.name).where(shared_files.c.digest == file.digest).limit(1))
        if used is None:
            system, target = self._place(file)
            with suppress(FileNotFoundError):
                self._trying(lambda: system.rm_file(target), f"{file.name} cannot be removed from")

    def _evict(self) -> None:
        """Remove the least recently used copies until the cache is small enough."""
        copies = []
        for path in self._cache.glob("*/*"):
            with suppress(FileNotFoundError):
                copies.append((path.stat().st_mtime, path.stat().st_size, path))
        size = sum(length for _, length, _ in copies)
        for used_at, length, path in sorted(copies):
            if size <= self._cache_bytes or time.time() - used_at < _IN_USE_S:
                return
            path.unlink(missing_ok=True)
            with suppress(OSError):
                path.parent.rmdir()
            size -= length

    def _digest_at(self, target: str) -> str:
        digest = hashlib.sha256()
        with self._system.open(target, "rb", block_size=8 * _BLOCK, cache_type="readahead") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
        return digest.hexdigest()

    def _place(self, file: StoredFile) -> tuple[Any, str]:
        if self._system is None:
            self._system = _file_system(self.url)
        ending = "".join(Path(file.name).suffixes[-2:]) if file.name.startswith("warc/") else Path(file.name).suffix
        root = self._system._strip_protocol(self.url).rstrip("/")  # noqa: SLF001 - as above
        return self._system, f"{root}/{file.digest[:2]}/{file.digest[2:]}{ending}"

    def _trying(self, act: Callable[[], Result], about: str) -> Result:
        """Return the result of `act`, which is repeated for a while if the storage does not respond."""
        wait_s, end = 0.5, time.monotonic() + _MAX_OUTAGE_S
        while True:
            try:
                return act()
            except (FileNotFoundError, PosterityError):
                raise
            except Exception as problem:
                if time.monotonic() + wait_s > end:
                    raise ArchiveError(f"{about} {self.url}: {problem}. Run the same command again later.") from problem
            time.sleep(wait_s)
            wait_s = min(_LONGEST_WAIT_S, 2 * wait_s)


def _file_system(url: str) -> Any:
    try:
        import fsspec

        return fsspec.core.url_to_fs(url, use_listings_cache=False)[0]
    except ModuleNotFoundError as problem:
        raise missing_package(problem, f"An archive with files at {url}") or problem from problem
    except ImportError as problem:  # fsspec's own, which names the package
        raise PackageMissing(
            f"An archive with files at {url}: {problem}: pip install 'posterity[s3]'", "s3"
        ) from problem
    except (ValueError, TypeError) as problem:
        raise ArchiveError(
            f"Files cannot be kept at {url}: {problem}. Write file:///folder or s3://bucket."
        ) from problem


def _complete_files(root: Path) -> Iterator[Path]:
    """Yield complete files: media, which are renamed when complete, and WARC files that were closed or repaired."""
    for path in sorted((root / "media").glob("*/*")):
        if path.is_file() and not path.name.startswith("."):
            yield path
    for path in sorted((root / "warc").glob("*.warc.gz")):
        if cdxj_path(path).exists():
            yield path


def _digest_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
