"""Progress of harvests and other long tasks: a line on a terminal, JSON lines for programs, a summary at the end."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, TypeVar

from posterity.cli.options import echo, echo_json
from posterity.cli.summary import print_milestone, print_summary
from posterity.crawl.jobs import Ended, Event, Failed, FeedRead, Fetched, Learned, Moved, PageError, Stored, Updated
from posterity.errors import Interrupted
from posterity.model import RuleSet
from posterity.text.normal_form import count_of, printable
from posterity.urls import without_login

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from posterity.crawl.run import HarvestOutcome
    from posterity.model import HarvestReport


@contextmanager
def listener(url: str, *, as_json: bool, quiet: bool, doing: str = "harvesting") -> Iterator[Callable[[Event], None]]:
    """Yield the function that handles each event of a harvest."""
    if as_json:
        yield echo_json
    elif quiet:
        yield lambda event: print_failure(event) if isinstance(event, PageError) else None
    else:
        display = _Display(url, doing)
        with display.progress:
            yield display.handle


def print_failure(event: PageError, to: IO[str] | None = None) -> None:
    """Print the error of one page, with the traceback that a bug report needs."""
    echo(f"posterity: {event.url} was left out: {event.error}\n{event.traceback.rstrip()}", file=to, err=True)


class _Display:
    """A progress line on a terminal; milestones and the summary everywhere."""

    def __init__(self, url: str, doing: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.console = Console(stderr=True)
        self.progress = Progress(
            SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(bar_width=24),
            TextColumn("{task.fields[note]}"), TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn(),
            console=self.console, transient=True, disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self.task = self.progress.add_task(printable(f"{doing} {without_login(url)}"), total=None, note="")
        self.posts = 0
        self.rules: RuleSet | None = None

    def handle(self, event: Event) -> None:
        match event:
            case FeedRead():
                broken = f" (broken but readable: {event.problem})" if event.problem else ""
                entries = count_of(event.entries, "entry", "entries")
                words = printable(f"feed      {event.url}  {event.format}, {entries}{broken}")
                self.console.print(words, highlight=False, markup=False)
            case Learned():
                self.rules = event.rules
            case Moved():
                print_milestone(event)
            case Fetched():
                note = f"{count_of(self.posts, 'post')}, {event.pages} of {event.known} pages"
                self.progress.update(self.task, completed=event.pages, total=event.known, note=note)
            case Stored():
                self.posts = event.posts
            case PageError():
                print_failure(event, self.console.file)
            case Ended():
                self.progress.stop()
                print_summary(self.console, event.report, self.rules)
            case Failed() | _:
                pass


def _can_display() -> bool:
    """Return whether there is a terminal, and rich is installed (the extra "crawl")."""
    return sys.stderr.isatty() and find_spec("rich") is not None


@contextmanager
def bytes_read(doing: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """Yield the function to call with the bytes read and their total; None without a terminal."""
    if quiet or not _can_display():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn(doing), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            if done >= total:
                bar.stop()  # before anything else is printed

        yield advance


T = TypeVar("T")


def show_progress(
    items: Iterable[T], doing: str, what: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[T]:
    """Yield the items, and display their count."""
    with count_progress(doing, what, total=total, quiet=quiet) as tick:
        for item in items:
            tick()
            yield item


@contextmanager
def count_progress(
    doing: str, what: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Callable[[], None]]:
    """Yield the function that counts one item; without a terminal it does nothing."""
    if quiet or not _can_display():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    of = f" of {total}" if total else ""
    columns = [SpinnerColumn(), TextColumn("{task.description}"), TextColumn(f"{{task.completed}}{of} {what}")]
    columns += [BarColumn(bar_width=24), TimeRemainingColumn()] if total else []
    redirected = sys.stdout.isatty()  # output to a file or a pipe cannot disturb the display
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True, redirect_stdout=redirected
    ) as progress:
        task = progress.add_task(doing, total=total)
        yield lambda: progress.advance(task)


@contextmanager
def many_listener(blogs: int, *, as_json: bool, quiet: bool) -> Iterator[Callable[[str, Event], None]]:
    """Yield the function that handles each event of many harvests or updates, with the URL of its blog."""
    if as_json:
        yield _print_json
    elif quiet:
        yield lambda _, event: print_failure(event) if isinstance(event, PageError) else None
    else:
        display = _LineDisplay(blogs)
        with display.progress:
            yield display.handle


def _print_json(url: str, event: Event) -> None:
    import msgspec

    facts: dict[str, Any] = msgspec.to_builtins(event)
    echo_json({"event": facts.pop("event"), "blog": url, **facts})


def print_outcomes(outcomes: Sequence[HarvestOutcome]) -> None:
    """Print a table of the outcomes of many harvests."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("posts", "new", "comments", "media", "requests", "missing", "blog", box=None)
    table.columns[-1].overflow = "fold"
    for outcome in outcomes:
        report = outcome.report
        if report is None:
            cells = ["stopped" if isinstance(outcome.problem, Interrupted) else "failed", *[""] * 5]
        else:
            cells = [f"{count:,}" for count in _counts(report)]
        table.add_row(*cells, escape(printable(without_login(outcome.url))))
    reports = [outcome.report for outcome in outcomes if outcome.report is not None]
    if len(reports) > 1:
        sums = map(sum, zip(*map(_counts, reports), strict=True))
        table.add_row(*(f"{count:,}" for count in sums), count_of(len(reports), "blog"))
    Console(stderr=True).print(table)


def _counts(report: HarvestReport) -> tuple[int, ...]:
    return report.posts, report.new_posts, report.comments, report.media, report.requests, len(report.missing)


class _LineDisplay:
    """A line for all blogs, one for each that is being visited, and one that stays for each that has ended."""

    def __init__(self, blogs: int) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

        self.console = Console(stderr=True)
        self.progress = Progress(
            SpinnerColumn(), TextColumn("{task.description}", markup=False), TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
            console=self.console, transient=True, disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self.tasks: dict[str, TaskID] = {}
        self.posts: dict[str, int] = {}
        self.blogs, self.ended, self.failed = blogs, 0, 0
        self.all = self.progress.add_task("all blogs", total=None, note=f"0 of {blogs:,}")

    def handle(self, url: str, event: Event) -> None:
        if url not in self.tasks:
            self.tasks[url] = self.progress.add_task(printable(url), total=None, note="")
        match event:
            case Fetched():
                note = f"{count_of(self.posts.get(url, 0), 'post')}, {event.pages} of {event.known} pages"
                self.progress.update(self.tasks[url], note=note)
            case Stored():
                self.posts[url] = event.posts
            case Moved():
                print_milestone(event)
            case PageError():
                print_failure(event, self.console.file)
            case Ended():
                self._end_task(url, f"{count_of(event.report.posts, 'post')}, {event.report.new_posts:,} of them new")
            case Updated():
                self._end_task(url)
            case Failed():
                self.failed += 1
                self._end_task(url, event.message)
            case _:
                pass

    def _end_task(self, url: str, result: str = "") -> None:
        task = self.tasks.get(url)
        if task is None or task not in self.progress.task_ids:
            return
        self.progress.remove_task(task)
        self.ended += 1
        failed = f", {self.failed:,} failed" if self.failed else ""
        posts = f", {count_of(sum(self.posts.values()), 'post')}" if self.posts else ""
        self.progress.update(self.all, note=f"{self.ended:,} of {self.blogs:,}{failed}{posts}")
        if result:
            line = f"{self.ended:,}/{self.blogs:,}  {without_login(url)}  {result}"
            self.console.print(printable(line), highlight=False, markup=False, soft_wrap=True)
