"""The services available to every request: archive, settings, jobs, extraction workers and metrics."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request

from posterity.archive import Archive, ArchiveHit, Filters, open_archive
from posterity.archive.search import Facets
from posterity.serve import templating
from posterity.serve.demo import LiveDemos
from posterity.serve.extraction import WORKERS, ExtractionPool
from posterity.serve.health import BlogLines
from posterity.serve.jobs import DueUpdates, Jobs
from posterity.serve.metrics import Metrics
from posterity.serve.problems import Problem
from posterity.serve.settings import ServeSettings

T = TypeVar("T")

_SEARCH_WAIT_S, _COSTLY_WAIT_S = 10.0, 1.0
_FACETS_S = 30.0  # maximum age of estimated facets, whose sampling error is far larger than the change in this time
_REMEMBERED = 10_000  # visitors; the least recently seen is dropped first


class Rate:
    """A rate limit in requests per minute, with a token bucket for each visitor."""

    def __init__(self, a_minute: int) -> None:
        self._size = float(a_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, visitor: str) -> float:
        """Take a token and return 0.0; without one, return the seconds until the next."""
        now = time.monotonic()
        with self._lock:
            tokens, at = self._buckets.pop(visitor, (self._size, now))
            tokens = min(self._size, tokens + (now - at) * self._size / 60)
            enough = tokens >= 1
            self._buckets[visitor] = (tokens - 1 if enough else tokens, now)
            while len(self._buckets) > _REMEMBERED:
                self._buckets.popitem(last=False)
        return 0.0 if enough else (1 - tokens) * 60 / self._size


class Slots:
    """A limit on concurrent costly requests. Waiting for a slot occupies no thread, and times out."""

    def __init__(self, count: int, max_wait_s: float, busy: str) -> None:
        self._free = asyncio.Semaphore(count)
        self._max_wait_s, self._busy = max_wait_s, busy

    @asynccontextmanager
    async def take(self) -> AsyncIterator[None]:
        """Hold a slot within the block; raise `Problem` if none becomes free in time."""
        try:
            async with asyncio.timeout(self._max_wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise Problem(503, f"{self._busy} Try again in a moment.", {"Retry-After": "5"}) from None
        try:
            yield
        finally:
            self._free.release()


class Services:
    """The services of a running server, created at its start and closed at its end."""

    def __init__(self, settings: ServeSettings, *, is_reader: bool = False) -> None:
        self.settings = settings
        self.archive: Archive = open_archive(settings.archive, create=not settings.public)
        self.blogs = BlogLines(self.archive, follow=not is_reader)
        # The blog list is refreshed before a job is reported as over, so that it already shows the result.
        self.jobs = Jobs(settings.limits.jobs_at_once, settings.limits.jobs_waiting, settle=self.blogs.refresh)
        self._due_updates = DueUpdates(settings, self.jobs) if settings.updates else None
        self.extractor = ExtractionPool(settings.limits.extract_s)
        # Separate from the demo: readers of archived pages never wait for visitors who try pages.
        self.framer = ExtractionPool(settings.limits.extract_s)
        if settings.warm_up:
            templating.warm_up()
            if not is_reader:
                self.extractor.warm_up()
        self.demos = LiveDemos(settings, self.extractor)
        self.rate = Rate(settings.limits.costly_a_minute)
        self.metrics = Metrics()
        limits = settings.limits
        self._search_slots = Slots(limits.searches_at_once, _SEARCH_WAIT_S, "Others are searching right now.")
        self._search_threads = CapacityLimiter(limits.searches_at_once)
        self._facets: OrderedDict[tuple[str, Filters], tuple[float, Facets]] = OrderedDict()
        self.costly_slots = Slots(limits.costly_at_once, _COSTLY_WAIT_S, "Others are trying pages right now.")
        self.frame_slots = Slots(WORKERS, limits.extract_s, "Other pages are being read right now.")

    async def search(self, work: Callable[[], T]) -> T:
        """Run a search in one of the few threads for searches, so that other requests never wait for it."""
        async with self._search_slots.take():
            return await to_thread.run_sync(work, limiter=self._search_threads)

    def found(
        self, query: str, filters: Filters, limit: int, offset: int
    ) -> tuple[list[ArchiveHit], Facets, str | None]:
        """Return the hits of a search, its facets, and without hits a suggestion for another query."""
        with self.archive.database.snapshot():
            hits = self.archive.search(query, filters, limit=limit, offset=offset)
            at, facets = self._facets.get((query, filters), (0.0, Facets(hits=0)))
            if not facets.sampled or time.monotonic() - at > _FACETS_S:
                facets = self.archive.facets(query, filters)
                self._facets[query, filters] = (time.monotonic(), facets)
                while len(self._facets) > 500:
                    self._facets.popitem(last=False)
            return hits, facets, None if facets.hits else self.archive.did_you_mean(query, filters)

    def close(self) -> None:
        """Stop everything that is running, then close the archive."""
        if self._due_updates is not None:
            self._due_updates.close()
        self.jobs.close()
        self.extractor.close()
        self.framer.close()
        self.blogs.close()
        self.archive.close()


def services_of(request: Request) -> Services:
    """Return the services of the server that received this request."""
    services: Services = request.app.state.services
    return services


async def _services_dependency(request: Request) -> Services:
    # A coroutine, because FastAPI runs other dependencies in a thread, which takes longer than this.
    return services_of(request)


ServicesDep = Annotated[Services, Depends(_services_dependency)]


async def raw_body(request: Request) -> bytes:
    """Return the raw body, which routes decode with `from_json`, so that errors are Posterity's."""
    return await request.body()


RawBody = Annotated[bytes, Depends(raw_body)]
