"""Events of a harvest for whoever looks: a live line on a terminal, JSON lines for programs, a summary at the end."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click

from posterity.cli.summary import print_summary
from posterity.fetch.events import Ended, Event, Failed, FeedRead, Fetched, Learned, Stored, Stumbled
from posterity.model import to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.model import RuleSet


@contextmanager
def listener(url: str, *, as_json: bool, quiet: bool, doing: str = "harvesting") -> Iterator[Callable[[Event], None]]:
    """Give the function that a harvest tells its events to."""
    if as_json:
        yield lambda event: click.echo(to_json(event).decode())
    elif quiet:
        yield lambda event: stumbling(event) if isinstance(event, Stumbled) else None
    else:
        with _Display(url, doing) as display:
            yield display.hear


def stumbling(event: Stumbled, to: IO[str] | None = None) -> None:
    """Print what failed on one page, with the traceback that a report of the bug needs."""
    click.echo(f"posterity: {event.url} was left out: {event.error}\n{event.traceback.rstrip()}", file=to, err=True)


class _Display:
    """One line that moves while pages come in, on a terminal; milestones and the summary everywhere."""

    def __init__(self, url: str, doing: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self.console = Console(stderr=True)
        self.progress = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24),
            TextColumn("{task.fields[note]}"), TimeElapsedColumn(),
            console=self.console, transient=True, disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self.task = self.progress.add_task(f"{doing} {url}", total=None, note="")
        self.posts = 0
        self.rules: RuleSet | None = None

    def __enter__(self) -> _Display:
        self.progress.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.__exit__(None, None, None)

    def hear(self, event: Event) -> None:
        match event:
            case FeedRead():
                broken = f" (broken but readable: {event.problem})" if event.problem else ""
                self.console.print(
                    f"feed      {event.url}  {event.format}, {event.entries} entries{broken}", highlight=False
                )
            case Learned():
                self.rules = event.rules
            case Fetched():
                note = f"{self.posts} posts, {event.pages} of {event.known} pages"
                self.progress.update(self.task, completed=event.pages, total=event.known, note=note)
            case Stored():
                self.posts = event.posts
            case Stumbled():
                stumbling(event, self.console.file)
            case Ended():
                self.progress.stop()
                print_summary(self.console, event.report, self.rules)
            case Failed() | _:
                pass
