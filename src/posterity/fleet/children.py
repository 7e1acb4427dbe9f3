"""The child processes of a fleet worker: each runs one blog, within limits of memory and time.

The memory limit counts a process with all its descendants, including a browser. RLIMIT_AS is not an option, because
Chromium reserves far more address space than it uses.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

import msgspec

from posterity.archive import open_archive
from posterity.archive.folder import lock_file
from posterity.archive.verify import finish_files
from posterity.config import Settings
from posterity.crawl.jobs import REVISITS, Ended, Event, HarvestJob, Updated, UpdateJob
from posterity.crawl.worker_process import ForkServer, WorkerProcess, without_interrupts
from posterity.errors import Interrupted, PosterityError
from posterity.model import HarvestReport
from posterity.model.report import UpdateReport
from posterity.urls import blog_id, canonical_url

Report: TypeAlias = HarvestReport | UpdateReport

_RUN = "run-"  # prefix of the spool folder of a run
_LOCK = "lock-"  # prefix of its lock file
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_GRACE_S = 60.0  # a harvest stops cleanly at its time limit; one that hangs is killed this much later


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits for one blog."""

    memory_mb: int = 2048
    time_s: float = 6 * 3600.0


class BlogTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task for a worker: its number, its kind ("harvest" or "update"), and the blog."""

    number: int
    kind: str
    url: str
    archive: str
    blog: str = ""
    settings: Settings = Settings()


class _Child(msgspec.Struct):
    process: WorkerProcess
    started: float
    ended_because: str = ""


class Children:
    """The running child processes. `run` is called from one thread per slot, the other methods from any thread."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._running: dict[int, _Child] = {}
        self._lock = threading.RLock()
        self._fork_server: ForkServer | None = None
        self._stopped = False

    def run(self, task: BlogTask, on_event: Callable[[Event], None]) -> Report:
        """Run the task in a new process; return its report, or raise the error that stopped it."""
        with self._start_worker(task) as process:
            child = _Child(process, time.monotonic())
            with self._lock:
                self._running[task.number] = child
                if self._stopped:
                    process.stop()
            try:
                if task.kind == "update":
                    return process.outcome(on_event, Updated).report
                return process.outcome(on_event, Ended).report
            except PosterityError as problem:
                if child.ended_because:
                    raise PosterityError(child.ended_because) from problem
                raise
            finally:
                with self._lock:
                    del self._running[task.number]

    def stop(self) -> None:
        """Stop all processes cleanly, including those that are just starting."""
        with self._lock:
            self._stopped = True
            for child in self._running.values():
                child.process.stop()

    def kill(self) -> None:
        """Kill all processes; everything reported as stored is stored."""
        with self._lock:
            for child in self._running.values():
                child.process.kill()

    def enforce_limits(self) -> None:
        """Kill the processes that exceed a limit."""
        with self._lock:
            running = list(self._running.values())
        if not running:
            return
        parents = _parents()
        for child in running:
            used_mb, limits = memory_of(child.process.pid, parents) // 2**20 if child.process.pid else 0, self._limits
            if used_mb > limits.memory_mb:
                more = f"more than --memory {limits.memory_mb}"
                child.ended_because = f"It was stopped because it used {used_mb} MB of memory, {more}."
            elif time.monotonic() - child.started > limits.time_s + _GRACE_S:
                late = f"--time-limit {limits.time_s:g}"
                child.ended_because = f"It was stopped because it did not finish within {late}."
            if child.ended_because:
                child.process.kill()

    def close(self) -> None:
        """Stop the process from which the children are forked."""
        if self._fork_server is not None:
            self._fork_server.__exit__()

    def _start_worker(self, task: BlogTask) -> WorkerProcess:
        crawl = task.settings.crawl
        time_limit_s = min(crawl.time_limit_s or self._limits.time_s, self._limits.time_s)
        limited = msgspec.structs.replace(crawl, time_limit_s=time_limit_s)
        settings = msgspec.structs.replace(task.settings, crawl=limited)
        if task.kind == "update":
            job = UpdateJob(blog=task.blog, url=task.url, archive=task.archive, revisits=REVISITS, settings=settings)
            return WorkerProcess(job, "posterity.crawl.update_worker")
        harvest = HarvestJob(url=task.url, archive=task.archive, settings=settings)
        return WorkerProcess(harvest, fork_server=self._forks())

    def _forks(self) -> ForkServer:
        with self._lock:
            if self._fork_server is not None and not self._fork_server.is_alive:
                self._fork_server.__exit__()
                self._fork_server = None
            if self._fork_server is None:
                with without_interrupts():
                    self._fork_server = ForkServer()
            return self._fork_server


def run_with_files(children: Children, task: BlogTask, spool: Path, on_event: Callable[[Event], None]) -> Report:
    """Run the task with a private spool folder, and move its files to shared storage at the end.

    Without shared storage, this is just `children.run`.
    """
    with open_archive(task.archive) as archive:
        is_shared = archive.folder.shared is not None
    if not is_shared:
        return children.run(task, on_event)
    with _lock_folder(spool / f"{_RUN}{task.number}-{uuid.uuid4().hex[:8]}") as folder:
        location = with_spool(task.archive, folder)
        with open_archive(location) as archive:
            assert archive.folder.shared is not None
            archive.folder.shared.forget_unreachable(folder, task.blog or blog_id(canonical_url(task.url)))
        try:
            report = children.run(msgspec.structs.replace(task, archive=location), on_event)
        except PosterityError as problem:
            if not is_interruption(problem):  # `rescue_files` moves the files of interrupted runs later
                _store_files(location, folder)
            raise
        _store_files(location, folder)
        return report


def rescue_files(archive: str, spool: Path) -> int:
    """Move files that killed runs left in this spool to shared storage; return the number of runs."""
    rescued = 0
    for folder in sorted(spool.glob(f"{_RUN}*")):
        with suppress(BlockingIOError, FileNotFoundError), _lock_folder(folder):
            _store_files(with_spool(archive, folder), folder)
            rescued += 1
    return rescued


def with_spool(archive: str, folder: Path) -> str:
    """Return the URL of the archive with the parameter `spool`."""
    return f"{archive}{'&' if '?' in archive else '?'}spool={quote(str(folder), safe='/')}"


def _store_files(location: str, folder: Path) -> None:
    """Repair incomplete files of a killed writer, move everything to shared storage, and remove the folder."""
    with open_archive(location) as archive:
        finish_files(archive, "*")
    shutil.rmtree(folder)


@contextmanager
def _lock_folder(folder: Path) -> Iterator[Path]:
    """Lock a folder within the block; raise `BlockingIOError` if another process has locked it."""
    folder.mkdir(parents=True, exist_ok=True)
    # Beside the folder, because Windows cannot remove a folder that contains an open file.
    lock = folder.with_name(f"{_LOCK}{folder.name}")
    with lock.open("ab") as handle:
        lock_file(handle, wait=False)
        try:
            yield folder
        finally:
            if not folder.exists():
                with suppress(OSError):  # Windows cannot remove the open file; it is empty
                    lock.unlink()


def is_final(problem: PosterityError) -> bool:
    """Return whether a retry would fail the same way: there is no blog, or the task is invalid."""
    return problem.exit_code in (2, 4, 5)


def is_interruption(problem: PosterityError) -> bool:
    """Return whether the run was interrupted, which is not the blog's fault."""
    return isinstance(problem, Interrupted)


def memory_of(pid: int, parents: dict[int, int] | None = None) -> int:
    """Return the resident bytes of a process and all its descendants."""
    known = _parents() if parents is None else parents
    family = {pid}
    while more := {child for child, parent in known.items() if parent in family} - family:
        family |= more
    return sum(map(_resident_bytes, family))


def _parents() -> dict[int, int]:
    """Return the parent of every process; empty on systems without /proc, where memory is not limited."""
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # the process has just ended
                continue
            found[int(entry.name)] = int(fields[1])
    return found


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError):  # the process has just ended
        return 0
