"""`posterity fleet`: harvest many blogs on many machines, from one queue."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli import options
from posterity.config import CrawlSettings, RenderMode, Settings
from posterity.errors import UsageError
from posterity.text.normal_form import count_of, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from posterity.fleet.status import FleetStatus
    from posterity.fleet.worker import TaskEvent


@click.group()
def command() -> None:
    """Harvest and update many blogs on many machines, which share only a PostgreSQL database.

    \b
    posterity fleet init postgresql://user@host/blogs
    export POSTERITY_ARCHIVE=postgresql://user@host/blogs
    posterity fleet add blogs.txt
    posterity fleet worker --slots 4          on every machine
    posterity fleet status --watch
    """


@command.command()
@click.argument("dsn", metavar="DSN")
@options.quiet_option
def init(dsn: str, quiet: bool) -> None:
    """Create the archive and the queue in a PostgreSQL database. Existing ones are kept.

    DSN is postgresql://user@host/name. With ?files=URL, WARC files and media are stored in a shared place:
    file:///folder, or s3://bucket/prefix.
    """
    from posterity.fleet.queue import init

    init(dsn)
    if not quiet:
        options.echo(
            "The fleet is ready. Queue blogs with `posterity fleet add`, start workers on any machine with "
            "`posterity fleet worker`.",
            err=True,
        )


@command.command()
@click.argument("lists", nargs=-1, required=True, metavar="LIST...")
@options.archive_option
@click.option("--priority", type=int, default=0, show_default=True,
              help="Tasks with a higher number start first; updates have 10.")  # fmt: skip
@click.option("--again", is_flag=True, help="Also queue blogs that were harvested before.")
@options.delay_option("Pause between requests to one host; 0 is for your own server.")
@click.option("--concurrency", type=click.IntRange(min=1), default=4, show_default=True,
              help="Parallel requests to one host.")  # fmt: skip
@options.limit_option
@options.render_option("auto")
@click.option("--no-media", is_flag=True, help="Do not download images, audio, video, documents and stylesheets.")
@click.option("--no-comments", is_flag=True, help="Do not store comments.")
@options.contact_option
@options.allow_private_option
@options.quiet_option
def add(
    lists: tuple[str, ...], archive: str, priority: int, again: bool, delay: float, concurrency: int, limit: int | None,
    render: RenderMode, no_media: bool, no_comments: bool, contact: str, allow_private: bool, quiet: bool,
) -> None:  # fmt: skip
    """Queue blogs for harvest. LIST is a file with one URL per line, or an OPML file from a feed reader.

    Blogs that are already queued, running or harvested are skipped. Harvested blogs are updated when they are due.
    """
    from posterity.fleet.queue import add, blogs_in

    crawl = CrawlSettings(
        delay_s=delay, concurrency=concurrency, limit_pages=limit, render=render, media=not no_media,
        comments=not no_comments, contact=contact, allow_private=allow_private,
    )  # fmt: skip
    urls = [url for path in lists for url in blogs_in(path)]
    added = add(archive, urls, settings=Settings(crawl=crawl), priority=priority, again=again)
    if not quiet:
        options.echo(f"{added.queued} queued, {added.already_queued} were queued or running, "
                   f"{added.already_harvested} were harvested before.")  # fmt: skip


@command.command()
@options.archive_option
@click.option(
    "--slots", type=click.IntRange(min=1), default=2, show_default=True, help="Blogs to run at the same time."
)
@click.option("--name", default="", metavar="NAME", help="Name of the worker; by default host and process.")
@click.option("--memory", type=click.IntRange(min=64), default=2048, show_default=True, metavar="MB",
              help="Stop a blog whose process, including the browser, uses more.")  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=21600.0, show_default=True,
              metavar="SECONDS", help="Stop a blog after this time; its next harvest continues there.")  # fmt: skip
@click.option(
    "--attempts", type=click.IntRange(min=1), default=5, show_default=True, help="Attempts for a blog that fails."
)
@click.option("--retry-wait", type=click.FloatRange(min=0), default=60.0, show_default=True, metavar="SECONDS",
              help="Pause before the second attempt; doubles with each further one.")  # fmt: skip
@click.option("--heartbeat", type=click.FloatRange(min=0.1), default=5.0, show_default=True, metavar="SECONDS",
              help="Interval at which the worker reports that it is alive.")  # fmt: skip
@click.option("--stalled", type=click.FloatRange(min=1), default=30.0, show_default=True, metavar="SECONDS",
              help="Consider a worker dead after this time without heartbeat. The same for all workers.")  # fmt: skip
@click.option("--spool", type=click.Path(path_type=Path), default=Path("posterity-spool"), metavar="FOLDER",
              show_default=True, help="Local folder for files to upload, and for copies of shared files.")  # fmt: skip
@click.option("--until-empty", is_flag=True, help="Stop when no task is waiting or running anywhere.")
@options.json_option
@options.quiet_option
def worker(
    archive: str, slots: int, name: str, memory: int, time_limit: float, attempts: int, retry_wait: float,
    heartbeat: float, stalled: float, spool: Path, until_empty: bool, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Take blogs from the queue and harvest or update each in its own process.

    The first Ctrl-C or SIGTERM stops the worker cleanly: running tasks return to the queue and continue elsewhere.
    """
    from posterity.fleet.children import Limits
    from posterity.fleet.worker import FleetWorker, WorkerOptions

    if stalled < 4 * heartbeat:
        raise UsageError(
            f"--stalled {stalled:g} is too short for --heartbeat {heartbeat:g}: make it four times as long."
        )
    worker = WorkerOptions(
        slots=slots,
        name=name,
        limits=Limits(memory_mb=memory, time_s=time_limit),
        spool=spool.absolute(),
        heartbeat_s=heartbeat,
        stalled_s=stalled,
        attempts=attempts,
        retry_wait_s=retry_wait,
        until_empty=until_empty,
    )
    FleetWorker(archive, worker, _event_printer(as_json=as_json, quiet=quiet)).run()


def _event_printer(*, as_json: bool, quiet: bool) -> Callable[[TaskEvent], None]:
    """Return a thread-safe function that prints the events of a worker."""
    lock = threading.Lock()

    def print_event(event: TaskEvent) -> None:
        if quiet and event.event not in ("failed", "cut off"):
            return
        with lock:
            if as_json:
                options.echo_json(event)
            else:
                options.echo(_event_line(event), err=True)

    return print_event


def _event_line(event: TaskEvent) -> str:
    about = f"task {event.task} {event.kind} {event.blog}: " if event.task is not None else ""
    facts = f", {count_of(event.posts, 'post')} in {event.seconds:g} s" if event.event == "done" else ""
    reason = f": {event.reason}" if event.reason else ""
    return f"{time.strftime('%H:%M:%S')} {event.worker} {about}{event.event}{facts}{reason}"


@command.command()
@options.archive_option
@click.option("--watch", is_flag=True, help="Keep running, and refresh every two seconds. Stop with Ctrl-C.")
@click.option("--failed", "only_failed", is_flag=True, help="List the tasks that failed permanently, with reasons.")
@options.json_option
def status(archive: str, watch: bool, only_failed: bool, as_json: bool) -> None:
    """Show the queue, the workers, running tasks, and failures with their reasons."""
    from rich.console import Console

    from posterity.fleet.status import fleet_status

    found = fleet_status(archive)
    if as_json:
        options.echo_json(found.failures if only_failed else found)
        return
    if only_failed:
        for failure in found.failures:
            options.echo(f"{failure.url}  {failure.kind}, {failure.attempts} attempts: {failure.reason}")
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
        name, host = Text(printable(line.name)), Text(printable(line.host))
        counts = (f"{line.slots}", f"{line.running}", f"{line.done}")
        workers.add_row(name, host, *counts, f"{line.silent_s:.0f} s ago")
    runs = Table("task", "doing", "blog", "worker", "for", box=None, pad_edge=False)
    for run in found.runs:
        url, worker = Text(printable(run.url)), Text(printable(run.worker))
        runs.add_row(f"{run.task}", run.kind, url, worker, f"{run.seconds:.0f} s")
    failures = Table("failed", "tries", "reason", box=None, pad_edge=False)
    for failure in found.failures[:20]:
        url, reason = Text(printable(failure.url)), Text(printable(failure.reason))
        failures.add_row(url, f"{failure.attempts}", reason)
    filled = [table for table in (workers, runs, failures) if table.row_count]
    return Group(Text(head), *(part for table in filled for part in (Text(), table)))


@command.command()
@options.archive_option
def pause(archive: str) -> None:
    """Start no further tasks; running tasks finish."""
    _set_state(archive, "paused")


@command.command()
@options.archive_option
def resume(archive: str) -> None:
    """Start tasks again after pause or drain."""
    _set_state(archive, "running")


@command.command()
@options.archive_option
def drain(archive: str) -> None:
    """Let every worker finish its running tasks and stop."""
    _set_state(archive, "draining")


def _set_state(archive: str, state: str) -> None:
    from posterity.fleet.queue import set_state

    set_state(archive, state)  # type: ignore[arg-type]


@command.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@options.archive_option
def retry(urls: tuple[str, ...], archive: str) -> None:
    """Queue failed tasks again: all, or those of the given blogs."""
    from posterity.fleet.queue import retry

    options.echo(f"{retry(archive, urls)} queued again.")
