"""A harvest from the outside: starts a worker, hears its events, returns its report."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from posterity import errors
from posterity.config import Settings
from posterity.errors import Interrupted, PosterityError, UsageError
from posterity.fetch.events import Ended, Event, Failed
from posterity.fetch.job import HarvestJob
from posterity.model import from_json, to_json
from posterity.urls import is_http_url, with_scheme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from posterity.model import HarvestReport


def harvest(
    url: str,
    archive: str | PathLike[str] = "posterity-archive",
    *,
    settings: Settings = Settings(),
    tell: Callable[[Event], None] = lambda _: None,
) -> HarvestReport:
    """Harvest the whole blog at this address into the archive and return the completeness report.

    `tell` hears of everything on the way. Raises what stopped the harvest, with what to do about it.
    """
    job = HarvestJob(url=checked_address(url), archive=str(archive), settings=settings)
    report = None
    for event in _events(job):
        tell(event)
        if isinstance(event, Failed):
            raise _raised(event)
        if isinstance(event, Ended):
            report = event.report
    if report is None:
        raise Interrupted(
            f"The harvest of {url} was interrupted. What was stored is stored; run the same command again to go on."
        )
    return report


def checked_address(url: str) -> str:
    """Return the address if it can be harvested, or raise with the way it should be written."""
    if not is_http_url(url):
        if "://" in url:
            raise UsageError(f"{url} is not a web address. Give one that begins with http:// or https://.")
        raise UsageError(f"The address {url} has no scheme. Write {with_scheme(url)} instead.")
    return url


def _events(job: HarvestJob) -> Iterator[Event]:
    worker = subprocess.Popen(
        [sys.executable, "-m", "posterity.fetch.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    with worker, worker.stdin as stdin:
        stdin.write(to_json(job) + b"\n")
        stdin.flush()
        # Ctrl-C reaches the worker too: it ends in order, and its last events are still heard.
        while line := _line(worker):
            yield from_json(line, Event)  # type: ignore[arg-type]
    if worker.returncode > 0:
        raise PosterityError(f"The worker for {job.url} ended with code {worker.returncode}; its message stands above.")


def _line(worker: subprocess.Popen[bytes]) -> bytes:
    assert worker.stdout is not None
    while True:
        try:
            return worker.stdout.readline()
        except KeyboardInterrupt:
            continue


def _raised(event: Failed) -> PosterityError:
    kind = getattr(errors, event.error, PosterityError)
    return (
        kind(event.message)
        if isinstance(kind, type) and issubclass(kind, PosterityError)
        else PosterityError(event.message)
    )
