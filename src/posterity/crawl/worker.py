"""A worker: one job as a line of JSON on standard input, its events as lines of JSON on standard output.

Every blog has a process of its own: Twisted's reactor runs once per process, a crash costs one blog, and a worker runs
in the same way on another machine. Standard input stays open as long as the harvest is wanted: the line "stop" ends it
in order, and end of file ends the worker at once, which loses nothing that was reported as stored.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Self, TypeVar

import msgspec
from scrapy.crawler import Crawler, CrawlerProcess
from twisted.python.failure import Failure

from posterity.archive import open_archive
from posterity.crawl.capture import TIME_LIMIT, BeyondLimit, BudgetMiddleware
from posterity.crawl.jobs import VERBOSE_VARIABLE, Event, Failed, HarvestJob, UpdateJob, log_to_stderr
from posterity.crawl.middlewares import guarded_settings
from posterity.crawl.newcrawl import NewCrawl
from posterity.crawl.scrapy_settings import scrapy_settings, silence_scrapy
from posterity.errors import ArchiveError, Interrupted, PosterityError
from posterity.model import from_json, to_json

Job = TypeVar("Job")

STOP = b"stop\n"
# A request in progress may take this long to end by itself; a slow host must not keep the user waiting.
_STOP_GRACE_S = 5.0


def main() -> None:
    """Run the job on standard input."""
    serve_job(lambda line: from_json(line, HarvestJob), run)


def serve_job(read_job: Callable[[bytes], Job], run_job: Callable[[Job, Callable[[Event], None]], None]) -> None:
    """Run the job on standard input, and write its events to standard output."""
    if verbosity := os.environ.get(VERBOSE_VARIABLE):
        log_to_stderr(int(verbosity))
    job = read_job(_first_line())
    threading.Thread(target=_obey_stdin, daemon=True).start()
    out = sys.stdout.buffer

    def on_event(event: Event) -> None:
        # The pipe is broken if the command was ended; the harvest still ends in order.
        with suppress(BrokenPipeError):
            out.write(to_json(event) + b"\n")
            out.flush()

    try:
        run_job(job, on_event)
    except PosterityError as problem:
        on_event(failed(problem))


def failed(problem: PosterityError) -> Failed:
    """Return the event of a harvest that failed."""
    return Failed(error=type(problem).__name__, message=str(problem), exit_code=problem.exit_code)


def run(job: HarvestJob, on_event: Callable[[Event], None]) -> None:
    """Harvest one blog; raise the error that stopped it."""
    job = guarded_job(job, job.url)
    with open_archive(job.archive, create=True) as archive:
        archive.database.reconnect_s = RECONNECT_S
        process = CrawlerProcess(scrapy_settings(job.settings.crawl))
        silence_scrapy()
        crawler = process.create_crawler(NewCrawl)
        refusal = crawl_to_its_end(process, crawler, job=job, archive=archive, on_event=on_event)
        spider: Any = crawler.spider
        if spider is None:
            raise refusal or ArchiveError(f"The harvest of {job.url} did not start.")
        spider.closed("")  # Scrapy has called it, unless it was forced to end at once
        if spider.failure is not None:
            raise spider.failure


# A database server that restarts is back within seconds; one that is away for longer ends the crawl.
RECONNECT_S = 60.0

GuardedJob = TypeVar("GuardedJob", HarvestJob, UpdateJob)


def guarded_job(job: GuardedJob, url: str) -> GuardedJob:
    """Return the job of a crawl of this URL, with the guard against private IP addresses."""
    crawl = guarded_settings(job.settings.crawl, url)
    render = job.settings.render
    if crawl.allow_private:
        render = msgspec.structs.replace(render, allow_private=True)
    return msgspec.structs.replace(job, settings=msgspec.structs.replace(job.settings, crawl=crawl, render=render))


def crawl_to_its_end(process: CrawlerProcess, crawler: Crawler, **arguments: Any) -> PosterityError | None:
    """Run a spider; return the error if it could not be created, for example because the archive cannot be written."""
    refused: list[PosterityError] = []

    def keep(why: Failure) -> Failure | None:
        if not isinstance(why.value, PosterityError):
            return why
        refused.append(why.value)
        return None

    process.crawl(crawler, **arguments).addErrback(keep)
    with TimeLimit(crawler):
        process.start()
    return refused[0] if refused else None


# When the time is over, work in progress may take this long to end by itself, and as long again to be closed in order.
_GRACE_S = 1.0
_HAS_ALARM = hasattr(signal, "SIGALRM")  # without it (Windows), a page that takes long is processed to its end
# Packages without side effects, which can be interrupted anywhere.
_PURE = tuple(f"posterity.{one}." for one in ("dom", "extraction", "learning", "classify", "discover", "text", "urls"))


class TimeLimit:
    """Ends a crawl that exceeds --time-limit, even if a silent host or a page that takes long blocks it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._limit_s: float = crawler.settings.getfloat("POSTERITY_TIME_LIMIT_S")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="time-limit")

    def __enter__(self) -> Self:
        if self._limit_s:
            if _HAS_ALARM:
                self._before = signal.signal(signal.SIGALRM, _leave_page)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._limit_s:
            self._thread.join()
            if _HAS_ALARM:
                signal.signal(signal.SIGALRM, self._before)

    def _watch(self) -> None:
        main = threading.main_thread().ident or 0
        if self._over.wait(self._limit_s + _GRACE_S):
            return
        if (budget := self._crawler.get_downloader_middleware(BudgetMiddleware)) is not None:
            budget.ended_because = budget.ended_because or TIME_LIMIT
        # Scrapy shuts down in order at the first signal, at once at the second.
        signals = [time.monotonic(), time.monotonic() + _GRACE_S]
        while not self._over.wait(0.2):
            if signals and time.monotonic() >= signals[0]:
                del signals[0]
                _send_sigterm()
            if _HAS_ALARM and _is_in_page(sys._current_frames().get(main)):  # noqa: SLF001 - there is no other way to see it
                signal.pthread_kill(main, signal.SIGALRM)


def _is_in_page(frame: FrameType | None) -> bool:
    """Return whether a page is being processed in this stack."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_PURE):
            return True
        frame = frame.f_back
    return False


def _leave_page(_number: int, frame: FrameType | None) -> None:
    if _is_in_page(frame):
        raise BeyondLimit(TIME_LIMIT)


def _first_line() -> bytes:
    # Byte by byte, because the rest is for the listening thread and must not be in a buffer here.
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(0, 1)):
        line += byte
    return line


def _send_sigterm() -> None:
    if sys.platform == "win32":  # there os.kill ends a process without running its handlers
        signal.raise_signal(signal.SIGTERM)
    else:
        os.kill(os.getpid(), signal.SIGTERM)


def _obey_stdin() -> None:
    """Obey the process that started this worker, until it is gone."""
    while message := os.read(0, len(STOP)):
        if message == STOP:
            # Scrapy shuts down in order at the first signal, at once at the second.
            _send_sigterm()
            time.sleep(_STOP_GRACE_S)
            _send_sigterm()
    os._exit(Interrupted.exit_code)


if __name__ == "__main__":
    main()
