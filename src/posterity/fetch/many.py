"""Many blogs at once: a few workers at a time, each a process with one blog, and never two of them at one host."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.config import Settings
from posterity.errors import ArchiveError, Interrupted, PosterityError
from posterity.fetch.job import HarvestJob, checked_address
from posterity.fetch.nursery import Nursery
from posterity.fetch.worker_process import WorkerProcess, on_interrupt, without_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

    from posterity.fetch.events import Event
    from posterity.model import HarvestReport


class Outcome(msgspec.Struct, frozen=True):
    """What became of one blog: its report, or what stopped it."""

    url: str
    report: "HarvestReport | None" = None
    problem: "PosterityError | None" = None


def harvest_many(
    urls: Iterable[str],
    archive: str | PathLike[str] = "posterity-archive",
    *,
    workers: int = 4,
    settings: Settings = Settings(),
    tell: Callable[[str, Event], None] = lambda _url, _event: None,
) -> list[Outcome]:
    """Harvest the blogs, `workers` of them at a time, and return what became of each, in the order given.

    `tell` hears the events of all of them, one at a time, with the blog's address. A blog that fails costs only itself;
    an archive that cannot be written, and Ctrl-C, end them all.
    """
    queue = _Queue(dict.fromkeys(urls))
    with without_interrupts():
        nursery = Nursery()
    crew = _Crew(queue, str(archive), settings, tell, nursery)
    with (
        nursery,
        ThreadPoolExecutor(workers, thread_name_prefix="harvest") as pool,
        on_interrupt(crew.stop, crew.kill),
    ):
        for done in [pool.submit(crew.work) for _ in range(workers)]:
            done.result()
    return [crew.outcomes.get(url, Outcome(url, problem=_not_begun(url))) for url in queue.order]


class _Queue:
    """The blogs in their order; one whose host is busy lets the next one pass."""

    def __init__(self, urls: Iterable[str]) -> None:
        self.order = list(urls)
        self._waiting = list(self.order)
        self._busy: set[str] = set()
        self._changed = threading.Condition()

    def taken(self) -> Iterator[str]:
        """Yield blogs to work on until none is left; each is done when the next one is asked for."""
        while (url := self._next()) is not None:
            try:
                yield url
            finally:
                with self._changed:
                    self._busy.discard(urlsplit(url).netloc)
                    self._changed.notify_all()

    def close(self) -> None:
        """Give out no more."""
        with self._changed:
            self._waiting.clear()
            self._changed.notify_all()

    def _next(self) -> str | None:
        with self._changed:
            while self._waiting:
                for url in self._waiting:
                    if urlsplit(url).netloc not in self._busy:
                        self._waiting.remove(url)
                        self._busy.add(urlsplit(url).netloc)
                        return url
                self._changed.wait()
        return None


class _Crew:
    """Threads that each look after one worker process at a time."""

    def __init__(
        self,
        queue: _Queue,
        archive: str,
        settings: Settings,
        tell: Callable[[str, Event], None],
        nursery: Nursery,
    ) -> None:
        self._nursery = nursery
        self.outcomes: dict[str, Outcome] = {}
        self._queue, self._archive, self._settings, self._tell = queue, archive, settings, tell
        self._running: set[WorkerProcess] = set()
        self._lock = threading.RLock()
        self._telling = threading.Lock()

    def work(self) -> None:
        """Harvest blog after blog."""
        for url in self._queue.taken():
            try:
                self.outcomes[url] = Outcome(url, report=self._harvest(url))
            except PosterityError as problem:
                self.outcomes[url] = Outcome(url, problem=problem)
                if isinstance(problem, ArchiveError):
                    self._queue.close()

    def stop(self) -> None:
        """Begin nothing new and let what runs end in order."""
        # From a thread: a signal handler must not wait for a lock that the interrupted code may hold.
        threading.Thread(target=self._stop).start()

    def kill(self) -> None:
        """End everything at once."""
        for worker in tuple(self._running):
            worker.kill()

    def _stop(self) -> None:
        self._queue.close()
        with self._lock:
            for worker in self._running:
                worker.stop()

    def _harvest(self, url: str) -> HarvestReport:
        job = HarvestJob(url=checked_address(url), archive=self._archive, settings=self._settings)
        with WorkerProcess(job, nursery=self._nursery) as worker:
            with self._lock:
                self._running.add(worker)
            try:
                return worker.report(lambda event: self._pass_on(url, event))
            finally:
                with self._lock:
                    self._running.discard(worker)

    def _pass_on(self, url: str, event: Event) -> None:
        with self._telling:
            self._tell(url, event)


def _not_begun(url: str) -> Interrupted:
    return Interrupted(f"The harvest of {url} was not begun. Run the same command again to go on.")
