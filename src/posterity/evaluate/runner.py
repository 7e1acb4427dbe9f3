"""Runs all candidates on all pages in parallel processes, with limits of time and memory per page.

The standard library's pools are not used: there, the death of one worker breaks the whole pool, and a page that never
ends can be abandoned but not stopped. Here, a worker that dies or times out only loses its current page; a new worker
continues with the rest of the site.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Any

import msgspec

from posterity.engine import Engine
from posterity.evaluate.candidates import Candidate
from posterity.evaluate.datasets import Sample, SampleSite
from posterity.evaluate.worker import PageLimits, PageOutcome, Task, failed_outcome, work


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one candidate on one page."""

    dataset: str
    candidate: str
    site: str
    sample: Sample
    outcome: PageOutcome


class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run. `alone` withholds the other pages of a site, `without_feed` the feed."""

    workers: int = 1
    limits: PageLimits = PageLimits()
    alone: bool = False
    without_feed: bool = False


DEFAULT = RunSettings()


class _WorkerProcess:
    """A worker process, its current task, and the deadline for its next message."""

    def __init__(self, limits: PageLimits) -> None:
        # "spawn" starts a fresh interpreter, so that no state is inherited.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=work, args=(theirs, limits), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Task | None = None
        self.left: list[int] = []
        self.place: int | None = None
        self.phase = ""
        self.deadline = 0.0

    def assign(self, task: Task) -> None:
        self.task, self.left, self.place, self.phase = task, list(task.places), None, "starting"
        # Starting an interpreter and importing a rival takes seconds on a busy machine.
        self.deadline = time.monotonic() + 60.0 + task.limits.time_s * (1 + len(task.site.samples))
        # The death of an idle worker is noticed when the pipe is read.
        with suppress(OSError):
            self.pipe.send(task)

    def begin_phase(self, place: int | None, phase: str) -> None:
        assert self.task is not None
        self.place, self.phase = place, phase
        pages = 1 + len(self.task.site.samples) if place is None else 1
        self.deadline = time.monotonic() + self.task.limits.time_s * pages

    def end(self) -> str:
        """Stop the process, and return a description of how it ended."""
        self.process.join(timeout=0.2)
        if self.process.exitcode is None:
            self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        self.pipe.close()
        self.process.close()
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"process ended with exit code {code}"


class Runner:
    """Worker processes that are reused for all data sets: importing a rival takes longer than a page.

    Use it as a context manager, which stops all workers on exit.
    """

    def __init__(self, settings: RunSettings = DEFAULT, engine: Engine | None = None) -> None:
        self.settings, self._engine = settings, engine
        self._waiting: deque[Task] = deque()
        self._workers: list[_WorkerProcess] = []
        self._on_outcome: Callable[[Task, int, PageOutcome], None] = lambda *_: None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers:
            worker.process.kill()
            worker.end()
        self._workers.clear()

    def run(
        self,
        dataset: str,
        sites: Sequence[SampleSite],
        candidates: Sequence[Candidate],
        progress: Callable[[Result], None] = lambda _: None,
    ) -> list[Result]:
        """Return one result per candidate and page, in the given order."""
        results: dict[tuple[str, int, int], Result] = {}

        def on_outcome(task: Task, place: int, outcome: PageOutcome) -> None:
            name, site, sample = task.candidate.name, task.site.name, task.site.samples[place]
            result = Result(dataset=dataset, candidate=name, site=site, sample=sample, outcome=outcome)
            results[name, task.number, place] = result
            progress(result)

        tasks = [self._task(one, site, number) for one in candidates for number, site in enumerate(sites)]
        # Long tasks first, so that none is left for the end, when other workers are idle.
        tasks.sort(key=lambda task: -sum(len(sample.html) for sample in task.site.samples))
        if self._engine is None:
            self.do_all(tasks, on_outcome)
        else:
            for batch in self._engine.map(outcomes_of, _batches(tasks)):
                for task, place, outcome in batch:
                    on_outcome(tasks[task], place, outcome)
        places = [(number, place) for number, site in enumerate(sites) for place in range(len(site.samples))]
        return [results[candidate.name, number, place] for candidate in candidates for number, place in places]

    def _task(self, candidate: Candidate, site: SampleSite, number: int) -> Task:
        return Task(
            candidate=candidate,
            # The feed and its pages, which can be as large as the site, are only sent to candidates that use them.
            site=site if "rules" in candidate.needs else msgspec.structs.replace(site, evidence=None),
            number=number,
            places=tuple(range(len(site.samples))),
            limits=self.settings.limits,
            alone=self.settings.alone,
            without_feed=self.settings.without_feed,
        )

    def do_all(self, tasks: Iterable[Task], on_outcome: Callable[[Task, int, PageOutcome], None]) -> None:
        """Run the tasks in worker processes of this machine; `on_outcome` is called for each page."""
        self._waiting, self._on_outcome = deque(tasks), on_outcome
        self._fill()
        while any(worker.task for worker in self._workers):
            busy = {worker.pipe: worker for worker in self._workers if worker.task}
            timeout_s = min(worker.deadline for worker in busy.values()) - time.monotonic()
            for pipe in wait(list(busy), timeout=max(0.0, timeout_s)):
                self._on_message(busy[pipe])  # type: ignore[index]
            now = time.monotonic()
            for worker in busy.values():
                # A message that has just arrived in the pipe was sent in time.
                if worker in self._workers and worker.task and worker.deadline <= now and not worker.pipe.poll():
                    self._lose(worker, f"timeout after {self.settings.limits.time_s:g} s")
            self._fill()

    def _fill(self) -> None:
        """Start workers while there are tasks, and give every idle worker a task."""
        while self._waiting and len(self._workers) < self.settings.workers:
            self._workers.append(_WorkerProcess(self.settings.limits))
        for worker in self._workers:
            if worker.task is None and self._waiting:
                worker.assign(self._waiting.popleft())

    def _on_message(self, worker: _WorkerProcess) -> None:
        try:
            message: tuple[Any, ...] = worker.pipe.recv()
        except (EOFError, OSError):
            self._lose(worker, None)
            return
        task = worker.task
        assert task is not None
        if message[0] == "phase":
            worker.begin_phase(message[1], message[2])
        elif message[0] == "outcome":
            worker.left.remove(message[1])
            worker.place, worker.phase = None, "between pages"
            self._on_outcome(task, message[1], message[2])
        elif message[0] == "unready":
            self._record_failures(worker, message[1])
        else:
            worker.task = None

    def _lose(self, worker: _WorkerProcess, why: str | None) -> None:
        """Handle a dead or late worker: its current page has failed, the others are queued for a new worker."""
        self._workers.remove(worker)
        if why is not None:
            worker.process.kill()
        ended = worker.end()
        why = why or ended
        task = worker.task
        assert task is not None
        if worker.place is not None:
            worker.left.remove(worker.place)
            failed = failed_outcome(task.site.samples[worker.place], f"{why} while {worker.phase}")
            self._on_outcome(task, worker.place, failed)
        elif worker.phase != "between pages":
            self._record_failures(worker, f"{why} while {worker.phase}")
        if worker.left:
            self._waiting.appendleft(msgspec.structs.replace(task, places=tuple(worker.left)))

    def _record_failures(self, worker: _WorkerProcess, why: str) -> None:
        """Record a failure for all remaining pages of the worker's task."""
        task = worker.task
        assert task is not None
        for place in worker.left:
            self._on_outcome(task, place, failed_outcome(task.site.samples[place], f"not ready: {why}"))
        worker.left, worker.task = [], None


_BATCH_PAGES = 50  # starting a worker process on a machine of the cluster takes seconds, a page milliseconds


def _batches(tasks: Sequence[Task]) -> Iterator[list[tuple[int, Task]]]:
    """Yield batches of numbered tasks with at least `_BATCH_PAGES` pages, the last with fewer."""
    batch: list[tuple[int, Task]] = []
    pages = 0
    for number, task in enumerate(tasks):
        batch.append((number, task))
        pages += len(task.places)
        if pages >= _BATCH_PAGES:
            yield batch
            batch, pages = [], 0
    if batch:
        yield batch


def outcomes_of(batch: list[tuple[int, Task]]) -> list[tuple[int, int, PageOutcome]]:
    """Run tasks on a machine of a cluster with the same limits; return (number of the task, place, outcome)."""
    multiprocessing.current_process().daemon = False  # Dask's workers are daemons, which may not start processes
    found: list[tuple[int, int, PageOutcome]] = []
    with Runner(RunSettings(limits=batch[0][1].limits)) as runner:
        for number, task in batch:
            outcomes: list[tuple[int, PageOutcome]] = []
            runner.do_all([task], partial(_keep, outcomes))
            found += [(number, place, outcome) for place, outcome in outcomes]
    return found


def _keep(outcomes: list[tuple[int, PageOutcome]], _: Task, place: int, outcome: PageOutcome) -> None:
    outcomes.append((place, outcome))


def run(
    dataset: str,
    sites: Sequence[SampleSite],
    candidates: Sequence[Candidate],
    settings: RunSettings = DEFAULT,
    progress: Callable[[Result], None] = lambda _: None,
) -> list[Result]:
    """Return the results of one data set, with new workers."""
    with Runner(settings) as runner:
        return runner.run(dataset, sites, candidates, progress)
