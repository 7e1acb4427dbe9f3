"""A harvest from the outside: starts a worker, hears its events, returns its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.config import Settings
from posterity.fetch.job import HarvestJob, checked_address
from posterity.fetch.worker_process import WorkerProcess, on_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from posterity.fetch.events import Event
    from posterity.model import HarvestReport

__all__ = ["checked_address", "harvest"]


def harvest(
    url: str,
    archive: str | PathLike[str] = "posterity-archive",
    *,
    settings: Settings = Settings(),
    tell: Callable[[Event], None] = lambda _: None,
) -> HarvestReport:
    """Harvest the whole blog at this address into the archive and return the completeness report.

    `tell` hears of everything on the way. Raises what stopped the harvest, with what to do about it. One that was
    interrupted goes on where it was when it is called again.
    """
    job = HarvestJob(url=checked_address(url), archive=str(archive), settings=settings)
    with WorkerProcess(job) as worker, on_interrupt(worker.stop, worker.kill):
        return worker.report(tell)
