"""Work that takes longer than a request: harvests, updates and exports, each in a thread, with events to follow.

Events are kept for whoever comes later or loses the line: a listener says how many it has and gets the rest. Jobs live
as long as the server. A harvest that ends with it goes on when it is asked for again, since the archive knows all.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

import msgspec

from posterity.errors import Interrupted, PosterityError
from posterity.serve.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

JobKind = Literal["harvest", "update", "export", "reextract"]
JobState = Literal["waiting", "running", "done", "failed", "stopped"]
_REMEMBERED = 200
# A blog of 20,000 posts tells some 60,000 events; what is older than this has been summed up in `progress`.
_MAX_EVENTS = 5_000


class JobStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A job as the outside sees it. `progress` are counts, `result` the report or the file at the end."""

    id: str
    kind: JobKind
    target: str
    state: JobState
    created_at: datetime
    ended_at: datetime | None = None
    progress: dict[str, Any] = {}
    result: dict[str, Any] | None = None
    problem: str | None = None


class Job:
    """One piece of work. `work` gets the job itself: it tells events, and asks whether to go on."""

    def __init__(self, kind: JobKind, target: str, work: Callable[[Job], dict[str, Any] | None]) -> None:
        self.id = uuid4().hex[:16]
        self.kind, self.target = kind, target
        self.state: JobState = "waiting"
        self.created_at = datetime.now(UTC)
        self.ended_at: datetime | None = None
        self.progress: dict[str, Any] = {}
        self.result: dict[str, Any] | None = None
        self.problem: str | None = None
        self.stop_work: Callable[[], None] = lambda: None
        # Called when nobody can ask for the job any more.
        self.forget: Callable[[], None] = lambda: None
        self.stopping = False
        self._work = work
        self._events: list[tuple[str, Any]] = []
        self._first = 0
        self._lock = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Tell whether nothing more will come."""
        return self.state in ("done", "failed", "stopped")

    def status(self) -> JobStatus:
        """Return the state of things."""
        return JobStatus(
            id=self.id, kind=self.kind, target=self.target, state=self.state, created_at=self.created_at,
            ended_at=self.ended_at, progress=dict(self.progress), result=self.result, problem=self.problem,
        )  # fmt: skip

    def tell(self, name: str, value: Any, **progress: Any) -> None:
        """Keep an event for all listeners, and what it says of the progress."""
        with self._lock:
            self.progress = {**self.progress, **progress}
            self._events.append((name, value))
            if len(self._events) > _MAX_EVENTS:
                dropped = len(self._events) - _MAX_EVENTS
                del self._events[:dropped]
                self._first += dropped

    def events_after(self, number: int) -> list[tuple[int, str, Any]]:
        """Return the events behind this number with their own numbers, as far as they are still kept."""
        with self._lock:
            start = max(0, number - self._first)
            return [
                (self._first + place + 1, name, value)
                for place, (name, value) in enumerate(self._events[start:], start)
            ]

    def stop(self) -> None:
        """Ask the work to end in order."""
        self.stopping = True
        self.stop_work()

    def run(self, settle: Callable[[], None] = lambda: None) -> None:
        """Do the work; whatever happens is how it ended. `settle` comes before anybody hears of the end."""
        self.state = "running"
        state: JobState = "done"
        try:
            self.result = self._work(self)
        except Interrupted as problem:
            state, self.problem = "stopped", str(problem)
        except PosterityError as problem:
            state, self.problem = "failed", str(problem)
        except Exception as problem:
            logging.getLogger("posterity.serve").exception("job %s failed", self.id)
            state, self.problem = "failed", f"Something went wrong in Posterity: {type(problem).__name__}."
        settle()
        self.ended_at = datetime.now(UTC)
        self.tell("over", {"state": state, "problem": self.problem, "result": self.result})
        self.state = state


class Jobs:
    """The jobs of a server: a few at once, the others wait their turn."""

    def __init__(self, at_once: int, waiting: int, settle: Callable[[], None] = lambda: None) -> None:
        self._most = waiting
        self._settle = settle
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._turn = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._closed = False

    def start(self, job: Job) -> Job:
        """Take a job; the same work under way is returned instead, and too much waiting raises a `Problem`."""
        with self._lock:
            for other in self._jobs.values():
                if not other.is_over and (other.kind, other.target) == (job.kind, job.target):
                    return other
            if sum(other.state == "waiting" for other in self._jobs.values()) >= self._most:
                raise Problem(429, "Too many jobs are waiting. Try again when some have ended.", {"Retry-After": "60"})
            self._jobs[job.id] = job
            over = [other.id for other in self._jobs.values() if other.is_over]
            for old in over[: max(0, len(self._jobs) - _REMEMBERED)]:
                self._jobs.pop(old).forget()
        threading.Thread(target=self._run, args=(job,), daemon=True, name=f"job-{job.id}").start()
        return job

    def all(self) -> list[Job]:
        """Every job that is remembered, the latest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def named(self, job_id: str) -> Job:
        """The job with this id, or a `Problem`."""
        with self._lock:
            if job_id not in self._jobs:
                raise Problem(404, f"There is no job {job_id!r}. Jobs are forgotten when the server is started again.")
            return self._jobs[job_id]

    def close(self) -> None:
        """Begin nothing new and end what runs."""
        self._closed = True
        for job in self.all():
            if not job.is_over:
                job.stop()
            job.forget()

    def _run(self, job: Job) -> None:
        with self._turn:
            if self._closed or job.stopping:
                job.state = "stopped"
                job.tell("over", {"state": "stopped", "problem": "It was stopped before it began.", "result": None})
                return
            job.run(self._settle)
