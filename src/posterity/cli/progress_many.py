"""Many harvests at once for whoever looks: a live line per running blog, a word when one ends, a table at the end."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from posterity.cli.progress import stumbling
from posterity.errors import Interrupted
from posterity.fetch.events import Ended, Event, Failed, Fetched, Stored, Stumbled
from posterity.model import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.fetch.many import Outcome


class Listener(Protocol):
    """Who hears of many harvests."""

    def hear(self, url: str, event: Event) -> None:
        """One event of one blog."""

    def conclude(self, outcomes: Sequence[Outcome]) -> None:
        """All are over."""


@contextmanager
def many_listener(*, as_json: bool, quiet: bool) -> Iterator[Listener]:
    """Give the one that many harvests tell their events to."""
    if as_json:
        yield _JsonLines()
    elif quiet:
        yield _Quiet()
    else:
        with _Lines() as display:
            yield display


class _Quiet:
    def hear(self, url: str, event: Event) -> None:  # noqa: ARG002 - the event names its page
        if isinstance(event, Stumbled):
            stumbling(event)

    def conclude(self, outcomes: Sequence[Outcome]) -> None:
        """Say nothing."""


class _JsonLines:
    """The events as they come, each with the address of its blog."""

    def hear(self, url: str, event: Event) -> None:
        import msgspec

        facts: dict[str, Any] = msgspec.to_builtins(event)
        click.echo(to_json({"event": facts.pop("event"), "blog": url, **facts}).decode())

    def conclude(self, outcomes: Sequence[Outcome]) -> None:
        """The lines have said it all."""


class _Lines:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

        self.console = Console(stderr=True)
        self.progress = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.fields[note]}"), TimeElapsedColumn(),
            console=self.console, transient=True, disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self.tasks: dict[str, TaskID] = {}
        self.posts: dict[str, int] = {}

    def __enter__(self) -> _Lines:
        self.progress.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.__exit__(None, None, None)

    def hear(self, url: str, event: Event) -> None:
        if url not in self.tasks:
            self.tasks[url] = self.progress.add_task(url, total=None, note="")
        match event:
            case Fetched():
                note = f"{self.posts.get(url, 0)} posts, {event.pages} of {event.known} pages"
                self.progress.update(self.tasks[url], note=note)
            case Stored():
                self.posts[url] = event.posts
            case Stumbled():
                stumbling(event, self.console.file)
            case Ended():
                self._drop(url, f"{url}  {event.report.posts} posts, {event.report.new_posts} of them new")
            case Failed():
                self._drop(url, f"{url}  {event.message}")
            case _:
                pass

    def conclude(self, outcomes: Sequence[Outcome]) -> None:
        """Print the table."""
        from rich.markup import escape
        from rich.table import Table

        self.progress.stop()
        table = Table("posts", "new", "comments", "media", "requests", "missing", "blog", box=None)
        table.columns[-1].overflow = "fold"
        for outcome in outcomes:
            if outcome.report is None:
                word = "stopped" if isinstance(outcome.problem, Interrupted) else "failed"
                table.add_row(word, *[""] * 5, escape(outcome.url))
                continue
            report = outcome.report
            counts = (report.posts, report.new_posts, report.comments, report.media, report.requests)
            table.add_row(*map(str, counts), str(len(report.missing)), escape(outcome.url))
        self.console.print(table)

    def _drop(self, url: str, words: str) -> None:
        task = self.tasks.get(url)
        if task is not None and task in self.progress.task_ids:
            self.progress.remove_task(task)
            self.console.print(words, highlight=False, markup=False, soft_wrap=True)
