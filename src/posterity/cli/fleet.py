"""`posterity fleet`: many blogs on many machines, from one queue."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli.options import (
    allow_private_option,
    archive_option,
    contact_option,
    echo,
    json_option,
    quiet_option,
)
from posterity.config import CrawlSettings, RenderMode, Settings
from posterity.errors import UsageError
from posterity.model import to_json
from posterity.text.normal_form import count_of, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from posterity.fleet.status import FleetStatus
    from posterity.fleet.worker import TaskEvent

_SHOWN_FAILURES = 20


@click.group()
def command() -> None:
    """Harvest and update many blogs on many machines. PostgreSQL is all that the machines share.

    \b
    posterity fleet init postgresql://user@host/blogs
    export POSTERITY_ARCHIVE=postgresql://user@host/blogs
    posterity fleet add blogs.txt
    posterity fleet worker --slots 4          on every machine
    posterity fleet status --watch
    """


@command.command()
@click.argument("dsn", metavar="DSN")
@quiet_option
def init(dsn: str, quiet: bool) -> None:
    """Make the archive and the queue in a PostgreSQL database. Doing it again changes nothing.

    DSN is postgresql://user@host/name. With ?files=URL, WARC files and media go to a shared place: file:///folder, or
    s3://bucket/prefix.
    """
    from posterity.fleet.queue import init

    init(dsn)
    if not quiet:
        echo("The fleet is ready. Queue blogs with `posterity fleet add`, start workers on any machine with "
                   "`posterity fleet worker`.", err=True)  # fmt: skip


@command.command()
@click.argument("lists", nargs=-1, required=True, metavar="LIST...")
@archive_option
@click.option("--priority", type=int, default=0, show_default=True, help="Higher ones begin first; updates have 10.")
@click.option("--again", is_flag=True, help="Also blogs that were harvested before.")
@click.option("--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS",
              help="Between requests to one host; 0 for a server of one's own.")  # fmt: skip
@click.option("--concurrency", type=click.IntRange(min=1), default=4, show_default=True,
              help="Requests to one host at a time.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), metavar="PAGES", help="Stop each blog after this many pages.")
@click.option("--render", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True,
              help="Render pages in a browser.")  # fmt: skip
@click.option("--no-media", is_flag=True, help="Do not download images, audio, video, documents and stylesheets.")
@click.option("--no-comments", is_flag=True, help="Leave comments out.")
@contact_option
@allow_private_option
@quiet_option
def add(
    lists: tuple[str, ...], archive: str, priority: int, again: bool, delay: float, concurrency: int, limit: int | None,
    render: RenderMode, no_media: bool, no_comments: bool, contact: str, allow_private: bool, quiet: bool,
) -> None:  # fmt: skip
    """Queue blogs. LIST is a file with one URL a line, or OPML as feed readers export it.

    A blog that is queued, running or harvested already is left as it is. Harvested blogs are updated when they are due.
    """
    from posterity.fleet.queue import add, blogs_in

    crawl = CrawlSettings(
        delay_s=delay, concurrency=concurrency, limit_pages=limit, render=render, media=not no_media,
        comments=not no_comments, contact=contact, allow_private=allow_private,
    )  # fmt: skip
    urls = [url for path in lists for url in blogs_in(path)]
    added = add(archive, urls, settings=Settings(crawl=crawl), priority=priority, again=again)
    if not quiet:
        echo(f"{added.queued} queued, {added.already_queued} were queued or running, "
                   f"{added.already_harvested} were harvested before.")  # fmt: skip


@command.command()
@archive_option
@click.option("--slots", type=click.IntRange(min=1), default=2, show_default=True, help="Blogs at the same time.")
@click.option("--name", default="", metavar="NAME", help="Name of the worker; by default host and process.")
@click.option("--memory", type=click.IntRange(min=64), default=2048, show_default=True, metavar="MB",
              help="End a blog that takes more, its browser included.")  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=21600.0, show_default=True,
              metavar="SECONDS", help="Stop a blog after this time; its next harvest continues there.")  # fmt: skip
@click.option(
    "--attempts", type=click.IntRange(min=1), default=5, show_default=True, help="Tries of a blog that fails."
)
@click.option("--retry-wait", type=click.FloatRange(min=0), default=60.0, show_default=True, metavar="SECONDS",
              help="Before the second try; doubles with every further one.")  # fmt: skip
@click.option("--heartbeat", type=click.FloatRange(min=0.1), default=5.0, show_default=True, metavar="SECONDS",
              help="How often the worker reports that it is alive.")  # fmt: skip
@click.option("--stalled", type=click.FloatRange(min=1), default=30.0, show_default=True, metavar="SECONDS",
              help="A worker without heartbeat for so long counts as dead. The same for all workers.")  # fmt: skip
@click.option("--spool", type=click.Path(path_type=Path), default=Path("posterity-spool"), metavar="FOLDER",
              show_default=True, help="Files on their way to the shared place, and copies from there.")  # fmt: skip
@click.option("--until-empty", is_flag=True, help="End when no task is waiting or running anywhere.")
@json_option
@quiet_option
def worker(
    archive: str, slots: int, name: str, memory: int, time_limit: float, attempts: int, retry_wait: float,
    heartbeat: float, stalled: float, spool: Path, until_empty: bool, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Take blogs from the queue and harvest or update them, each in a process of its own.

    The first Ctrl-C or SIGTERM ends in order: what runs goes back into the queue, and continues elsewhere.
    """
    from posterity.fleet.children import Limits
    from posterity.fleet.worker import FleetWorker, WorkerOptions

    if stalled < 4 * heartbeat:
        raise UsageError(
            f"--stalled {stalled:g} is too short for --heartbeat {heartbeat:g}: make it four times as long."
        )
    options = WorkerOptions(
        slots=slots, name=name, limits=Limits(memory_mb=memory, time_s=time_limit), spool=spool.absolute(),
        heartbeat_s=heartbeat, stalled_s=stalled, attempts=attempts, retry_wait_s=retry_wait, until_empty=until_empty,
    )  # fmt: skip
    FleetWorker(archive, options, _teller(as_json=as_json, quiet=quiet)).run()


def _teller(*, as_json: bool, quiet: bool) -> Callable[[TaskEvent], None]:
    """Prints events of a worker, each with its task and blog."""
    lock = threading.Lock()

    def tell(event: TaskEvent) -> None:
        if quiet and event.event not in ("failed", "cut off"):
            return
        with lock:
            if as_json:
                sys.stdout.write(to_json(event).decode() + "\n")
                sys.stdout.flush()
            else:
                echo(_sentence(event), err=True)

    return tell


def _sentence(event: TaskEvent) -> str:
    about = f"task {event.task} {event.kind} {event.blog}: " if event.task is not None else ""
    facts = f", {count_of(event.posts, 'post')} in {event.seconds:g} s" if event.event == "done" else ""
    reason = f": {event.reason}" if event.reason else ""
    return f"{time.strftime('%H:%M:%S')} {event.worker} {about}{event.event}{facts}{reason}"


@command.command()
@archive_option
@click.option("--watch", is_flag=True, help="Stay, and refresh every two seconds. Ctrl-C ends it.")
@click.option("--failed", "only_failed", is_flag=True, help="List the tasks that were given up, with reasons.")
@json_option
def status(archive: str, watch: bool, only_failed: bool, as_json: bool) -> None:
    """Show tasks, workers, what runs, and what failed and why."""
    from rich.console import Console

    from posterity.fleet.status import fleet_status

    found = fleet_status(archive)
    if as_json:
        echo(to_json(found.failures if only_failed else found).decode())
        return
    if only_failed:
        for failure in found.failures:
            echo(f"{failure.url}  {failure.kind}, {failure.attempts} tries: {failure.reason}")
        return
    if not watch:
        Console().print(_tables(found))
        return
    from rich.live import Live

    with Live(_tables(found), refresh_per_second=2) as live:
        while True:
            time.sleep(2)
            live.update(_tables(fleet_status(archive)))


def _tables(found: FleetStatus) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    head = (
        f"{found.state}: {found.waiting} waiting, {found.delayed} to be retried, {found.running} running, "
        f"{found.done} done ({found.done_last_hour} in the last hour), {found.failed} failed; "
        f"{count_of(found.posts, 'post')}"
    )
    workers = Table("worker", "host", "slots", "running", "done", "last heartbeat", box=None, pad_edge=False)
    for line in found.workers:
        workers.add_row(
            Text(printable(line.name)),
            Text(printable(line.host)),
            f"{line.slots}",
            f"{line.running}",
            f"{line.done}",
            f"{line.silent_s:.0f} s ago",
        )
    runs = Table("task", "doing", "blog", "worker", "for", box=None, pad_edge=False)
    for run in found.runs:
        runs.add_row(
            f"{run.task}", run.kind, Text(printable(run.url)), Text(printable(run.worker)), f"{run.seconds:.0f} s"
        )
    failures = Table("failed", "tries", "reason", box=None, pad_edge=False)
    for failure in found.failures[:_SHOWN_FAILURES]:
        url, reason = Text(printable(failure.url)), Text(printable(failure.reason))
        failures.add_row(url, f"{failure.attempts}", reason)
    filled = [table for table in (workers, runs, failures) if table.row_count]
    return Group(Text(head), *(part for table in filled for part in (Text(), table)))


@command.command()
@archive_option
def pause(archive: str) -> None:
    """Begin no further task; what runs ends by itself."""
    _set_state(archive, "paused")


@command.command()
@archive_option
def resume(archive: str) -> None:
    """Go on after pause or drain."""
    _set_state(archive, "running")


@command.command()
@archive_option
def drain(archive: str) -> None:
    """Let every worker finish what it runs and end."""
    _set_state(archive, "draining")


def _set_state(archive: str, state: str) -> None:
    from posterity.fleet.queue import set_state

    set_state(archive, state)  # type: ignore[arg-type]


@command.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@archive_option
def retry(urls: tuple[str, ...], archive: str) -> None:
    """Queue failed tasks again: all, or those of these blogs."""
    from posterity.fleet.queue import retry

    echo(f"{retry(archive, urls)} queued again.")
