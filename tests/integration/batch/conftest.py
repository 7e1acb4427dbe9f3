"""A Dask cluster of two workers, each a process of its own that a test may kill."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.conftest import environment
from tests.integration.fleet.conftest import free_port

if TYPE_CHECKING:
    from pathlib import Path


class Cluster(NamedTuple):
    """Where its scheduler is, and the worker that a test may kill."""

    scheduler: str
    first: subprocess.Popen[bytes]


@contextmanager
def _dask(program: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster of two workers."""
    port = free_port()
    scheduler = f"tcp://127.0.0.1:{port}"
    worker = (scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path / "dask"))
    with (
        _dask("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"),
        _dask("worker", *worker) as first,
        _dask("worker", *worker),
    ):
        yield Cluster(scheduler, first)
