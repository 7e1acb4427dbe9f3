"""Metrics for Prometheus: requests by route and status, their duration, jobs, the archive and the fleet."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from posterity.config import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from posterity.fleet.status import FleetStatus
    from posterity.serve.health import BlogLine
    from posterity.serve.jobs import Job

TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = tuple[tuple[str, str], ...]


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a reader process since its last report."""

    requests: list[tuple[Labels, int]]
    buckets: list[tuple[float, int]]
    seconds: float


class Metrics:
    """Counts since the server started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[Labels] = Counter()
        self._buckets: Counter[float] = Counter()
        self._seconds = 0.0

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request; `route` is the path template, since URLs would make unlimited labels."""
        with self._lock:
            self._requests[("method", method), ("route", route), ("status", str(status))] += 1
            self._seconds += seconds
            for bound in _BUCKETS_S:
                self._buckets[bound] += seconds <= bound

    def take(self) -> Counts:
        """Return the counts since the last call, and reset them."""
        with self._lock:
            requests, buckets = list(self._requests.items()), list(self._buckets.items())
            counts = Counts(requests=requests, buckets=buckets, seconds=self._seconds)
            self._requests.clear()
            self._buckets.clear()
            self._seconds = 0.0
        return counts

    def add(self, counts: Counts) -> None:
        """Add the counts of another process."""
        with self._lock:
            self._requests.update(dict(counts.requests))
            self._buckets.update(dict(counts.buckets))
            self._seconds += counts.seconds

    def text(self, blogs: Sequence[BlogLine], jobs: Iterable[Job]) -> str:
        """Return all metrics in the Prometheus text format."""
        with self._lock:
            requests, buckets, seconds = dict(self._requests), dict(self._buckets), self._seconds
        total = sum(requests.values())
        by_state: Counter[Labels] = Counter((("kind", job.kind), ("state", job.state)) for job in jobs)
        name = "posterity_http_request_seconds"
        lines = [
            *_lines("posterity_info", "gauge", "The version that runs.", {(("version", __version__),): 1}),
            *_lines("posterity_http_requests_total", "counter", "Requests served.", requests),
            f"# HELP {name} Time to serve a request.",
            f"# TYPE {name} histogram",
            *(f'{name}_bucket{{le="{bound}"}} {buckets.get(bound, 0)}' for bound in _BUCKETS_S),
            f'{name}_bucket{{le="+Inf"}} {total}',
            f"{name}_sum {seconds:.6f}",
            f"{name}_count {total}",
            *_lines("posterity_blogs", "gauge", "Blogs in the archive.", {(): len(blogs)}),
            *_lines("posterity_posts", "gauge", "Posts stored.", {(): sum(line.count.posts for line in blogs)}),
            *_lines("posterity_jobs", "gauge", "Jobs by kind and state.", by_state),
        ]
        return "\n".join([*lines, ""])


def fleet_text(fleet: FleetStatus) -> str:
    """Return the metrics of a fleet in the Prometheus text format."""
    states = ("waiting", "delayed", "running", "failed")
    tasks: dict[Labels, float] = {(("state", state),): getattr(fleet, state) for state in states}
    outcomes: dict[Labels, float] = {(("outcome", name),): getattr(fleet, name) for name in ("done", "retried", "lost")}
    slots: dict[Labels, float] = {(("worker", line.name),): line.slots for line in fleet.workers}
    silent: dict[Labels, float] = {(("worker", line.name),): round(line.silent_s, 3) for line in fleet.workers}
    counters = {"posts": "Posts", "requests": "Requests to blogs", "bytes": "Bytes of pages, feeds and sitemaps"}
    lines = [
        *_lines("posterity_fleet_tasks", "gauge", "Tasks by state.", tasks),
        *_lines("posterity_fleet_runs_total", "counter", "Runs of tasks by outcome.", outcomes),
        *_lines("posterity_fleet_worker_slots", "gauge", "Blogs that a worker runs at the same time.", slots),
        *_lines("posterity_fleet_worker_silent_seconds", "gauge", "Age of the heartbeat.", silent),
    ]
    for name, meaning in counters.items():
        total: dict[Labels, float] = {(): getattr(fleet, name)}
        lines += _lines(f"posterity_fleet_{name}_total", "counter", f"{meaning} of all runs.", total)
    return "\n".join([*lines, ""])


def _lines(name: str, kind: str, meaning: str, values: Mapping[Labels, float]) -> Iterable[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"
    for labels, value in sorted(values.items()):
        pairs = ",".join(f'{label}="{_escape(text)}"' for label, text in labels)
        yield f"{name}{{{pairs}}} {value}" if pairs else f"{name} {value}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
