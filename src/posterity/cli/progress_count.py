"""A count that moves on a terminal while things go by: posts that are written, pages that are fetched or read."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


def watched(
    things: Iterable[T], doing: str, what: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[T]:
    """Give the things, and show how many went by."""
    with counting(doing, what, total=total, quiet=quiet) as tick:
        for thing in things:
            tick()
            yield thing


@contextmanager
def counting(doing: str, what: str, *, total: int | None = None, quiet: bool = False) -> Iterator[Callable[[], None]]:
    """Give the function that is told of every thing; where nobody looks, it does nothing and costs nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    of = f" of {total}" if total else ""
    columns = [SpinnerColumn(), TextColumn("{task.description}"), TextColumn(f"{{task.completed}}{of} {what}")]
    bar = [BarColumn(bar_width=24)] if total else []
    with Progress(
        *columns,
        *bar,
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # else it is a file or a pipe, which the display does not meet
    ) as progress:
        task = progress.add_task(doing, total=total)
        yield lambda: progress.advance(task)
