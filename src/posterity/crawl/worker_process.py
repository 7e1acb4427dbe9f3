"""The parent's side of a worker: a process that gets a job, reports events and can be stopped."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from typing import NoReturn, Self, TypeVar

from posterity import errors
from posterity.crawl.jobs import Ended, Event, Failed, HarvestJob, UpdateJob
from posterity.errors import Interrupted, PosterityError
from posterity.model import HarvestReport, from_json, to_json

Ending = TypeVar("Ending", bound=Event)

_STOP = b"stop\n"
# Ctrl-C, and what service managers send.
_ENDING = (signal.SIGINT, signal.SIGTERM)


_NICENESS = 10  # for harvests in the background


class WorkerProcess:
    """One running harvest. Leaving the block ends the process, whatever it is doing.

    `in_background`: it runs at low priority, below a server's requests, for example.
    """

    def __init__(
        self,
        job: HarvestJob | UpdateJob,
        module: str = "posterity.crawl.worker",
        fork_server: ForkServer | None = None,
        *,
        in_background: bool = False,
    ) -> None:
        self.job = job
        self._process: subprocess.Popen[bytes] | ForkedWorker
        if fork_server is not None:
            self._process = fork_server.worker()
            return
        with without_interrupts():
            self._process = subprocess.Popen(  # noqa: S603 - a module of ours
                [sys.executable, "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # only Windows has it
            )
        if in_background and hasattr(os, "setpriority"):
            with suppress(ProcessLookupError):  # it has already ended
                least = max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0))  # only root may lower the niceness
                os.setpriority(os.PRIO_PROCESS, self._process.pid, least)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.__exit__(None, None, None)

    @property
    def pid(self) -> int | None:
        """The id of the process; None if it ended before it started to work."""
        return self._process.pid

    def report(self, on_event: Callable[[Event], None]) -> HarvestReport:
        """Run the harvest, pass on every event, and return its report or raise the error that stopped it."""
        return self.outcome(on_event, Ended).report

    def outcome(self, on_event: Callable[[Event], None], kind: type[Ending]) -> Ending:
        """Run the job, pass on every event, and return the last one of this kind or raise the error that stopped it."""
        outcome = None
        for event in self._events():
            on_event(event)
            if isinstance(event, Failed):
                raise _error_of(event)
            if isinstance(event, kind):
                outcome = event
        if outcome is None:
            raise self._lost_worker_error()
        return outcome

    def stop(self) -> None:
        """End the harvest in order; its last events are still passed on."""
        self._send(_STOP)

    def kill(self) -> None:
        """Kill the process; what was reported as stored is stored."""
        self._process.kill()

    def _events(self) -> Iterator[Event]:
        assert self._process.stdout is not None
        self._send(to_json(self.job) + b"\n")
        for line in self._process.stdout:
            if not line.endswith(b"\n"):  # the worker died in the middle of a line
                return
            yield from_json(line, Event)  # type: ignore[arg-type]

    def _lost_worker_error(self) -> PosterityError:
        """Return the error for a worker that ended without a report."""
        code = self._process.wait()
        if code > 0 and code != Interrupted.exit_code:
            return PosterityError(f"The worker for {self.job.url} ended with code {code}; see its message above.")
        return Interrupted(
            f"The work on {self.job.url} was interrupted. Everything stored so far is kept; run the same command "
            "to continue."
        )

    def _send(self, words: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended already
            os.write(self._process.stdin.fileno(), words)


@contextmanager
def on_interrupt(stop: Callable[[], None], kill: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first Ctrl-C or SIGTERM inside the block and `kill` at the next.

    Without it, an exception could be raised anywhere.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = 0

    def on_signal(*_: object) -> None:
        nonlocal pressed
        pressed += 1
        (stop if pressed == 1 else kill)()

    before = {number: signal.signal(number, on_signal) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C, which a terminal sends to all processes, from those started in this block; we stop them."""
    if sys.platform == "win32":  # there, a process with its own group does not get it
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _error_of(event: Failed) -> PosterityError:
    kind = getattr(errors, event.error, PosterityError)
    is_ours = isinstance(kind, type) and issubclass(kind, PosterityError)
    return kind(event.message) if is_ours else PosterityError(event.message)


_MOST_FILES = 1024
_CRASHED = 1
# numpy would start threads for arrays larger than any of ours.
_NO_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# Modules that are otherwise imported on first use.
_LATE = (
    "posterity.crawl.update_worker scrapy.core.downloader.handlers.datauri scrapy.core.downloader.handlers.http11 "
    "scrapy.core.engine scrapy.dupefilters scrapy.logformatter scrapy.pqueues scrapy.squeues "
    "sqlalchemy.dialects.sqlite sqlite3 warcio.warcwriter"
).split()


def fork_server() -> AbstractContextManager[ForkServer | None]:
    """Return a fork server, or none on systems without `pidfd_open` to watch its children: macOS, Windows."""
    if not hasattr(os, "pidfd_open"):
        return nullcontext()
    with without_interrupts():
        return ForkServer()


class ForkServer:
    """The parent's side of the fork server. Leaving the block ends it and every worker that still runs."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._socket, self._lock = ours, threading.Lock()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - ours
                [sys.executable, "-m", __name__], stdin=theirs.fileno(), env=os.environ | _NO_THREADS
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.wait()

    @property
    def is_alive(self) -> bool:
        """Whether it can still start workers."""
        return self._process.poll() is None

    def worker(self) -> ForkedWorker:
        """Return a new worker, which waits for its job."""
        jobs, job_end = os.pipe()
        event_end, events = os.pipe()
        life_end, life = os.pipe()
        try:
            with self._lock:
                socket.send_fds(self._socket, [b"w"], [jobs, events, life])
        finally:
            for end in (jobs, events, life):
                os.close(end)
        return ForkedWorker(job_end, event_end, life_end)


class ForkedWorker:
    """The parent's side of a worker, with the part of `subprocess.Popen` that `WorkerProcess` needs."""

    def __init__(self, job_end: int, event_end: int, life_end: int) -> None:
        self.stdin = open(job_end, "wb", buffering=0)  # noqa: SIM115 - closed when it is left
        self.stdout = open(event_end, "rb")  # noqa: SIM115
        self._life = open(life_end, "rb")  # noqa: SIM115
        line = self._life.readline()
        self.pid = int(line) if line else None

    def wait(self) -> int:
        """Return the exit code of the worker, or the negative signal that ended it."""
        line = self._life.readline()
        return int(line) if line else -signal.SIGKILL

    def kill(self) -> None:
        """End the worker at once."""
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def __exit__(self, *_: object) -> None:
        for end in (self.stdout, self.stdin):  # without a reader, the worker ends by itself
            end.close()
        self.wait()
        self._life.close()


def main() -> None:
    """Fork for every message on standard input, a socket, until its other end is closed."""
    _preload()
    requests = socket.socket(fileno=0)
    with selectors.DefaultSelector() as selector:
        selector.register(requests, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.data is not None:
                    selector.unregister(key.fd)
                    _reap(key.fd, *key.data)
                    continue
                message, files, _, _ = socket.recv_fds(requests, 1, 3)
                if not message:
                    return
                pid = _fork_worker(*files)
                selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, files[2]))


def _preload() -> None:
    """Import what every worker needs, except Twisted's reactor: each worker has its own."""
    from importlib import import_module

    from scrapy.settings import default_settings
    from scrapy.utils.misc import load_object

    from posterity.config import CrawlSettings
    from posterity.crawl.scrapy_settings import scrapy_settings
    from posterity.crawl.worker_process import warm_up
    from posterity.engine import collect_rarely

    ours = scrapy_settings(CrawlSettings())
    tables = ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES", "EXTENSIONS", "EXTENSIONS_BASE", "SPIDER_MIDDLEWARES_BASE")
    parts = [name for table in tables for name in ours[table]]
    parts += [*default_settings.DOWNLOADER_MIDDLEWARES_BASE, default_settings.SCHEDULER, default_settings.STATS_CLASS]
    for name in parts:
        load_object(name)
    for module in _LATE:
        import_module(module)
    warm_up()
    collect_rarely()


def _fork_worker(jobs: int, events: int, life: int) -> int:
    pid = os.fork()
    if pid == 0:
        _run_worker(jobs, events)
    os.write(life, b"%d\n" % pid)
    os.close(jobs)
    os.close(events)
    return pid


def _run_worker(jobs: int, events: int) -> NoReturn:
    """Run as a worker; never returns, because nothing of the fork server may run in it."""
    code = 0
    try:
        os.dup2(jobs, 0)
        os.dup2(events, 1)
        os.closerange(3, _MOST_FILES)
        from posterity.crawl import update_worker

        update_worker.main()
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - as the interpreter does at its outermost
        traceback.print_exc()
        code = _CRASHED
    finally:
        os._exit(code)


def _reap(watch: int, pid: int, life: int) -> None:
    os.close(watch)
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):  # the parent no longer listens
        os.write(life, b"%d\n" % os.waitstatus_to_exitcode(status))
    os.close(life)


if __name__ == "__main__":
    main()


_HOME = "http://blog.example"
_SUBJECTS = ("tides", "lamps", "letters")
_SENTENCE = "In winter the harbour is quiet, and everybody who writes here has something to say about the {subject}. "
_PAGE = """<html lang="en"><head><title>{subject} - A blog</title></head><body><nav><a href="/">A blog</a></nav>
<article class="post"><h1 class="title">All about {subject}</h1><p class="by">by <a rel="author">Anna Holm</a> on
<time>{day} March 2021, 10:15 am</time></p><div class="content"><p>{text}</p><p>{text}</p></div></article>
<ol id="comments"><li class="comment"><cite>Ida</cite> <b>{day} March 2021 at 11:30</b>, 3 days ago
<p>The {subject}, of course.</p></li></ol>
<footer>Made with care in 2021.</footer></body></html>"""
_ITEM = """<item><title>All about {subject}</title><link>{url}</link><pubDate>{day} Mar 2021 10:00:00 GMT</pubDate>
<author>anna@blog.example (Anna Holm)</author><description>&lt;p&gt;{text}&lt;/p&gt;</description></item>"""


def warm_up() -> None:
    """Run once everything that is done to the pages of a blog."""
    # Imported here, because starting a worker needs none of it.
    from posterity.classify import page_kind
    from posterity.classify.page_kind import kind_of_page
    from posterity.dom import parse
    from posterity.extraction import Context, extract_posts
    from posterity.extraction.feed import learn
    from posterity.urls import post_pattern

    pages, items = {}, ""
    for day, subject in enumerate(_SUBJECTS, 10):
        url, text = f"{_HOME}/2021/03/{subject}/", _SENTENCE.format(subject=subject) * 4
        pages[url] = _PAGE.format(subject=subject, day=day, text=text)
        items += _ITEM.format(subject=subject, day=day, text=text * 2, url=url)
    feed = f"<rss version='2.0'><channel><title>A blog</title><link>{_HOME}</link>{items}</channel></rss>"
    now = datetime(2021, 4, 1, tzinfo=UTC)
    rules = learn(feed.encode(), pages, feed_url=f"{_HOME}/feed/", now=now)
    pattern = post_pattern(pages)
    for url, markup in pages.items():
        document = parse(markup, url)
        kind_of_page(document)
        page_kind(document, rules, pattern)
        extract_posts(document, context=Context(rules=rules, fetched_at=now))
        extract_posts(document, context=Context(fetched_at=now))
