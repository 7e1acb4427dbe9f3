"""A worker from the outside: a process that gets a job and tells its events, and can be stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self, TypeVar

from posterity import errors
from posterity.errors import Interrupted, PosterityError
from posterity.fetch.events import Ended, Event, Failed
from posterity.model import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.fetch.job import HarvestJob
    from posterity.fetch.nursery import Nursery, Nursling
    from posterity.fetch.update_job import UpdateJob
    from posterity.model import HarvestReport

Ending = TypeVar("Ending", bound=Event)

_STOP = b"stop\n"


class WorkerProcess:
    """One running harvest. Leaving the block ends the process, whatever it is at."""

    def __init__(
        self, job: HarvestJob | UpdateJob, module: str = "posterity.fetch.worker", nursery: Nursery | None = None
    ) -> None:
        self.job = job
        self._process: subprocess.Popen[bytes] | Nursling
        if nursery is not None:
            self._process = nursery.worker()
            return
        with without_interrupts():
            self._process = subprocess.Popen(  # noqa: S603 - a module of ours
                [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.__exit__(None, None, None)

    def report(self, tell: Callable[[Event], None]) -> HarvestReport:
        """Run the harvest, hand every event on, and return its report or raise what stopped it."""
        return self.outcome(tell, Ended).report

    def outcome(self, tell: Callable[[Event], None], kind: type[Ending]) -> Ending:
        """Run the job, hand every event on, and return the last one of this kind or raise what stopped it."""
        outcome = None
        for event in self._events():
            tell(event)
            if isinstance(event, Failed):
                raise _raised(event)
            if isinstance(event, kind):
                outcome = event
        if outcome is None:
            raise self._lost()
        return outcome

    def stop(self) -> None:
        """Let the harvest end in order; its last events still come."""
        self._say(_STOP)

    def kill(self) -> None:
        """End the process at once; what was told as stored is stored."""
        self._process.kill()

    def _events(self) -> Iterator[Event]:
        assert self._process.stdout is not None
        self._say(to_json(self.job) + b"\n")
        for line in self._process.stdout:
            if not line.endswith(b"\n"):  # the worker died in the middle of a word
                return
            yield from_json(line, Event)  # type: ignore[arg-type]

    def _lost(self) -> PosterityError:
        """Why a worker ended without a report."""
        code = self._process.wait()
        if code > 0 and code != Interrupted.exit_code:
            return PosterityError(f"The worker for {self.job.url} ended with code {code}; its message stands above.")
        return Interrupted(
            f"The work on {self.job.url} was interrupted. What was stored is stored; run the same command again to "
            "go on."
        )

    def _say(self, words: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended already
            os.write(self._process.stdin.fileno(), words)


@contextmanager
def on_interrupt(stop: Callable[[], None], kill: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first Ctrl-C inside the block and `kill` at the next, in place of an exception anywhere."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = 0

    def heed(*_: object) -> None:
        nonlocal pressed
        pressed += 1
        (stop if pressed == 1 else kill)()

    before = signal.signal(signal.SIGINT, heed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """A process started in this block never hears of Ctrl-C, which a terminal sends to all: it is told by us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _raised(event: Failed) -> PosterityError:
    kind = getattr(errors, event.error, PosterityError)
    return (
        kind(event.message)
        if isinstance(kind, type) and issubclass(kind, PosterityError)
        else PosterityError(event.message)
    )
