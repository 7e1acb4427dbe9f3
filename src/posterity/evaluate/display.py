"""What is shown while an evaluation goes on: a moving line on a terminal, tables or JSON lines as data sets finish."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from posterity.evaluate.table import blogs_table, comparison_table, domain_table, failures_table, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from posterity.evaluate.report import Section
    from posterity.evaluate.runner import Result
    from posterity.evaluate.summary import Row

# A pipe has no width; tables must not be folded to the 80 columns that rich assumes then.
_WIDE = 200


class Display:
    """Where figures go: to a person as tables, to a program as JSON lines, or nowhere."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False, domains: bool = False) -> None:
        self.as_json, self.quiet, self.domains = as_json, quiet, domains
        self.console = Console(width=None if sys.stdout.isatty() else _WIDE)

    @property
    def for_people(self) -> bool:
        """Whether a person is to read it."""
        return not self.as_json and not self.quiet

    def section(self, found: Section, results: Sequence[Result] = ()) -> None:
        """Show the figures of one data set."""
        if self.as_json:
            for row in found.rows:
                sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
        elif self.for_people:
            shown = tables(found.name, found.rows)
            if found.compared and found.headline:
                shown.append(comparison_table(found.name, found.headline, found.compared))
            if self.domains and found.domains:
                shown.append(domain_table(found.name, found.domains))
            for table in shown:
                self.console.print(table)
            self.failures(found.name, results)

    def blogs(self, rows: Sequence[Row]) -> None:
        """Show many blogs at a glance."""
        if self.for_people:
            self.console.print(blogs_table(rows))

    def failures(self, name: str, results: Sequence[Result]) -> None:
        """Show the pages that gave no answer, if there are any."""
        table = failures_table(name, results)
        if table is not None and self.for_people:
            self.console.print(table)

    def told(self, words: str) -> None:
        """Say something that is not a figure."""
        if self.for_people:
            self.console.print(words, markup=False, highlight=False)

    @contextmanager
    def progress(self, name: str, steps: int) -> Iterator[Callable[[object], None]]:
        """Give the function to be told of every page that is done; the line moves on a terminal only."""
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        hidden = not self.for_people or not console.is_terminal
        with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
            task = progress.add_task(name, total=steps)
            yield lambda _: progress.advance(task)
