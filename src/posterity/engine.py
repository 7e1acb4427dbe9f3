"""Where many independent tasks run: on the processors of this machine, or on a Dask cluster.

A task is a function of one value that can be sent to another machine. It may run twice, or begin again elsewhere when
its worker is lost, so whatever it writes goes under names, or into rows, that follow from its input alone.
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
# Tasks that a cluster has at a time, at least: values of a task may be megabytes, which its scheduler keeps.
_MIN_AHEAD, _AHEAD_PER_THREAD = 64, 2


# A page is tens of thousands of objects that all go at once; Python's own 700 would look through them again and again.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def collect_rarely() -> None:
    """Let a process that is ours alone look for garbage rarely, and never among what it has loaded by now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


class Engine(Protocol):
    """Runs a function on many values, somewhere, and yields what comes back in any order."""

    def map(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Yield the results."""


def processors() -> int:
    """Return how many processors this process may use."""
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
    """A Dask cluster: the one whose scheduler is named, or one on this machine."""

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
        """Yield the results; what a lost worker had under way, or was about to hand over, runs again elsewhere."""
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
    """Give the engine that the options --engine and --scheduler mean."""
    if name == "dask":
        with DaskEngine(scheduler) as cluster:
            yield cluster
    elif scheduler:
        raise UsageError("--scheduler is for --engine dask.")
    else:
        yield LocalEngine()
