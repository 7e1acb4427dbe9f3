"""`posterity update`: fetch what is new, edited or gone since the last time."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from posterity.cli import options
from posterity.cli.progress import listener, many_listener
from posterity.cli.summary import print_milestone
from posterity.errors import ArchiveError, Interrupted, PosterityError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from posterity.crawl.jobs import Event
    from posterity.crawl.run import UpdateOptions
    from posterity.model import Blog

# With --watch, the archive is checked for new blogs at least this often.
_MAX_SLEEP_S = 60.0
# Errors that end the command, even if only one of many blogs reports them.
_FATAL_CODES = (ArchiveError.exit_code, Interrupted.exit_code)


@click.command()
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@options.archive_option
@click.option("--all", "everything", is_flag=True, help="Update all blogs of the archive, due or not.")
@click.option("--watch", is_flag=True,
              help="Keep running, and update each blog when it is due. Stop with Ctrl-C or SIGTERM.")  # fmt: skip
@click.option("--since", metavar="ISO-DATE", help="Ignore posts published and changed before this date.")
@click.option("--revisit", type=click.IntRange(min=0), metavar="POSTS",
              help="Known posts to check for edits; by default 10 if the blog has new posts.")  # fmt: skip
@click.option(
    "--rotation",
    type=click.IntRange(min=1),
    metavar="UPDATES",
    help="Request every post at least once in this many updates; `schedule --rotation` sets it permanently.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=4, show_default=True, help="Blogs to update at the same time."
)
@click.option("--delay", type=click.FloatRange(min=0), metavar="SECONDS", help="Pause between requests to one host.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Parallel requests to one host.")
@options.limit_option
@options.time_limit_option
@options.size_limit_option
@options.render_option(None)
@click.option("--screenshot/--no-screenshot", default=None, help="Store a screenshot of every new post.")
@click.option("--media/--no-media", default=None, help="Download images, audio, video, documents and stylesheets.")
@click.option("--comments/--no-comments", default=None, help="Store comments.")
@click.option(
    "--respect-optout/--no-respect-optout",
    default=None,
    help="Leave out pages that declare noarchive, noai or a data mining reservation.",
)
@options.contact_option
@options.user_agent_option
@options.allow_private_option
@options.json_option
@options.quiet_option
def command(
    blogs: tuple[str, ...],
    archive: str,
    everything: bool,
    watch: bool,
    since: str | None,
    revisit: int | None,
    rotation: int | None,
    workers: int,
    as_json: bool,
    quiet: bool,
    screenshot: bool | None,
    **given: Any,
) -> None:
    """Update blogs: fetch new posts and comments, store edits as revisions, and mark posts that are gone.

    BLOG is an id, a URL or a host name. Without BLOG, all blogs that are due are updated; how often a blog is due
    depends on how often it posts. A blog without new posts costs two requests.

    Options default to those of the blog's last harvest, which the archive stores, except for the limits.

    \b
    posterity update
    posterity update blog.example --since 2026-01-01
    posterity update --watch --workers 8 --archive saved
    """
    from posterity.crawl.run import UpdateOptions, chosen_blogs

    update_options = UpdateOptions(
        since=since_moment(since),
        revisits=revisit,
        rotation=rotation,
        crawl=_crawl_changes(given),
        render={} if screenshot is None else {"screenshot": screenshot},
    )
    chosen = chosen_blogs(archive, blogs, everything=everything)
    if chosen and not (as_json or quiet or given["user_agent"]):
        options.hint_at_contact(given["contact"], [blog.url for blog in chosen])
    updater = _Updater(archive, update_options, workers, as_json=as_json, quiet=quiet)
    if watch:
        _watch(archive, blogs, chosen, updater.update_all)
    if not chosen and not quiet:
        options.echo(_nothing_due(archive), err=True)
    problems = updater.update_all(chosen)
    if len(chosen) == 1 and problems:
        raise problems[0]
    if problems:
        failed = f"{len(problems)} of {len(chosen)} blogs could not be updated; the reasons are above."
        options.echo(f"posterity: {failed}", err=True)
        sys.exit(problems[0].exit_code)


# Names of settings, and the command line options that change them.
_SETTINGS = {
    "delay_s": "delay", "concurrency": "concurrency", "limit_pages": "limit", "time_limit_s": "time_limit",
    "limit_bytes": "size_limit", "render": "render", "media": "media", "comments": "comments",
    "respect_optout": "respect_optout", "contact": "contact", "user_agent": "user_agent",
    "allow_private": "allow_private",
}  # fmt: skip


def _crawl_changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings given on the command line; the others are those of the harvest."""
    # Texts and flags that are not given are empty or false; a number may be 0.
    return {
        name: given[option]
        for name, option in _SETTINGS.items()
        if given[option] is not None and (given[option] or name not in ("contact", "user_agent", "allow_private"))
    }


def since_moment(text: str | None) -> datetime | None:
    """Parse an ISO date or time; UTC unless it has an offset."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"{text} is not a date. Write --since 2026-01-31, or 2026-01-31T18:00+01:00.") from None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


class _Updater:
    """Updates blogs, shows the progress, and collects the errors of single blogs."""

    def __init__(self, archive: str, changes: UpdateOptions, workers: int, *, as_json: bool, quiet: bool) -> None:
        self._archive, self._options, self._workers = archive, changes, workers
        self._as_json, self._quiet = as_json, quiet

    def update_all(self, chosen: Sequence[Blog]) -> list[PosterityError]:
        """Update the blogs and return the errors of those that failed; one failure does not stop the others."""
        return self._update_one(chosen[0]) if len(chosen) == 1 else self._update_many(chosen)

    def _update_one(self, blog: Blog) -> list[PosterityError]:
        from posterity.crawl.run import update

        try:
            with listener(blog.url, as_json=self._as_json, quiet=self._quiet, doing="updating") as on_event:

                def handle(event: Event) -> None:
                    on_event(event)
                    self._print(event)

                update(blog.id, self._archive, options=self._options, on_event=handle)
        except PosterityError as problem:
            if problem.exit_code in _FATAL_CODES:
                raise
            return [problem]
        return []

    def _update_many(self, chosen: Sequence[Blog]) -> list[PosterityError]:
        from posterity.crawl.run import update_many

        if not chosen:
            return []
        with many_listener(len(chosen), as_json=self._as_json, quiet=self._quiet) as on_event:

            def handle(url: str, event: Event) -> None:
                on_event(url, event)
                self._print(event)

            ids = [blog.id for blog in chosen]
            outcomes = update_many(ids, self._archive, workers=self._workers, options=self._options, on_event=handle)
        problems = [(outcome.url, outcome.problem) for outcome in outcomes if outcome.problem]
        for _, problem in problems:
            if problem.exit_code in _FATAL_CODES:
                raise problem
        for url, problem in problems:
            options.echo(f"posterity: {url}: {problem}", err=True)
        return [problem for _, problem in problems]

    def _print(self, event: Event) -> None:
        if not (self._as_json or self._quiet):
            print_milestone(event)


def _watch(
    archive: str, names: Sequence[str], chosen: Sequence[Blog], update_all: Callable[..., list[PosterityError]]
) -> None:
    """Update blogs when they are due, until Ctrl-C; then raise `Interrupted`."""
    from posterity.crawl.run import chosen_blogs, seconds_until_due

    try:
        while True:
            problems = update_all(chosen)
            if len(chosen) == 1 and problems:
                options.echo(f"posterity: {chosen[0].url}: {problems[0]}", err=True)
            time.sleep(min(_MAX_SLEEP_S, seconds_until_due(archive, names)))
            chosen = chosen_blogs(archive, names, due=True)
    except KeyboardInterrupt:
        raise Interrupted("Stopped. Everything stored so far is kept; run the same command to continue.") from None


def _nothing_due(archive: str) -> str:
    from posterity.crawl.run import next_moment

    moment = next_moment(archive)
    if moment is None:
        return "No blog is due: the archive is empty, or all blogs are paused (`posterity schedule`)."
    return f"No blog is due before {moment:%Y-%m-%d %H:%M} UTC. To update now, name a blog or use --all."
