"""Third-party HTML in worker processes: a page that takes too long or too much memory affects only its worker.

Nothing of a page is parsed in the process of the event loop: one page could hold up all visitors there.

A worker reads one request a line and writes one result a line, as the workers of a harvest do (decision 0003).
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

WORKERS = 2  # a page that hangs must not hold up the next visitor
READY = b"ready\n"
_START_S = 60.0  # a busy machine loads slowly; that is not the page's fault


class ExtractRequest(msgspec.Struct, frozen=True, kw_only=True, tag="extract"):
    """A page and what to do with it; without a method, the default one.

    With a feed, rules are learned instead; the method `blogforever` learns its own from it and is run.
    """

    body: bytes
    url: str = ""
    content_type: str = ""
    method: str | None = None
    index: bool = False
    rules: RuleSet | None = None
    # Other pages of the same site, for methods that compare.
    site: dict[str, bytes] = {}
    feed: bytes | None = None
    feed_url: str = ""


class FrameRequest(msgspec.Struct, frozen=True, kw_only=True, tag="frame"):
    """A page to clean for a frame, with the records whose parts are outlined; `archive` has its files."""

    page: Page
    posts: tuple[Post, ...] = ()
    rules: RuleSet | None = None
    archive: str | None = None
    sheets: dict[str, str] = {}
    nonce: str | None = None


class CorrectionRequest(msgspec.Struct, frozen=True, kw_only=True, tag="correction"):
    """An element that a person pointed at, and the other pages to try its rule on."""

    page: Page
    node: int
    field: CorrectedField
    rules: RuleSet
    others: tuple[Page, ...] = ()


class LinksRequest(msgspec.Struct, frozen=True, kw_only=True, tag="links"):
    """A page or a feed whose links are wanted: the feeds or stylesheets it declares, or the posts of a feed."""

    page: Page
    wanted: Literal["feeds", "stylesheets", "entries"]


WorkerRequest: TypeAlias = ExtractRequest | FrameRequest | CorrectionRequest | LinksRequest


class ExtractResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, or our error by its name and sentence."""

    posts: tuple[Post, ...] = ()
    rules: RuleSet | None = None
    html: str = ""
    proposal: Proposal | None = None
    urls: tuple[str, ...] = ()
    error: str | None = None
    message: str = ""
    seconds: float = 0.0


class ExtractionPool:
    """Hands requests to workers, started when they are first needed."""

    def __init__(self, time_s: float) -> None:
        self._time_s = time_s
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()  # warm workers come first
        for _ in range(WORKERS):
            self._idle.put(None)
        self._running: set[_Worker] = set()
        self._lock = threading.Lock()

    def extract(self, request: WorkerRequest) -> ExtractResult:
        """Return the response, or raise our error of what is wrong with the page."""
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
        """Start a worker in the background, so that the first visitor need not wait for it."""
        threading.Thread(target=self._warm, daemon=True, name="warm-up").start()

    def _warm(self) -> None:
        worker = self._idle.get()
        if worker is None:
            worker = self._start_worker()
            worker.wait_until_ready()
        self._idle.put(worker)

    def close(self) -> None:
        """End every worker."""
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
    """Return the rule that is proposed for an element, tried in a worker."""
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
        """Wait until it has loaded everything."""
        if not self._is_ready:
            self._is_ready = self._line(b"", _START_S) == READY

    def _line(self, words: bytes, time_s: float) -> bytes:
        """Send a line and return the one that comes back, or nothing when the worker is gone or had to be ended."""
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
