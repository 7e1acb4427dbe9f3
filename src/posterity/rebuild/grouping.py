"""Crawl files of any size, read by all processors at once, their answers grouped by site on the disk.

Each process reads one stretch after the other and writes to files of its own, so nobody waits for anybody. Memory does
not grow with the crawl, and an answer is written once.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import count, groupby
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from posterity.errors import InputError, PosterityError
from posterity.rebuild.crawl_file import Stretch, exchanges_in_stretch
from posterity.rebuild.exchange import Damage, Exchange
from posterity.rebuild.spool import Spool, SpoolWriter
from posterity.rebuild.stretches import STRETCH_BYTES, Reading, first_record, fitting, stretches_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Progress: TypeAlias = Callable[[int, int], None]

# A process takes about a second until it reads, in which one that runs already reads so many compressed stretches. It
# reads those that are not compressed eight times as fast (benchmarks/group_warc.py).
_WORTH_A_PROCESS, _PACKED_TAKES = 2, 8
_WEB_TEXT = ("html", "xml", "rss", "json", "text/plain")


class Grouped(msgspec.Struct, frozen=True, kw_only=True):
    """A crawl by site: the spool, how many answers are in it, damaged records, and files that cannot be read at all."""

    spool: Spool
    answers: int
    damaged: tuple[Damage, ...] = ()
    failures: tuple[tuple[str, PosterityError], ...] = ()


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def grouped_crawl(files: Sequence[Path], **options: Any) -> Iterator[Grouped]:
    """Group the files in a folder that is gone afterwards; the options are those of `group_crawl`."""
    with TemporaryDirectory(prefix="posterity-") as folder:
        grouped = group_crawl(files, Path(folder), **options)
        try:
            yield grouped
        finally:
            grouped.spool.close()


def group_crawl(
    files: Sequence[Path],
    folder: Path,
    *,
    others: Iterable[Exchange] = (),
    text_only: bool = False,
    workers: int | None = None,
    stretch_bytes: int = STRETCH_BYTES,
    progress: Progress | None = None,
) -> Grouped:
    """Read the files into a spool in this folder; `others` are answers from elsewhere, which come behind them.

    With `text_only`, pictures and other files that are neither pages nor feeds are left out. `progress` is told bytes
    of files. `InputError` when the disk is full.
    """
    todo = [stretch for file in files for stretch in stretches_of(file, stretch_bytes)]
    sizes = {stretch: _bytes(stretch) for stretch in todo}
    work = sum(size if _is_packed(stretch) else size / _PACKED_TAKES for stretch, size in sizes.items())
    worth_it = int(work / (_WORTH_A_PROCESS * stretch_bytes))
    team = _Team(folder, text_only, helpers=min((workers or processors()) - 1, worth_it))
    done, readings = 0, []
    try:
        for reading in team.read(todo):
            readings.append(reading)
            done += sizes[reading.stretch]
            if progress is not None:
                progress(done, sum(sizes.values()))
        readings.sort(key=lambda reading: reading.number)
        by_file = groupby(readings, key=lambda reading: reading.stretch.path)
        kept = [one for _, some in by_file for one in fitting(list(some), team.read_again)]
        extra = team.add(others)
    except OSError as problem:
        raise InputError(
            f"The pages cannot be grouped in {folder.parent}: {problem.strerror or problem}. "
            "Name a folder with more room in $TMPDIR."
        ) from problem
    finally:
        team.close()
    dropped = frozenset(range(extra.number)) - {one.number for one in kept}
    return Grouped(
        spool=Spool(folder, dropped),
        answers=sum(one.answers for one in kept) + extra.answers,
        damaged=tuple(damage for one in kept for damage in one.damaged),
        failures=tuple((one.stretch.path, one.failure) for one in kept if one.failure is not None),
    )


class _Team:
    """Whoever reads: this process, and as many helpers as there is work for."""

    def __init__(self, folder: Path, text_only: bool, helpers: int) -> None:
        self._numbers = count(step=2)
        self._here = _Reader(folder, text_only)
        self._helpers = helpers
        self._pool = (
            ProcessPoolExecutor(helpers, get_context("spawn"), initializer=_begin, initargs=(folder, text_only))
            if helpers > 0
            else None
        )

    def read(self, todo: Sequence[Stretch]) -> Iterator[Reading]:
        """Yield what became of each stretch, whichever is done first; helpers have the next one waiting."""
        left = deque((next(self._numbers), stretch) for stretch in todo)
        given: set[Future[Reading]] = set()
        while left or given:
            while self._pool is not None and len(given) < min(2 * self._helpers, len(left)):
                given.add(self._pool.submit(_read, *left.popleft()))
            if left:
                yield self._here.read(*left.popleft())
            done, given = wait(given, timeout=0 if left else None, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)

    def read_again(self, reading: Reading, first: int) -> Reading:
        """Read a stretch from where its first record is known to begin; it keeps its place among the others."""
        return self._here.read(reading.number + 1, reading.stretch, first)

    def add(self, others: Iterable[Exchange]) -> Reading:
        """Keep answers that come from no crawl file."""
        return self._here.keep(next(self._numbers), others)

    def close(self) -> None:
        self._here.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class _Reader:
    """Reads stretches into files of its own process."""

    def __init__(self, folder: Path, text_only: bool) -> None:
        self._writer = SpoolWriter(folder, str(os.getpid()))
        self._text_only = text_only

    def read(self, number: int, stretch: Stretch, first: int | None = None) -> Reading:
        first = first_record(stretch) if first is None else first
        if first is None:
            return Reading(number=number, stretch=stretch, first=None, next=None)
        damaged: list[Damage] = []
        answers, after, failure = 0, None, None
        found = exchanges_in_stretch(Stretch(stretch.path, first, stretch.end))
        try:
            while True:
                one = next(found)
                if isinstance(one, Damage):
                    damaged.append(one)
                elif not self._text_only or _is_text(one):
                    self._writer.add(one, number)
                    answers += 1
        except StopIteration as end:
            after = end.value
        except PosterityError as problem:
            failure = problem
        self._writer.flush()
        return Reading(
            number=number, stretch=stretch, first=first, next=after,
            answers=answers, damaged=tuple(damaged), failure=failure,
        )  # fmt: skip

    def keep(self, number: int, others: Iterable[Exchange]) -> Reading:
        answers = 0
        for one in others:
            self._writer.add(one, number)
            answers += 1
        self._writer.flush()
        return Reading(number=number, stretch=Stretch(""), first=0, next=None, answers=answers)

    def close(self) -> None:
        self._writer.close()


_reader: _Reader | None = None


def _begin(folder: Path, text_only: bool) -> None:
    """Give a process of the pool its reader, which it keeps for all stretches."""
    global _reader  # noqa: PLW0603 - a pool has no other place for what belongs to a process
    _reader = _Reader(folder, text_only)


def _read(number: int, stretch: Stretch) -> Reading:
    assert _reader is not None
    return _reader.read(number, stretch)


def _is_text(exchange: Exchange) -> bool:
    kind = exchange.header("content-type").lower()
    return not kind or any(name in kind for name in _WEB_TEXT) or 300 <= exchange.status < 400


def _is_packed(stretch: Stretch) -> bool:
    return not stretch.path.lower().endswith((".warc", ".arc"))


def _bytes(stretch: Stretch) -> int:
    size = Path(stretch.path).stat().st_size
    return min(stretch.end or size, size) - stretch.begin
