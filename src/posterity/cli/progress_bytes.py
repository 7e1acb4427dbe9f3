"""A bar for bytes that are read from files: on a terminal only, on standard error, gone when it is full."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def bytes_read(doing: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """Give the function that is told how many bytes of how many are read; None where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn(doing), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            if done >= total:
                bar.stop()  # what is printed from here on must not meet it

        yield tell
