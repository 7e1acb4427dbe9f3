"""Workers that begin at once: a process that has loaded everything forks for every blog.

Loading Scrapy and its company takes a second of processor time, as long as a small blog itself, and hundreds of blogs
would pay it hundreds of times. A fork shares what is loaded: each blog still has a process of its own, whose crash
costs nobody else. The nursery runs nothing itself and has no threads, so that a fork is safe.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, Self

if TYPE_CHECKING:
    from types import TracebackType

_MOST_FILES = 1024
_CRASHED = 1
# numpy would start threads for sums that are larger than any of ours.
_NO_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# A page is tens of thousands of objects that all go at once; Python's own 700 would look through them again and again.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000
# What is imported only when it is used.
_LATE = (
    "posterity.fetch.worker",
    "scrapy.core.downloader.handlers.datauri",
    "scrapy.core.downloader.handlers.http11",
    "scrapy.core.engine",
    "scrapy.dupefilters",
    "scrapy.logformatter",
    "scrapy.pqueues",
    "scrapy.squeues",
    "sqlite3",
)


class Nursery:
    """The process from the outside. Leaving the block ends it and every worker that still runs."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._socket, self._lock = ours, threading.Lock()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - ours
                [sys.executable, "-m", __name__], stdin=theirs.fileno(), env=os.environ | _NO_THREADS
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.wait()

    def worker(self) -> Nursling:
        """Return a new worker, which waits for its job."""
        jobs, job_end = os.pipe()
        event_end, events = os.pipe()
        life_end, life = os.pipe()
        try:
            with self._lock:
                socket.send_fds(self._socket, [b"w"], [jobs, events, life])
        finally:
            for end in (jobs, events, life):
                os.close(end)
        return Nursling(job_end, event_end, life_end)


class Nursling:
    """A worker from the outside, with the part of `subprocess.Popen` that a `WorkerProcess` needs."""

    def __init__(self, job_end: int, event_end: int, life_end: int) -> None:
        self.stdin = open(job_end, "wb", buffering=0)  # noqa: SIM115 - closed when it is left
        self.stdout = open(event_end, "rb")  # noqa: SIM115
        self._life = open(life_end, "rb")  # noqa: SIM115
        line = self._life.readline()
        self._pid = int(line) if line else None

    def wait(self) -> int:
        """Return how the worker ended, as a shell counts: the negative signal, or its exit code."""
        line = self._life.readline()
        return int(line) if line else -signal.SIGKILL

    def kill(self) -> None:
        """End the worker at once."""
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in (self.stdout, self.stdin):  # a worker that nobody listens to ends by itself
            end.close()
        self.wait()
        self._life.close()


def main() -> None:
    """Fork for every message on standard input, a socket, until its other end is closed."""
    _load()
    requests = socket.socket(fileno=0)
    with selectors.DefaultSelector() as selector:
        selector.register(requests, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.data is not None:
                    selector.unregister(key.fd)
                    _bury(key.fd, *key.data)
                    continue
                message, files, _, _ = socket.recv_fds(requests, 1, 3)
                if not message:
                    return
                pid = _born(*files)
                selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, files[2]))


def _load() -> None:
    """Import what every worker would import; Twisted's reactor must not be among it, each worker has its own."""
    from importlib import import_module

    from scrapy.settings import default_settings
    from scrapy.utils.misc import load_object

    from posterity.config import CrawlSettings
    from posterity.fetch.rehearsal import rehearse
    from posterity.fetch.scrapy_settings import scrapy_settings

    ours = scrapy_settings(CrawlSettings())
    tables = ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES", "EXTENSIONS", "EXTENSIONS_BASE", "SPIDER_MIDDLEWARES_BASE")
    parts = [name for table in tables for name in ours[table]]
    parts += [*default_settings.DOWNLOADER_MIDDLEWARES_BASE, default_settings.SCHEDULER, default_settings.STATS_CLASS]
    for name in parts:
        load_object(name)
    for module in _LATE:
        import_module(module)
    rehearse()
    gc.collect()
    gc.freeze()  # what is loaded is never garbage: workers need not look through it
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _born(jobs: int, events: int, life: int) -> int:
    pid = os.fork()
    if pid == 0:
        _live(jobs, events)
    os.write(life, b"%d\n" % pid)
    os.close(jobs)
    os.close(events)
    return pid


def _live(jobs: int, events: int) -> NoReturn:
    """Be a worker; nothing of the nursery's must be done by it, so it never returns."""
    code = 0
    try:
        os.dup2(jobs, 0)
        os.dup2(events, 1)
        os.closerange(3, _MOST_FILES)
        from posterity.fetch import worker

        worker.main()
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - as the interpreter does at its outermost
        traceback.print_exc()
        code = _CRASHED
    finally:
        os._exit(code)


def _bury(watch: int, pid: int, life: int) -> None:
    os.close(watch)
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):  # nobody asks any more
        os.write(life, b"%d\n" % os.waitstatus_to_exitcode(status))
    os.close(life)


if __name__ == "__main__":
    main()
