"""Engines that run independent tasks in parallel: on the processors of this machine, or on a Dask cluster.

A task is a picklable function of one value. It may run twice, or restart elsewhere when its worker is lost, so names of
files and keys of rows that it writes must depend only on its input.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Protocol, TypeVar

from posterity.errors import UsageError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_RETRIES = 3
# Tasks submitted to a cluster at a time. The scheduler holds the arguments of all of them, megabytes per task.
_MIN_AHEAD, _AHEAD_PER_THREAD = 64, 2


# A page is tens of thousands of objects that are freed together; Python's default of 700 would rescan them repeatedly.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def collect_rarely() -> None:
    """Make garbage collection rare, and exempt all objects loaded so far; only for processes started by Posterity."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


class Engine(Protocol):
    """Applies a function to many values in parallel."""

    def map(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Yield the results, in any order."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalEngine:
    """The processors of this machine."""

    def map(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Yield the results."""
        given = list(items)
        workers = min(processors(), len(given))
        if workers <= 1:
            yield from map(function, given)
            return
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=collect_rarely) as pool:
            for done in as_completed([pool.submit(function, item) for item in given]):
                yield done.result()


class DaskEngine:
    """A Dask cluster: that of the given scheduler, or a new one on this machine."""

    def __init__(self, scheduler: str | None = None) -> None:
        from distributed import Client, LocalCluster

        self._cluster = None
        if scheduler is None:
            os.environ.setdefault("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "error")
            self._cluster = LocalCluster(n_workers=processors(), threads_per_worker=1, dashboard_address=None)
        try:
            self.client = Client(scheduler or self._cluster)
        except (OSError, ValueError) as problem:
            message = f"The Dask scheduler {scheduler} does not respond. Write --scheduler tcp://host:8786."
            raise UsageError(message) from problem

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def map(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Yield the results; unfinished tasks and uncollected results of a lost worker are computed again elsewhere."""
        from distributed import as_completed

        left = iter(items)
        ahead = max(_MIN_AHEAD, _AHEAD_PER_THREAD * sum(self.client.nthreads().values()))

        def submit(count: int) -> list[object]:
            return [self.client.submit(function, item, retries=_RETRIES, pure=False) for item in islice(left, count)]

        running = as_completed(submit(ahead))
        for future in running:
            running.update(submit(1))
            yield future.result()


@contextmanager
def engine_named(name: str, scheduler: str | None = None) -> Iterator[Engine]:
    """Yield the engine for the options --engine and --scheduler."""
    if name == "dask":
        with DaskEngine(scheduler) as cluster:
            yield cluster
    elif scheduler:
        raise UsageError("--scheduler is for --engine dask.")
    else:
        yield LocalEngine()
