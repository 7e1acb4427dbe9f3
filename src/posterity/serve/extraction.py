"""Extraction in worker processes: a page that takes too much time or memory affects only its worker.

Third-party HTML is never parsed in the process of the event loop, where one page could block all visitors. A worker
reads one request and writes one result per line, like the workers of a harvest (decision 0003).
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Literal, TypeAlias

import msgspec

from posterity.errors import InputError, UnreadablePage
from posterity.model import Page, Post, RuleSet, from_json, to_json
from posterity.serve.problems import Problem
from posterity.serve.rule_correction import CorrectedField, Proposal

WORKERS = 2  # a page that hangs must not block the next visitor
READY = b"ready\n"
_START_S = 60.0  # separate from the page's time limit: a busy machine starts a worker slowly


class ExtractRequest(msgspec.Struct, frozen=True, kw_only=True, tag="extract"):
    """A page to extract with a method, by default `hybrid`.

    With a feed, only rules are learned and returned; the method `blogforever` learns from it and then extracts.
    """

    body: bytes
    url: str = ""
    content_type: str = ""
    method: str | None = None
    index: bool = False
    rules: RuleSet | None = None
    # Other pages of the site, for methods that compare pages.
    site: dict[str, bytes] = {}
    feed: bytes | None = None
    feed_url: str = ""


class FrameRequest(msgspec.Struct, frozen=True, kw_only=True, tag="frame"):
    """A page to clean for a frame, and the records whose fields to outline; `archive` contains the page's files."""

    page: Page
    posts: tuple[Post, ...] = ()
    rules: RuleSet | None = None
    archive: str | None = None
    sheets: dict[str, str] = {}
    nonce: str | None = None


class CorrectionRequest(msgspec.Struct, frozen=True, kw_only=True, tag="correction"):
    """An element selected by a user, and the other pages to try its rule on."""

    page: Page
    node: int
    field: CorrectedField
    rules: RuleSet
    others: tuple[Page, ...] = ()


class LinksRequest(msgspec.Struct, frozen=True, kw_only=True, tag="links"):
    """A request for the feeds or stylesheets that a page declares, or for the posts of a feed."""

    page: Page
    wanted: Literal["feeds", "stylesheets", "entries"]


WorkerRequest: TypeAlias = ExtractRequest | FrameRequest | CorrectionRequest | LinksRequest


class ExtractResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a request, or the class name and message of a `PosterityError`."""

    posts: tuple[Post, ...] = ()
    rules: RuleSet | None = None
    html: str = ""
    proposal: Proposal | None = None
    urls: tuple[str, ...] = ()
    error: str | None = None
    message: str = ""
    seconds: float = 0.0


class ExtractionPool:
    """Passes requests to workers, which are started on first use."""

    def __init__(self, time_s: float) -> None:
        self._time_s = time_s
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()  # LIFO: running workers are used first
        for _ in range(WORKERS):
            self._idle.put(None)
        self._running: set[_Worker] = set()
        self._lock = threading.Lock()

    def extract(self, request: WorkerRequest) -> ExtractResult:
        """Return the result; raise `UnreadablePage`, `InputError`, or `Problem` if all workers are busy."""
        try:
            worker = self._idle.get(timeout=self._time_s)
        except queue.Empty:
            busy = "Other pages are being read right now. Try again in a moment."
            raise Problem(503, busy, {"Retry-After": "5"}) from None
        try:
            if worker is None or not worker.is_alive:
                worker = self._start_worker()
            result = worker.run(request, self._time_s)
        finally:
            if worker is not None and not worker.is_alive:
                self._end_worker(worker)
                worker = None
            self._idle.put(worker)
        if result.error is not None:
            raise (InputError if result.error == "InputError" else UnreadablePage)(result.message)
        return result

    def warm_up(self) -> None:
        """Start a worker in the background, so that the first visitor does not wait for it."""
        threading.Thread(target=self._warm, daemon=True, name="warm-up").start()

    def _warm(self) -> None:
        if (worker := self._idle.get()) is None:
            worker = self._start_worker()
            worker.wait_until_ready()
        self._idle.put(worker)

    def close(self) -> None:
        """Stop all workers."""
        with self._lock:
            running = set(self._running)
        for worker in running:
            self._end_worker(worker)

    def _start_worker(self) -> _Worker:
        worker = _Worker()
        with self._lock:
            self._running.add(worker)
        return worker

    def _end_worker(self, worker: _Worker) -> None:
        worker.end()
        with self._lock:
            self._running.discard(worker)


def proposed(pool: ExtractionPool, request: CorrectionRequest) -> Proposal:
    """Return the rule proposed for an element and its results on the other pages, computed in a worker."""
    found = pool.extract(request).proposal
    assert found is not None
    return found


class _Worker:
    def __init__(self) -> None:
        self._is_ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "posterity.serve.extract_worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, request: WorkerRequest, time_s: float) -> ExtractResult:
        self.wait_until_ready()
        line = self._line(to_json(request) + b"\n", time_s) if self._is_ready else b""
        if line:
            return from_json(line, ExtractResult)
        self.end()
        raise UnreadablePage(f"The page takes longer than {time_s:g} seconds, or more memory than there is, to read.")

    def wait_until_ready(self) -> None:
        if not self._is_ready:
            self._is_ready = self._line(b"", _START_S) == READY

    def _line(self, words: bytes, time_s: float) -> bytes:
        """Send a line and return the reply, or b"" if the worker died or was killed by the timeout."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        clock = threading.Timer(time_s, self._process.kill)
        clock.start()
        try:
            self._process.stdin.write(words)
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            return b""
        finally:
            clock.cancel()
        return line if line.endswith(b"\n") else b""

    def end(self) -> None:
        self._process.kill()
        with suppress(OSError):
            self._process.__exit__(None, None, None)
